import PushCertificates
import PushSamples
import Testing

@Suite("The structure of PKCS #12")
struct PKCS12StructureTests {
    @Test("certificates keep the order of the file, over all parts")
    func order() throws {
        let certificates = (1...4).map(FileOutcome.certificate)
        let encryption = SampleEncryption(.aes128, password: "sesame")
        let encoded = try certificates.map { try $0.der() }
        let bags = encoded.map { SampleBag.certificate($0) }
        let container = SamplePKCS12(
            [
                .plain([.key(try certificates[2].key.pkcs8()), bags[0]]),
                .encrypted([bags[1], .nested([bags[2]])], encryption), .plain([bags[3]]),
            ], mac: SampleMAC(password: "sesame"))
        let file = try FileOutcome.read(container.der(), password: "sesame")
        let hashes = try encoded.map { try FileOutcome.read($0).certificates[0].sha256 }
        #expect(file.certificates.map(\.sha256) == hashes)
        #expect(file.certificates.map(\.key) == [.none, .none, .matching, .none])
    }

    @Test("bags within bags are walked eight deep", arguments: [0, 1, 8, 9, 200])
    func nesting(_ depth: Int) throws {
        var bag = SampleBag.certificate(try FileOutcome.certificate().der())
        for _ in 0..<depth { bag = .nested([bag]) }
        let container = SamplePKCS12([.plain([bag])])
        #expect(try FileOutcome.code(container.der()) == (depth <= 8 ? "ok" : "corrupt"))
    }

    @Test("what is neither an X.509 certificate nor a key is skipped and counted")
    func skipped() throws {
        let others: [SampleBag] = [
            .crl([0x30, 0]), .secret([1]), .secret([2]), .certificate([0x30, 0], type: 2), .any("1.2.3.4", DER.null),
        ]
        let container = SamplePKCS12([.plain(others + [.certificate(try FileOutcome.certificate().der())])])
        let notes = try FileOutcome.read(container.der()).messages("bag-skipped")
        #expect(notes.count == 4)
        for words in ["a revocation list", "2 secrets", "not X.509", "'1.2.3.4'"] {
            #expect(notes.contains { $0.contains(words) })
        }
    }

    @Test("many kinds of bags that nobody knows are summed up")
    func manyKinds() throws {
        let others = (0..<50).map { SampleBag.any("1.2.3.\($0)", DER.null) }
        let container = SamplePKCS12([.plain([.certificate(try FileOutcome.certificate().der())] + others)])
        let notes = try FileOutcome.read(container.der()).messages("bag-skipped")
        #expect(notes.count == 9)
        #expect(notes.contains { $0.contains("42 other bags") })
    }

    @Test("a localKeyID of another type is left out, and the bag is read")
    func oddAttributes() throws {
        var bag = SampleBag.certificate(try FileOutcome.certificate().der())
        bag.attributes = [
            DER.sequence(DER.oid("1.2.840.113549.1.9.21"), DER.set(DER.integer(7))),
            DER.sequence(DER.oid("1.2.840.113549.1.9.21"), DER.set()), DER.sequence(DER.oid("1.2.3"), DER.null),
        ]
        #expect(try FileOutcome.code(SamplePKCS12([.plain([bag])]).der()) == "ok")
    }

    @Test("a file without a certificate says what it has")
    func withoutCertificate() throws {
        let key = try SampleKey.p256().pkcs8()
        let cases: [([SamplePKCS12.Part], String)] = [
            ([], "without a certificate"), ([.plain([])], "without a certificate"),
            ([.plain([.key(key)])], "a private key but without a certificate"),
            ([.plain([.secret([1])])], "with a secret"),
            ([.empty("1.2.840.113549.1.7.3")], "for somebody's private key"),
        ]
        for (parts, words) in cases {
            let error = try #require(try FileOutcome.error(SamplePKCS12(parts).der()))
            #expect(error.code == .notACertificate)
            #expect(error.sentence.contains(words))
        }
    }

    @Test("what is protected with keys is not supported", arguments: ["1.2.840.113549.1.7.2", "1.2.840.113549.1.7.3"])
    func protectedWithKeys(_ type: String) throws {
        let container = SamplePKCS12([]).with {
            $0.contentInfo = DER.sequence(DER.oid(type), DER.tagged(0, DER.sequence()))
        }
        #expect(try FileOutcome.code(container.der(), password: "sesame") == "unsupported-algorithm")
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let container: @Sendable (SampleBag) throws -> SamplePKCS12

        init(_ description: String, _ container: @escaping @Sendable (SampleBag) throws -> SamplePKCS12) {
            testDescription = description
            self.container = container
        }
    }

    static let data = "1.2.840.113549.1.7.1"
    static let encryptedData = "1.2.840.113549.1.7.6"

    static let damages = [
        Damage("no content") { _ in SamplePKCS12([]).with { $0.contentInfo = DER.sequence(DER.oid(data)) } },
        Damage("empty content") { _ in
            SamplePKCS12([]).with { $0.contentInfo = DER.sequence(DER.oid(data), DER.tagged(0, [])) }
        },
        Damage("content of another type") { _ in
            SamplePKCS12([]).with { $0.contentInfo = DER.sequence(DER.oid(data), DER.tagged(0, DER.integer(1))) }
        },
        Damage("content of an unknown type") { _ in
            SamplePKCS12([]).with { $0.contentInfo = DER.sequence(DER.oid("1.2.3"), DER.tagged(0, DER.octets([]))) }
        },
        Damage("a safe that is none") { _ in SamplePKCS12([]).with { $0.authenticatedSafe = [1, 2, 3] } },
        Damage("a safe with bytes behind it") { _ in
            SamplePKCS12([]).with { $0.authenticatedSafe = DER.sequence() + [0] }
        },
        Damage("a part without content") { SamplePKCS12([.plain([$0]), .empty(data)]) },
        Damage("an encrypted part without content") { SamplePKCS12([.plain([$0]), .empty(encryptedData)]) },
        Damage("an encrypted part without text") {
            let content = DER.sequence(DER.oid(data), DER.sequence(DER.oid("1.2.840.113549.1.12.1.3")))
            return SamplePKCS12([
                .plain([$0]),
                .raw(
                    DER.sequence(
                        DER.oid(encryptedData), DER.tagged(0, DER.sequence(DER.integer(0), content)))),
            ])
        },
        Damage("an encrypted part without an algorithm") {
            let content = DER.sequence(DER.oid(data), DER.element(0x80, [1]))
            return SamplePKCS12([
                .plain([$0]),
                .raw(
                    DER.sequence(
                        DER.oid(encryptedData), DER.tagged(0, DER.sequence(DER.integer(0), content)))),
            ])
        },
        Damage("bags that are none") { SamplePKCS12([.plain([$0]), .plainBytes([4, 1, 0])]) },
        Damage("a bag that is none") { SamplePKCS12([.plain([$0]), .plainBytes(DER.sequence(DER.null))]) },
        Damage("a bag without a value") { SamplePKCS12([.plain([$0, .any("1.2.840.113549.1.12.10.1.3", nil)])]) },
        Damage("a certificate bag without a certificate") {
            let value = DER.sequence(DER.oid("1.2.840.113549.1.9.22.1"))
            return SamplePKCS12([.plain([$0, .any("1.2.840.113549.1.12.10.1.3", value)])])
        },
        Damage("a certificate that is none") { SamplePKCS12([.plain([$0, .certificate([0x30, 0])])]) },
        Damage("a certificate that is cut off") {
            let certificate = try FileOutcome.certificate().der()
            return SamplePKCS12([.plain([$0, .certificate(certificate.dropLast())])])
        },
        Damage("a key that is none") { SamplePKCS12([.plain([$0, .key(DER.sequence(DER.integer(0)))])]) },
        Damage("an encrypted key that is none") {
            SamplePKCS12([.plain([$0, .any("1.2.840.113549.1.12.10.1.2", DER.sequence())])])
        },
    ]

    @Test("damage is found, with a MAC and without", arguments: damages)
    func damaged(_ damage: Damage) throws {
        let container = try damage.container(.certificate(try FileOutcome.certificate().der()))
        #expect(try FileOutcome.code(container.der()) == "corrupt")
        #expect(
            try FileOutcome.code(container.with { $0.mac = SampleMAC(password: "sesame") }.der(), password: "sesame")
                == "corrupt")
    }

    @Test("decrypted bytes that are no bags mean another password, or damage if the MAC verifies")
    func decryptedDamage() throws {
        let part = SamplePKCS12.Part.encryptedBytes([1, 2, 3], SampleEncryption(.aes256, password: "sesame"))
        #expect(try FileOutcome.code(SamplePKCS12([part]).der(), password: "sesame") == "wrong-password")
        let proved = SamplePKCS12([part], mac: SampleMAC(password: "sesame"))
        #expect(try FileOutcome.code(proved.der(), password: "sesame") == "corrupt")
    }

    @Test("bytes behind the end are counted, in DER and in BER", arguments: [false, true])
    func trailingBytes(isIndefinite: Bool) throws {
        let container = try SamplePKCS12.export(FileOutcome.certificate()).with { $0.isIndefinite = isIndefinite }
        let file = try FileOutcome.read(container.der() + Array("\n\n".utf8), password: "test-password")
        #expect(file.messages("trailing-bytes").contains { $0.contains("2 bytes") })
    }

    @Test("a file that is cut off anywhere is corrupt", arguments: [false, true])
    func truncated(isIndefinite: Bool) throws {
        let whole = try SamplePKCS12.export(FileOutcome.certificate(), as: .plain).with {
            $0.isIndefinite = isIndefinite
        }.der()
        for count in Array(stride(from: 12, to: whole.count, by: 7)) + [whole.count - 1] {
            #expect(try FileOutcome.code(Array(whole.prefix(count))) == "corrupt")
        }
    }
}
