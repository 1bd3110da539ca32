import Foundation
import PushSamples
import TestSupport
import Testing

/// The file that a server needs: PEM, without a password, one of several certificates, with a chain
/// (push-certificates.md, section 10).
@Suite("certcheck combine: forms", .waiting)
struct CertcheckCombineFormsTests {
    private static let authority = SampleAuthority(
        name: SampleName([.commonName("Test Authority")]), key: .p256(50), issuer: .root)

    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        try tool.write(Self.sample(1).der(), to: "aps.cer")
        try tool.write(SampleKey.p256(1).pem(), to: "app.key")
    }

    private static func sample(_ key: Int, days: Int64 = 300) -> SampleCertificate {
        SampleProfile.universal.certificate(key: .p256(key)).valid(days: days).with {
            $0.serial = [0x10, UInt8(key)]
            $0.issuer = authority
        }
    }

    private func combine(_ arguments: String...) throws -> Shell.Outcome {
        try Shell.run(
            ["PASSWORD=test-password", "timeout", "60", tool.executable, "combine"] + arguments, in: tool.folder.url)
    }

    private func check(_ path: String) throws -> Shell.Outcome {
        try Shell.run(
            ["PASSWORD=test-password", tool.executable, "--format", "json", "--password-env", "PASSWORD", path],
            in: tool.folder.url)
    }

    private func labels(_ path: String) throws -> [String] {
        try tool.text(path).matches(of: #/-----BEGIN ([A-Z ]+)-----/#).map { String($0.1) }
    }

    @Test("--pem writes the certificate, then its issuers, then the key, for the owner only")
    func pem() throws {
        try tool.write(
            Self.authority.certificate.pem() + SampleAuthority.root.certificate.pem(), to: "chain.pem")
        let plain = try combine("aps.cer", "--key", "app.key", "--pem", "--no-password", "--chain-file", "chain.pem")
        #expect(plain.status == 0, "\(plain.errors)")
        #expect(try labels("aps.pem") == ["CERTIFICATE", "CERTIFICATE", "CERTIFICATE", "PRIVATE KEY"])
        #expect(try tool.mode("aps.pem") == 0o600)
        let checked = try check("aps.pem")
        #expect(checked.status == 0 && checked.text.contains(#""keyMatches":true"#), "\(checked.text)")
        // A TLS library takes the first certificate with the key.
        let first = try Shell.run(["openssl", "x509", "-in", "aps.pem", "-noout", "-pubkey"], in: tool.folder.url)
        let key = try Shell.run(["openssl", "pkey", "-in", "aps.pem", "-pubout"], in: tool.folder.url)
        #expect(first.output == key.output && !key.output.isEmpty)

        let locked = try combine(
            "aps.cer", "--key", "app.key", "--pem", "--out", "locked.pem", "--password-env", "PASSWORD", "--format",
            "json")
        #expect(locked.status == 0, "\(locked.errors)")
        #expect(try labels("locked.pem") == ["CERTIFICATE", "ENCRYPTED PRIVATE KEY"])
        let object = try locked.object()
        #expect(object["format"] as? String == "pem" && object["password"] as? Bool == true)
        #expect(try check("locked.pem").text.contains(#""keyMatches":true"#))
    }

    @Test("--no-password writes a .p12 that opens with an empty password")
    func noPassword() throws {
        let outcome = try combine("aps.cer", "--key", "app.key", "--no-password", "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.object()["password"] as? Bool == false)
        #expect(try outcome.object()["format"] as? String == "pkcs12")
        let shown = try tool.pkcs12("aps.p12", password: "")
        #expect(shown.status == 0 && shown.text.contains("PRIVATE KEY"), "\(shown.errors)")
    }

    @Test("one of several certificates is taken by its serial number, as the finding says")
    func serial() throws {
        let bags = try [Self.sample(1, days: -1), Self.sample(2)].flatMap {
            [try SampleBag.certificate($0.der()), try SampleBag.key($0.key.pkcs8())]
        }
        let password = SamplePassword.text("test-password")
        try tool.write(
            SamplePKCS12([.plain(bags)], mac: SampleMAC(password: password, iterations: 1)).der(), to: "both.p12")
        let before = try check("both.p12")
        #expect(before.status == 2)
        #expect(before.text.contains("certcheck combine both.p12 --serial 1002 --out new.p12"), "\(before.text)")

        let refused = try combine("both.p12", "--out", "new.p12", "--password-env", "PASSWORD")
        #expect(refused.status == 3)
        #expect(refused.errors.contains("--serial: 1001 (com.example.app), 1002 (com.example.app)"))
        let outcome = try combine("both.p12", "--serial", "1002", "--out", "new.p12", "--password-env", "PASSWORD")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("key from      both.p12\n"))
        let after = try check("new.p12")
        #expect(after.status == 0 && after.text.contains(#""serial":"1002""#))
        #expect(try combine("both.p12", "--serial", "77", "--out", "x.p12", "--password-env", "PASSWORD").status == 3)
        #expect(try !tool.names().contains("x.p12"))
    }

    @Test(
        "a chain that does not lead from the certificate is refused, and so are options that exclude each other",
        arguments: [
            (["--chain-file", "wrong.pem"], "did not issue"), (["--chain-file", "reversed.pem"], "did not issue"),
            (["--chain-file", "app.key"], "token"), (["--chain-file", "none"], "no such file"),
            (["--chain-file", "wrong.pem", "--chain"], "exclude"), (["--pem", "--modern"], "--modern"),
            (["--password-env", "PASSWORD"], "excludes"),
        ])
    func refused(arguments: [String], part: String) throws {
        let authority = try Self.authority.certificate.pem()
        let root = try SampleAuthority.root.certificate.pem()
        try tool.write(root, to: "wrong.pem")
        try tool.write(root + authority, to: "reversed.pem")
        let outcome = try Shell.run(
            ["PASSWORD=x", tool.executable, "combine", "aps.cer", "--key", "app.key", "--out", "new", "--no-password"]
                + arguments, in: tool.folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
        #expect(try !tool.names().contains("new"))
    }
}
