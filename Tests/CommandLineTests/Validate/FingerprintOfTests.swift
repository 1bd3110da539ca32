import AppSamples
import Foundation
import PushSamples
import TestSupport
import Testing

/// The contract of `aasa validate --fingerprint-of` (android.md, section 3).
@Suite("aasa validate --fingerprint-of", .waiting)
struct FingerprintOfTests {
    private let tool: BuiltTool
    private let listed = SampleSignature.certificate(1)
    private let other = SampleSignature.certificate(2)

    init() throws {
        tool = try BuiltTool()
        try tool.write(try listed.pem(), to: "listed.pem")
        try tool.write(try other.pem(), to: "other.pem")
        try statement("com.shop.app", ["listed.pem"], to: "assetlinks.json")
    }

    private func statement(_ package: String, _ files: [String], to name: String) throws {
        let outcome = try tool.run(["android", "fingerprint", "--statement", "--package", package] + files)
        try tool.write(outcome.text, to: name)
    }

    private func fingerprint(_ path: String) throws -> String {
        try tool.run("android", "fingerprint", "--quiet", path).text.trimmingCharacters(in: .newlines)
    }

    @Test("a certificate that is listed is no finding, one that is not is an error with a fix")
    func findings() throws {
        let good = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "listed.pem")
        #expect(good.status == 0 && good.text == "1 file is fine.\n", "\(good.text) \(good.errors)")
        let bad = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "other.pem")
        #expect(bad.status == 1)
        let print = try fingerprint("other.pem")
        #expect(
            bad.text.hasPrefix(
                """
                assetlinks.json:7:35: error: the certificate of 'other.pem' is not listed: \(print) [fingerprint-not-listed]

                """), "\(bad.text)")
        let fixed = try tool.run(
            "validate", "--fix", "--suggested", "assetlinks.json", "--fingerprint-of", "other.pem", "--fingerprint-of",
            "com.shop.app=listed.pem")
        #expect(fixed.status == 0, "\(fixed.text) \(fixed.errors)")
        try statement("com.shop.app", ["listed.pem", "other.pem"], to: "both.json")
        #expect(try tool.text("assetlinks.json") == tool.text("both.json"))
    }

    @Test("a package limits the statements that count")
    func packages() throws {
        let outcome = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "com.other.app=listed.pem")
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("assetlinks.json:1:1: error: the file has no statement about 'com.other.app'"))
        #expect(outcome.text.contains("aasa android fingerprint --statement --package com.other.app listed.pem"))
    }

    @Test("two apps that are missing in one list are two findings, in every format")
    func formats() throws {
        try tool.write(try SampleSignature.certificate(3).pem(), to: "third.pem")
        let options = ["--fingerprint-of", "other.pem", "--fingerprint-of", "third.pem"]
        for (format, sign) in [
            ("json", "\"code\":\"fingerprint-not-listed\""), ("github", "::error file=assetlinks.json"),
        ] {
            let outcome = try tool.run(["validate", "assetlinks.json", "--format", format] + options)
            #expect(outcome.text.components(separatedBy: sign).count == 3, "\(outcome.text)")
        }
        let sarif = try tool.run(["validate", "assetlinks.json", "--format", "sarif"] + options)
        #expect(sarif.text.contains("\"ruleId\":\"fingerprint-not-listed\""))
    }

    @Test("an upload key and a debug key are named as what they are")
    func hints() throws {
        let block = SampleSigningBlock([
            (SampleSigningBlock.v2, SampleSignature.scheme([SampleSignature.signer([try other.der()])]))
        ])
        try tool.write(block.inserted(into: try SampleSignature.application().bytes), to: "app.apk")
        let release = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "app.apk")
        #expect(release.status == 1 && !release.text.contains("note: "), "\(release.text)")
        let line =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out debug.pem -days 9000 "
        #expect(try tool.shell(line + "-subj '/C=US/O=Android/CN=Android Debug'").status == 0)
        let debug = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "debug.pem")
        #expect(debug.text.contains("note: the certificate is one for debugging (CN=Android Debug)"), "\(debug.text)")
        var bundle = SampleArchive()
        bundle.add("BundleConfig.pb", [1])
        try SampleSignature.addSignature(of: [other], to: &bundle)
        try tool.write(bundle.bytes, to: "app.aab")
        let upload = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "app.aab")
        // That its certificate is not listed is right: nothing that users install has it.
        #expect(upload.status == 0 && upload.text.contains("[upload-key-fingerprint]"), "\(upload.text)")
        #expect(upload.text.contains("warning: 'app.aab' does not tell whether the right fingerprint is listed"))
        try statement("com.shop.app", ["other.pem"], to: "assetlinks.json")
        let only = try tool.run("validate", "--strict", "assetlinks.json", "--fingerprint-of", "app.aab")
        #expect(only.status == 1 && only.text.contains("warning: this is only the fingerprint of the upload key"))
    }

    @Test("keystores have a password, and files come from standard input")
    func sources() throws {
        try tool.write(try SamplePKCS12.export(listed, password: "test-password").der(), to: "store.p12")
        try tool.write("test-password\n", to: "secret")
        let start = "$tool validate assetlinks.json --fingerprint-of"
        let keystore = try tool.shell("\(start) store.p12 --password-file secret")
        #expect(keystore.status == 0, "\(keystore.text) \(keystore.errors)")
        #expect(try tool.shell("\(start) store.p12 --password-env P", environment: ["P": "no"]).status == 65)
        #expect(try tool.shell("\(start) - <listed.pem").status == 0)
        #expect(try tool.shell("\(start) - <other.pem").status == 1)
        #expect(try tool.shell("$tool validate - --fingerprint-of - <listed.pem").status == 64)
    }

    @Test("nothing is fixed if the apps have no file or several to belong to")
    func fixes() throws {
        let text = try tool.text("assetlinks.json").replacingOccurrences(of: "handle_all_urls", with: "Handle_All_URLs")
        for name in ["app/assetlinks.json", "other/assetlinks.json"] { try tool.write(text, to: name) }
        let options = ["validate", "--fix", "--suggested", "--fingerprint-of", "other.pem"]
        for paths in [["."], ["app/assetlinks.json", "other/assetlinks.json"]] {
            #expect(try tool.run(options + paths).status == 64)
            #expect(try tool.text("app/assetlinks.json") == text)
        }
        let fixed = try tool.run(options + ["app"])
        #expect(fixed.status != 64 && fixed.errors.isEmpty, "\(fixed.text) \(fixed.errors)")
        let print = try fingerprint("other.pem")
        #expect(try tool.text("app/assetlinks.json").contains(print))
        // Other files do not matter, and each that cannot be read is said once.
        try tool.write(#"{"applinks": {"details": []}}"#, to: "apple-app-site-association")
        let shown = try tool.shell(
            "$tool validate --fix --diff --suggested - apple-app-site-association --fingerprint-of other.pem "
                + "<assetlinks.json")
        #expect(shown.status == 1 && shown.text.contains(print), "\(shown.text) \(shown.errors)")
        let missing = "error: cannot read 'none.json'"
        let mixed = try tool.run(options + ["none.json", "assetlinks.json", "apple-app-site-association"])
        #expect(mixed.status == 66 && mixed.errors.components(separatedBy: missing).count == 2, "\(mixed.errors)")
        #expect(try tool.text("assetlinks.json").contains(print))
        let none = try tool.run(options + ["none.json"])
        #expect(none.status == 64 && none.errors.contains(missing), "\(none.errors)")
    }

    @Test("what cannot be used is said before anything is checked")
    func unusable() throws {
        try tool.write("text", to: "text.txt")
        let cases: [([String], Int32, String)] = [
            (["--fingerprint-of", "none.apk"], 66, "error: cannot read 'none.apk'"),
            (["--fingerprint-of", "text.txt"], 65, "error: text.txt: "),
            (["--fingerprint-of", "none.apk", "--fingerprint-of", "text.txt"], 66, "error: text.txt: "),
            (["--password-env", "PASSWORD"], 64, "a password needs --fingerprint-of"),
        ]
        for (options, status, message) in cases {
            let outcome = try tool.run(["validate", "assetlinks.json"] + options)
            #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.text.isEmpty)
        }
        try tool.write(#"{"applinks": {"details": []}}"#, to: "apple-app-site-association")
        for paths in [["apple-app-site-association"], ["assetlinks.json", "copy/assetlinks.json"]] {
            try tool.write(try tool.text("assetlinks.json"), to: "copy/assetlinks.json")
            let outcome = try tool.run(["validate"] + paths + ["--fingerprint-of", "listed.pem"])
            #expect(outcome.status == 64 && outcome.errors.contains("asset links file"), "\(outcome.errors)")
        }
    }

    @Test("an earlier certificate of a rotated key counts", .needs(.apksigner))
    func lineage() throws {
        for number in 1...2 {
            let keys = try tool.shell(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(number).key -out \(number).pem "
                    + "-subj '/CN=Key \(number)' -days 9000 && "
                    + "openssl pkcs8 -topk8 -nocrypt -in \(number).key -outform DER -out \(number).pk8")
            #expect(keys.status == 0, "\(keys.errors)")
        }
        try tool.write(try SampleSignature.application().bytes, to: "base.apk")
        let signing = try tool.shell(
            "apksigner rotate --out line --old-signer --key 1.pk8 --cert 1.pem --new-signer --key 2.pk8 --cert 2.pem && "
                + "apksigner sign --min-sdk-version 28 --v4-signing-enabled false --in base.apk --out signed.apk --lineage line "
                + "--key 1.pk8 --cert 1.pem --next-signer --key 2.pk8 --cert 2.pem",
            environment: ExternalProgram.quickJava)
        #expect(signing.status == 0, "\(signing.text) \(signing.errors)")
        try statement("com.shop.app", ["1.pem"], to: "assetlinks.json")
        let outcome = try tool.run("validate", "assetlinks.json", "--fingerprint-of", "signed.apk")
        #expect(outcome.status == 0, "\(outcome.text)")
    }
}
