import AppProjects
import AppSamples
import PushSamples
import Testing

/// APK Signature Scheme v3.2: no tool of Debian can write it, so all blocks are made here.
@Suite("APKs that are signed for Android 17")
struct HybridSignersTests {
    private typealias Block = SampleSigningBlock

    private static func der(_ number: Int) throws -> [UInt8] { try SampleSignature.certificate(number).der() }
    private static func postQuantum(_ number: Int, _ parameters: Int = 18) throws -> [UInt8] {
        try SampleSignature.postQuantumCertificate(number, parameters: parameters).der()
    }

    private static func v3(
        _ number: Int, lineage: [Int] = [], as identifier: Int = Block.v3
    ) throws -> (identifier: Int, value: [UInt8]) {
        (
            identifier,
            SampleSignature.scheme([
                SampleSignature.rotatingSigner([try der(number)], lineage: try lineage.map(der))
            ])
        )
    }

    @Test("the post-quantum signer is the app's, whatever the order of the two, and the classical one is before it")
    func roles() throws {
        let (classical, postQuantum) = (try Self.der(5), try Self.postQuantum(6))
        let v2 = (Block.v2, SampleSignature.scheme([SampleSignature.signer([try Self.der(1)])]))
        let cases: [(value: [UInt8], others: [(identifier: Int, value: [UInt8])], expected: String)] = [
            (
                SampleSignature.hybrid([classical], [postQuantum], ancestors: [try Self.der(1)]), [try Self.v3(1)],
                "apk; 6 signer v3.2; 1 signer v3; 5 lineage v3.2"
            ),
            (
                SampleSignature.hybrid([postQuantum], [classical], ancestors: [try Self.der(1)]), [try Self.v3(1), v2],
                "apk; 6 signer v3.2; 1 signer v3; 5 lineage v3.2"
            ),
            // A key that was rotated before: systems before Android 17 see that in v3.1.
            (
                SampleSignature.hybrid([classical], [postQuantum], ancestors: [try Self.der(1), try Self.der(2)]),
                [try Self.v3(2, lineage: [1, 2], as: Block.v31), try Self.v3(1)],
                "apk; 6 signer v3.2; 2 signer v3.1; 1 signer v3; 5 lineage v3.2"
            ),
            // Without a lineage, as the first version of an app.
            (SampleSignature.hybrid([classical], [postQuantum]), [], "apk; 6 signer v3.2; 5 lineage v3.2"),
            (
                SampleSignature.hybrid([classical], [postQuantum]), [v2],
                "apk; 6 signer v3.2; 1 signer v2; 5 lineage v3.2"
            ),
            // The first certificate of a signer is its own.
            (
                SampleSignature.hybrid([classical, postQuantum], [postQuantum, classical]), [try Self.v3(1)],
                "apk; 6 signer v3.2; 1 signer v3; 5 lineage v3.2"
            ),
        ]
        for (value, others, expected) in cases {
            for pairs in [[(Block.v32, value)] + others, others + [(Block.v32, value)]] {
                #expect(try SignedBytes(Block(pairs)).summary() == expected)
            }
        }
    }

    @Test("all sizes of ML-DSA are post-quantum", arguments: [17, 18, 19])
    func parameters(number: Int) throws {
        let value = SampleSignature.hybrid([try Self.der(5)], [try Self.postQuantum(6, number)])
        #expect(try SignedBytes(Block([(Block.v32, value)])).summary() == "apk; 6 signer v3.2; 5 lineage v3.2")
    }

    @Test("what is not one classical and one post-quantum signer is damage, as for systems")
    func damaged() throws {
        let (classical, postQuantum) = (try Self.der(5), try Self.postQuantum(6))
        // The number after ML-DSA is SLH-DSA.
        let unknown = try Self.postQuantum(7, 20)
        for value in [
            SampleSignature.hybrid([classical]), SampleSignature.hybrid([postQuantum]),
            SampleSignature.hybrid([classical], [classical]), SampleSignature.hybrid([postQuantum], [postQuantum]),
            SampleSignature.hybrid([classical], [unknown]),
            SampleSignature.hybrid([classical], [postQuantum], [classical]),
            SampleSignature.hybrid(), [9, 0, 0, 0, 1],
        ] {
            let error = try #require(try SignedBytes(Block([(Block.v32, value), try Self.v3(1)])).error)
            #expect(error.code == .corrupt && error.message.hasPrefix("the v3.2 signature is damaged: "))
        }
        let error = try SignedBytes(Block([(Block.v32, SampleSignature.hybrid([classical]))])).error
        #expect(
            error?.message
                == "the v3.2 signature is damaged: it has 1 classical and 0 ML-DSA signers; expected one of each")
    }

    @Test("Android 17 and older systems need each a fingerprint that is listed")
    func identities() throws {
        let value = SampleSignature.hybrid(
            [try Self.der(5)], [try Self.postQuantum(6)], ancestors: [try Self.der(1), try Self.der(2)])
        let block = Block([
            (Block.v32, value), try Self.v3(2, lineage: [1, 2], as: Block.v31), try Self.v3(1),
            (Block.v2, SampleSignature.scheme([SampleSignature.signer([try Self.der(9)])])),
        ])
        let file = try SignedBytes(block).result().get()
        let newest = SignedBytes.fingerprint(try Self.postQuantum(6))
        let (first, second) = (SignedBytes.fingerprint(try Self.der(1)), SignedBytes.fingerprint(try Self.der(2)))
        #expect(file.identities.map(\.systems) == ["Android 17 and later", "systems before Android 17"])
        #expect(file.identities.map(\.fingerprint) == [newest, second])
        #expect(file.identities.map(\.accepted) == [[newest], [first, second]])
        #expect(file.certificates.last?.role == .olderScheme)
        let old = try SignedBytes(Block([try Self.v3(2, lineage: [1, 2])])).result().get()
        #expect(old.identities.map(\.systems) == [nil])
        #expect(old.identities.first?.accepted.count == 2)
    }

    @Test("a lineage of sixteen certificates of both signers is read, one more is not")
    func lineages() throws {
        func summary(_ count: Int) throws -> String {
            let ancestors = Array(repeating: try Self.der(1), count: count)
            let value = SampleSignature.hybrid([try Self.der(5)], [try Self.postQuantum(6)], ancestors: ancestors)
            return try SignedBytes(Block([(Block.v32, value)])).summary()
        }
        #expect(try summary(15) == "apk; 6 signer v3.2; 1 lineage v3.2; 5 lineage v3.2")
        #expect(try summary(16) == "too-large")
    }

    @Test("a certificate with a key that the library does not know has its fingerprint, wherever it is")
    func unknownKeys() throws {
        let certificate = SampleSignature.postQuantumCertificate(6)
        let der = try certificate.der()
        let key = DER.sequence(
            DER.integer(0), DER.sequence(DER.oid("2.16.840.1.101.3.4.3.18")),
            DER.octets(DER.octets([UInt8](repeating: 3, count: 32))))
        let identifier: [UInt8] = [1, 2, 3]
        func keystore(_ identifier: [UInt8]?) throws -> [UInt8] {
            try SamplePKCS12([
                .plain([
                    SampleBag.certificate(der).named("a", localKeyID: identifier),
                    SampleBag.key(key).named("a", localKeyID: identifier),
                ])
            ]).der()
        }
        var jar = SampleArchive()
        jar.add("META-INF/A.SF", [1])
        jar.add("META-INF/A.RSA", try SampleSignature.pkcs7([certificate]))
        let signer = SampleSignature.scheme([SampleSignature.signer([der])])
        let files = [
            (der, "certificate; 6 signer"), (Array(try certificate.pem().utf8), "certificate; 6 signer"),
            (
                Array((try certificate.pem() + SampleSignature.certificate(1).pem()).utf8),
                "certificate; 6 signer; 1 signer"
            ),
            (Array(SamplePEM.base64(der).utf8), "certificate; 6 signer"),
            (try keystore(identifier), "pkcs12; 6 signer"), (try keystore(nil), "pkcs12; 6 signer"),
            (jar.bytes, "jar; 6 signer v1"),
            (try SignedBytes(Block([(Block.v2, signer)])).bytes, "apk; 6 signer v2"),
        ]
        for (bytes, expected) in files {
            #expect(SignedBytes(bytes).summary() == expected)
            let file = try? SignedBytes(bytes).result().get()
            #expect(file?.certificates.first?.sha256 == SignedBytes.fingerprint(der))
            #expect(file?.certificates.first?.subject == "CN=Hybrid 6,O=Example,C=DE")
        }
    }
}
