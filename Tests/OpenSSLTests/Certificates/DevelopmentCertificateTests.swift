import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Development certificates", .waiting)
struct DevelopmentCertificateTests {
    private static let now: Int64 = 1_789_000_000
    private static let day: Int64 = 86_400

    private func make(_ names: [String]) throws -> DevelopmentCertificate {
        try DevelopmentCertificate(dnsNames: names, at: Self.now, in: LibraryContext())
    }

    @Test("a server can use it for each of its names, for 90 days")
    func usable() throws {
        let names = ["localhost", "shop.example", "*.shop.example"]
        let made = try make(names)
        let server = try made.certificate.withBytes { certificate in
            try made.key.withBytes { key in try ServerCertificate(chain: certificate, key: key) }
        }
        #expect(server.names == names && server.keyType == .ecdsa)
        #expect(server.notBefore == Self.now && server.notAfter == Self.now + 90 * Self.day)
    }

    @Test("it says what it is, is no CA, and signs itself with a key of its own")
    func content() throws {
        let context = try LibraryContext()
        let read = { (made: DevelopmentCertificate) in
            let der = try #require(try PEMText.certificates(made.certificate.withBytes { $0 }).first)
            return try X509Certificate(der: der[...], in: context)
        }
        let certificate = try read(try make(["localhost"]))
        #expect(certificate.isSigned(by: certificate))
        let other = try read(try make(["localhost"]))
        #expect(!certificate.isSigned(by: other))
        let shown = try Shell.run(
            ["openssl", "x509", "-noout", "-text"], input: Data(try make(["localhost"]).certificate.withBytes { $0 }))
        #expect(shown.status == 0, "\(shown.errors)")
        for text in [
            "Subject: CN = \"aasa development certificate, not for production\"", "CA:FALSE",
            "TLS Web Server Authentication", "DNS:localhost",
        ] {
            #expect(shown.text.contains(text), "\(text) is not in \(shown.text)")
        }
    }

    @Test("openssl takes it as its own only trust anchor, for its names and no others")
    func anchor() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(try make(["localhost"]).certificate.withBytes { $0 }), to: "certificate.pem")
        let verify = { (name: String) in
            try Shell.run([
                "openssl", "verify", "-attime", "\(Self.now + Self.day)", "-purpose", "sslserver",
                "-verify_hostname", name, "-no-CApath", "-CAfile", file, file,
            ])
        }
        #expect(try verify("localhost").status == 0)
        #expect(try verify("shop.example").status != 0)
    }

    @Test("a name that cannot be in a certificate is refused", arguments: ["", "bücher.example", "a b"])
    func unusable(name: String) {
        #expect(throws: OpenSSLError.self) { try make(["localhost", name]) }
    }
}
