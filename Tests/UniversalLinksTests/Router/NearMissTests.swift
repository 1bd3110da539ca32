import AppSiteAssociation
import TestSupport
import Testing
import UniversalLinks

struct NearMissTests {
    private func hint(_ url: String, _ components: String, domain: String? = nil) throws -> RoutingHint? {
        let document = try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[\#(components)]}]}}"#)
        let router =
            try domain.map { try UniversalLinkRouter(document, domain: $0) } ?? UniversalLinkRouter(anyDomain: document)
        let hint = NearMissSearch(router).hint(for: url)
        if let hint {
            // Whatever a hint says has been tried.
            #expect(router.decide(url).outcome != .open)
            let decision = router.decide(hint.url)
            #expect(decision.outcome == .open && decision.rule?.pointer == hint.rule.pointer)
        }
        return hint
    }

    @Test(
        "The only difference is found",
        arguments: [
            (#"{"/":"/buy/*"}"#, "https://e.com/Buy/x", "letterCase", "https://e.com/buy/x"),
            (#"{"/":"/Buy/*"}"#, "https://e.com/buy/x", "letterCase", "https://e.com/Buy/x"),
            (#"{"/":"/Buy/*/Reviews"}"#, "https://e.com/buy/X/reviews", "letterCase", "https://e.com/Buy/X/Reviews"),
            (#"{"/":"/$(lang)/Sale"}"#, "https://e.com/de/sale", "letterCase", "https://e.com/de/Sale"),
            (#"{"/":"/buy","?":{"id":"?*"}}"#, "https://e.com/buy?ID=7", "letterCase", "https://e.com/buy?id=7"),
            (##"{"/":"/buy","#":"top"}"##, "https://e.com/buy#Top", "letterCase", "https://e.com/buy#top"),
            (#"{"/":"/caf%C3%A9"}"#, "https://e.com/caf%c3%a9", "percentEncoding", "https://e.com/caf%C3%A9"),
            (#"{"/":"/caf%C3%A9"}"#, "https://e.com/caf%25C3%25A9", "percentEncoding", "https://e.com/caf%C3%A9"),
            (#"{"/":"/a%20b"}"#, "https://e.com/a b", "percentEncoding", "https://e.com/a%20b"),
            (#"{"/":"/buy"}"#, "https://e.com/%62uy", "percentEncoding", "https://e.com/buy"),
            (#"{"/":"/buy/?*"}"#, "https://e.com/buy", "missingSegment", "https://e.com/buy/x"),
            (#"{"/":"/buy/?*"}"#, "https://e.com/buy/", "missingSegment", "https://e.com/buy/x"),
            (#"{"/":"/buy/$(lang)"}"#, "https://e.com/buy", "missingSegment", "https://e.com/buy/en"),
            (#"{"/":"/buy"}"#, "https://e.com/buy/7", "extraSegment", "https://e.com/buy"),
            (#"{"/":"/buy"}"#, "https://e.com/buy/7?a=b#c", "extraSegment", "https://e.com/buy?a=b#c"),
        ])
    func differences(components: String, url: String, difference: String, meant: String) throws {
        let hint = try #require(try hint(url, components))
        #expect(hint.difference.rawValue == difference)
        #expect(hint.url == meant)
    }

    @Test(
        "www. is found in both directions, and no other host",
        arguments: [
            ("e.com", "https://www.e.com/x", "https://e.com/x"),
            ("www.e.com", "https://e.com/x", "https://www.e.com/x"),
            ("e.com", "https://WWW.e.com:8443/x", "https://e.com:8443/x"),
            ("*.e.com", "https://e.com/x", "https://www.e.com/x"), ("e.com", "https://shop.e.com/x", nil),
            ("e.com", "https://www.e.com/y", nil),
        ])
    func hosts(domain: String, url: String, meant: String?) throws {
        let hint = try hint(url, #"{"/":"/x"}"#, domain: domain)
        #expect(hint?.url == meant)
        if meant != nil { #expect(hint?.difference == .host) }
    }

    @Test(
        "No hint is given where more differs, or nothing is amiss",
        arguments: [
            (#"{"/":"/buy/*"}"#, "https://e.com/buy/x"), (#"{"/":"/buy/*"}"#, "https://e.com/sell/x"),
            (#"{"/":"/"}"#, "https://e.com/x"), (#"{"/":"/?*"}"#, "https://e.com/"),
            (#"{"/":"/buy/?*"}"#, "https://e.com/Buy"), (#"{"/":"/buy"}"#, "ftp://e.com/Buy"),
            (#"{"/":"/buy"}"#, "https://e.com/a/b/c"),
            // Excluded on purpose, before or without a rule that opens it.
            (#"{"/":"/Admin/*","exclude":true},{"/":"*"}"#, "https://e.com/Admin/x"),
            (#"{"/":"/buy/old","exclude":true},{"/":"/buy/?*"}"#, "https://e.com/buy/old"),
        ])
    func nothing(components: String, url: String) throws { #expect(try hint(url, components) == nil) }

    @Test("What slips through to an exclusion of all the rest has a hint, but no change of its segments")
    func excluded() throws {
        let components = #"{"/":"/buy/?*"},{"/":"*","exclude":true}"#
        let found = try #require(try hint("https://e.com/Buy/x", components))
        #expect(found.difference == .letterCase && found.url == "https://e.com/buy/x")
        #expect(try hint("https://e.com/buy", components) == nil)
    }

    @Test("Long URLs and many rules cost little")
    func bounds() throws {
        let long = "https://e.com/" + String(repeating: "A", count: 3_000)
        #expect(try hint(long, #"{"/":"/a*"}"#) == nil)
        let rules = (0..<1_000).map { #"{"/":"/*a*a*a*a*a/\#($0)"}"# }.joined(separator: ",")
        let time = try ThreadTime.measure {
            _ = try hint("https://e.com/" + String(repeating: "A", count: 2_000), rules)
        }
        #expect(time < .seconds(5 * Patience.slowness))
    }
}
