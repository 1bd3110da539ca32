import OpenSSL
import PushCertificates
import PushSamples
import Testing

@Suite("Files with private keys")
struct KeyFileTests {
    private let reader: CertificateFileReader
    private let certificate: IssuedCertificate

    init() throws {
        reader = try CertificateFileReader()
        certificate = try RenewalSamples.certificate(SampleProfile.universal.certificate())
    }

    private func read(_ bytes: some Sequence<UInt8>, _ passwords: String...) throws -> KeyFile {
        try KeyFile(Array(bytes), passwords: passwords.map { Password(utf8: $0.utf8) }, with: reader)
    }

    private static let plainForms: [@Sendable () throws -> [UInt8]] = [
        { try SampleKey.p256().pkcs8() },
        { try SampleKey.p256().traditional() },
        { Array(try SampleKey.p256().pem().utf8) },
        { Array(try SampleKey.p256().traditionalPEM().utf8) },
        { Array("\u{FEFF}Bag Attributes\r\n\(try SampleKey.p256().pem())".utf8) },
        { Array((try SampleKey.p256(2).pem() + SampleKey.p256().pem()).utf8) },
        { Array((try SampleProfile.pass.certificate().pem() + SampleKey.p256().pem()).utf8) },
        { Array(SamplePEM.base64(try SampleKey.p256().pkcs8()).utf8) },
        { try SamplePKCS12.export(SampleProfile.pass.certificate(), as: .plain).der() },
    ]

    @Test("Keys are found in all usual forms", arguments: 0..<9)
    func forms(place: Int) throws {
        let file = try read(try Self.plainForms[place]())
        #expect(file.key(of: certificate) != nil)
        #expect(!file.hasLockedKeys)
    }

    private static let encryptedForms: [@Sendable () throws -> [UInt8]] = [
        { Array(try SampleKey.p256().encryptedPEM(SampleEncryption(.aes256, password: "secret")).utf8) },
        { try SampleKey.p256().encryptedPKCS8(SampleEncryption(.tripleDES, password: "secret")) },
        { Array(try SampleKey.p256().traditionalPEM(password: "secret").utf8) },
        { try SamplePKCS12.export(SampleProfile.pass.certificate(), password: "secret").der() },
    ]

    @Test("Encrypted keys open with one of the passwords, and are locked without", arguments: 0..<4)
    func encrypted(place: Int) throws {
        let bytes = try Self.encryptedForms[place]()
        #expect(try read(bytes, "secret").key(of: certificate) != nil)
        #expect(try !read(bytes, "secret").hasLockedKeys)
        #expect(try read(bytes, "wrong", "secret").key(of: certificate) != nil)
        for file in [try read(bytes), try read(bytes, "wrong"), try read(bytes, "")] {
            #expect(file.keys.isEmpty && file.hasLockedKeys)
        }
    }

    @Test("A key that is not encrypted is found beside a locked one")
    func mixed() throws {
        let locked = try SampleKey.p256(2).encryptedPEM(SampleEncryption(.aes256, password: "secret"))
        let file = try read((locked + SampleKey.p256().pem()).utf8, "wrong")
        #expect(file.key(of: certificate) != nil && file.hasLockedKeys)
        #expect(try read((locked + SampleKey.p256().pem()).utf8, "wrong", "secret", "other").keys.count == 2)
    }

    @Test("RSA keys are found in their form of old, in DER too")
    func rsa() throws {
        let certificate = try RenewalSamples.certificate(SampleProfile.pass.certificate(key: .rsa()))
        #expect(try read(SampleKey.rsa().traditional()).key(of: certificate) != nil)
        #expect(try read(SampleKey.rsa().traditionalPEM().utf8).key(of: certificate) != nil)
    }

    @Test("Another key is no certificate's")
    func other() throws {
        #expect(try read(SampleKey.p256(2).pem().utf8).key(of: certificate) == nil)
    }

    @Test("Without a key, damaged, or with too many iterations, a file is refused")
    func refused() throws {
        let pem = try SampleKey.p256().pem()
        let greedy = SampleEncryption(.aes256, password: "secret").with {
            $0.statedIterations = [0x7F, 0xFF, 0xFF, 0xFF]
        }
        let texts = [
            "", "text", SamplePEM.begin("PRIVATE KEY"), pem.replacing("-----END", with: "-----FIN"),
            pem.replacing("M", with: "?"), SamplePEM.block("PRIVATE KEY", [0x30, 0x00]),
            SamplePEM.block("PRIVATE KEY", DER.octets([1])), SamplePEM.block("OPENSSH PRIVATE KEY", [1]),
            try SampleProfile.universal.certificate().pem(), try SampleRequest().pem(),
            try SampleKey.p256().encryptedPEM(greedy),
        ]
        for text in texts { #expect(renewalCode { try read(text.utf8, "secret") } == .unsuitableFile, "\(text)") }
        for bytes in [[0x30, 0x00], [0x30, 0x80], try SampleProfile.universal.certificate().der()] as [[UInt8]] {
            #expect(renewalCode { try read(bytes, "secret") } == .unsuitableFile, "\(bytes.prefix(4))")
        }
        let large = [UInt8](repeating: 0x30, count: CertificateFileReader.maximumBytes + 1)
        #expect(renewalCode { try read(large) } == .unsuitableFile)
    }

    @Test("Any byte that is changed or cut off does no harm")
    func damaged() throws {
        for form in [
            try SampleKey.p256().pkcs8(), try Self.encryptedForms[1](), Array(try SampleKey.p256().pem().utf8),
        ] {
            for place in form.indices {
                _ = try? read(form[..<place], "secret")
                var changed = form
                changed[place] ^= 0x55
                _ = try? read(changed, "secret")
            }
        }
    }
}
