import OpenSSL
import PushSamples
import TLSSamples
import Testing

@Suite("Verdicts on chains")
struct ChainVerdictTests {
    private static let now = SampleSite.now
    private static let day = SampleSite.day

    private func chain(_ certificates: SampleCertificate...) throws -> PresentedChain {
        try PresentedChain(der: certificates.map { try $0.der() })
    }

    private func verdict(
        _ certificates: SampleCertificate..., host: String = "localhost", trusting roots: [SampleAuthority]? = nil
    ) throws -> ChainVerdict {
        try PresentedChain(der: certificates.map { try $0.der() }).verdict(
            for: host, at: Self.now, trust: SampleSite.trust(roots ?? [SampleSite.root]))
    }

    private let leaf = SampleSite.leaf()
    private let intermediate = SampleSite.intermediate.certificate
    private let root = SampleSite.root.certificate

    @Test("a chain that ends in a trusted root is good, with the root and without, in any order")
    func good() throws {
        #expect(try verdict(leaf, intermediate) == .good)
        #expect(try verdict(leaf, intermediate, root) == .good)
        #expect(try verdict(leaf, root, intermediate) == .good)
        #expect(try verdict(leaf, leaf, intermediate) == .good)
        #expect(try verdict(SampleSite.leaf(issuer: SampleSite.root)) == .good)
        // Whoever is trusted need not be a root.
        #expect(try verdict(leaf, trusting: [SampleSite.intermediate]) == .good)
    }

    @Test("dates are those of the leaf, to the second")
    func dates() throws {
        #expect(try verdict(SampleSite.leaf(notAfter: -1), intermediate) == .expired(Self.now - Self.day))
        #expect(try verdict(SampleSite.leaf(notBefore: 1), intermediate) == .notYetValid(Self.now + Self.day))
        #expect(try verdict(SampleSite.leaf(notAfter: 0), intermediate) == .good)
    }

    @Test(
        "names are compared as browsers do",
        arguments: [
            (["shop.example.com"], "shop.example.com", true), (["Shop.example.com"], "shop.example.com", true),
            (["*.example.com"], "shop.example.com", true), (["*.example.com"], "example.com", false),
            (["*.example.com"], "a.b.example.com", false), (["s*.example.com"], "shop.example.com", false),
            (["example.com"], "shop.example.com", false), (["*"], "localhost", false),
            (["127.0.0.1"], "127.0.0.1", false),
        ])
    func names(names: [String], host: String, isCovered: Bool) throws {
        #expect(
            try verdict(SampleSite.leaf(names), intermediate, host: host)
                == (isCovered ? .good : .nameMismatch(names.map { $0.lowercased() })))
    }

    @Test("addresses are names of their own kind, and the common name is none")
    func addresses() throws {
        let local = SampleSite.leaf([], addresses: [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]])
        #expect(try chain(local).leaf.names == ["127.0.0.1", "::1"])
        #expect(try verdict(local, intermediate, host: "127.0.0.1") == .good)
        #expect(try verdict(local, intermediate, host: "::1") == .good)
        #expect(try verdict(local, intermediate, host: "127.0.0.2") == .nameMismatch(["127.0.0.1", "::1"]))
        var bare = SampleSite.leaf(["localhost"])
        bare.extensions.removeAll { $0.oid == "2.5.29.17" }
        #expect(try verdict(bare, intermediate) == .nameMismatch([]))
    }

    @Test("of many names the first five are listed")
    func manyNames() throws {
        let names = (1...8).map { "n\($0).example.com" }
        #expect(try verdict(SampleSite.leaf(names), intermediate) == .nameMismatch(Array(names.prefix(5))))
    }

    @Test("a missing intermediate is a leaf alone whose issuer nobody knows, and nothing else is")
    func missingIntermediate() throws {
        #expect(try verdict(leaf) == .missingIntermediate("Sample Intermediate"))
        let der = try leaf.der()
        let twice = try PresentedChain(der: [der, der])
        #expect(
            try twice.verdict(for: "localhost", at: Self.now, trust: SampleSite.trust())
                == .missingIntermediate("Sample Intermediate"))
        // A private authority looks the same.
        #expect(try verdict(SampleSite.leaf(issuer: SampleSite.otherRoot)) == .missingIntermediate("Other Root"))
        #expect(try verdict(SampleSite.leaf(issuer: nil)) == .untrusted(.selfSigned))
        #expect(
            try verdict(leaf, SampleSite.otherRoot.certificate) == .untrusted(.unknownIssuer("Sample Intermediate")))
        #expect(
            try verdict(leaf, intermediate, trusting: [SampleSite.otherRoot])
                == .untrusted(.unknownIssuer("Sample Root")))
        #expect(
            try verdict(leaf, intermediate, root, trusting: [SampleSite.otherRoot])
                == .untrusted(.unknownIssuer("Sample Root")))
        // A certificate that the leaf's issuer only claims to have signed.
        var forged = SampleSite.leaf(issuer: SampleSite.otherRoot)
        forged.issuerName = SampleSite.intermediate.name
        forged.extensions.removeAll { $0.oid == "2.5.29.35" }
        if case .untrusted = try verdict(forged, intermediate) {} else { Issue.record("a forged leaf is trusted") }
    }

    @Test("a certificate above the leaf that has expired, or is not valid yet, is named")
    func issuers() throws {
        func verdict(_ notBefore: Int64, _ notAfter: Int64) throws -> ChainVerdict {
            let issuer = SampleSite.authority(
                "Odd Intermediate", key: .p256(220), issuer: SampleSite.root, notBefore: notBefore, notAfter: notAfter)
            return try self.verdict(SampleSite.leaf(issuer: issuer), issuer.certificate)
        }
        #expect(try verdict(-100, -1) == .untrusted(.issuerExpired("Odd Intermediate")))
        #expect(try verdict(1, 100) == .untrusted(.issuerNotYetValid("Odd Intermediate")))
        #expect(try verdict(-1, 1) == .good)
    }

    @Test("a leaf that is not for servers, or that is used as an authority, is not trusted")
    func purpose() throws {
        var client = SampleSite.leaf()
        client.extensions.removeAll { $0.oid == "2.5.29.37" }
        client.extensions.append(.clientAuthentication)
        guard case .untrusted(.other) = try verdict(client, intermediate) else {
            Issue.record("a client's certificate is trusted")
            return
        }
        let pretender = SampleAuthority(name: leaf.subject, key: leaf.key)
        guard case .untrusted = try verdict(SampleSite.leaf(issuer: pretender), leaf, intermediate) else {
            Issue.record("a leaf has signed a leaf")
            return
        }
    }

    @Test("of several faults the first in the order is reported")
    func order() throws {
        let all = SampleSite.leaf(["other.example.com"], issuer: nil, notAfter: -1)
        #expect(try verdict(all) == .expired(Self.now - Self.day))
        let later = SampleSite.leaf(["other.example.com"], issuer: nil, notBefore: 2)
        #expect(try verdict(later) == .notYetValid(Self.now + 2 * Self.day))
        #expect(try verdict(SampleSite.leaf(["other.example.com"])) == .nameMismatch(["other.example.com"]))
    }

    @Test("what there is to know about a leaf")
    func facts() throws {
        let facts = try chain(leaf, intermediate).leaf
        #expect(facts.notBefore == Self.now - 30 * Self.day && facts.notAfter == Self.now + 60 * Self.day)
        #expect(facts.notAfter - facts.notBefore == 90 * Self.day)
        #expect(facts.issuer == "Sample Intermediate" && facts.names == ["localhost"])
    }

    @Test("a chain without a certificate, or with a damaged one, is none")
    func damaged() throws {
        func code(_ body: () throws -> PresentedChain) -> OpenSSLError.Code? {
            do {
                _ = try body()
                return nil
            } catch {
                return (error as? OpenSSLError)?.code
            }
        }
        #expect(code { try PresentedChain(pem: []) } == .noCertificate)
        #expect(code { try PresentedChain(der: [[0x30, 0x03, 1, 2, 3]]) } == .noCertificate)
        let text = try leaf.pem().replacing("MII", with: "M*I")
        #expect(code { try PresentedChain(pem: Array(text.utf8)) } == .noCertificate)
    }

    @Test("a file of roots without a certificate is refused; the system's roots are found where they are")
    func trust() throws {
        do {
            _ = try TrustStore(additional: Array("nothing\n".utf8))
            Issue.record("a text without certificates was taken")
        } catch {
            #expect(error.code == .noCertificate)
        }
        #expect(!(try TrustStore(includesSystem: false)).hasSystemRoots)
        // The package ca-certificates is on every machine that has curl.
        #expect(try TrustStore().hasSystemRoots)
        let both = try TrustStore(additional: Array(try root.pem().utf8))
        #expect(
            try chain(leaf, intermediate).verdict(for: "localhost", at: Self.now, trust: both) == .good)
    }
}
