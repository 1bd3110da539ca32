import Foundation
import OpenSSL
import PushCertificates
import PushSamples
import TestSupport
import Testing

@Suite("Requests for certificates", .waiting)
struct SigningRequestTests {
    private let reader: CertificateFileReader
    private let subject: SigningRequestSubject

    init() throws {
        reader = try CertificateFileReader()
        subject = try SigningRequestSubject(
            name: "com.example.app", email: "push@example.com", country: "DE", now: 1_795_000_000)
    }

    private func openssl(_ arguments: String..., input: some Sequence<UInt8>) throws -> Shell.Outcome {
        try Shell.run(["openssl"] + arguments, input: Data(input))
    }

    @Test("The request is RSA 2048 with SHA-256 and has the subject; its key is the one beside it")
    func request() throws {
        let request = try SigningRequest(subject, with: reader)
        let shown = try openssl("req", "-verify", "-noout", "-text", "-nameopt", "RFC2253", input: request.text)
        #expect((shown.text + shown.errors).contains("verify OK"))
        #expect(shown.text.contains("C=DE,emailAddress=push@example.com,CN=Push com.example.app 2026"))
        #expect(shown.text.contains("Public-Key: (2048 bit)"))
        #expect(shown.text.contains("sha256WithRSAEncryption"))
        #expect(!request.isKeyEncrypted)
        let key = request.withKeyText { Data($0) }
        #expect(String(decoding: key, as: UTF8.self).hasPrefix(SamplePEM.begin("PRIVATE KEY")))
        let ofKey = try openssl("pkey", "-pubout", input: key).text
        #expect(try ofKey == openssl("req", "-noout", "-pubkey", input: request.text).text)
    }

    @Test("Each request has a key of its own")
    func keys() throws {
        let first = try SigningRequest(subject, with: reader).withKeyText { Data($0) }
        let second = try SigningRequest(subject, with: reader).withKeyText { Data($0) }
        #expect(first != second)
    }

    @Test("With a password the key is PBES2: AES-256-CBC, PBKDF2 with HMAC-SHA-256, 600000 iterations")
    func encryptedKey() throws {
        let request = try SigningRequest(subject, keyPassword: RenewalSamples.password("geheim"), with: reader)
        #expect(request.isKeyEncrypted)
        let key = request.withKeyText { Data($0) }
        #expect(String(decoding: key, as: UTF8.self).hasPrefix(SamplePEM.begin("ENCRYPTED PRIVATE KEY")))
        let structure = try openssl("asn1parse", input: key).text
        for part in ["PBES2", "PBKDF2", "INTEGER           :0927C0", "hmacWithSHA256", "aes-256-cbc"] {
            #expect(structure.contains(part), "\(part)")
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(key, to: "key")
        let opened = try openssl("pkey", "-in", path, "-passin", "stdin", "-pubout", input: "geheim\n".utf8).text
        #expect(try opened == openssl("req", "-noout", "-pubkey", input: request.text).text)
    }

    @Test(
        "Passwords that other programs cannot take are refused",
        arguments: [[], [0], [0x61, 0], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func badPassword(bytes: [UInt8]) throws {
        #expect(
            renewalCode { try SigningRequest(subject, keyPassword: Password(utf8: bytes), with: reader) }
                == .invalidPassword)
    }
}
