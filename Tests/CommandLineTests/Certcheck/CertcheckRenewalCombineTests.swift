import Foundation
import PushSamples
import TestSupport
import Testing

/// The contract of `certcheck combine` (push-certificates.md, section 10).
@Suite("certcheck combine", .waiting)
struct CertcheckRenewalCombineTests {
    private static let password = "test-password"

    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        let sample = SampleProfile.universal.certificate().valid()
        try tool.write(sample.der(), to: "aps.cer")
        try tool.write(SampleKey.p256().pem(), to: "app.key")
    }

    /// Runs `combine` with the password in a variable.
    private func combine(_ arguments: String..., input: [UInt8] = []) throws -> Shell.Outcome {
        try Shell.run(
            [
                "PASSWORD=\(Self.password)", "OTHER=other", "EMPTY=", "timeout", "60", tool.executable, "combine",
            ] + arguments + ["--password-env", "PASSWORD"], input: Data(input), in: tool.folder.url)
    }

    @Test("from request to file: what certcheck csr began, certcheck reads as a whole in the end")
    func roundTrip() throws {
        try #require(tool.run("csr", "--name", "com.example.app", "--out", "new").status == 0)
        try tool.write(tool.issue(for: "new.certSigningRequest").pem(), to: "new.cer")
        let outcome = try combine("new.cer", "--key", "new.key")
        #expect(outcome.status == 0, "\(outcome.errors)")
        for part in [
            "wrote new.p12\n", "kind          apple-push-services\n", "topics        com.example.app (topic)\n",
            "com.example.app.voip (voip)\n", "environments  sandbox, production\n", "expires       20",
            "\n     certcheck new.p12\n",
        ] {
            #expect(outcome.text.contains(part), "\(part)")
        }
        #expect(try tool.mode("new.p12") == 0o600)
        let shown = try tool.pkcs12("new.p12", password: Self.password, "-legacy")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.text.contains("friendlyName: Apple Push Services: com.example.app"))
        let checked = try Shell.run(
            [
                "PASSWORD=\(Self.password)", tool.executable, "--format", "json", "--password-env", "PASSWORD",
                "new.p12",
            ],
            in: tool.folder.url)
        #expect(checked.status == 0)
        #expect(checked.text.contains(#""keyMatches":true"#))
        #expect(try tool.names() == ["app.key", "aps.cer", "new.cer", "new.certSigningRequest", "new.key", "new.p12"])
    }

    @Test("by default the file has the algorithms that macOS reads; --modern those of today; --chain adds G4")
    func algorithms() throws {
        #expect(try combine("aps.cer", "--key", "app.key").status == 0)
        let compatible = try tool.pkcs12("aps.p12", password: Self.password)
        #expect(compatible.errors.contains("MAC: sha1, Iteration 2048\n"))
        let old = "pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048\n"
        #expect(compatible.errors.components(separatedBy: old).count == 3)
        #expect(try combine("aps.cer", "--key", "app.key", "--modern", "--chain", "--out", "m.p12").status == 0)
        let modern = try tool.pkcs12("m.p12", password: Self.password)
        #expect(modern.errors.contains("MAC: sha256, Iteration 250000\n"))
        #expect(modern.errors.components(separatedBy: "PBES2, PBKDF2, AES-256-CBC, Iteration 250000, ").count == 3)
        #expect(modern.errors.components(separatedBy: "PRF hmacWithSHA256").count == 3)
        #expect(compatible.text.components(separatedBy: "BEGIN CERTIFICATE").count == 2)
        #expect(modern.text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(modern.text.contains("OU = G4") || modern.text.contains("OU=G4"))
    }

    @Test(
        "without --out the new file is named as the certificate, without the ending that certificates have",
        arguments: [
            ("a.cer", "a.p12"), ("a.CRT", "a.p12"), ("a.der", "a.p12"), ("a.pem", "a.p12"), ("a.cert", "a.p12"),
            ("a.txt", "a.txt.p12"),
        ])
    func name(certificate: String, expected: String) throws {
        try tool.write(SampleProfile.universal.certificate().valid().der(), to: certificate)
        let outcome = try combine(certificate, "--key", "app.key")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Set(try tool.names()) == [certificate, expected, "app.key", "aps.cer"])
    }

    @Test("needs no provider of old algorithms")
    func providers() throws {
        let outcome = try Shell.run(
            [
                "OPENSSL_MODULES=/nonexistent", "PASSWORD=x", tool.executable, "combine", "aps.cer", "--key", "app.key",
                "--password-env", "PASSWORD",
            ], in: tool.folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("the mode is for the owner only, whatever the umask", arguments: ["000", "077", "777"])
    func mode(umask: String) throws {
        let outcome = try tool.shell(
            "umask \(umask); exec $tool combine aps.cer --key app.key --password-env P", environment: ["P": "x"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try tool.mode("aps.p12") == 0o600)
    }

    @Test("a full disk, or a folder that is not there, leaves nothing behind")
    func obstacles() throws {
        if Patience.allowsFileLimits {
            let limited = try tool.shell(
                "ulimit -f 1; exec $tool combine aps.cer --key app.key --password-env P", environment: ["P": "x"])
            #expect(limited.status == 3)
            #expect(limited.errors.contains("'aps.p12'"))
        }
        #expect(try combine("aps.cer", "--key", "app.key", "--out", "none/a.p12").status == 3)
        #expect(try combine("aps.cer", "--key", "app.key", "--out", "app.key/a.p12").status == 3)
        #expect(try tool.names() == ["app.key", "aps.cer"])
    }

    @Test("--keys finds the key among all that lies in the folder, but not deeper")
    func folder() throws {
        try tool.write(SampleKey.p256(2).pem(), to: "keys/1.key")
        try tool.write("text", to: "keys/2.txt")
        try tool.write(tool.bytes("aps.cer"), to: "keys/3.cer")
        try tool.write(SampleKey.p256(3).encryptedPEM(SampleEncryption(.aes256, password: "x")), to: "keys/4.key")
        try tool.write(tool.bytes("app.key"), to: "keys/deeper/app.key")
        try tool.link("keys/nowhere", to: "none")
        #expect(try tool.shell("mkfifo keys/pipe").status == 0)
        let refused = try combine("aps.cer", "--keys", "keys")
        #expect(refused.status == 3)
        for part in [
            "does not match the certificate", "one file cannot be opened", "--key-password-env", "certcheck csr",
        ] {
            #expect(refused.errors.contains(part), "\(part)")
        }
        #expect(!refused.errors.contains("warning"))
        try tool.write(SampleKey.p256().traditionalPEM(), to: "keys/5.key")
        let outcome = try combine("aps.cer", "--keys", "keys")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("key from      keys/5.key\n"))
    }

    @Test("a key that does not fit, is none, or is missing, is refused in one sentence")
    func wrongKey() throws {
        try tool.write(SampleKey.p256(2).pem(), to: "other.key")
        try tool.write("text", to: "text")
        for (path, part) in [
            ("other.key", "does not match the certificate"), ("text", "no private key"),
            ("none", "there is no such file"), (".", "is a folder"), ("aps.cer", "no private key"),
        ] {
            let outcome = try combine("aps.cer", "--key", path)
            #expect(outcome.status == 3)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(part), "\(path): \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(
            try combine("aps.cer", "--key", "other.key").errors.contains("create a new request with 'certcheck csr'"))
        #expect(try combine("aps.cer", "--keys", "none").errors.contains("there is no such file"))
        #expect(try combine("aps.cer", "--keys", "text").errors.contains("is not a folder"))
        #expect(try tool.names() == ["app.key", "aps.cer", "other.key", "text"])
    }

    @Test("an encrypted key opens with --key-password-env, or with the password of the new file")
    func encryptedKey() throws {
        let encryption = SampleEncryption(.aes256, password: "other")
        try tool.write(SampleKey.p256().encryptedPEM(encryption), to: "locked.key")
        try tool.write(SampleKey.p256().traditionalPEM(password: "other"), to: "old.key")
        let refused = try combine("aps.cer", "--key", "locked.key")
        #expect(refused.status == 3)
        #expect(refused.errors.contains("--key-password-env"))
        for name in ["locked.key", "old.key"] {
            let outcome = try combine(
                "aps.cer", "--key", name, "--key-password-env", "OTHER", "--out", "\(name).p12")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try tool.write(
            SampleKey.p256().encryptedPEM(SampleEncryption(.aes256, password: .text(Self.password))), to: "same.key")
        #expect(try combine("aps.cer", "--key", "same.key").status == 0)
        #expect(try combine("aps.cer", "--key", "app.key", "--key-password-env", "UNSET").status == 3)
    }

    @Test("--old refuses another app and missing topics, unless --allow-different-topic")
    func old() throws {
        func export(_ sample: SampleCertificate, password: String, to name: String) throws {
            try tool.write(SamplePKCS12.export(sample, password: .text(password), as: .keychain).der(), to: name)
        }
        try export(SampleProfile.universal.certificate(), password: Self.password, to: "same.p12")
        try export(SampleProfile.universal.certificate(), password: "other", to: "secret.p12")
        try export(SampleProfile.pushToTalk.certificate(), password: Self.password, to: "more.p12")
        try tool.write(SampleProfile.universal.certificate("com.example.other").pem(), to: "other.pem")
        try tool.write(SampleProfile.codeSigning.certificate().der(), to: "signing.cer")

        func compare(_ old: String, _ arguments: String...) throws -> Shell.Outcome {
            try? FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent("aps.p12"))
            return try Shell.run(
                [
                    "PASSWORD=\(Self.password)", "OTHER=other", tool.executable, "combine", "aps.cer", "--key",
                    "app.key",
                    "--password-env", "PASSWORD", "--old", old,
                ] + arguments, in: tool.folder.url)
        }
        #expect(try compare("same.p12").status == 0)
        #expect(try compare("secret.p12", "--old-password-env", "OTHER").status == 0)
        let locked = try compare("secret.p12")
        #expect(locked.status == 3)
        #expect(locked.errors.contains("--old-password-env"))
        for (old, part) in [("other.pem", "'com.example.other'"), ("more.p12", "'com.example.app.voip-ptt'")] {
            let refused = try compare(old)
            #expect(refused.status == 3)
            #expect(refused.errors.contains(part) && refused.errors.contains("--allow-different-topic"))
            #expect(try !tool.names().contains("aps.p12"))
            let allowed = try compare(old, "--allow-different-topic")
            #expect(allowed.status == 0)
            #expect(allowed.errors.contains("warning: ") && allowed.errors.contains(part))
        }
        #expect(try compare("signing.cer").status == 3)
        #expect(try compare("none").status == 3)
        #expect(try compare("app.key").status == 3)
    }

    @Test("what is no certificate from Apple is refused with what it is")
    func notACertificate() throws {
        try tool.write(SampleRequest().pem(), to: "request")
        try tool.write(
            SamplePKCS12.export(SampleProfile.universal.certificate(), password: "x", as: .openSSL).der(),
            to: "file.p12")
        try tool.write("<!DOCTYPE html><html>", to: "page.html")
        for (name, part) in [
            ("request", "request"), ("file.p12", "PKCS #12"), ("page.html", "web page"), ("app.key", "token key"),
            ("none", "there is no such file"),
            (".", "folder"),
        ] {
            let outcome = try combine(name, "--key", "app.key", "--out", "new.p12")
            #expect(outcome.status == 3)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
            #expect(try !tool.names().contains("new.p12"))
        }
    }

    @Test("a password is required and may not be empty")
    func password() throws {
        let none = try Shell.run([tool.executable, "combine", "aps.cer", "--key", "app.key"], in: tool.folder.url)
        #expect(none.status == 3)
        #expect(none.errors.contains("--password-env"))
        let empty = try tool.shell(
            "exec $tool combine aps.cer --key app.key --password-env EMPTY", environment: ["EMPTY": ""])
        #expect(empty.status == 3)
        #expect(empty.errors.contains("empty"))
        let invalid = try tool.shell("printf '\\377' | $tool combine aps.cer --key app.key --password-fd 0")
        #expect(invalid.status == 3)
        #expect(invalid.errors.contains("UTF-8"))
        #expect(try tool.names() == ["app.key", "aps.cer"])
        let outcome = try combine("aps.cer", "--key", "app.key")
        #expect(outcome.status == 0)
        #expect(!(outcome.text + outcome.errors).contains(Self.password))
    }

    @Test("standard input is read for -, once")
    func standardInput() throws {
        let bytes = try tool.bytes("aps.cer")
        #expect(try combine("-", "--key", "app.key", "--out", "a.p12", input: bytes).status == 0)
        #expect(try combine("aps.cer", "--key", "-", input: tool.bytes("app.key")).status == 0)
        #expect(try combine("-", "--key", "app.key", input: bytes).status == 3)
        #expect(try combine("-", "--key", "-", "--out", "b.p12", input: bytes).status == 3)
        let both = try tool.shell("$tool combine - --key app.key --out b.p12 --password-fd 0 <aps.cer")
        #expect(both.status == 3)
        #expect(try !tool.names().contains("b.p12"))
    }

    @Test(
        "wrong arguments are usage errors, with nothing on standard output and nothing written",
        arguments: [
            ["combine"], ["combine", "aps.cer"], ["combine", "--key", "app.key"],
            ["combine", "aps.cer", "--key", "app.key", "--keys", "."], ["combine", "aps.cer", "--key", ""],
            ["combine", "aps.cer", "--key", "app.key", "--out", ""],
            ["combine", "aps.cer", "--key", "app.key", "--out", "-"],
            ["combine", "aps.cer", "--key", "app.key", "--format", "xml"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Shell.run(
            ["PASSWORD=x", tool.executable] + arguments + ["--password-env", "PASSWORD"], in: tool.folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("error: "))
        #expect(try tool.names() == ["app.key", "aps.cer"])
    }

    @Test("JSON says what was written and what it is")
    func json() throws {
        let outcome = try combine("aps.cer", "--key", "app.key", "--format", "json")
        #expect(outcome.status == 0)
        let object = try outcome.object()
        #expect(object["version"] as? Int == 1)
        #expect(object["tool"] as? String == "certcheck")
        #expect(object["command"] as? String == "combine")
        #expect(object["path"] as? String == "aps.p12")
        #expect(object["written"] as? [String] == ["aps.p12"])
        #expect(object["key"] as? String == "app.key")
        #expect((object["warnings"] as? [String])?.count == 1)
        let certificate = try #require(object["certificate"] as? [String: Any])
        #expect(certificate["kind"] as? String == "apple-push-services")
        #expect(certificate["environments"] as? [String] == ["sandbox", "production"])
        #expect((certificate["topics"] as? [[String: Any]])?.first?["name"] as? String == "com.example.app")
        #expect(outcome.text.split(separator: "\n").count == 1)
    }
}
