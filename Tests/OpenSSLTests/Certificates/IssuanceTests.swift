import Foundation
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport
import Testing

@Suite("What orders of certificates need of keys and certificates", .waiting)
struct IssuanceTests {
    private let context: LibraryContext

    init() throws { context = try LibraryContext() }

    private func openssl(_ arguments: [String], _ input: [UInt8]) throws -> Shell.Outcome {
        try Shell.run(["openssl"] + arguments, input: Data(input))
    }

    private func bytes(_ base64URL: String) throws -> [UInt8] {
        let text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        return Array(try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))))
    }

    enum KeyKind: CaseIterable { case p256, p384, rsa }

    private func key(_ kind: KeyKind) throws -> PrivateKey {
        switch kind {
        case .p256: try PrivateKey.makeP256(in: context)
        case .p384: try PrivateKey.makeP384(in: context)
        case .rsa: try SampleKey.rsa().privateKey()
        }
    }

    @Test("keys of all kinds are written as PKCS #8 in PEM, and read again", arguments: KeyKind.allCases)
    func keys(kind: KeyKind) throws {
        let key = try key(kind)
        let pem = try #require(key.pem).withBytes { $0 }
        #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let read = try PrivateKey(pem: pem, in: context)
        #expect(read.publicKeyInfo == key.publicKeyInfo)
        let shown = try openssl(["pkey", "-pubout", "-outform", "DER"], pem)
        #expect(Array(shown.output) == key.publicKeyInfo)
        #expect(read.kind.bits == [.p256: 256, .p384: 384, .rsa: 2_048][kind])
        #expect(read.isP256 == (kind == .p256))
    }

    @Test(
        "what is no key, or an encrypted one, is refused", arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n"])
    func noKey(text: String) {
        #expect(throws: OpenSSLError.self) { try PrivateKey(pem: Array(text.utf8), in: context) }
    }

    @Test("a request for one name has an empty subject and nothing but that name", arguments: KeyKind.allCases)
    func request(kind: KeyKind) throws {
        for name in ["shop.example.com", "*.example.com"] {
            let request = try CertificateRequest.make(dnsName: name, key: key(kind))
            let shown = try openssl(["req", "-inform", "DER", "-verify", "-noout", "-text"], request)
            #expect((shown.errors + shown.text).contains("verify OK"))
            #expect(shown.text.contains(#/Subject: *\n/#))
            #expect(shown.text.contains("DNS:\(name)\n"))
            #expect(shown.text.matches(of: #/X509v3/#).count == 1)
            #expect(!shown.text.contains("DNS:\(name),"))
        }
    }

    @Test("a name that cannot be in a certificate is refused", arguments: ["", "bücher.example", "a\0b"])
    func badName(name: String) {
        #expect(throws: OpenSSLError.self) { try CertificateRequest.make(dnsName: name, key: key(.p256)) }
    }

    /// RFC 7515, appendix A.3.
    @Test("the point of a key on P-256 is that of the RFC's example")
    func point() throws {
        let scalar = try bytes("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")
        let encoded = DER.sequence(
            DER.integer(0), DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid("1.2.840.10045.3.1.7")),
            DER.octets(DER.sequence(DER.integer(1), DER.octets(scalar))))
        let key = try #require(PrivateKey(pkcs8: encoded[...], in: context))
        let point = try #require(key.p256Point)
        #expect(try point.x == bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        #expect(try point.y == bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        #expect(try self.key(.p384).p256Point == nil && self.key(.rsa).p256Point == nil)
    }

    @Test("a signature of ES256 is 64 bytes that openssl verifies as r and s")
    func signature() throws {
        let key = try key(.p256)
        let folder = try TemporaryFolder()
        let publicKey = try folder.write(
            Data(try #require(PEMText.block("PUBLIC KEY", key.publicKeyInfo)).withBytes { $0 }), to: "key")
        let message = Array("eyJhbGciOiJFUzI1NiJ9.e30".utf8)
        // Numbers are one byte shorter in one of 128 signatures.
        for _ in 0..<300 {
            let signature = try #require(key.es256Signature(of: message))
            #expect(signature.count == 64)
        }
        let signature = try #require(key.es256Signature(of: message))
        let der = DER.sequence(number(signature[..<32]), number(signature[32...]))
        let path = try folder.write(Data(der), to: "signature")
        let verified = try openssl(["dgst", "-sha256", "-verify", publicKey, "-signature", path], message)
        #expect(verified.text.contains("Verified OK"))
        #expect(try self.key(.p384).es256Signature(of: message) == nil)
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return DER.element(0x02, (digits.first ?? 0) >= 0x80 || digits.isEmpty ? [0] + digits : digits)
    }

    /// RFC 7515, appendix A.1.
    @Test("the code of HS256 is that of the RFC's example")
    func hmac() throws {
        let key = SecretBytes(
            try bytes("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let message =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leG"
            + "FtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let code = MessageAuthentication.hmac(Array(message.utf8), key: key, digest: "SHA256", in: context)
        #expect(try code == bytes("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    }

    @Test(
        "the serial number has the bytes of its encoding",
        arguments: [[0x01], [0x00, 0x87, 0x65, 0x43, 0x21], Array(repeating: 0x7F, count: 20)] as [[UInt8]])
    func serialNumber(serial: [UInt8]) throws {
        let der = try SampleSite.leaf().with { $0.serial = serial }.der()
        #expect(try X509Certificate(der: der[...], in: context).serialNumberContent == serial)
    }

    @Test("the key identifier of the issuer is found if it is there")
    func keyIdentifier() throws {
        let leaf = try X509Certificate(der: SampleSite.leaf().der()[...], in: context)
        #expect(try leaf.authorityKeyIdentifier == SampleSite.intermediate.key.identifier())
        #expect(leaf.issuerCommonName == "Sample Intermediate")
        let plain = SampleSite.leaf().with { $0.extensions.removeAll { $0.oid == "2.5.29.35" } }
        #expect(try X509Certificate(der: plain.der()[...], in: context).authorityKeyIdentifier == nil)
    }

    @Test("a certificate of a server can be made of parts that are read already")
    func parts() throws {
        let chain = try [SampleSite.leaf().der(), SampleSite.intermediate.certificate.der()]
        let key = try SampleKey.p256(210).privateKey()
        let certificate = try ServerCertificate(chain: chain, key: key, reader: ServerCertificateReader())
        #expect(certificate.names == ["localhost"] && certificate.leaf == chain[0])
        #expect(throws: OpenSSLError.self) {
            try ServerCertificate(chain: chain, key: self.key(.p256), reader: ServerCertificateReader())
        }
        #expect(throws: OpenSSLError.self) {
            try ServerCertificate(chain: [], key: key, reader: ServerCertificateReader())
        }
    }

    @Test("the certificates of a text come in its order, and other blocks are passed over")
    func texts() throws {
        let (leaf, issuer) = (SampleSite.leaf(), SampleSite.intermediate.certificate)
        let leafText = try leaf.pem()
        let text = try "comment\n" + leafText + SampleKey.p256(210).pem() + issuer.pem()
        let certificates = try PEMText.certificates(Array(text.utf8))
        #expect(certificates.count == 2)
        #expect(
            PEMText.block("CERTIFICATE", certificates[0])?.withBytes { String(decoding: $0, as: UTF8.self) } == leafText
        )
        #expect(try PEMText.certificates(Array("none".utf8)).isEmpty)
        #expect(throws: OpenSSLError.self) { try PEMText.certificates(Array(leafText.dropLast(40).utf8)) }
    }
}
