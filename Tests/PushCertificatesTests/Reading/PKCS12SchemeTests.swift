import Diagnostics
import PushCertificates
import PushSamples
import Testing

@Suite("The encryption of PKCS #12")
struct PKCS12SchemeTests {
    @Test("certificates and keys open in every scheme", arguments: SampleEncryption.Scheme.allCases)
    func schemes(_ scheme: SampleEncryption.Scheme) throws {
        let certificate = FileOutcome.certificate()
        let encryption = SampleEncryption(scheme, password: "sesame", iterations: 3).with { $0.cost = 16 }
        let container = SamplePKCS12(
            [
                .encrypted([.certificate(try certificate.der())], encryption),
                .plain([.shroudedKey(try certificate.key.pkcs8(), encryption)]),
            ], mac: SampleMAC(password: "sesame", iterations: 2))
        let file = try FileOutcome.read(container.der(), password: "sesame")
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(!file.says("unprotected-key"))
        let open = container.with { $0.mac = nil }
        #expect(try FileOutcome.read(open.der(), password: "sesame").certificates.map(\.key) == [.matching])
        #expect(try FileOutcome.code(open.der(), password: "simsim") == "wrong-password")
        #expect(try FileOutcome.code(open.der()) == "password-required")
    }

    @Test("a key without encryption of its own is protected by that of the part it is in", arguments: ["sesame", ""])
    func keyInEncryptedPart(_ password: String) throws {
        let certificate = FileOutcome.certificate()
        let bags: [SampleBag] = [.certificate(try certificate.der()), .key(try certificate.key.pkcs8())]
        let container = SamplePKCS12(
            [.encrypted(bags, SampleEncryption(.aes128, password: .text(password), iterations: 2))],
            mac: SampleMAC(password: .text(password), iterations: 2))
        let file = try FileOutcome.read(container.der(), password: password)
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(file.says("unprotected-key") == password.isEmpty)
    }

    @Test("PBKDF2 may use any digest", arguments: ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "MD5"])
    func digestsOfPBKDF2(_ digest: String) throws {
        let encryption = SampleEncryption(.aes128, password: "sesame", iterations: 2).with { $0.digest = digest }
        let container = SamplePKCS12([.encrypted([.certificate(try FileOutcome.certificate().der())], encryption)])
        #expect(try FileOutcome.code(container.der(), password: "sesame") == "ok")
    }

    @Test(
        "the MAC may use any digest, by PKCS #12 or by PBMAC1",
        arguments: ["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"], [false, true])
    func macs(_ digest: String, isPBMAC1: Bool) throws {
        let mac = SampleMAC(password: "sesame", iterations: 2, digest: digest).with { $0.isPBMAC1 = isPBMAC1 }
        let container = SamplePKCS12([.plain([.certificate(try FileOutcome.certificate().der())])], mac: mac)
        #expect(try FileOutcome.code(container.der(), password: "sesame") == "ok")
        #expect(try FileOutcome.code(container.der(), password: "simsim") == "wrong-password")
        let damaged = container.with { $0.mac?.isDamaged = true }
        #expect(try FileOutcome.code(damaged.der(), password: "sesame") == "wrong-password")
    }

    @Test("a form of export is read in DER and in BER", arguments: SamplePKCS12.Form.allCases, [false, true])
    func forms(_ form: SamplePKCS12.Form, isIndefinite: Bool) throws {
        let container = try SamplePKCS12.export(FileOutcome.certificate(), as: form).with {
            $0.isIndefinite = isIndefinite
        }
        let file = try FileOutcome.read(container.der(), password: "test-password")
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(file.says("no-mac") == (form == .plain))
        #expect(file.says("unprotected-key") == (form == .plain))
    }

    @Test(
        "an algorithm that nobody knows is named",
        arguments: [
            ("1.2.643.7.1.1.2.2", "GOST R 34.11-2012 with 256 bit hash"), ("1.2.3.4.5", "'1.2.3.4.5'"),
        ])
    func unknownMAC(_ oid: String, _ name: String) throws {
        let mac = SampleMAC(password: "sesame").with { $0.digestOID = oid }
        let container = SamplePKCS12([.plain([.certificate(try FileOutcome.certificate().der())])], mac: mac)
        for password in ["sesame", "simsim", nil] {
            let error = try #require(try FileOutcome.error(container.der(), password: password))
            #expect(error.code == .unsupportedAlgorithm)
            #expect(error.sentence.contains(name))
            #expect(error.sentence.contains(oid))
            #expect(error.sentence.contains("OpenSSL 3"))
        }
    }

    @Test("a cipher that nobody knows is an error for certificates, and leaves a key unread")
    func unknownCipher() throws {
        let certificate = FileOutcome.certificate()
        let parameters = DER.sequence(DER.octets([1, 2, 3, 4]), DER.integer(1))
        let encryption = SampleEncryption(.aes256, password: "sesame").with {
            $0.algorithm = DER.sequence(DER.oid("1.2.3.4.5"), parameters)
        }
        let mac = SampleMAC(password: "sesame")
        let part = SamplePKCS12([.encrypted([.certificate(try certificate.der())], encryption)], mac: mac)
        #expect(try FileOutcome.code(part.der(), password: "sesame") == "unsupported-algorithm")
        // Whoever has not the password is told that first.
        #expect(try FileOutcome.code(part.der(), password: "simsim") == "wrong-password")
        let key = SamplePKCS12(
            [
                .plain([
                    .certificate(try certificate.der()), .shroudedKey(try certificate.key.pkcs8(), encryption),
                ])
            ], mac: mac)
        let file = try FileOutcome.read(key.der(), password: "sesame")
        #expect(file.certificates.map(\.key) == [.unreadable])
        #expect(file.findings.contains { $0.message.contains("1.2.3.4.5") })
    }

    @Test("MD2 is a digest that this OpenSSL does not know")
    func messageDigest2() throws {
        let encryption = SampleEncryption(.md5AndDES, password: "sesame").with {
            $0.algorithm = DER.sequence(
                DER.oid("1.2.840.113549.1.5.1"),
                DER.sequence(DER.octets([1, 2, 3, 4, 5, 6, 7, 8]), DER.integer(1)))
        }
        let container = SamplePKCS12(
            [.encrypted([.certificate(try FileOutcome.certificate().der())], encryption)],
            mac: SampleMAC(password: "sesame"))
        let error = try #require(try FileOutcome.error(container.der(), password: "sesame"))
        #expect(error.code == .unsupportedAlgorithm)
        #expect(error.sentence.contains("pbeWithMD2AndDES-CBC"))
    }
}
