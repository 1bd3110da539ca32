import Diagnostics
import PushCertificates
import PushSamples
import TestSupport
import Testing

@Suite("What a file may cost")
struct WorkLimitTests {
    /// A tenth of what a file may cost.
    static var tenth: ReadingBudget { ReadingBudget(work: 700_000_000) }

    /// A password that is another one in NFC, in NFD, and with a character for each byte.
    static let manyForms = "pa\u{308}ssw\u{F6}rd"

    static func bag() throws -> SampleBag { .certificate(try FileOutcome.certificate().der()) }

    static func octets(_ count: Int) -> [UInt8] {
        [UInt8(count >> 24 & 0x7F), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    }

    struct Costly: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () throws -> SamplePKCS12

        init(_ name: String, _ make: @escaping @Sendable () throws -> SamplePKCS12) {
            testDescription = name
            self.make = make
        }
    }

    static func mac(_ iterations: Int, _ change: (inout SampleMAC) -> Void = { _ in }) -> SampleMAC {
        SampleMAC(password: "sesame").with {
            $0.statedIterations = octets(iterations)
            change(&$0)
        }
    }

    static func encryption(
        _ scheme: SampleEncryption.Scheme, _ iterations: Int, _ digest: String = "SHA256"
    ) -> SampleEncryption {
        SampleEncryption(scheme, password: "sesame").with {
            $0.statedIterations = octets(iterations)
            $0.digest = digest
        }
    }

    static let tooCostly: [Costly] = [
        Costly("PBMAC1, SHA-1, the longest key") {
            SamplePKCS12(
                [.plain([try bag()])],
                mac: mac(5_000_000) {
                    $0.isPBMAC1 = true
                    $0.keyLength = 64
                })
        },
        Costly("PBMAC1, SHA3-224, the longest key") {
            SamplePKCS12(
                [.plain([try bag()])],
                mac: mac(1_000_000) {
                    $0.isPBMAC1 = true
                    $0.digest = "SHA3-224"
                    $0.keyLength = 64
                })
        },
        Costly("RC4 with a key of 128 bytes") {
            let derivation = DER.sequence(
                DER.oid("1.2.840.113549.1.5.12"),
                DER.sequence(
                    DER.octets([1, 2, 3, 4]), DER.integer(1_500_000), DER.integer(128),
                    DER.sequence(DER.oid("1.2.840.113549.2.6"), DER.null)))
            let cipher = DER.sequence(DER.oid("1.2.840.113549.3.4"), DER.null)
            let encryption = SampleEncryption(.aes256, password: "sesame").with {
                $0.algorithm = DER.sequence(DER.oid("1.2.840.113549.1.5.13"), DER.sequence(derivation, cipher))
            }
            return SamplePKCS12([.encrypted([try bag()], encryption)])
        },
        Costly("SHA3-512") { SamplePKCS12([.encrypted([try bag()], encryption(.aes256, 3_000_000, "SHA3-512"))]) },
        Costly("parts that are cheap each") {
            let part = SamplePKCS12.Part.encrypted([try bag()], encryption(.tripleDES, 500_000))
            return SamplePKCS12(Array(repeating: part, count: 14), mac: SampleMAC(password: "sesame"))
        },
        Costly("a MAC and a part together") {
            SamplePKCS12(
                [.encrypted([try bag()], encryption(.aes256, 4_500_000, "SHA512"))],
                mac: mac(5_000_000) { $0.digest = "SHA512" })
        },
    ]

    @Test("what would take too long is refused before anything is computed", arguments: tooCostly)
    func refused(_ costly: Costly) throws {
        let bytes = try costly.make().der()
        for password in ["sesame", "simsim", Self.manyForms] {
            let start = ThreadTime.now
            let error = try #require(try FileOutcome.error(bytes, password: password))
            #expect(error.code == .tooLarge)
            #expect(
                error.sentence.contains("seconds of computing time, more than 7; export it again with fewer iterations")
            )
            #expect(ThreadTime.now - start < .milliseconds(500))
        }
    }

    @Test("every form of the password counts")
    func forms() throws {
        // Two forms of an ASCII password, itself and the empty one, are within the limit, four are not.
        let container = SamplePKCS12([.encrypted([try Self.bag()], Self.encryption(.aes256, 100_000, "SHA3-512"))])
        let bytes = try container.der()
        #expect(try FileOutcome.code(bytes, password: "simsim", budget: Self.tenth) == "wrong-password")
        #expect(try FileOutcome.code(bytes, password: Self.manyForms, budget: Self.tenth) == "too-large")
    }

    @Test(
        "the key of a PBMAC1 has at most 64 bytes",
        arguments: [
            (64, 2, "ok"), (65, 2, "corrupt"), (1024, 2_048, "corrupt"), (1024, 100_000, "too-large"),
            (65, 5_000_000, "too-large"), (1025, 100_000, "corrupt"), (1 << 40, 5_000_000, "corrupt"),
        ])
    func keyLength(_ length: Int, _ iterations: Int, _ outcome: String) throws {
        let mac = SampleMAC(password: "sesame", iterations: 2).with {
            $0.isPBMAC1 = true
            $0.statedKeyLength = length
            $0.keyLength = min(length, 64)
            $0.statedIterations = Self.octets(iterations)
        }
        let bytes = try SamplePKCS12([.plain([try Self.bag()])], mac: mac).der()
        let start = ThreadTime.now
        #expect(try FileOutcome.code(bytes, password: "sesame") == outcome)
        #expect(ThreadTime.now - start < .milliseconds(500))
        let message = try FileOutcome.error(bytes, password: "sesame")?.sentence ?? ""
        let refusal = "asks for a key of \(grouped(length)) bytes, more than 64"
        #expect((outcome == "too-large") == message.contains(refusal))
    }

    @Test("Firefox's 600,000 iterations are read, in several parts and with a password of many forms")
    func firefox() throws {
        let password = SamplePassword.text("pa\u{308}sswo\u{308}rd")
        func encryption(_ salt: UInt8) -> SampleEncryption {
            SampleEncryption(.aes256, password: password, iterations: 600_000).with {
                $0.salt = [UInt8](repeating: salt, count: 32)
            }
        }
        let certificates = (1...2).map(FileOutcome.certificate)
        let parts = try certificates.enumerated().map { number, certificate in
            SamplePKCS12.Part.encrypted([.certificate(try certificate.der())], encryption(UInt8(number)))
        }
        let keys = try certificates.enumerated().map { number, certificate in
            SampleBag.shroudedKey(try certificate.key.pkcs8(), encryption(UInt8(number + 8)))
        }
        let mac = SampleMAC(password: password, iterations: 600_000, digest: "SHA256")
        let bytes = try SamplePKCS12(parts + [.plain(keys)], mac: mac).der()
        let start = ThreadTime.now
        // As it is typed elsewhere: in NFC.
        let file = try FileOutcome.read(bytes, password: "p\u{E4}ssw\u{F6}rd")
        _ = try? FileOutcome.read(bytes, password: Self.manyForms + "x")
        #expect(file.certificates.map(\.key) == [.matching, .matching])
        #expect(ThreadTime.now - start < .seconds(10))
    }

    @Test("keys that take too long together are left unread, and the certificates are reported")
    func keys() throws {
        let key = SampleBag.shroudedKey(try SampleKey.p256(7).pkcs8(), Self.encryption(.aes256, 100_000))
        let container = SamplePKCS12([.plain([try Self.bag()] + Array(repeating: key, count: 1_000))])
        let start = ThreadTime.now
        let file = try FileOutcome.read(container.der(), password: "sesame", budget: Self.tenth)
        // All keys would take a minute or more.
        #expect(ThreadTime.now - start < .seconds(10))
        #expect(file.certificates.map(\.key) == [.unreadable])
    }

    @Test("an encrypted PEM key in a cipher that runs once for each bit is not decrypted if it is long")
    func bitwise() throws {
        let pem = try FileOutcome.certificate().pem()
        let key =
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CFB1,0011223344556677\n\n"
            + SamplePEM.base64([UInt8](repeating: 0x5A, count: 2_500_000)) + "\n-----END EC PRIVATE KEY-----\n"
        let start = ThreadTime.now
        let file = try FileOutcome.read(Array((pem + key).utf8), password: "sesame")
        #expect(ThreadTime.now - start < .seconds(5))
        #expect(file.certificates.map(\.key) == [.unreadable])
    }

    @Test("a file has at most 2000 certificates, in PEM and in PKCS #12")
    func certificates() throws {
        let certificate = FileOutcome.certificate()
        let bag = try Self.bag()
        let pem = try certificate.pem()
        let files = [
            try SamplePKCS12([.plain(Array(repeating: bag, count: 2001))]).der(),
            Array(String(repeating: pem, count: 2001).utf8),
        ]
        for bytes in files {
            let error = try #require(try FileOutcome.error(bytes))
            #expect(error.code == .tooLarge)
            #expect(error.sentence == "the file has more than 2000 certificates; split it into several files")
        }
        #expect(try FileOutcome.code(Array(String(repeating: pem, count: 2000).utf8)) == "ok")
    }

    @Test("one budget is for all readings of a file")
    func budget() throws {
        let reader = try CertificateFileReader()
        let encryption = Self.encryption(.aes256, 160_000, "SHA3-512")
        let bytes = try SamplePKCS12([.encrypted([try Self.bag()], encryption)]).der()
        let budget = Self.tenth
        func code(_ password: String?) -> String? {
            do throws(CertificateFileError) {
                _ = try reader.read(bytes, password: password.map { Password(utf8: $0.utf8) }, budget: budget)
                return nil
            } catch {
                return error.code.description
            }
        }
        #expect(code(nil) == "password-required")
        // Nothing is left of it after that.
        #expect(code("simsim") == "too-large")
    }
}
