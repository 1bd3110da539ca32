import AppSiteAssociation
import Testing
import URLPatterns
import UniversalLinks

@Suite("Hosts")
struct HostTests {
    /// A router whose apps are the domains that they are for.
    private static func router(_ domains: String...) throws -> UniversalLinkRouter {
        var builder = UniversalLinkRouterBuilder()
        for domain in domains { try builder.add(AssociationDocument(sample(of: domain)), domain: domain) }
        return builder.build()
    }

    private static func sample(of domain: String) -> String {
        SampleDocument.entries([#"{"appID": "\#(domain)", "paths": ["*"]}"#]).json
    }

    @Test(
        "the document is that of the host",
        arguments: [
            ("https://example.com/", "example.com"), ("https://EXAMPLE.COM/", "example.com"),
            ("http://eXaMpLe.CoM", "example.com"),
            ("https://a.example.com/", "*.example.com"), ("https://a.b.c.d.example.com/", "*.example.com"),
            ("https://A.EXAMPLE.com/", "*.example.com"), ("https://www.example.com/", "www.example.com"),
            ("https://x.www.example.com/", "*.example.com"), ("https://deep.example.com/", "*.example.com"),
            ("https://a.deep.example.com/", "*.deep.example.com"),
            ("https://a.b.deep.example.com/", "*.deep.example.com"),
            ("https://both.example.com/", "both.example.com"), ("https://a.both.example.com/", "*.both.example.com"),
            ("https://only.org/", nil), ("https://a.only.org/", "*.only.org"), ("https://xonly.org/", nil),
            ("https://example.org/", nil), ("https://com/", nil), ("https://example.com.org/", nil),
            ("https://notexample.com/", nil),
            ("https://example.com:443/", "example.com"),
            ("https://example.com:/", "example.com"),
            ("https://u@example.com/", "example.com"), ("https://u:p@a.example.com:1/", "*.example.com"),
            ("https://example.com@only.org/", nil),
            ("https://127.0.0.1/", "127.0.0.1"), ("https://127.0.0.1:8080/", "127.0.0.1"), ("https://127.0.0.2/", nil),
            ("https://[::1]/", "[::1]"), ("https://[::1]:8443/", "[::1]"), ("https://u@[::1]/", "[::1]"),
            ("https://[::2]/", nil),
            ("https://x/", "x"), ("http://x", "x"), ("http://y", nil), ("https://a_b.example/", "a_b.example"),
            ("https://%61%5fb.example/", "a_b.example"),
            ("https://exam%70le.com/", "example.com"), ("https://a%2Eexample.com/", "*.example.com"),
            ("https://%zz.example.com/", "*.example.com"),
        ] as [(String, String?)])
    func hosts(url: String, expected: String?) throws {
        let router = try Self.router(
            "example.com", "*.example.com", "www.example.com", "*.deep.example.com", "both.example.com",
            "*.both.example.com",
            "*.only.org", "127.0.0.1", "[::1]", "x", "a_b.example")
        let decision = router.decide(url)
        #expect(decision.appIDs == (expected.map { [$0] } ?? []))
        #expect(decision.outcome == (expected == nil ? .noMatch : .open))
        #expect(decision.isWebURL)
        #expect((decision.document == nil) == (expected == nil))
    }

    @Test(
        "an internationalised host is compared in its ASCII form",
        arguments: [
            ("https://bücher.example/", "bücher.example"), ("https://BÜCHER.example/", "bücher.example"),
            ("https://xn--bcher-kva.example/", "bücher.example"), ("https://XN--BCHER-KVA.example/", "bücher.example"),
            ("https://b%C3%BCcher.example/", "bücher.example"), ("https://b%c3%9ccher.example:1/", "bücher.example"),
            ("https://a.bücher.example/", "*.xn--bcher-kva.example"),
            ("https://ü.b%C3%BCcher.example/", "*.xn--bcher-kva.example"),
            ("https://日本語。jp/", "xn--wgv71a119e.jp"), ("https://bucher.example/", nil),
            ("https://b%FCcher.example/", nil), ("https://büche.example/", nil),
        ] as [(String, String?)])
    func internationalised(url: String, expected: String?) throws {
        let router = try Self.router("bücher.example", "*.xn--bcher-kva.example", "xn--wgv71a119e.jp")
        #expect(router.decide(url).appIDs == (expected.map { [$0] } ?? []))
    }

    @Test(
        "a host with brackets is the same to the router and to the reference matcher",
        arguments: [
            "https://[::1]/x", "https://[::1]d/x", "https://[::1]d:1/x", "https://u@[::1]/x", "https://[::1/x",
            "https://[abc/x", "https://a]b/x",
        ])
    func brackets(url: String) throws {
        let decision = try Self.router("[::1]").decide(url)
        let reference = WebURL(url.utf8)
        #expect(decision.isWebURL == (reference != nil))
        #expect((decision.outcome == .open) == (reference?.isHost("[::1]") == true))
    }

    @Test(
        "a domain may be given in any case, in Unicode or ASCII",
        arguments: ["BÜCHER.Example", "xn--bcher-kva.EXAMPLE"])
    func domains(domain: String) throws {
        let router = try Self.router(domain)
        #expect(router.decide("https://bücher.example/").outcome == .open)
        #expect(router.decide("https://bucher.example/").outcome == .noMatch)
    }

    @Test(
        "a router for any domain does not look at the host",
        arguments: ["https://a/", "http://[::1]:80", "https://ü.b/", "https://%/"])
    func anyDomain(url: String) throws {
        let router = try UniversalLinkRouter(anyDomain: AssociationDocument(Self.sample(of: "A")))
        #expect(router.decide(url).appIDs == ["A"])
    }

    @Test("a router without documents opens nothing")
    func noDomains() {
        let router = UniversalLinkRouterBuilder().build()
        #expect(router.decide("https://example.com/").outcome == .noMatch)
        #expect(router.decide("https://example.com/").isWebURL)
        #expect(!router.decide("no URL").isWebURL)
    }

    @Test("hosts of every length that a domain name can have, and longer ones", arguments: 1...260)
    func lengths(length: Int) throws {
        let labels = String(repeating: "abcdefghi.", count: 26).prefix(length)
        let host = labels.hasSuffix(".") ? labels.dropLast() + "x" : labels
        guard length <= 253 else {
            #expect(throws: RouterError.self) { try Self.router(String(host)) }
            let router = try Self.router("example.com", "*.ghi.x")
            #expect(router.decide("https://\(host)/").outcome == .noMatch)
            return
        }
        let router = try Self.router(String(host))
        for url in ["https://\(host)/", "HTTP://\(host.uppercased())", "https://u@\(host):1?a"] {
            #expect(router.decide(url).appIDs == [String(host)])
        }
        for url in [
            "https://x\(host)/", "https://\(host)x/", "https://\(host.dropLast())/", "https://\(host.dropFirst())~/",
        ] {
            #expect(router.decide(url).outcome == .noMatch)
        }
    }

    @Test("two thousand domains, each with its own document")
    func manyDomains() throws {
        var builder = UniversalLinkRouterBuilder()
        let names = (0..<2_000).map {
            "host\($0 * 7919 % 100_003).\($0 % 3 == 0 ? "example.com" : "example-\($0 % 17).org")"
        }
        for (number, name) in names.enumerated() {
            let document = try AssociationDocument(Self.sample(of: "app\(number)"))
            try builder.add(document, domain: number % 5 == 0 ? "*.\(name)" : name)
        }
        let router = builder.build()
        for (number, name) in names.enumerated() {
            let isWildcard = number % 5 == 0
            let above = router.decide("https://\(name)/x")
            let below = router.decide("https://a.b.\(name)/x")
            #expect(above.appIDs == (isWildcard ? [] : ["app\(number)"]))
            #expect(below.appIDs == (isWildcard ? ["app\(number)"] : []))
        }
        #expect(router.decide("https://host1.example-1.net/").outcome == .noMatch)
    }
}
