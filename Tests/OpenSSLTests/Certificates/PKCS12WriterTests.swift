import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Writing PKCS #12", .waiting)
struct PKCS12WriterTests {
    private let folder: TemporaryFolder
    private let context: LibraryContext
    private let key: PrivateKey
    private let certificate: X509Certificate

    init() throws {
        folder = try TemporaryFolder()
        context = try LibraryContext()
        try TestCertificate.make([], in: folder.url)
        let path = "\(folder.path)/privkey.pem"
        let pkcs8 = Array(
            try Shell.run(["openssl", "pkcs8", "-topk8", "-nocrypt", "-in", path, "-outform", "DER"]).output)
        key = try #require(PrivateKey(pkcs8: pkcs8[...], in: context))
        certificate = try Self.certificate(in: folder.path, context)
    }

    private static func certificate(in folder: String, _ context: LibraryContext) throws -> X509Certificate {
        let der = try Shell.run(["openssl", "x509", "-in", "\(folder)/fullchain.pem", "-outform", "DER"]).output
        return try X509Certificate(der: Array(der)[...], in: context)
    }

    private func write(
        _ protection: PKCS12Writer.Protection, iterations: Int32 = 2_048, password: String = "secret",
        name: String? = "Größe", issuers: [X509Certificate] = []
    ) throws -> String {
        let bytes = try PKCS12Writer(protection, iterations: iterations).write(
            certificate, key: key, friendlyName: name, issuers: issuers, password: SecretBytes(password.utf8))
        return try folder.write(Data(bytes), to: "file.p12")
    }

    private func openssl(_ path: String, _ arguments: String..., password: String = "secret") throws -> Shell.Outcome {
        try Shell.run(
            ["openssl", "pkcs12", "-in", path, "-passin", "stdin", "-nodes"] + arguments,
            input: Data("\(password)\n".utf8))
    }

    @Test("3DES, a MAC with SHA-1 and 2048 iterations are what macOS reads")
    func tripleDES() throws {
        let opened = try openssl(try write(.tripleDES), "-info")
        #expect(opened.status == 0, "\(opened.errors)")
        let information = opened.errors.split(separator: "\n").map(String.init)
        #expect(information.contains("MAC: sha1, Iteration 2048"))
        let encrypted = "pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048"
        #expect(information.contains("PKCS7 Encrypted data: \(encrypted)"))
        #expect(information.contains("Shrouded Keybag: \(encrypted)"))
    }

    @Test("AES-256 comes with PBKDF2, HMAC-SHA-256 and a MAC with SHA-256, each with the iterations")
    func aes256() throws {
        let opened = try openssl(try write(.aes256, iterations: 10_000), "-info")
        #expect(opened.status == 0, "\(opened.errors)")
        let information = opened.errors.split(separator: "\n").map(String.init)
        #expect(information.contains("MAC: sha256, Iteration 10000"))
        let encrypted = "PBES2, PBKDF2, AES-256-CBC, Iteration 10000, PRF hmacWithSHA256"
        #expect(information.contains("PKCS7 Encrypted data: \(encrypted)"))
        #expect(information.contains("Shrouded Keybag: \(encrypted)"))
    }

    @Test(
        "Key, certificate, name and key identifier come back", arguments: [PKCS12Writer.Protection.tripleDES, .aes256])
    func content(protection: PKCS12Writer.Protection) throws {
        let text = try openssl(try write(protection)).text
        let digest =
            try Shell.run(
                ["openssl", "x509", "-in", "\(folder.path)/fullchain.pem", "-noout", "-fingerprint", "-sha1"]
            ).text.split(separator: "=").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
        let identifier = "localKeyID: " + digest.split(separator: ":").joined(separator: " ")
        #expect(text.components(separatedBy: "friendlyName: ").count == 3)
        #expect(text.components(separatedBy: identifier).count == 3)
        let again = try Shell.run(["openssl", "x509", "-outform", "DER"], input: Data(text.utf8))
        #expect(Array(again.output) == certificate.der)
        let publicKey = try Shell.run(["openssl", "pkey", "-pubout", "-outform", "DER"], input: Data(text.utf8))
        #expect(Array(publicKey.output) == key.publicKeyInfo)
    }

    @Test("Passwords beyond ASCII open it", arguments: ["pässwörd", "密碼", "🔑 key", " "])
    func password(text: String) throws {
        for protection in [PKCS12Writer.Protection.tripleDES, .aes256] {
            let path = try write(protection, password: text)
            #expect(try openssl(path, "-noout", password: text).status == 0)
            #expect(try openssl(path, "-noout", password: "other").status != 0)
        }
    }

    @Test("Issuers are put in without a key; no name makes none")
    func issuers() throws {
        let other = try TemporaryFolder()
        try TestCertificate.make(["DNS:other.example.com"], in: other.url)
        let issuer = try Self.certificate(in: other.path, context)
        let text = try openssl(try write(.tripleDES, name: nil, issuers: [issuer])).text
        #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(text.components(separatedBy: "END PRIVATE KEY").count == 2)
        #expect(!text.contains("friendlyName"))
    }

    @Test("Another certificate's key is refused")
    func otherKey() throws {
        let writer = PKCS12Writer(.tripleDES, iterations: 2_048)
        let other = try PrivateKey.makeP256(in: context)
        #expect {
            try writer.write(
                certificate, key: other, friendlyName: nil, issuers: [], password: SecretBytes("secret".utf8))
        } throws: { ($0 as? OpenSSLError)?.code == .keyMismatch }
    }
}
