import Foundation
import PushSamples
import TestSupport
import Testing

/// Certificates and their private keys in files of their own (push-certificates.md, section 3).
@Suite("certcheck: keys in other files", .waiting)
struct CertcheckSeparateKeyTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        try tool.write(SampleProfile.universal.certificate(key: .rsa()).pem(), to: "push/cert.pem")
    }

    private func certificate(_ outcome: Shell.Outcome) throws -> [String: Any] {
        let file = try #require((try outcome.object()["files"] as? [[String: Any]])?.first)
        return try #require((file["certificates"] as? [[String: Any]])?.first)
    }

    @Test(
        "the matching key is found by its public key, and is no error itself, named or in the same folder",
        arguments: [["push/cert.pem", "push/key.pem"], ["push/key.pem", "push/cert.pem"], ["push"]], [true, false])
    func matching(arguments: [String], isTraditional: Bool) throws {
        try tool.write(isTraditional ? SampleKey.rsa().traditionalPEM() : SampleKey.rsa().pem(), to: "push/key.pem")
        let text = try tool.check(arguments)
        #expect(text.status == 0)
        #expect(text.text.contains("private key   in 'push/key.pem', matches the certificate\n"), "\(text.text)")
        let json = try tool.check(["--format", "json"] + arguments)
        #expect(try json.files() == ["push/cert.pem ok"])
        let certificate = try certificate(json)
        #expect(certificate["keyMatches"] as? Bool == true && certificate["keyPath"] as? String == "push/key.pem")
    }

    @Test(
        "a key that belongs to another certificate is critical in every format, named or in the same folder",
        arguments: [["push/cert.pem", "push/key.pem"], ["push"]])
    func mismatch(arguments: [String]) throws {
        try tool.write(SampleKey.rsa(2_048, 2).pem(), to: "push/key.pem")
        let text = try tool.check(arguments)
        #expect(text.status == 2)
        #expect(text.text.hasPrefix("push/cert.pem: broken, cannot send, "))
        #expect(
            text.text.contains(
                "critical: com.example.app does not match the private key in 'push/key.pem' and cannot be used to send")
        )
        let json = try tool.check(["--format", "json"] + arguments)
        #expect(json.status == 2)
        #expect(try json.files() == ["push/cert.pem critical"])
        let nagios = try tool.check(["--format", "nagios"] + arguments)
        #expect(nagios.status == 2)
        #expect(
            nagios.text.hasPrefix(
                "CERTCHECK CRITICAL - com.example.app +2 cannot be used: the private key in 'push/key.pem' does not match it"
            ))
        let prometheus = try tool.check(["--format", "prometheus"] + arguments)
        #expect(
            prometheus.text.split(separator: "\n").contains {
                $0.hasPrefix("certcheck_certificate_usable{") && $0.hasSuffix(" 0")
            })
    }

    @Test("on the curve P-256 too, where a key alone could sign tokens; beside an RSA certificate it does")
    func tokens() throws {
        try tool.write(SampleKey.p256(2).pem(), to: "push/key.pem")
        #expect(try tool.check("--format", "json", "push").files() == ["push/cert.pem ok", "push/key.pem ok"])
        try tool.write(SampleProfile.universal.certificate().pem(), to: "ec/cert.pem")
        try tool.write(SampleKey.p256(2).pem(), to: "ec/key.pem")
        #expect(try tool.check("--format", "json", "ec").files() == ["ec/cert.pem critical"])
        try tool.write(SampleKey.p256().pem(), to: "ec/key.pem")
        #expect(try tool.check("--format", "json", "ec").files() == ["ec/cert.pem ok"])
    }

    @Test("of several in a folder the names say which certificate a key is for; a key for none of them is left out")
    func names() throws {
        try tool.write(SampleProfile.universal.certificate("com.example.other").pem(), to: "push/other-cert.pem")
        try tool.write(SampleKey.rsa(2_048, 2).pem(), to: "push/spare.key")
        #expect(try tool.check("--format", "json", "push").files() == ["push/cert.pem ok", "push/other-cert.pem ok"])
        try tool.write(SampleKey.rsa(2_048, 2).pem(), to: "push/OTHER_key.pem")
        let outcome = try tool.check("--format", "json", "push")
        #expect(try outcome.files() == ["push/cert.pem ok", "push/other-cert.pem critical"])
    }

    @Test("the key of a request that waits for its certificate is not taken for the old certificate's")
    func request() throws {
        try #require(tool.run("csr", "--name", "com.example.app", "--out", "push/new").status == 0)
        #expect(try tool.check("--format", "json", "push").files() == ["push/cert.pem ok"])
        try FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent("push/new.certSigningRequest"))
        #expect(try tool.check("--format", "json", "push").files() == ["push/cert.pem critical"])
    }

    @Test("a key that is encrypted opens with the password; without it nobody knows")
    func encrypted() throws {
        let encryption = SampleEncryption(.aes256, password: "test-password", iterations: 1)
        try tool.write(SampleKey.rsa().encryptedPEM(encryption), to: "push/key.pem")
        let opened = try tool.check(
            "--format", "json", "--password-env", "P", "push", environment: ["P": "test-password"])
        #expect(opened.status == 0)
        #expect(try certificate(opened)["keyMatches"] as? Bool == true)
        for arguments in [["push"], ["push/cert.pem", "push/key.pem"]] {
            let locked = try tool.check(arguments)
            #expect(locked.text.contains("the private key in 'push/key.pem' cannot be read"), "\(locked.text)")
            #expect(locked.text.contains("[key-unreadable]"))
            #expect(locked.status == 1)
        }
        try tool.write(SampleKey.rsa(2_048, 2).encryptedPEM(encryption), to: "push/key.pem")
        let other = try tool.check("--password-env", "P", "push", environment: ["P": "test-password"])
        #expect(other.status == 2)
    }

    @Test("a key that belongs to nothing is an error where it is named, and a .p12 without its key needs it inside")
    func alone() throws {
        try tool.write(SampleKey.rsa().pem(), to: "key.pem")
        #expect(try tool.check("--format", "json", "key.pem").files() == ["key.pem not-a-certificate"])
        let bag = SampleBag.certificate(try SampleProfile.universal.certificate(key: .rsa()).der())
        try tool.write(
            SamplePKCS12([.plain([bag])], mac: SampleMAC(password: "", iterations: 1)).der(), to: "lonely.p12")
        let outcome = try tool.check("--format", "json", "lonely.p12", "key.pem")
        #expect(try outcome.files() == ["lonely.p12 critical"])
        // A folder of keys is one of certificates without any, unless the keys belong to something.
        try tool.write(SampleKey.rsa().pem(), to: "keys/key.pem")
        #expect(try tool.check("--format", "json", "keys").files() == ["keys not-a-certificate"])
        #expect(try tool.check("--format", "json", "keys", "push/cert.pem").files() == ["push/cert.pem ok"])
    }
}

extension BuiltTool {
    /// Runs `certcheck` at the time of the samples.
    fileprivate func check(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run(["timeout", "60", executable, "--now", SampleTime.nowText] + arguments, in: folder.url)
    }
}
