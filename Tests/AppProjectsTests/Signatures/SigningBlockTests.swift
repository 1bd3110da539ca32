import AppProjects
import AppSamples
import PushSamples
import Testing

@Suite("The signing block of an APK")
struct SigningBlockTests {
    private typealias Block = SampleSigningBlock

    private static func der(_ number: Int) throws -> [UInt8] { try SampleSignature.certificate(number).der() }

    /// A block for v2 with a signer for each number.
    private static func v2(_ numbers: Int...) throws -> (identifier: Int, value: [UInt8]) {
        (Block.v2, SampleSignature.scheme(try numbers.map { SampleSignature.signer([try der($0)]) }))
    }

    /// A block for v3, or for another identifier, with one signer.
    private static func v3(
        _ number: Int, lineage: [Int] = [], as identifier: Int = Block.v3
    ) throws -> (identifier: Int, value: [UInt8]) {
        let signer = SampleSignature.rotatingSigner([try der(number)], lineage: try lineage.map(der))
        return (identifier, SampleSignature.scheme([signer]))
    }

    @Test("the signers of the newest scheme come first, and each certificate is there once")
    func roles() throws {
        let cases: [(pairs: [(identifier: Int, value: [UInt8])], jar: Int?, expected: String)] = [
            ([try Self.v2(1)], nil, "apk; 1 signer v2"),
            ([try Self.v2(2, 1)], nil, "apk; 2 signer v2; 1 signer v2"),
            ([try Self.v3(1)], nil, "apk; 1 signer v3"),
            ([try Self.v2(1), try Self.v3(1)], 1, "apk; 1 signer v3"),
            ([try Self.v2(1)], 2, "apk; 1 signer v2; 2 older-scheme v1"),
            ([try Self.v3(2), try Self.v2(1)], 3, "apk; 2 signer v3; 1 older-scheme v2; 3 older-scheme v1"),
            ([try Self.v3(2, lineage: [1, 2])], nil, "apk; 2 signer v3; 1 lineage v3"),
            // As after a rotation: older systems see the first certificate.
            ([try Self.v2(1), try Self.v3(2, lineage: [1, 2])], 1, "apk; 2 signer v3; 1 lineage v3"),
            (
                [try Self.v3(3, lineage: [1, 2, 3], as: Block.v31), try Self.v3(1), try Self.v2(1)], nil,
                "apk; 3 signer v3.1; 1 signer v3; 2 lineage v3.1"
            ),
            (
                [try Self.v3(2, as: Block.v31), try Self.v3(2), try Self.v2(1)], nil,
                "apk; 2 signer v3.1; 1 older-scheme v2"
            ),
            ([(Block.padding, [0, 0]), (0x1234, []), try Self.v2(1)], nil, "apk; 1 signer v2"),
            ([(Block.padding, [0, 0])], 1, "apk; 1 signer v1"),
            ([(Block.padding, [0, 0])], nil, "unsigned"),
            ([], nil, "unsigned"),
            ([], 1, "apk; 1 signer v1"),
        ]
        for (pairs, jar, expected) in cases {
            let archive = try SampleSignature.application(jar.map { [SampleSignature.certificate($0)] } ?? [])
            #expect(SignedBytes(Block(pairs).inserted(into: archive.bytes)).summary() == expected)
        }
    }

    @Test("of several certificates of a signer the first one counts")
    func chains() throws {
        let value = SampleSignature.scheme([SampleSignature.signer([try Self.der(1), try Self.der(2)])])
        #expect(try SignedBytes(Block([(Block.v2, value)])).summary() == "apk; 1 signer v2")
    }

    @Test("of several blocks with one identifier the first one counts, as for systems")
    func duplicates() throws {
        #expect(try SignedBytes(Block([try Self.v2(1), try Self.v2(2)])).summary() == "apk; 1 signer v2")
        #expect(try SignedBytes(Block([try Self.v3(1), (Block.v3, [1])])).summary() == "apk; 1 signer v3")
    }

    @Test("fingerprint, subject and end of a certificate are those of the certificate")
    func certificate() throws {
        let der = try Self.der(1)
        let file = try SignedBytes(Block([try Self.v2(1)])).result().get()
        let found = try #require(file.certificates.first)
        #expect(found.sha256 == SignedBytes.fingerprint(der))
        #expect(found.subject == "CN=Release 1,O=Example,C=DE" && found.notAfter == 2_540_592_000)
        #expect(!found.isForDebugging && file.hint == nil)
        #expect(file.signers == [found])
    }

    @Test("sizes that do not fit are damage, and too much is not read")
    func sizes() throws {
        let good = Block([try Self.v2(1)])
        func summary(_ change: (inout Block) -> Void) throws -> String {
            var block = good
            change(&block)
            return try SignedBytes(block).summary()
        }
        let size = good.bytes.count - 8
        #expect(try summary { _ in } == "apk; 1 signer v2")
        for wrong in [0, 1, 23, 24, size - 1, size + 1, size + 8, 1 << 20] {
            #expect(try summary { $0.lastSize = wrong } == "corrupt", "\(wrong)")
            #expect(try summary { $0.firstSize = wrong } == "corrupt", "\(wrong)")
        }
        #expect(try summary { ($0.firstSize, $0.lastSize) = (23, 23) } == "corrupt")
        #expect(try summary { $0.firstSize = -1 } == "corrupt")
        for large in [(16 << 20) + 1, 1 << 40, .max, -1] {
            #expect(try summary { $0.lastSize = large } == "too-large", "\(large)")
        }
        // As large as may be, and one byte more.
        let padding = (16 << 20) - 24 - 12 - (size - 24)
        #expect(
            try summary { $0.pairs.append((Block.padding, [UInt8](repeating: 0, count: padding))) }
                == "apk; 1 signer v2")
        let more = [UInt8](repeating: 0, count: padding + 1)
        #expect(try summary { $0.pairs.append((Block.padding, more)) } == "too-large")
    }

    @Test("a pair that is longer than the block, or shorter than its identifier, is damage")
    func pairs() throws {
        let good = try Self.v2(1).value
        for content in [
            SampleArchive.little(4, 8), SampleArchive.little(3, 8) + [1, 2, 3], SampleArchive.little(0, 8), [0],
            SampleArchive.little(good.count + 5, 8) + SampleArchive.little(Block.v2, 4) + good,
            SampleArchive.little(-1, 8) + SampleArchive.little(Block.v2, 4) + good,
            SampleArchive.little(good.count + 4, 8) + SampleArchive.little(Block.v2, 4) + good + [0, 0, 0],
        ] {
            var block = Block()
            block.content = content
            #expect(try SignedBytes(block).summary() == "corrupt", "\(content.prefix(20))")
        }
    }

    @Test("a block that is cut off anywhere is damage, and nothing else")
    func truncated() throws {
        for (identifier, value) in [try Self.v2(1, 2), try Self.v3(3, lineage: [1, 2, 3])] {
            // What follows the signed data of the last signer is not needed.
            for count in 0..<(value.count - 17) {
                let summary = try SignedBytes(Block([(identifier, Array(value.prefix(count)))])).summary()
                #expect(summary == "corrupt", "\(count) of \(value.count)")
            }
        }
    }

    @Test("a scheme without signers, and a signer without a certificate, are damage")
    func empty() throws {
        for value in [
            [], SampleSignature.scheme([]), SampleSignature.scheme([[]]),
            SampleSignature.scheme([SampleSignature.signer([])]),
            SampleSignature.scheme([SampleSignature.signer([[]])]),
            SampleSignature.scheme([SampleSignature.signer([Array("no certificate".utf8)])]),
            SampleSignature.scheme([SampleSignature.signer([try Self.der(1) + [0]])]),
            SampleSignature.scheme([SampleSignature.signer([try Self.der(1).dropLast()])]),
        ] {
            #expect(try SignedBytes(Block([(Block.v2, value)])).summary() == "corrupt")
        }
    }

    @Test("ten signers are read, eleven are not")
    func signers() throws {
        let signer = SampleSignature.signer([try Self.der(1)])
        func summary(_ count: Int) throws -> String {
            let value = SampleSignature.scheme(Array(repeating: signer, count: count))
            return try SignedBytes(Block([(Block.v2, value)])).summary()
        }
        #expect(try summary(10) == "apk; 1 signer v2")
        #expect(try summary(11) == "too-large")
    }

    @Test("a lineage of sixteen certificates is read, one of seventeen is not")
    func lineages() throws {
        func summary(_ count: Int) throws -> String {
            try SignedBytes(Block([try Self.v3(1, lineage: Array(repeating: 2, count: count))])).summary()
        }
        #expect(try summary(16) == "apk; 1 signer v3; 2 lineage v3")
        #expect(try summary(17) == "too-large")
    }

    @Test("an error names the scheme and what is wrong")
    func messages() throws {
        let error = try #require(try SignedBytes(Block([(Block.v31, [9, 0, 0, 0, 1])])).error)
        #expect(error.message == "the v3.1 signature is damaged: a length in it is larger than what contains it")
        #expect(error.help != nil && error.kind == .apk)
        let tooMany = SampleSignature.scheme(Array(repeating: SampleSignature.signer([try Self.der(1)]), count: 11))
        #expect(
            try SignedBytes(Block([(Block.v2, tooMany)])).error?.message == "the v2 signature has more than 10 signers")
    }
}
