import ACME
import OpenSSL
import PushSamples
import TLSSamples
import Testing

@Suite("Keys of accounts")
struct KeyTests {
    /// RFC 7638, section 3.1.
    @Test("the thumbprint is that of the RFC's example")
    func thumbprint() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n"
            + "3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0"
            + "zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-"
            + "csFCur-kEgU8awapJzKnqDKgw"
        let key = JSONWebKey(members: ["e": "AQAB", "kty": "RSA", "n": modulus])
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("an account's key is read from its file, and must be on P-256")
    func files() throws {
        let context = try LibraryContext()
        let key = try AccountKey.make(in: context)
        let pem = try #require(key.key.pem).withBytes { $0 }
        #expect(try AccountKey(pem: pem, in: context).thumbprint == key.thumbprint)
        #expect(key.jwk.members["crv"] == "P-256" && key.thumbprint.utf8.count == 43)
        for text in ["", "x", try SampleKey.rsa().pem()] {
            let error = #expect(throws: IssuanceError.self) { try AccountKey(pem: Array(text.utf8), in: context) }
            #expect(error?.type == .acmeAccount && error?.scope == .authority)
        }
    }

    /// RFC 9773, section 4.1.
    @Test("the identifier of a certificate is that of the RFC's example")
    func certificateID() {
        let keyIdentifier: [UInt8] = [
            0x69, 0x88, 0x5B, 0x6B, 0x87, 0x46, 0x40, 0x41, 0xE1, 0xB3, 0x7B, 0x84, 0x7B, 0xA0, 0xAE, 0x2C, 0xDE, 0x01,
            0xC8, 0xD4,
        ]
        let id = CertificateID(keyIdentifier: keyIdentifier, serialNumber: [0x00, 0x87, 0x65, 0x43, 0x21])
        #expect(id.description == "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE")
    }

    @Test("the identifier is taken from a certificate that names its issuer's key")
    func certificate() throws {
        let context = try LibraryContext()
        let leaf = SampleSite.leaf().with { $0.serial = [0x00, 0x87, 0x65, 0x43, 0x21] }
        let id = try #require(CertificateID(X509Certificate(der: leaf.der()[...], in: context)))
        let identifier = try SampleSite.intermediate.key.identifier()
        #expect(id.description == "\(Base64URL.text(identifier)).AIdlQyE")
        let plain = leaf.with { $0.extensions.removeAll { $0.oid == "2.5.29.35" } }
        #expect(try CertificateID(X509Certificate(der: plain.der()[...], in: context)) == nil)
    }
}
