import PushCertificates
import PushSamples
import Testing

@Suite("The limits of PKCS #12")
struct PKCS12LimitTests {
    /// Content octets of an integer: 5 000 001, one more than is allowed.
    static let tooMany: [UInt8] = [0x4C, 0x4B, 0x41]

    static func encryption(_ stated: [UInt8], _ scheme: SampleEncryption.Scheme = .aes256) -> SampleEncryption {
        SampleEncryption(scheme, password: "sesame").with { $0.statedIterations = stated }
    }

    static func bag() throws -> SampleBag { .certificate(try FileOutcome.certificate().der()) }

    /// Files with a count in each of the places where there is one.
    static func files(_ stated: [UInt8]) throws -> [SamplePKCS12] {
        let mac = SampleMAC(password: "sesame")
        let key = try SampleKey.p256().pkcs8()
        return [
            SamplePKCS12([.plain([try bag()])], mac: mac.with { $0.statedIterations = stated }),
            SamplePKCS12(
                [.plain([try bag()])],
                mac: mac.with {
                    $0.statedIterations = stated
                    $0.isPBMAC1 = true
                }),
            SamplePKCS12([.encrypted([try bag()], encryption(stated))], mac: mac),
            SamplePKCS12([.encrypted([try bag()], encryption(stated, .tripleDES))]),
            SamplePKCS12([.plain([try bag(), .shroudedKey(key, encryption(stated))])], mac: mac),
            SamplePKCS12([.plain([try bag(), .shroudedKey(key, encryption(stated, .md5AndDES))])]),
        ]
    }

    @Test("more iterations than are allowed are said, whatever the password", arguments: ["sesame", "simsim", nil])
    func tooManyIterations(_ password: String?) throws {
        for container in try Self.files(Self.tooMany) {
            let error = try #require(try FileOutcome.error(container.der(), password: password))
            #expect(error.code == .tooLarge)
            #expect(error.sentence.contains("5,000,001 iterations, more than 5,000,000"))
        }
    }

    @Test("a count with more than 64 bits is one too many")
    func absurd() throws {
        for stated in [[0] + [UInt8](repeating: 0xFF, count: 8), [0x40] + [UInt8](repeating: 0, count: 9)] {
            for container in try Self.files(stated) {
                let error = try #require(try FileOutcome.error(container.der(), password: "sesame"))
                #expect(error.code == .tooLarge)
                #expect(error.sentence.contains("more than 2^63 iterations"))
            }
        }
    }

    @Test("what many parts take together is refused before anything is computed")
    func together() throws {
        let part = SamplePKCS12.Part.encrypted([try Self.bag()], Self.encryption([0x4C, 0x4B, 0x40]))
        let container = SamplePKCS12(
            [part] + Array(repeating: part, count: 6), mac: SampleMAC(password: "sesame", iterations: 2))
        // Otherwise this would be a wrong password.
        #expect(try FileOutcome.code(container.der(), password: "simsim") == "too-large")
    }

    @Test("a key inside of an encrypted part has the same limit")
    func hiddenKey() throws {
        let key = SampleBag.shroudedKey(try SampleKey.p256().pkcs8(), Self.encryption(Self.tooMany))
        let part = SampleEncryption(.aes256, password: "sesame")
        let container = SamplePKCS12([.encrypted([try Self.bag(), key], part)], mac: SampleMAC(password: "sesame"))
        #expect(try FileOutcome.code(container.der(), password: "sesame") == "too-large")
        #expect(try FileOutcome.code(container.der(), password: "simsim") == "wrong-password")
    }

    @Test(
        "a count that is none is damage, in the MAC and around certificates",
        arguments: [[0], [0xFF], [0x80, 0, 0, 0], []] as [[UInt8]])
    func malformed(_ stated: [UInt8]) throws {
        for container in try Self.files(stated).prefix(4) {
            #expect(try FileOutcome.code(container.der(), password: "sesame") == "corrupt")
        }
        for container in try Self.files(stated).dropFirst(4) {
            let file = try FileOutcome.read(container.der(), password: "sesame")
            #expect(file.certificates.map(\.key) == [.unreadable])
        }
    }

    static func scrypt(_ cost: UInt64, _ blockSize: UInt64, _ parallelization: UInt64) -> SampleEncryption {
        let numbers = [cost, blockSize, parallelization].map { DER.integer(magnitude: $0.octets) }
        let parameters = DER.sequence(of: [DER.octets([1, 2, 3, 4, 5, 6, 7, 8])] + numbers)
        let derivation = DER.sequence(DER.oid("1.3.6.1.4.1.11591.4.11"), parameters)
        let cipher = DER.sequence(DER.oid("2.16.840.1.101.3.4.1.42"), DER.octets([UInt8](repeating: 7, count: 16)))
        return SampleEncryption(.aes256, password: "sesame").with {
            $0.algorithm = DER.sequence(DER.oid("1.2.840.113549.1.5.13"), DER.sequence(derivation, cipher))
        }
    }

    struct Scrypt: Sendable {
        let (cost, blockSize, parallelization): (UInt64, UInt64, UInt64)
        let outcome: String
        let words: String

        init(_ cost: UInt64, _ blockSize: UInt64, _ parallelization: UInt64, _ outcome: String, _ words: String) {
            (self.cost, self.blockSize, self.parallelization) = (cost, blockSize, parallelization)
            (self.outcome, self.words) = (outcome, words)
        }
    }

    @Test(
        "scrypt may take a gigabyte, and not too long",
        arguments: [
            Scrypt(1 << 21, 8, 1, "too-large", "bytes of memory, more than 1,073,741,824"),
            Scrypt(1 << 62, 1 << 62, 1 << 62, "too-large", "bytes of memory"),
            Scrypt(2, 8, 1 << 60, "too-large", "bytes of memory"),
            Scrypt(2, 8, 1 << 20, "too-large", "may take 53 seconds of computing time, more than 7"),
            Scrypt(1 << 20, 1, 100, "too-large", "may take 126 seconds of computing time, more than 7"),
            Scrypt(1 << 20, 8, 1, "too-large", "may take 11 seconds of computing time, more than 7"),
            Scrypt(0, 8, 1, "corrupt", "damaged"), Scrypt(1, 8, 1, "corrupt", "damaged"),
            Scrypt(1000, 8, 1, "corrupt", "damaged"), Scrypt(1024, 0, 1, "corrupt", "damaged"),
            Scrypt(16, 8, 1, "wrong-password", "password"),
        ])
    func scrypt(_ entry: Scrypt) throws {
        let encryption = Self.scrypt(entry.cost, entry.blockSize, entry.parallelization)
        let container = SamplePKCS12([.encrypted([try Self.bag()], encryption)])
        let error = try #require(try FileOutcome.error(container.der(), password: "simsim"))
        #expect(error.code.description == entry.outcome)
        #expect(error.sentence.contains(entry.words))
    }

    @Test("more than a thousand private keys are too many")
    func keys() throws {
        let pem = try FileOutcome.certificate().pem()
        let keys = String(repeating: SamplePEM.block("PRIVATE KEY", [0x30, 0]), count: 1001)
        #expect(try FileOutcome.code(Array((pem + keys).utf8)) == "too-large")
    }

    @Test("a file has ten mebibytes at most")
    func bytes() throws {
        let error = try #require(try FileOutcome.error([UInt8](repeating: 0x30, count: (10 << 20) + 1)))
        #expect(error.code == .tooLarge)
        #expect(error.sentence.contains("10,485,761"))
    }
}

extension UInt64 {
    /// Big endian.
    fileprivate var octets: [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) } }
}
