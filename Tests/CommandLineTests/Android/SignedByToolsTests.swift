import AppSamples
import Foundation
import TestSupport
import Testing

/// Files that the tools of Android and Java have signed, whose fingerprints are what OpenSSL says of the certificates.
@Suite("aasa android fingerprint: files of apksigner, jarsigner, keytool and openssl", .waiting)
struct SignedByToolsTests {
    private let tool: BuiltTool

    init() throws { tool = try BuiltTool() }

    private func run(_ line: String) throws {
        let outcome = try tool.shell(line, environment: ExternalProgram.quickJava)
        guard outcome.status == 0 else { throw TestFailure("\(line): \(outcome.text) \(outcome.errors)") }
    }

    /// Makes the key `NUMBER.key`, as `NUMBER.pk8` too, and the certificate `NUMBER.pem`.
    private func makeKeys(_ numbers: ClosedRange<Int>, algorithm: String = "ec -pkeyopt ec_paramgen_curve:P-256") throws
    {
        for number in numbers {
            try run(
                "openssl req -x509 -newkey \(algorithm) -nodes -keyout \(number).key -out \(number).pem -subj '/CN=Key \(number)' "
                    + "-days 9000 && openssl pkcs8 -topk8 -nocrypt -in \(number).key -outform DER -out \(number).pk8")
        }
    }

    private func fingerprint(_ path: String) throws -> String {
        let outcome = try tool.shell("openssl x509 -in \(path) -noout -fingerprint -sha256")
        return String(outcome.text.split(separator: "=").last?.dropLast() ?? "")
    }

    private func writeApplication() throws {
        var archive = try SampleSignature.application()
        for number in 0..<50 { archive.add("res/\(number).png", .zeros(number * 100)) }
        try tool.write(archive.bytes, to: "base.apk")
    }

    private static let sign =
        "apksigner sign --min-sdk-version 21 --v4-signing-enabled false --in base.apk --out signed.apk"

    /// Role, scheme and subject of each certificate, and its fingerprint.
    private func certificates(_ path: String, _ options: String = "") throws -> [String] {
        let outcome = try tool.shell("$tool android fingerprint --format json \(options) \(path)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let files = try #require(try outcome.object()["files"] as? [[String: Any]])
        let certificates = try #require(files.first?["certificates"] as? [[String: Any]])
        return certificates.map { certificate in
            ["role", "scheme", "subject", "sha256"].compactMap { certificate[$0] as? String }.joined(separator: " ")
        }
    }

    @Test(
        "an APK that is signed by one scheme or several", .needs(.apksigner),
        arguments: [
            (true, false, false, "v1"), (true, true, false, "v2"), (false, true, true, "v3"),
            (true, true, true, "v3"), (false, false, true, "v3"),
        ])
    func schemes(v1: Bool, v2: Bool, v3: Bool, newest: String) throws {
        try makeKeys(1...1)
        try writeApplication()
        try run(
            "\(Self.sign) --v1-signing-enabled \(v1) --v2-signing-enabled \(v2) --v3-signing-enabled \(v3) "
                + "--key 1.pk8 --cert 1.pem")
        #expect(try certificates("signed.apk") == ["signer \(newest) CN=Key 1 \(try fingerprint("1.pem"))"])
    }

    @Test("the fingerprint is the one that apksigner prints", .needs(.apksigner))
    func agreement() throws {
        try makeKeys(1...1, algorithm: "rsa:2048")
        try writeApplication()
        try run("\(Self.sign) --key 1.pk8 --cert 1.pem")
        let outcome = try tool.shell(
            "apksigner verify --print-certs --min-sdk-version 21 signed.apk", environment: ExternalProgram.quickJava)
        let digest = try #require(outcome.text.firstMatch(of: #/SHA-256 digest: ([0-9a-f]{64})/#)?.1)
        let ours = try tool.run("android", "fingerprint", "--quiet", "signed.apk").text
        #expect(ours.dropLast().replacing(":", with: "").lowercased() == digest)
    }

    @Test("after rotations the newest key signs, and the others are its lineage", .needs(.apksigner))
    func rotation() throws {
        try makeKeys(1...3)
        try writeApplication()
        func key(_ number: Int) -> String { "--key \(number).pk8 --cert \(number).pem" }
        try run("apksigner rotate --out first --old-signer \(key(1)) --new-signer \(key(2))")
        try run("apksigner rotate --in first --out second --old-signer \(key(2)) --new-signer \(key(3))")
        try run("\(Self.sign) --lineage second \(key(1)) --next-signer \(key(2)) --next-signer \(key(3))")
        #expect(
            try certificates("signed.apk") == [
                "signer v3 CN=Key 3 \(try fingerprint("3.pem"))", "lineage v3 CN=Key 1 \(try fingerprint("1.pem"))",
                "lineage v3 CN=Key 2 \(try fingerprint("2.pem"))",
            ])
    }

    @Test("an APK with two signers", .needs(.apksigner))
    func twoSigners() throws {
        try makeKeys(1...2)
        try writeApplication()
        // v3 has one signer for a system.
        try run(
            "\(Self.sign) --v3-signing-enabled false --key 1.pk8 --cert 1.pem --next-signer --key 2.pk8 --cert 2.pem")
        #expect(
            try certificates("signed.apk") == [
                "signer v2 CN=Key 1 \(try fingerprint("1.pem"))", "signer v2 CN=Key 2 \(try fingerprint("2.pem"))",
            ])
    }

    @Test("keystores of keytool: PKCS #12 is read, and what the advice says about JKS works", .needs(.keytool))
    func keystores() throws {
        let options = "-storepass test-password -keypass test-password -alias a -dname CN=Store -validity 9000"
        try run("keytool -genkeypair -keystore store -storetype pkcs12 \(options) -keyalg RSA -keysize 2048")
        try run("keytool -exportcert -rfc -keystore store -storepass test-password -alias a -file store.pem")
        try tool.write("test-password", to: "password")
        let expected = ["signer CN=Store \(try fingerprint("store.pem"))"]
        #expect(try certificates("store", "--password-file password") == expected)
        #expect(try tool.run("android", "fingerprint", "store").status == 65)
        try run("keytool -genkeypair -keystore old -storetype jks \(options) -keyalg EC")
        let refused = try tool.run("android", "fingerprint", "old")
        #expect(refused.status == 65)
        let line = try #require(refused.errors.firstMatch(of: #/help: convert it: (.*)/#)?.1)
        try run("\(line) -srcstorepass test-password -deststorepass test-password -noprompt")
        try run("keytool -exportcert -rfc -keystore old -storepass test-password -alias a -file old.pem")
        #expect(
            try certificates("old.p12", "--password-file password") == ["signer CN=Store \(try fingerprint("old.pem"))"]
        )
        try run(
            "keytool -genkeypair -keystore debug -storetype pkcs12 -storepass android -alias androiddebugkey "
                + "-dname 'CN=Android Debug,O=Android,C=US' -keyalg RSA -keysize 1024")
        let debug = try tool.run("android", "fingerprint", "--format", "json", "debug")
        #expect(debug.status == 0 && debug.text.contains(#""hint":"debug-key","kind":"pkcs12""#))
    }

    @Test("certificates and keystores of openssl")
    func openSSL() throws {
        try makeKeys(1...2)
        let expected = ["signer CN=Key 1 \(try fingerprint("1.pem"))"]
        try run("openssl x509 -in 1.pem -outform DER -out 1.cer && cat 1.pem 2.pem >both.pem")
        try run("openssl pkcs12 -export -inkey 1.key -in 1.pem -certfile 2.pem -passout pass:android -out 1.p12")
        #expect(try certificates("1.pem") == expected)
        #expect(try certificates("1.cer") == expected)
        #expect(try certificates("1.p12") == expected)
        #expect(try certificates("both.pem") == expected + ["signer CN=Key 2 \(try fingerprint("2.pem"))"])
    }
}
