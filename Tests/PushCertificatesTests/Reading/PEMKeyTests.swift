import Diagnostics
import OpenSSL
import PushCertificates
import PushSamples
import Testing

@Suite("Private keys in PEM")
struct PEMKeyTests {
    static let certificate = FileOutcome.certificate()

    static func read(_ keys: String..., password: String? = nil) throws -> CertificateFile {
        try FileOutcome.read(Array((try certificate.pem() + keys.joined()).utf8), password: password)
    }

    @Test("an encrypted key opens with its password", arguments: SampleEncryption.Scheme.allCases)
    func schemes(_ scheme: SampleEncryption.Scheme) throws {
        let encryption = SampleEncryption(scheme, password: "pa\u{308}ss", iterations: 2).with { $0.cost = 16 }
        let pem = try Self.certificate.key.encryptedPEM(encryption)
        // In NFC, where the key has NFD.
        #expect(try Self.read(pem, password: "p\u{E4}ss").certificates.map(\.key) == [.matching])
        let wrong = try Self.read(pem, password: "simsim")
        #expect(wrong.certificates.map(\.key) == [.unreadable])
        #expect(!wrong.wantsPassword)
        let missing = try Self.read(pem)
        #expect(missing.certificates.map(\.key) == [.unreadable])
        #expect(missing.wantsPassword)
    }

    @Test("a key in the way of old opens with its password")
    func traditional() throws {
        let pem = try Self.certificate.key.traditionalPEM(password: "sesame")
        #expect(try Self.read(pem, password: "sesame").certificates.map(\.key) == [.matching])
        #expect(try Self.read(pem, password: "simsim").certificates.map(\.key) == [.unreadable])
        #expect(try Self.read(pem).wantsPassword)
        // Not what a program writes, but what a program may do to it.
        let loose = pem.replacing("DEK-Info: ", with: "X-Other: 1\n  2\nDEK-Info:").replacing("\n\n", with: "\n")
        #expect(try Self.read(loose, password: "sesame").certificates.map(\.key) == [.matching])
    }

    @Test("PKCS #8 may be encrypted in the way of old too")
    func traditionalPKCS8() throws {
        let context = try LibraryContext()
        let vector = [UInt8](0..<16)
        let key = try #require(
            KeyDerivation.pem(
                SecretBytes("sesame".utf8), salt: Array(vector.prefix(8)), cipher: "AES-256-CBC", in: context))
        let text = try #require(
            SymmetricCipher.encrypt(
                Self.certificate.key.pkcs8(), cipher: "AES-256-CBC", key: key, vector: SecretBytes(vector), in: context)
        )
        let headers = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,000102030405060708090a0b0c0d0e0f"]
        let pem = SamplePEM.block("PRIVATE KEY", text, headers: headers)
        #expect(try Self.read(pem, password: "sesame").certificates.map(\.key) == [.matching])
        #expect(try FileOutcome.code(Array(pem.utf8), password: "sesame") == "not-a-certificate")
    }

    static let changes: [@Sendable (String) -> String] = [
        { $0.replacing("AES-128-CBC", with: "AES-128-GCM") }, { $0.replacing("AES-128-CBC", with: "") },
        { $0.replacing("AES-128-CBC", with: "\u{7}\u{1B}[31m") },
        { $0.replacing("AES-128-CBC,", with: "AES-128-CBC,XX") },
        { $0.replacing("AES-128-CBC,20", with: "AES-128-CBC,") },
        { $0.replacing("AES-128-CBC,2", with: "AES-128-CBC,") },
        { $0.replacing("DEK-Info", with: "No-Info") }, { $0.replacing("AES-128", with: "AES-256") },
        { $0.replacing("EC PRIVATE", with: "RSA PRIVATE") }, { $0.replacing("EC PRIVATE", with: "ANY PRIVATE") },
    ]

    @Test("a key whose encryption cannot be undone is unreadable", arguments: changes.indices)
    func unreadable(_ index: Int) throws {
        let pem = try Self.certificate.key.traditionalPEM(password: "sesame")
        let file = try Self.read(Self.changes[index](pem), password: "sesame")
        #expect(file.certificates.map(\.key) == [.unreadable])
        #expect(file.findings.allSatisfy { !$0.message.unicodeScalars.contains("\u{1B}") })
    }

    @Test("single DES works if the old ciphers can be loaded")
    func singleDES() throws {
        let pem = try Self.certificate.key.encryptedPEM(SampleEncryption(.sha1AndDES, password: "sesame"))
        #expect(try Self.read(pem, password: "sesame").certificates.map(\.key) == [.matching])
    }

    @Test(
        "a key that is damaged or of an unknown kind leaves the certificate as it is",
        arguments: [
            "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
            "ODD PRIVATE KEY",
        ])
    func damaged(_ label: String) throws {
        for content in [[0x30, 0], [1], DER.sequence(DER.integer(0)), try Self.certificate.der()] {
            let file = try Self.read(SamplePEM.block(label, content), password: "sesame")
            #expect(file.certificates.map(\.key) == [.unreadable])
        }
        #expect(throws: CertificateFileError.self) {
            try Self.read("-----BEGIN \(label)-----\n-----END \(label)-----\n")
        }
    }

    @Test("keys beyond the limits make the file too large")
    func limits() throws {
        let encryption = PKCS12LimitTests.encryption(PKCS12LimitTests.tooMany)
        let text = try Self.certificate.pem() + Self.certificate.key.encryptedPEM(encryption)
        #expect(try FileOutcome.code(Array(text.utf8), password: "sesame") == "too-large")
    }
}
