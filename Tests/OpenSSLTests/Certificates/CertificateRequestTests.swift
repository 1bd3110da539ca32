import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Certificate requests", .waiting)
struct CertificateRequestTests {
    private let folder: TemporaryFolder
    private let context: LibraryContext

    init() throws {
        folder = try TemporaryFolder()
        context = try LibraryContext()
    }

    private func write(_ block: SecretBytes?, to name: String) throws -> String {
        try folder.write(Data(try #require(block).withBytes { $0 }), to: name)
    }

    private func openssl(_ arguments: String...) throws -> Shell.Outcome { try Shell.run(["openssl"] + arguments) }

    @Test("The request has the subject in its encodings, the key, and a signature with SHA-256 that openssl verifies")
    func request() throws {
        let key = try PrivateKey.makeRSA(bits: 2_048, in: context)
        let request = try CertificateRequest.make(
            subject: [
                .init("2.5.4.3", "Push Größe 2026", as: .utf8),
                .init("1.2.840.113549.1.9.1", "a@example.com", as: .ia5),
                .init("2.5.4.6", "DE", as: .printable),
            ], key: key)
        let path = try write(PEMText.block("CERTIFICATE REQUEST", request), to: "request")
        let shown = try openssl(
            "req", "-in", path, "-verify", "-noout", "-text", "-nameopt", "show_type,utf8,sep_multiline,lname")
        #expect(shown.status == 0)
        #expect((shown.errors + shown.text).contains("verify OK"))
        for part in [
            "commonName=UTF8STRING:Push Größe 2026", "emailAddress=IA5STRING:a@example.com",
            "countryName=PRINTABLESTRING:DE", "Public-Key: (2048 bit)", "sha256WithRSAEncryption", "Version: 1 (0x0)",
        ] {
            #expect(shown.text.contains(part), "\(part)")
        }
        let publicKey = try openssl("req", "-in", path, "-noout", "-pubkey")
        let der = try Shell.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input: publicKey.output)
        #expect(Array(der.output) == key.publicKeyInfo)
    }

    @Test("An attribute that OpenSSL does not know is refused")
    func unknownAttribute() throws {
        let key = try PrivateKey.makeP256(in: context)
        #expect(throws: OpenSSLError.self) {
            try CertificateRequest.make(subject: [.init("no identifier", "x", as: .utf8)], key: key)
        }
    }

    @Test(
        "PEM has lines of 64 characters and is what openssl makes of the same bytes",
        arguments: [0, 1, 47, 48, 49, 95, 96, 97, 1_000])
    func text(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let block = try #require(PEMText.block("X", bytes)).withBytes { String(decoding: $0, as: UTF8.self) }
        let content = try Shell.run(["openssl", "base64"], input: Data(bytes)).text
        #expect(block == "-----BEGIN X-----\n\(content)-----END X-----\n")
    }

    @Test("An encrypted key is PBES2 with AES-256-CBC and PBKDF2 with HMAC-SHA-256, and opens with its password only")
    func encryptedKey() throws {
        let key = try PrivateKey.makeP256(in: context)
        let encrypted = try key.encryptedPKCS8(password: SecretBytes("pässword".utf8), iterations: 10_000)
        let path = try write(PEMText.block("ENCRYPTED PRIVATE KEY", encrypted), to: "key")
        let structure = try openssl("asn1parse", "-in", path).text
        for part in ["PBES2", "PBKDF2", "INTEGER           :2710", "hmacWithSHA256", "aes-256-cbc"] {
            #expect(structure.contains(part), "\(part)")
        }
        let opened = try Shell.run(
            ["openssl", "pkey", "-in", path, "-passin", "stdin", "-pubout", "-outform", "DER"],
            input: Data("pässword\n".utf8))
        #expect(Array(opened.output) == key.publicKeyInfo)
        let refused = try Shell.run(
            ["openssl", "pkey", "-in", path, "-passin", "stdin", "-noout"], input: Data("password\n".utf8))
        #expect(refused.status != 0)
        #expect(try encrypted != key.encryptedPKCS8(password: SecretBytes("pässword".utf8), iterations: 10_000))
    }
}
