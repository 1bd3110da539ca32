import AssociationServer
import Diagnostics
import OpenSSL
import ServiceHealth
import Testing

@Suite("The choice of certificates")
struct CertificateChoiceTests {
    private func candidate(
        _ path: String, _ names: [String], _ keyType: ServerCertificate.KeyType = .ecdsa, from notBefore: Int64 = 0
    ) -> CertificateChoice.Candidate {
        CertificateChoice.Candidate(path: path, names: names, keyType: keyType, notBefore: notBefore)
    }

    @Test("each name has its certificate")
    func simple() {
        let result = CertificateChoice.choose(
            [candidate("a", ["a.com", "www.a.com"]), candidate("b", ["b.com"])], now: 10)
        #expect(result.byName == ["a.com": [0], "www.a.com": [0], "b.com": [1]])
        #expect(result.findings.isEmpty)
    }

    @Test("two key types for one name are both used, ECDSA first")
    func twoTypes() {
        let result = CertificateChoice.choose(
            [
                candidate("a-rsa", ["a.com", "old.a.com"], .rsa, from: 9), candidate("a", ["a.com"]),
            ], now: 10)
        #expect(result.byName == ["a.com": [1, 0], "old.a.com": [0]])
        #expect(result.findings.isEmpty)
    }

    @Test("of two with one key type the later one wins, with a warning", arguments: [(1, 2, 1), (2, 1, 0), (1, 1, 0)])
    func sameType(first: Int64, second: Int64, winner: Int) {
        let result = CertificateChoice.choose(
            [
                candidate("certs/a", ["a.com"], from: first),
                candidate("certs/a-0001", ["a.com", "b.com"], from: second),
            ], now: 10)
        #expect(result.byName == ["a.com": [winner], "b.com": [1]])
        #expect(result.findings.count == 1)
        #expect(result.findings.first?.severity == .warning)
        #expect(result.findings.first?.path == ["certs/a-0001", "certs/a"][winner])
        #expect(result.findings.first?.message.contains("not used for a.com") == true)
    }

    // Beside those of ACME (acme.md, section 2).

    private typealias Kind = (
        names: [String], keyType: ServerCertificate.KeyType, valid: ClosedRange<Int64>, isACME: Bool
    )

    private static let cases: [(kinds: [Kind], expected: [String: [Int]])] = [
        // Valid before invalid, whatever begins later.
        ([(["a.com"], .ecdsa, 1...9, false), (["a.com"], .ecdsa, 0...99, false)], ["a.com": [1]]),
        ([(["a.com"], .ecdsa, 0...99, false), (["a.com"], .ecdsa, 11...99, false)], ["a.com": [0]]),
        ([(["a.com"], .ecdsa, 1...9, false), (["a.com"], .ecdsa, 0...99, true)], ["a.com": [1]]),
        // Other sources before ACME, also when they began earlier, and between two that are not valid.
        ([(["a.com"], .ecdsa, 0...99, false), (["a.com"], .ecdsa, 1...99, true)], ["a.com": [0]]),
        ([(["a.com"], .ecdsa, 1...99, true), (["a.com"], .ecdsa, 0...99, false)], ["a.com": [1]]),
        ([(["a.com"], .ecdsa, 0...8, false), (["a.com"], .ecdsa, 1...9, true)], ["a.com": [0]]),
        // Of two from ACME the later one.
        ([(["a.com"], .ecdsa, 0...99, true), (["a.com"], .ecdsa, 1...99, true)], ["a.com": [1]]),
        // None from ACME beside a valid one of another key type; beside an invalid one, yes.
        ([(["a.com"], .rsa, 0...99, false), (["a.com"], .ecdsa, 1...99, true)], ["a.com": [0]]),
        ([(["a.com"], .rsa, 0...9, false), (["a.com"], .ecdsa, 1...99, true)], ["a.com": [1, 0]]),
        // A wildcard covers, too: the name itself is left to it.
        ([(["*.a.com"], .rsa, 0...99, false), (["x.a.com"], .ecdsa, 1...99, true)], ["*.a.com": [0]]),
        ([(["*.a.com"], .rsa, 0...9, false), (["x.a.com"], .ecdsa, 1...99, true)], ["*.a.com": [0], "x.a.com": [1]]),
        (
            [(["*.a.com"], .rsa, 0...99, false), (["x.y.a.com"], .ecdsa, 1...99, true)],
            ["*.a.com": [0], "x.y.a.com": [1]]
        ),
        ([(["x.a.com"], .ecdsa, 0...9, false), (["*.a.com"], .ecdsa, 0...99, true)], ["*.a.com": [1]]),
        (
            [(["x.a.com"], .ecdsa, 0...9, false), (["*.a.com"], .ecdsa, 0...9, false)],
            ["*.a.com": [1], "x.a.com": [0]]
        ),
        // One name of several is covered.
        (
            [(["a.com"], .ecdsa, 0...99, false), (["a.com", "b.com"], .ecdsa, 1...99, true)],
            ["a.com": [0], "b.com": [1]]
        ),
    ]

    private func candidates(_ kinds: [Kind]) -> [CertificateChoice.Candidate] {
        kinds.enumerated().map { index, kind in
            CertificateChoice.Candidate(
                path: "\(index)", names: kind.names, keyType: kind.keyType, notBefore: kind.valid.lowerBound,
                notAfter: kind.valid.upperBound, source: kind.isACME ? .acme : .folder)
        }
    }

    @Test("valid before invalid, other sources before ACME, the later one first", arguments: cases.indices)
    func order(index: Int) {
        let (kinds, expected) = Self.cases[index]
        let result = CertificateChoice.choose(candidates(kinds), now: 10)
        #expect(result.byName == expected)
        // Of those from ACME that are not used there is nothing to say.
        #expect(result.findings.allSatisfy { !kinds[Int($0.path) ?? 0].isACME })
        // The order of the folders has no say.
        let reversed = CertificateChoice.choose(candidates(kinds.reversed()), now: 10)
        #expect(reversed.byName == expected.mapValues { $0.map { kinds.count - 1 - $0 } })
    }

    @Test(
        "the choice is made again when a certificate with a rival becomes valid or expires",
        arguments: [
            ([(["a.com"], .ecdsa, 0...99, false)], nil),
            ([(["a.com"], .ecdsa, 0...99, false), (["b.com"], .ecdsa, 0...50, true)], nil),
            ([(["a.com"], .ecdsa, 0...99, false), (["a.com"], .ecdsa, 0...50, true)], 51),
            ([(["a.com"], .ecdsa, 0...99, false), (["a.com"], .rsa, 20...50, true)], 20),
            ([(["a.com"], .ecdsa, 0...9, false), (["a.com"], .rsa, 0...99, true)], 100),
            ([(["a.com"], .ecdsa, 0...9, false), (["a.com"], .rsa, 0...8, true)], nil),
            ([(["*.a.com"], .ecdsa, 0...60, false), (["x.a.com"], .ecdsa, 0...99, true)], 61),
            ([(["*.a.com"], .ecdsa, 0...60, false), (["b.com"], .ecdsa, 0...99, true)], nil),
        ] as [([Kind], Int64?)])
    private func reconsideration(kinds: [Kind], expected: Int64?) {
        #expect(CertificateChoice.choose(candidates(kinds), now: 10).reconsiderAt == expected)
    }

    @Test("one that is not used because it is not valid is told so")
    func reason() {
        let kinds: [Kind] = [(["a.com"], .ecdsa, 1...9, false), (["a.com"], .ecdsa, 0...99, false)]
        let result = CertificateChoice.choose(candidates(kinds), now: 10)
        #expect(result.findings.map(\.message) == ["not used for a.com: '1' has the same key type and is valid now"])
    }
}
