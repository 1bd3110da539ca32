import Foundation
import PushSamples
import TestSupport
import Testing

/// The contract of `certcheck csr` (push-certificates.md, section 10).
@Suite("certcheck csr", .waiting)
struct CertcheckRenewalCsrTests {
    private let tool: BuiltTool

    init() throws { tool = try .certcheck() }

    @Test("writes a key and a request named after NAME and the day, and says how to go on")
    func standard() throws {
        let outcome = try tool.run("csr", "--name", "com.example.app")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        let names = try tool.names()
        try #require(names.count == 2)
        let match = try #require(names[1].wholeMatch(of: /(push-com\.example\.app-[0-9]{8})\.key/))
        #expect(names[0] == "\(match.1).certSigningRequest")
        let command = "certcheck combine aps.cer --key \(names[1]) --out \(match.1).p12"
        #expect(outcome.text.contains("\n     \(command)\n"))
        for part in [names[0], "Certificates, Identifiers & Profiles", "identity.apple.com", "same Apple ID"] {
            #expect(outcome.text.contains(part), "\(part)")
        }
        let subject = try tool.shell("openssl req -in *.certSigningRequest -noout -verify -subject -nameopt RFC2253")
        #expect(subject.text.wholeMatch(of: /(?s).*subject=CN=Push com\.example\.app [0-9]{4}\n.*/) != nil)
        #expect((subject.text + subject.errors).contains("verify OK"))
    }

    @Test(
        "the key is for its owner only and the request for all, whatever the umask", arguments: ["000", "077", "777"])
    func modes(umask: String) throws {
        let outcome = try tool.shell("umask \(umask); exec $tool csr --name x --out app")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try tool.mode("app.key") == 0o600)
        #expect(try tool.mode("app.certSigningRequest") == 0o644)
        #expect(try tool.text("app.key").hasPrefix(SamplePEM.begin("PRIVATE KEY")))
        #expect(try tool.text("app.certSigningRequest").hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n"))
    }

    @Test("refuses if one of the files exists, also as a broken link, and writes nothing")
    func existing() throws {
        for name in ["app.key", "app.certSigningRequest"] {
            let tool = try BuiltTool.certcheck()
            try tool.write("mine", to: name)
            let outcome = try tool.run("csr", "--name", "x", "--out", "app")
            #expect(outcome.status == 3)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("'\(name)': it exists already"))
            #expect(try tool.names() == [name])
            #expect(try tool.text(name) == "mine")
            try FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent(name))
            try tool.link(name, to: "nowhere")
            #expect(try tool.run("csr", "--name", "x", "--out", "app").status == 3)
            #expect(try tool.names() == [name])
        }
    }

    @Test("a folder that is not there or a full disk leaves nothing behind")
    func obstacles() throws {
        let outcome = try tool.run("csr", "--name", "x", "--out", "none/app")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("'none'"))
        try tool.write("", to: "file")
        #expect(try tool.run("csr", "--name", "x", "--out", "file/app").status == 3)
        // A limit of the size of files fails as a full disk does.
        if Patience.allowsFileLimits {
            let limited = try tool.shell("ulimit -f 1; exec $tool csr --name x --out app")
            #expect(limited.status == 3)
            #expect(limited.errors.contains("app.key"))
        }
        #expect(try tool.names() == ["file"])
        let long = String(repeating: "n", count: 240)
        #expect(try tool.run("csr", "--name", "x", "--out", long).status == 3)
        #expect(try tool.names() == ["file"])
    }

    @Test("a folder that may only be read leaves nothing behind", .enabled(if: getuid() == 0))
    func readOnly() throws {
        // root may write everywhere; so somebody else has to try.
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let copy = folder.url.appendingPathComponent("certcheck")
        try FileManager.default.copyItem(atPath: tool.executable, toPath: copy.path)
        let outcome = try Shell.run(
            ["setpriv", "--reuid=65534", "--clear-groups", copy.path, "csr", "--name", "x", "--out", "app"],
            in: folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("permission denied"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["certcheck"])
    }

    @Test("--email and --country are in the subject; --out may have folders and odd characters")
    func subject() throws {
        try tool.write("", to: "my keys/.keep")
        let outcome = try tool.run(
            "csr", "--name", "Größe 1", "--email", "a@example.com", "--country", "DE", "--out", "my keys/o'ne")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains(#"--key 'my keys/o'\''ne.key' --out 'my keys/o'\''ne.p12'"#))
        let request = "my keys/o'ne.certSigningRequest"
        let shown = try Shell.run(
            [
                "openssl", "req", "-in", request, "-noout", "-subject", "-nameopt",
                "utf8,sep_comma_plus,show_type,sname",
            ],
            in: tool.folder.url)
        #expect(shown.text.contains("CN=UTF8STRING:Push Größe 1 "))
        #expect(shown.text.contains("emailAddress=IA5STRING:a@example.com"))
        #expect(shown.text.contains("C=PRINTABLESTRING:DE"))
    }

    @Test(
        "what cannot be in a request is a usage error, with nothing on standard output and nothing written",
        arguments: [
            [], ["--name", ""], ["--name", "a\nb"], ["--name", String(repeating: "n", count: 156)],
            ["--name", "x", "--country", "D1"], ["--name", "x", "--country", "DEU"], ["--name", "x", "--email", "x"],
            ["--name", "x", "--email", "ü@example.com"], ["--name", "x", "--out", ""],
            ["--name", "x", "--out", "keys/"],
            ["--name", "x", "--out", "-"], ["--name", "x", "--format", "xml"], ["--name", "x", "extra"],
            ["--name", "x", "--password-env", "UNSET_VARIABLE"], ["--name", "x", "--password-file", "none"],
            ["--name", "x", "--password-env", "A", "--password-file", "b"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Shell.run([tool.executable, "csr"] + arguments, in: tool.folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("error: "))
        #expect(try tool.names() == [])
    }

    @Test("the next command names the file of the password, and the terminal is asked after standard input")
    func passwordFile() throws {
        try tool.write("gehe1m\n", to: "secret")
        let named = try tool.run("csr", "--name", "x", "--out", "app", "--password-file", "secret")
        #expect(named.status == 0, "\(named.errors)")
        #expect(named.text.contains("--key app.key --out app.p12 --password-file secret\n"))
        let piped = try tool.shell("echo gehe1m | $tool csr --name x --out other --password-file -")
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.text.contains("--key other.key --out other.p12\n"))
    }

    @Test("a password encrypts the key, and is nowhere to be seen")
    func password() throws {
        let password = "gehe1m-und-l4ng"
        let outcome = try tool.shell(
            "exec $tool csr --name x --out app --password-env PASSWORD", environment: ["PASSWORD": password])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!(outcome.text + outcome.errors).contains(password))
        #expect(outcome.text.contains("--key app.key --out app.p12 --password-env PASSWORD\n"))
        #expect(try tool.text("app.key").hasPrefix(SamplePEM.begin("ENCRYPTED PRIVATE KEY")))
        let opened = try Shell.run(
            ["openssl", "pkey", "-in", "app.key", "-passin", "stdin", "-noout"], input: Data("\(password)\n".utf8),
            in: tool.folder.url)
        #expect(opened.status == 0)
    }

    @Test("JSON names what was written")
    func json() throws {
        let outcome = try tool.run("csr", "--name", "x", "--out", "app", "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try outcome.object()
        #expect(object["version"] as? Int == 1)
        #expect(object["tool"] as? String == "certcheck")
        #expect(object["command"] as? String == "csr")
        #expect(object["key"] as? String == "app.key")
        #expect(object["request"] as? String == "app.certSigningRequest")
        #expect(object["written"] as? [String] == ["app.key", "app.certSigningRequest"])
        #expect(object["keyIsEncrypted"] as? Bool == false)
        #expect((object["subject"] as? [String: Any])?["email"] is NSNull)
        #expect(outcome.text.split(separator: "\n").count == 1)
    }
}
