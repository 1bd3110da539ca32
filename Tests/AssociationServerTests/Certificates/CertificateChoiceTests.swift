import AssociationServer
import Diagnostics
import OpenSSL
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
        let result = CertificateChoice.choose([candidate("a", ["a.com", "www.a.com"]), candidate("b", ["b.com"])])
        #expect(result.byName == ["a.com": [0], "www.a.com": [0], "b.com": [1]])
        #expect(result.findings.isEmpty)
    }

    @Test("two key types for one name are both used, ECDSA first")
    func twoTypes() {
        let result = CertificateChoice.choose([
            candidate("a-rsa", ["a.com", "old.a.com"], .rsa, from: 9), candidate("a", ["a.com"]),
        ])
        #expect(result.byName == ["a.com": [1, 0], "old.a.com": [0]])
        #expect(result.findings.isEmpty)
    }

    @Test("of two with one key type the later one wins, with a warning", arguments: [(1, 2, 1), (2, 1, 0), (1, 1, 0)])
    func sameType(first: Int64, second: Int64, winner: Int) {
        let result = CertificateChoice.choose([
            candidate("certs/a", ["a.com"], from: first), candidate("certs/a-0001", ["a.com", "b.com"], from: second),
        ])
        #expect(result.byName == ["a.com": [winner], "b.com": [1]])
        #expect(result.findings.count == 1)
        #expect(result.findings.first?.severity == .warning)
        #expect(result.findings.first?.path == ["certs/a-0001", "certs/a"][winner])
        #expect(result.findings.first?.message.contains("not used for a.com") == true)
    }
}
