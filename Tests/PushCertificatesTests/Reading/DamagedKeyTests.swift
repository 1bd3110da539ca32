import PushCertificates
import PushSamples
import Testing

@Suite("Damaged keys")
struct DamagedKeyTests {
    /// The faults in the parameters of the encryption of a key.
    enum Damage: String, CaseIterable {
        case keyLength, vector, iterations, noParameters, unknownFunction
    }

    static func shrouded(
        _ scheme: SampleEncryption.Scheme, _ damage: Damage, _ key: SampleKey
    ) throws -> SampleBag {
        var encryption = SampleEncryption(scheme, password: "sesame", iterations: 10)
        switch damage {
        case .keyLength: encryption.statedKeyLength = 32
        case .vector:
            encryption.algorithm = Self.algorithm(DER.oid("2.16.840.1.101.3.4.1.2"), DER.octets([1, 2, 3]))
        case .iterations: encryption.statedIterations = [0]
        case .noParameters: encryption.algorithm = DER.sequence(DER.oid("1.2.840.113549.1.5.13"))
        case .unknownFunction:
            encryption.algorithm = DER.sequence(
                DER.oid("1.2.840.113549.1.5.13"),
                DER.sequence(
                    DER.sequence(DER.oid("1.2.3.4"), DER.null),
                    DER.sequence(DER.oid("2.16.840.1.101.3.4.1.2"), DER.octets([UInt8](repeating: 1, count: 16)))))
        }
        return .shroudedKey(try key.pkcs8(), encryption)
    }

    static func algorithm(_ cipher: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.oid("1.2.840.113549.1.5.13"),
            DER.sequence(
                DER.sequence(
                    DER.oid("1.2.840.113549.1.5.12"),
                    DER.sequence(DER.octets([1, 2, 3, 4, 5, 6, 7, 8]), DER.integer(10))),
                DER.sequence(cipher, parameters)))
    }

    /// NSS 3.21 stated the key length of AES-256 for these.
    @Test(
        "a key whose encryption parameters are damaged is unreadable, and the certificate is reported",
        arguments: [
            SampleEncryption.Scheme.aes128, .aes192, .camellia128, .camellia192,
        ], Damage.allCases)
    func parameters(_ scheme: SampleEncryption.Scheme, _ damage: Damage) throws {
        let certificate = FileOutcome.certificate()
        let key = try Self.shrouded(scheme, damage, certificate.key)
        let bag = SampleBag.certificate(try certificate.der())
        let mac = SampleMAC(password: "sesame", iterations: 10)
        let encryption = SampleEncryption(.rc2With40, password: "sesame", iterations: 10)
        let hidden = SampleEncryption(.tripleDES, password: "sesame", iterations: 10)
        for parts in [
            [SamplePKCS12.Part.encrypted([bag], encryption), .plain([key])], [.encrypted([bag, key], hidden)],
        ] {
            let bytes = try SamplePKCS12(parts, mac: mac).der()
            let file = try FileOutcome.read(bytes, password: "sesame")
            #expect(file.certificates.map(\.key) == [.unreadable])
            #expect(
                file.certificates[0].topics.map(\.name) == [
                    "com.example.app", "com.example.app.voip", "com.example.app.complication",
                ])
            let messages = file.messages("key-unreadable")
            #expect(messages.count == 1)
            let words =
                damage == .unknownFunction ? "needs the algorithm '1.2.3.4'" : "its encryption parameters are damaged"
            #expect(messages[0].contains(words))
            #expect(try FileOutcome.code(bytes, password: "simsim") == "wrong-password")
        }
    }

    @Test("with parameters that are right the same files are sound")
    func sound() throws {
        for scheme in [SampleEncryption.Scheme.aes128, .aes192, .camellia128, .camellia192] {
            let certificate = FileOutcome.certificate()
            let key = SampleBag.shroudedKey(
                try certificate.key.pkcs8(), SampleEncryption(scheme, password: "sesame", iterations: 10))
            let container = SamplePKCS12(
                [.plain([.certificate(try certificate.der()), key])], mac: SampleMAC(password: "sesame"))
            #expect(try FileOutcome.read(container.der(), password: "sesame").certificates.map(\.key) == [.matching])
        }
    }
}
