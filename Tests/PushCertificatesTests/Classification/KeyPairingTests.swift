import Diagnostics
import PushCertificates
import PushSamples
import Testing

@Suite("Which key belongs to which certificate")
struct KeyPairingTests {
    private static func certificate(_ key: Int) -> SampleCertificate {
        SampleProfile.universal.certificate(key: .p256(key))
    }

    private static let authority = SampleAuthority.g4.certificate

    /// The codes of findings but those that all unencrypted samples have.
    private static func codes(_ file: CertificateFile) -> [String] {
        file.codes.filter { !$0.hasSuffix(" no-mac") && !$0.hasSuffix(" unprotected-key") }
    }

    @Test("equal public keys prove it, whatever the order")
    func matching() throws {
        for bags in [
            [try Self.certificate(1).bag(), try SampleKey.p256(1).bag()],
            [try SampleKey.p256(1).bag(), try Self.certificate(1).bag()],
            // A local key ID proves nothing.
            [try SampleKey.p256(1).bag([1]), try Self.certificate(1).bag([2])],
        ] {
            let file = try Classified.pkcs12(bags)
            #expect(file.certificates.map(\.key) == [.matching])
            #expect(Self.codes(file).isEmpty)
        }
    }

    @Test("a key may belong to several certificates")
    func shared() throws {
        let file = try Classified.pkcs12([
            Self.certificate(1).bag(), Self.certificate(1).with { $0.serial = [2] }.bag(), SampleKey.p256(1).bag(),
        ])
        #expect(file.certificates.map(\.key) == [.matching, .matching])
    }

    @Test("RSA keys are compared by their numbers too")
    func rsa() throws {
        let certificate = SampleProfile.universal.certificate(key: .rsa())
        let file = try Classified.pkcs12([
            SampleKey.p256(1).bag(), SampleKey.rsa(2_048, 2).bag(), SampleKey.rsa().bag(), certificate.bag(),
        ])
        #expect(file.certificates.map(\.key) == [.matching])
    }

    @Test("another key beside that of the only certificate is what some senders refuse, in PKCS#12 alone")
    func otherKeys() throws {
        let (own, other) = (try SampleKey.p256(1).bag(), try SampleKey.p256(2).bag())
        let certificate = try Self.certificate(1).bag()
        let authority = SampleBag.certificate(try Self.authority.der())
        for bags in [[own, other, certificate], [other, certificate, authority, own]] {
            let file = try Classified.pkcs12(bags)
            #expect(
                Self.codes(file) == ["\(file.certificates.firstIndex { $0.key == .matching } ?? -1) several-identities"]
            )
            #expect(
                file.message("several-identities")?.contains("the file has 2 private keys for one certificate") == true)
            let report = CheckSample.report(("a.p12", .success(file)))
            #expect(report.files[0].codes.contains("several-identities:warning"))
        }
        // One key twice is one.
        #expect(Self.codes(try Classified.pkcs12([own, own, certificate])).isEmpty)
        let pem = try Classified.pem(
            Self.certificate(1).pem(), SampleKey.p256(1).pem(), SampleKey.p256(2).pem())
        #expect(!Self.codes(pem).contains { $0.hasSuffix("several-identities") })
    }

    @Test("each of several certificates gets its own key, and the rest has none")
    func several() throws {
        let file = try Classified.pkcs12([
            Self.certificate(1).bag([1]), Self.certificate(2).bag([2]), Self.certificate(3).bag([3]),
            SampleKey.p256(2).bag([1]), SampleKey.p256(1).bag([2]),
        ])
        #expect(file.certificates.map(\.key) == [.matching, .matching, .none])
        #expect(Self.codes(file) == ["2 no-private-key"])
    }

    @Test("a key that fits nothing is said to be the wrong one of the only certificate without a key")
    func mismatch() throws {
        let file = try Classified.pkcs12([Self.certificate(1).bag(), SampleKey.p256(2).bag()])
        #expect(file.certificates.map(\.key) == [.mismatched])
        #expect(file.certificates[0].key.isPresent && file.certificates[0].key.matches == false)
        #expect(Self.codes(file) == ["0 key-mismatch"])
    }

    @Test("an authority is not taken for the owner of a key that fits nothing")
    func authorities() throws {
        let file = try Classified.pkcs12([Self.authority.bag(), Self.certificate(1).bag(), SampleKey.p256(2).bag()])
        #expect(file.certificates.map(\.key) == [.none, .mismatched])
        #expect(Self.codes(file) == ["1 key-mismatch"])
        let alone = try Classified.pkcs12([Self.authority.bag(), SampleKey.p256(2).bag()])
        #expect(alone.certificates.map(\.key) == [.none])
        #expect(Self.codes(alone).isEmpty)
    }

    @Test("among several without a key, the local key ID tells whose wrong key it is")
    func localKeyID() throws {
        let file = try Classified.pkcs12([
            Self.certificate(1).bag([1]), Self.certificate(2).bag([2]), SampleKey.p256(3).bag([2]),
        ])
        #expect(file.certificates.map(\.key) == [.none, .mismatched])
        #expect(Self.codes(file) == ["0 no-private-key", "1 key-mismatch"])
        let unknown = try Classified.pkcs12([
            Self.certificate(1).bag([1]), Self.certificate(2).bag([2]), SampleKey.p256(3).bag(),
        ])
        #expect(unknown.certificates.map(\.key) == [.none, .none])
    }

    @Test("a key that fits one certificate is no wrong key of another, even with its local key ID")
    func used() throws {
        let file = try Classified.pkcs12([
            Self.certificate(1).bag([1]), Self.certificate(2).bag([2]), SampleKey.p256(1).bag([2]),
        ])
        #expect(file.certificates.map(\.key) == [.matching, .none])
    }

    @Test("a key that cannot be read may be the right one")
    func unreadable() throws {
        let other = SampleEncryption(.aes256, password: "other", iterations: 1)
        let file = try Classified.read(
            SamplePKCS12([
                .plain([
                    Self.certificate(1).bag(), .shroudedKey(SampleKey.p256(1).pkcs8(), other), SampleKey.p256(2).bag(),
                ])
            ]).der(), password: "password")
        #expect(file.certificates.map(\.key) == [.unreadable])
        #expect(file.certificates[0].key.isPresent && file.certificates[0].key.matches == nil)
        #expect(Self.codes(file) == ["0 key-unreadable"])
    }

    @Test("a key of an unknown kind cannot be read")
    func unknownKind() throws {
        let odd = DER.sequence(
            DER.integer(0), DER.sequence(DER.oid("1.2.3.4")), DER.octets(DER.sequence(DER.integer(0))))
        let file = try Classified.pkcs12([Self.certificate(1).bag(), .key(odd)])
        #expect(file.certificates.map(\.key) == [.unreadable])
    }

    @Test("nobody misses the key of an authority, or of a certificate that is not in a PKCS #12 file")
    func noneWanted() throws {
        let authorities = try Classified.pkcs12([Self.authority.bag(), SampleAuthority.root.certificate.bag()])
        #expect(authorities.certificates.map(\.key) == [.none, .none])
        #expect(Self.codes(authorities).isEmpty)
        #expect(try Classified.pem(Self.certificate(1).pem()).codes.isEmpty)
        #expect(try Classified.only(Self.certificate(1)).codes.isEmpty)
        #expect(try Self.codes(Classified.pkcs12([Self.certificate(1).bag()])) == ["0 no-private-key"])
    }

    @Test("a push certificate in a PKCS #12 that cannot send is critical, one for something else is not")
    func severity() throws {
        func severities(_ file: CertificateFile) -> [String] {
            file.findings.filter { ["no-private-key", "key-mismatch"].contains($0.code.rawValue) }.map(
                \.severity.rawValue)
        }
        let push = Self.certificate(1)
        let other = SampleProfile.codeSigning.certificate(key: .p256(1))
        #expect(try severities(Classified.pkcs12([push.bag()])) == ["critical"])
        #expect(try severities(Classified.pkcs12([push.bag(), SampleKey.p256(2).bag()])) == ["critical"])
        #expect(try severities(Classified.pkcs12([other.bag()])) == ["warning"])
        #expect(try severities(Classified.pkcs12([other.bag(), SampleKey.p256(2).bag()])) == ["warning"])
        #expect(try severities(Classified.pem(push.pem(), SampleKey.p256(2).pem())) == ["critical"])
        #expect(try severities(Classified.pkcs12([Self.authority.bag()])) == [])
        let message = try Classified.pkcs12([push.bag()]).findings.first { $0.code.rawValue == "no-private-key" }?
            .sentence
        #expect(
            message?.hasPrefix("com.example.app has no private key in this file and cannot be used to send; ")
                == true)
    }

    @Test("in PEM a key that fits nothing is the wrong one as well")
    func pem() throws {
        let certificate = try Self.certificate(1).pem()
        #expect(try Classified.pem(SampleKey.p256(1).pem(), certificate).certificates.map(\.key) == [.matching])
        let wrong = try Classified.pem(certificate, SampleKey.p256(2).pem())
        #expect(wrong.certificates.map(\.key) == [.mismatched])
        #expect(wrong.codes == ["0 key-mismatch"])
    }

    @Test("a key without protection is its certificate's matter, or the file's if it has none")
    func unprotected() throws {
        let file = try Classified.pkcs12([
            Self.certificate(1).bag(), Self.certificate(2).bag(), SampleKey.p256(2).bag(), SampleKey.p256(3).bag(),
            SampleKey.p256(4).bag(),
        ])
        #expect(file.codes.filter { $0.hasSuffix("unprotected-key") } == ["- unprotected-key", "1 unprotected-key"])
        let protected = try Classified.read(
            SamplePKCS12.export(Self.certificate(1), as: .openSSL).der(), password: "test-password")
        #expect(protected.codes.isEmpty)
        // In PEM a key without a password is usual.
        #expect(try Classified.pem(Self.certificate(1).pem(), SampleKey.p256(1).pem()).codes.isEmpty)
    }

    @Test("many keys and many certificates take no time that grows with their product")
    func many() throws {
        var text = try (1...100).map { try SampleKey.p256($0).pem() }.joined()
        text += try (1...100).map { try Self.certificate(101 - $0).pem() }.joined()
        let file = try Classified.pem(text)
        #expect(file.certificates.allSatisfy { $0.key == .matching })
    }

    @Test("a token key is alone")
    func tokenKey() throws {
        let file = try Classified.pem(SampleKey.p256(1).pem())
        #expect(file.certificates.map(\.kind) == [.tokenKey])
        #expect(file.certificates[0].key == .alone && file.certificates[0].notAfter == nil)
        #expect(file.certificates[0].issuer == nil && file.certificates[0].sha256 == nil)
        #expect(file.codes == ["0 token-key"])
    }
}
