import Foundation
import PushSamples
import TestSupport
import Testing

@Suite struct SamplePKCS12Tests {
    /// The numbers of certificates and keys that the openssl command finds in a file; nil if it cannot read it.
    private func contents(_ file: [UInt8], password: String = "test-password") throws -> [Int]? {
        let outcome = try Shell.run(
            ["openssl", "pkcs12", "-legacy", "-nodes", "-passin", "pass:\(password)"], input: Data(file))
        guard outcome.status == 0 else { return nil }
        let labels = ["END CERTIFICATE", "END PRIVATE KEY"]
        return labels.map { outcome.text.components(separatedBy: $0).count - 1 }
    }

    @Test("the openssl command opens every form", arguments: SamplePKCS12.Form.allCases)
    func forms(_ form: SamplePKCS12.Form) throws {
        let file = try SamplePKCS12.export(
            SampleProfile.universal.certificate(), chain: [SampleAuthority.g4.certificate], as: form, iterations: 20)
        #expect(try contents(file.der()) == [2, 1])
        #expect(try contents(file.with { $0.isIndefinite = true }.der()) == [2, 1])
    }

    @Test("the openssl command decrypts every scheme", arguments: SampleEncryption.Scheme.allCases)
    func schemes(_ scheme: SampleEncryption.Scheme) throws {
        let encryption = SampleEncryption(scheme, password: "test-password", iterations: 3)
        let bag = SampleBag.certificate(try SampleProfile.voip.certificate().der())
        let key = SampleBag.shroudedKey(try SampleKey.p256(7).pkcs8(), encryption)
        let file = SamplePKCS12(
            [.encrypted([bag, .nested([bag])], encryption), .plain([key])], mac: SampleMAC(password: "test-password"))
        #expect(try contents(file.der()) == [2, 1])
    }

    @Test(
        "the MAC is right with every digest and any password", arguments: ["MD5", "SHA1", "SHA256", "SHA384", "SHA512"])
    func codes(_ digest: String) throws {
        let password = "pässwörd-ключ-𝄞"
        let file = try SamplePKCS12.export(SampleProfile.universal.certificate(), password: .text(password)).with {
            $0.mac = SampleMAC(password: .text(password), iterations: 2, digest: digest)
        }
        #expect(try contents(file.der(), password: password) == [1, 1])
        #expect(try contents(file.with { $0.mac?.isDamaged = true }.der(), password: password) == nil)
    }

    @Test("encrypted keys open with the openssl command")
    func keys() throws {
        for key in [SampleKey.p256(), .rsa(1_024)] {
            let forms = [
                try key.encryptedPEM(SampleEncryption(.aes256, password: "secret", iterations: 5)),
                try key.encryptedPEM(SampleEncryption(.scrypt, password: "secret")),
                try key.traditionalPEM(password: "secret"), try key.traditionalPEM(), try key.pem(),
            ]
            for text in forms {
                let outcome = try Shell.run(
                    ["openssl", "pkey", "-outform", "DER", "-passin", "pass:secret"], input: Data(text.utf8))
                // The command writes keys in the traditional form or as PKCS #8, depending on its version.
                #expect(
                    try [key.traditional(), key.pkcs8()].contains(Array(outcome.output)), "\(text)\(outcome.errors)")
            }
        }
    }
}
