import PushCertificates
import PushSamples
import Testing

@Suite("Token keys")
struct TokenKeyTests {
    @Test("a key on P-256 and nothing else is a token key")
    func token() throws {
        for text in [
            try SampleKey.p256().pem(), "\u{FEFF}" + (try SampleKey.p256().pem()),
            "text\n" + (try SampleKey.p256().pem()),
        ] {
            let file = try FileOutcome.read(Array(text.utf8))
            #expect(file.certificates.map(\.kind) == [.tokenKey])
            #expect(file.certificates.map(\.key) == [.alone])
            #expect(file.says("token-key"))
        }
    }

    @Test("any other key without a certificate is none")
    func others() throws {
        let key = SampleKey.p256()
        for text in [
            try key.pem() + key.pem(), try key.traditionalPEM(), try SampleKey.rsa().pem(),
            try key.encryptedPEM(SampleEncryption(.aes128, password: "")), try key.traditionalPEM(password: ""),
        ] {
            #expect(try FileOutcome.code(Array(text.utf8)) == "not-a-certificate")
        }
        #expect(try FileOutcome.code(key.pkcs8()) == "not-a-certificate")
        #expect(try FileOutcome.code(key.traditional()) == "not-a-certificate")
        #expect(try FileOutcome.code(Array(SamplePEM.base64(key.pkcs8()).utf8)) == "not-a-certificate")
    }

    @Test("a token key that is cut off is corrupt")
    func cutOff() throws {
        let pem = try SampleKey.p256().pem()
        #expect(try FileOutcome.code(Array(pem.prefix(90).utf8)) == "corrupt")
        let damaged = SamplePEM.block("PRIVATE KEY", Array(try SampleKey.p256().pkcs8().dropLast(6)))
        #expect(try FileOutcome.code(Array(damaged.utf8)) == "corrupt")
    }
}
