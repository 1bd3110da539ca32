import PushCertificates
import PushSamples
import Testing

@Suite("What a file is")
struct CertificateFileReaderTests {
    @Test("a certificate in DER, with bytes behind it or without")
    func certificate() throws {
        let der = try FileOutcome.certificate().der()
        #expect(try FileOutcome.read(der).isSound)
        let trailing = try FileOutcome.read(der + [0x0A])
        #expect(trailing.messages("trailing-bytes").contains { $0.contains("1 byte ") })
        #expect(try FileOutcome.read(der + der).certificates.count == 1)
        for count in [5, 100, der.count - 1] { #expect(try FileOutcome.code(Array(der.prefix(count))) == "corrupt") }
        #expect(try FileOutcome.code(DER.sequence(DER.sequence(), DER.sequence(), DER.bits([]))) == "corrupt")
    }

    @Test("base64 of anything in DER is decoded")
    func base64() throws {
        let certificate = FileOutcome.certificate()
        let container = try SamplePKCS12.export(certificate).der()
        for text in [
            SamplePEM.base64(container), SamplePEM.lines(container).joined(separator: "\r\n") + "\r\n",
            " \t\n" + SamplePEM.base64(container), "\u{FEFF}" + SamplePEM.base64(container),
        ] {
            let file = try FileOutcome.read(Array(text.utf8), password: "test-password")
            #expect(file.certificates.map(\.key) == [.matching])
            #expect(file.says("base64-text"))
        }
        let text = SamplePEM.base64(try certificate.der())
        #expect(try FileOutcome.read(Array(text.utf8)).says("base64-text"))
        #expect(try FileOutcome.read(Array(SamplePEM.base64(try certificate.der() + [1]).utf8)).says("trailing-bytes"))
        for count in [40, 41, 42, 43] { #expect(try FileOutcome.code(Array(text.utf8.prefix(count))) == "corrupt") }
        #expect(try FileOutcome.code(Array((text + "!").utf8)) == "not-a-certificate")
        #expect(try FileOutcome.code(Array("MISSING".utf8)) == "not-a-certificate")
    }

    @Test("what it looks like is said, with what to do")
    func foreign() throws {
        let key = SampleKey.p256()
        let bundle = DER.sequence(DER.oid("1.2.840.113549.1.7.2"), DER.tagged(0, DER.sequence()))
        let list = DER.sequence(
            DER.sequence(
                DER.integer(1), DER.sequence(DER.oid("1.2.840.113549.1.1.11"), DER.null), DER.sequence(),
                DER.element(0x17, Array("260101000000Z".utf8))),
            DER.sequence(DER.oid("1.2.840.113549.1.1.11"), DER.null), DER.bits([0]))
        let encrypted = try key.encryptedPKCS8(SampleEncryption(.aes128, password: "sesame"))
        let cases: [([UInt8], String)] = [
            ([], "empty"), (Array(" \r\n\t".utf8), "empty"), (Array("\u{FEFF}\n".utf8), "empty"),
            (Array("<!DOCTYPE html>\n<html><body>Sign in</body></html>".utf8), "a web page"),
            (Array("  <HTML>".utf8), "a web page"), (Array("<!-- x --><html>".utf8), "a web page"),
            ([0xFF, 0xFE, 0x2D, 0x00], "UTF-16"), (Array("ssh-rsa AAAA me@here".utf8), "SSH"),
            (Array("<?xml version=\"1.0\"?><plist/>".utf8), "property list"), (Array("PK\u{3}\u{4}...".utf8), "ZIP"),
            ([0xFE, 0xED, 0xFE, 0xED, 0, 0], "keytool"), (Array("kych....".utf8), "keychain"),
            (try key.pkcs8(), "a private key"), (try key.traditional(), "a private key"),
            (try SampleKey.rsa().traditional(), "a private key"), (encrypted, "an encrypted private key"),
            (try key.publicKeyInfo(), "a public key"), (try SampleRequest().der(), "upload it"), (list, "revoked"),
            (bundle, ".mobileprovision"), (DER.indefinite(bundle), ".mobileprovision"),
            (Array("Test cer".utf8), "neither"), (Array("0000;NULL;Cc\n".utf8), "neither"), ([0], "neither"),
            ([0x30], "neither"), ([0x30, 0x82], "neither"),
            ([0x30, 0x80], "neither"), (DER.sequence(DER.integer(2), DER.integer(1)), "neither"),
        ]
        for (bytes, words) in cases {
            let error = try #require(try FileOutcome.error(bytes, password: "sesame"))
            #expect(error.code == .notACertificate)
            #expect(error.sentence.contains(words))
        }
    }

    @Test("lengths that no file has are damage")
    func lengths() throws {
        for length in [
            [0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x88] + [UInt8](repeating: 0xFF, count: 8),
            [0xFF] + [UInt8](repeating: 0xFF, count: 127),
        ] as [[UInt8]] {
            #expect(try FileOutcome.code([0x30] + length + [0x02, 0x01, 0x03]) == "corrupt")
            #expect(try FileOutcome.code([0x30] + length + [0x30, 0x00]) == "corrupt")
        }
        // Longer than need be.
        let content = try #require(DER.content(of: try SamplePKCS12.export(FileOutcome.certificate()).der()))
        let padded = [0x30, 0x86, 0, 0, 0, 0] + DER.integer(content.count).suffix(2) + content
        #expect(try FileOutcome.code(padded, password: "test-password") == "ok")
    }

    @Test("elements that never end are damage, and do not exhaust the stack")
    func endless() throws {
        for start in [[0x30, 0x80, 0x02, 0x01, 0x03], [0x30, 0x80]] as [[UInt8]] {
            let bytes = start + [[UInt8]](repeating: [0x30, 0x80], count: 100_000).flatMap { $0 }
            #expect(try FileOutcome.code(bytes) == "corrupt")
        }
        let nested = (0..<20).reduce(DER.octets([1])) { inner, _ in DER.element(0x24, inner) }
        let container = SamplePKCS12([]).with {
            $0.contentInfo = DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, nested))
        }
        #expect(try FileOutcome.code(container.der()) == "corrupt")
    }
}
