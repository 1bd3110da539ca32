import AppSamples
import Foundation
import PushSamples
import TestSupport
import Testing

@Suite("aasa android fingerprint", .waiting)
struct AndroidFingerprintTests {
    private let tool: BuiltTool

    init() throws { tool = try BuiltTool() }

    private static let one = SampleSignature.certificate(1)
    private static let two = SampleSignature.certificate(2)

    private func fingerprint(_ certificate: SampleCertificate) throws -> String {
        try tool.write(try certificate.der(), to: "own.cer")
        let outcome = try tool.shell("openssl x509 -inform DER -in own.cer -noout -fingerprint -sha256")
        return String(outcome.text.split(separator: "=").last?.dropLast() ?? "")
    }

    private func writeApplication(_ name: String, _ certificate: SampleCertificate) throws {
        let block = SampleSigningBlock([
            (SampleSigningBlock.v2, SampleSignature.scheme([SampleSignature.signer([try certificate.der()])]))
        ])
        try tool.write(block.inserted(into: try SampleSignature.application().bytes), to: name)
    }

    @Test("a line has the fingerprint, the path, and what the certificate is; --quiet leaves the rest out")
    func text() throws {
        try writeApplication("a.apk", Self.one)
        let print = try fingerprint(Self.one)
        let outcome = try tool.run("android", "fingerprint", "a.apk")
        #expect(outcome.status == 0)
        let facts = "v2, signer, CN=Release 1,O=Example,C=DE, expires 2050-07-05"
        #expect(outcome.text == "\(print)  a.apk (\(facts))\n")
        #expect(outcome.errors.contains("note: a.apk: if Google Play signs the app"))
        #expect(outcome.errors.contains("signatures themselves are not verified"))
        let quiet = try tool.run("android", "fingerprint", "--quiet", "a.apk")
        #expect(quiet.text == "\(print)\n" && quiet.errors.isEmpty)
    }

    @Test("JSON has every key of the contract")
    func json() throws {
        try writeApplication("a.apk", Self.one)
        try tool.write(try Self.two.pem(), to: "two.pem")
        try tool.write("text", to: "c.txt")
        let outcome = try tool.run("android", "fingerprint", "--format", "json", "a.apk", "two.pem", "c.txt")
        #expect(outcome.status == 65)
        let (first, second) = (try fingerprint(Self.one), try fingerprint(Self.two))
        func certificate(_ print: String, _ number: Int, _ scheme: String) -> String {
            #"{"notAfter":"2050-07-05T00:00:00Z","role":"signer","scheme":\#(scheme),"sha256":"\#(print)","#
                + #""subject":"CN=Release \#(number),O=Example,C=DE"}"#
        }
        let files = [
            #"{"certificates":[\#(certificate(first, 1, #""v2""#))],"error":null,"hint":null,"kind":"apk","package":null,"#
                + #""path":"a.apk"}"#,
            #"{"certificates":[\#(certificate(second, 2, "null"))],"error":null,"hint":null,"kind":"certificate","#
                + #""package":null,"path":"two.pem"}"#,
            #"{"certificates":[],"error":"not-a-certificate","hint":null,"kind":null,"package":null,"path":"c.txt"}"#,
        ]
        #expect(outcome.text == #"{"files":[\#(files.joined(separator: ","))],"version":1}"# + "\n")
    }

    @Test("a statement is complete, has every signer once, and passes 'aasa validate'")
    func statement() throws {
        try writeApplication("a.apk", Self.one)
        try writeApplication("b.apk", Self.two)
        let outcome = try tool.run(
            "android", "fingerprint", "--statement", "--package", "com.shop.app", "a.apk", "b.apk", "a.apk")
        #expect(outcome.status == 0)
        let list = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        let target = try #require(list.first?["target"] as? [String: Any])
        #expect(
            target["sha256_cert_fingerprints"] as? [String] == [try fingerprint(Self.one), try fingerprint(Self.two)])
        #expect(target["package_name"] as? String == "com.shop.app")
        try tool.write(outcome.text, to: "assetlinks.json")
        #expect(try tool.run("validate", "--strict", "assetlinks.json").status == 0)
        // A part of it would be taken for all.
        let failed = try tool.run("android", "fingerprint", "--statement", "--package", "a.b", "a.apk", "none")
        #expect(failed.status == 66 && failed.text.isEmpty)
    }

    @Test("the package of a statement is that of the APK, unless it is given")
    func packages() throws {
        func write(_ name: String, _ manifest: [UInt8]) throws {
            try tool.write(try SampleSignature.application([Self.one], manifest: manifest).bytes, to: name)
        }
        try write("a.apk", SampleSignature.manifest("com.shop.app"))
        try write("b.apk", SampleSignature.manifest("com.shop.other"))
        try write("none.apk", [3, 0, 8, 0])
        let own = try tool.run("android", "fingerprint", "--statement", "a.apk", "none.apk")
        #expect(own.status == 0 && own.text.contains(#""package_name": "com.shop.app""#), "\(own.errors)")
        try tool.write(own.text, to: "assetlinks.json")
        let checked = try tool.run("validate", "--strict", "assetlinks.json", "--fingerprint-of", "a.apk")
        #expect(checked.status == 0, "\(checked.text)")
        // The statement is about another app, although the certificate is the same.
        let other = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "b.apk")
        #expect(other.status == 1 && other.text.contains("no statement about 'com.shop.other'"), "\(other.text)")
        #expect(
            try tool.run("validate", "assetlinks.json", "--fingerprint-of", "com.shop.app=b.apk").status == 0)
        let given = try tool.run("android", "fingerprint", "--statement", "--package", "com.shop.x", "a.apk")
        #expect(given.status == 0 && given.text.contains(#""package_name": "com.shop.x""#))
        #expect(given.errors.contains("warning: a.apk: this is the app 'com.shop.app', not 'com.shop.x'"))
        let several = try tool.run("android", "fingerprint", "--statement", "a.apk", "b.apk")
        #expect(several.status == 64 && several.text.isEmpty)
        #expect(several.errors.contains("the files are of several apps, 'com.shop.app' and 'com.shop.other'"))
        let missing = try tool.run("android", "fingerprint", "--statement", "none.apk")
        #expect(missing.status == 64 && missing.errors.contains("--statement needs --package"))
        let json = try tool.run("android", "fingerprint", "--format", "json", "a.apk")
        #expect(json.text.contains(#""package":"com.shop.app""#))
    }

    @Test("an APK for Android 17 has a certificate for that and one for older systems, and both have to be listed")
    func hybrid() throws {
        let (classical, postQuantum) = (SampleSignature.certificate(5), SampleSignature.postQuantumCertificate(6))
        let one = try Self.one.der()
        let block = SampleSigningBlock([
            (SampleSigningBlock.v3, SampleSignature.scheme([SampleSignature.rotatingSigner([one])])),
            (
                SampleSigningBlock.v32,
                SampleSignature.hybrid([try classical.der()], [try postQuantum.der()], ancestors: [one])
            ),
        ])
        let archive = try SampleSignature.application(manifest: SampleSignature.manifest("com.shop.app"))
        try tool.write(block.inserted(into: archive.bytes), to: "a.apk")
        let (new, old) = (try fingerprint(postQuantum), try fingerprint(Self.one))
        let shown = try tool.run("android", "fingerprint", "a.apk")
        let facts = ["v3.2, signer, CN=Hybrid 6", "v3, signer, CN=Release 1", "v3.2, lineage, CN=Release 5"]
        let lines = shown.text.split(separator: "\n")
        #expect(lines.count == 3 && zip(lines, facts).allSatisfy { $0.contains($1) }, "\(shown.text)")
        #expect(shown.errors.contains("note: a.apk: Android 17 and later see the certificate of the v3.2 signature"))
        let statement = try tool.run("android", "fingerprint", "--statement", "a.apk").text
        #expect(statement.contains("\"\(new)\",\n        \"\(old)\"\n"), "\(statement)")
        try tool.write(statement, to: "assetlinks.json")
        let arguments = ["validate", "--strict", "assetlinks.json", "--fingerprint-of", "a.apk"]
        #expect(try tool.run(arguments).status == 0)
        for (missing, systems) in [(new, "Android 17 and later"), (old, "systems before Android 17")] {
            let other = missing == new ? old : new
            try tool.write(
                statement.replacing("\"\(new)\",\n        \"\(old)\"", with: "\"\(other)\""), to: "assetlinks.json")
            let outcome = try tool.run(arguments)
            #expect(outcome.status == 1)
            let message =
                "error: the certificate of 'a.apk' for \(systems) is not listed: \(missing) [fingerprint-not-listed]"
            #expect(outcome.text.contains(message), "\(outcome.text)")
            #expect(try tool.run(arguments + ["--fix", "--suggested"]).status == 0)
        }
    }

    @Test("the highest exit code counts, and every file is reported")
    func exits() throws {
        try writeApplication("a.apk", Self.one)
        try tool.write(try SampleSignature.application().bytes, to: "unsigned.apk")
        let outcome = try tool.run("android", "fingerprint", "unsigned.apk", "none.apk", "a.apk")
        #expect(outcome.status == 66)
        #expect(outcome.text.contains(" a.apk (v2, "))
        #expect(outcome.errors.contains("error: unsigned.apk: the APK is not signed\nhelp: "))
        #expect(outcome.errors.contains("error: cannot read 'none.apk': no such file or directory\n"))
        #expect(try tool.run("android", "fingerprint", "unsigned.apk", "a.apk").status == 65)
        let url = try tool.run("android", "fingerprint", "https://example.com/a.apk")
        #expect(url.status == 66)
        #expect(url.errors.contains("help: try: curl -fsS https://example.com/a.apk | aasa android fingerprint -"))
    }

    @Test("the content decides what a file is, not its name; a pipe and standard input are read")
    func content() throws {
        try writeApplication("a.pem", Self.one)
        let print = try fingerprint(Self.one)
        #expect(try tool.run("android", "fingerprint", "--quiet", "a.pem").text == "\(print)\n")
        #expect(try tool.shell("$tool android fingerprint --quiet - <a.pem").text == "\(print)\n")
        #expect(try tool.shell("cat a.pem | $tool android fingerprint --quiet -").text == "\(print)\n")
        try tool.write([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 0], to: "my store.p12")
        let keystore = try tool.run("android", "fingerprint", "my store.p12")
        #expect(keystore.status == 65)
        #expect(keystore.errors.contains("keytool -importkeystore -srckeystore 'my store.p12'"))
        #expect(keystore.errors.contains("-deststoretype pkcs12"))
    }

    @Test("hints say why a fingerprint may be the wrong one")
    func hints() throws {
        var bundle = SampleArchive()
        bundle.add("BundleConfig.pb", [1])
        try SampleSignature.addSignature(of: [Self.one], to: &bundle)
        try tool.write(bundle.bytes, to: "a.aab")
        let upload = try tool.run("android", "fingerprint", "--format", "json", "a.aab")
        #expect(upload.status == 0 && upload.text.contains(#""hint":"upload-key","kind":"aab""#))
        #expect(upload.errors.contains("upload key") && upload.errors.contains("App signing key certificate"))
        try tool.write(try SampleSignature.certificate(name: "Android Debug").pem(), to: "debug.pem")
        let debug = try tool.run("android", "fingerprint", "--quiet", "debug.pem")
        #expect(debug.status == 0 && debug.errors.contains("warning: debug.pem: the certificate is one for debugging"))
        let old = SampleSigningBlock([
            (SampleSigningBlock.v2, SampleSignature.scheme([SampleSignature.signer([try Self.one.der()])]))
        ]).inserted(into: try SampleSignature.application([Self.two]).bytes)
        try tool.write(old, to: "old.apk")
        let older = try tool.run("android", "fingerprint", "old.apk")
        #expect(older.text.contains("(v1, older-scheme, "))
        #expect(older.errors.contains("warning: old.apk: systems before Android 7 see another certificate"))
    }

    @Test("passwords come from a variable, a file or a descriptor, as those of certcheck")
    func passwords() throws {
        let keystore = try SamplePKCS12.export(Self.one, password: "test-password").der()
        try tool.write(keystore, to: "store")
        try tool.write("test-password\n", to: "secret")
        let print = "\(try fingerprint(Self.one))\n"
        let missing = try tool.run("android", "fingerprint", "--format", "json", "store")
        #expect(missing.status == 65 && missing.text.contains(#""error":"wrong-password","hint":null,"kind":"pkcs12""#))
        let start = "$tool android fingerprint --quiet"
        #expect(try tool.shell("\(start) --password-env P store", environment: ["P": "test-password"]).text == print)
        #expect(try tool.shell("\(start) --password-file secret store").text == print)
        #expect(try tool.shell("\(start) --password-fd 5 store 5<secret").text == print)
        let wrong = try tool.shell("\(start) --password-env P store", environment: ["P": "wrong"])
        #expect(wrong.status == 65 && wrong.errors.contains("error: store: wrong password"))
        #expect(try tool.shell("\(start) --password-file - - <secret").status == 64)
    }

    @Test(
        "options that do not fit together are refused",
        arguments: [
            ([], "no file given"), (["--package", "a.b", "x"], "--package needs --statement"),
            (["-", "-"], "standard input can be read only once"),
            (["--statement", "--package", "app", "x"], "not a package name"),
            (["--statement", "--package", "a.b", "--quiet", "x"], "exclude each other"),
            (["--statement", "--package", "a.b", "--format", "json", "x"], "remove '--format json'"),
            (["--quiet", "--format", "json", "x"], "exclude each other"),
            (["--password-env", "NOT_SET_AT_ALL", "x"], "'NOT_SET_AT_ALL' is not set"),
        ])
    func usage(arguments: [String], message: String) throws {
        let line = "$tool android fingerprint \(arguments.joined(separator: " "))"
        let outcome = try tool.shell(line)
        #expect(outcome.status == 64 && outcome.errors.contains(message) && outcome.text.isEmpty)
    }
}
