import Foundation
import FuzzingSupport
import OpenSSL
import TLSSamples
import TestSupport
import Testing

@Suite("Certificates that answer challenges", .waiting)
struct ChallengeCertificateTests {
    private static let now: Int64 = 1_789_000_000
    private static let authorization =
        "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA.nP1qzpXGymHBrUEepNY9HCsQk7K8KhOypzEt62jcerQ"
    private let context: LibraryContext

    init() throws { context = try LibraryContext() }

    private func make(_ name: String = "shop.example.com") throws -> ServerCertificate {
        try ChallengeCertificate.make(name: name, keyAuthorization: Self.authorization, at: Self.now, in: context)
    }

    private func read(_ certificate: ServerCertificate) throws -> X509Certificate {
        try X509Certificate(der: certificate.leaf[...], in: context)
    }

    @Test("it signs itself, is for one name, and has the hash of the key authorization in a critical extension")
    func content() throws {
        let certificate = try make()
        #expect(certificate.names == ["shop.example.com"])
        #expect(certificate.keyType == .ecdsa && certificate.keyBits == 256)
        #expect(certificate.notBefore < Self.now - 3_600 && certificate.notAfter > Self.now + 86_400)
        let parsed = try read(certificate)
        #expect(parsed.isSigned(by: parsed) && parsed.subjectName == parsed.issuerName)
        #expect(parsed.extensions.map(\.oid).sorted() == ["1.3.6.1.5.5.7.1.31", "2.5.29.17"])
        let identifier = try #require(parsed.extensions.first { $0.oid == "1.3.6.1.5.5.7.1.31" })
        #expect(identifier.isCritical)
        #expect(identifier.value == [0x04, 0x20] + SHA256Digest.hash(Array(Self.authorization.utf8)))
    }

    @Test("openssl reads it, and finds the extension critical")
    func openssl() throws {
        let shown = try Shell.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-text", "-nameopt", "RFC2253"],
            input: Data(try make().leaf))
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.text.contains("Version: 3 (0x2)"))
        #expect(shown.text.contains("DNS:shop.example.com\n"))
        // OpenSSL knows the extension by its name.
        #expect(shown.text.contains(#/(?:acmeIdentifier|1\.3\.6\.1\.5\.5\.7\.1\.31): critical/#))
        #expect(shown.text.contains("prime256v1"))
    }

    @Test("a name as long as names can be is whole in it")
    func longName() throws {
        let label = String(repeating: "a", count: 61)
        let name = [label, label, label, label, "com"].joined(separator: ".")
        #expect(try make(name).names == [name])
        #expect(try read(make(name)).hasOnlyDNSName(name))
    }

    @Test("each has a key and a number of its own")
    func unique() throws {
        let (first, second) = (try read(make()), try read(make()))
        #expect(first.serialNumber != second.serialNumber)
        #expect(first.publicKeyIdentity != second.publicKeyIdentity)
    }

    @Test("a name that cannot be in a certificate is refused", arguments: ["", "bücher.example", "a b", "a\0b"])
    func badName(name: String) {
        #expect(throws: OpenSSLError.self) { try make(name) }
    }

    @Test("a server can present it")
    func handshake() throws {
        _ = try TLSContext(certificates: [make()], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
    }

    @Test("it is the answer for its name and key authorization only")
    func answers() throws {
        let certificate = try read(make())
        func isAnswer(_ name: String, _ authorization: String) -> Bool {
            ChallengeCertificate.isAnswer(certificate, name: name, keyAuthorization: authorization)
        }
        #expect(isAnswer("shop.example.com", Self.authorization) && isAnswer("SHOP.example.com", Self.authorization))
        #expect(!isAnswer("shop.example.com", Self.authorization + "x"))
        #expect(!isAnswer("www.example.com", Self.authorization))
    }

    @Test("an ordinary certificate answers no challenge")
    func ordinary() throws {
        let other = try read(SampleIdentity.certificate(["shop.example.com"]))
        #expect(other.hasOnlyDNSName("shop.example.com"))
        #expect(
            !ChallengeCertificate.isAnswer(other, name: "shop.example.com", keyAuthorization: Self.authorization))
        #expect(try !read(SampleIdentity.certificate(["a.example", "b.example"])).hasOnlyDNSName("a.example"))
        #expect(try !read(SampleIdentity.certificate([])).hasOnlyDNSName("a.example"))
    }
}
