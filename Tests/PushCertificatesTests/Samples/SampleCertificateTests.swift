import Foundation
import PushSamples
import TestSupport
import Testing

@Suite struct SampleCertificateTests {
    @Test("the openssl command reads every profile and finds its signature right", arguments: SampleProfile.allCases)
    func profile(_ profile: SampleProfile) throws {
        let certificate = profile.certificate()
        let folder = try TemporaryFolder()
        let leaf = try folder.write(certificate.pem(), to: "leaf.pem")
        let issuer = try #require(certificate.issuer)
        let chain = try folder.write(
            issuer.certificate.pem() + SampleAuthority.root.certificate.pem(), to: "chain.pem")
        let outcome = try Shell.run([
            "openssl", "verify", "-ignore_critical", "-attime", "\(SampleTime.now)", "-CAfile", chain, leaf,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try Shell.run([
            "openssl", "x509", "-noout", "-subject", "-enddate", "-dateopt", "iso_8601", "-in", leaf,
        ])
        #expect(text.text.contains("notAfter=2027-11-18 11:06:40Z"))
    }

    @Test(
        "dates are written as RFC 5280 says",
        arguments: [
            (951_782_400, "Feb 29 00:00:00 2000 GMT", 0x17), (2_524_607_999, "Dec 31 23:59:59 2049 GMT", 0x17),
            (2_524_608_000, "Jan  1 00:00:00 2050 GMT", 0x18), (253_402_300_799, "Dec 31 23:59:59 9999 GMT", 0x18),
            (-631_152_000, "Jan  1 00:00:00 1950 GMT", 0x17), (-631_152_001, "Dec 31 23:59:59 1949 GMT", 0x18),
        ] as [(Int64, String, UInt8)])
    func dates(_ seconds: Int64, _ text: String, _ tag: UInt8) throws {
        let certificate = SampleProfile.universal.certificate().with { $0.notAfter = seconds }
        let der = try certificate.der()
        let body = DER.elements(of: DER.content(of: DER.content(of: der) ?? []) ?? [])
        #expect(DER.elements(of: DER.content(of: body[4]) ?? []).last?.first == tag)
        let outcome = try Shell.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-enddate"], input: Data(der))
        #expect(outcome.text == "notAfter=\(text)\n")
    }

    @Test("signatures with old digests are those they claim to be", arguments: ["MD5", "SHA1", "SHA512"])
    func digests(_ digest: String) throws {
        let certificate = SampleProfile.production.certificate().with {
            $0.issuer = .g1
            $0.digest = digest
        }
        let text = try Shell.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-text"], input: Data(try certificate.der()))
        #expect(text.text.contains("Signature Algorithm: \(digest.lowercased())WithRSAEncryption"))
    }

    @Test("a name may have any attributes, in any order and any type")
    func names() throws {
        var certificate = SampleProfile.universal.certificate()
        certificate.subject = [
            .organizationalUnit("B"), .commonName("Größe 推", as: .bmp), .organizationalUnit("Aé", as: .teletex),
            .userID("x", as: .universal), .email("a@b.example"), .init(oid: "2.5.4.97", "id"),
        ]
        let outcome = try Shell.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-subject", "-nameopt", "RFC2253,-esc_msb,utf8"],
            input: Data(try certificate.der()))
        #expect(
            outcome.text
                == "subject=organizationIdentifier=id,emailAddress=a@b.example,UID=x,OU=Aé,CN=Größe 推,OU=B\n")
    }

    @Test("a request has a right signature")
    func request() throws {
        let outcome = try Shell.run(
            ["openssl", "req", "-verify", "-noout"], input: Data(try SampleRequest().pem().utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
