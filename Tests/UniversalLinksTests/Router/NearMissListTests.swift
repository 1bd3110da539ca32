import AppSiteAssociation
import Diagnostics
import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns
import UniversalLinks

/// The near misses that `aasa route --explain` lists (console.md, section 4).
struct NearMissListTests {
    private func misses(_ url: String, _ components: String, domain: String? = nil) throws -> [NearMiss] {
        let document = try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[\#(components)]}]}}"#)
        let router =
            try domain.map { try UniversalLinkRouter(document, domain: $0) } ?? UniversalLinkRouter(anyDomain: document)
        let answer = RouteAnswerer(router, domain: domain, explains: true, hints: true).answer(url)
        return try #require(answer).nearMisses ?? []
    }

    @Test(
        "each difference alone is found, with the URL that opens",
        arguments: [
            (#"{"/":"/buy/*"}"#, "https://e.com/Buy/x", "letter-case", "https://e.com/buy/x"),
            (#"{"/":"/Buy/*"}"#, "https://e.com/bUY/x", "letter-case", "https://e.com/Buy/x"),
            (
                #"{"/":"/buy","?":{"Id":"Seven"}}"#, "https://e.com/buy?iD=seven", "letter-case",
                "https://e.com/buy?Id=Seven"
            ),
            (#"{"/":"/Buy","?":"Id=*"}"#, "https://e.com/buy?ID=7", "letter-case", "https://e.com/Buy?Id=7"),
            (#"{"/":"/buy"}"#, "https://e.com/buy/7", "trailing-segment", "https://e.com/buy"),
            (#"{"/":"/buy"}"#, "https://e.com/buy/7/8/9", "trailing-segment", "https://e.com/buy"),
            (#"{"/":"/buy/*/x"}"#, "https://e.com/buy/1/x/2", "trailing-segment", "https://e.com/buy/1/x"),
            (#"{"/":"/buy","?":{"id":"?"}}"#, "https://e.com/buy/7?id=1", "trailing-segment", "https://e.com/buy?id=1"),
            (#"{"/":"/buy","?":""}"#, "https://e.com/buy?a=b", "without-query", "https://e.com/buy"),
            (##"{"/":"/buy","#":""}"##, "https://e.com/buy?a=b#c", "without-fragment", "https://e.com/buy?a=b"),
            (#"{"/":"/caf%C3%A9"}"#, "https://e.com/caf%25C3%25A9", "percent-encoding", "https://e.com/caf%C3%A9"),
            (#"{"/":"/buy"}"#, "https://e.com/%62uy", "percent-encoding", "https://e.com/buy"),
        ])
    func changes(components: String, url: String, change: String, meant: String) throws {
        let found = try misses(url, components)
        #expect(found.first?.change.rawValue == change && found.first?.url == meant, "\(found)")
        #expect(
            found.first?.message.contains(meant) == true && found.first?.rule.pointer.hasSuffix("/components/0") == true
        )
    }

    @Test("www. is tried where the file is that of a domain")
    func www() throws {
        let found = try misses("https://www.e.com/x", #"{"/":"/x"}"#, domain: "e.com")
        #expect(found.map(\.change) == [.www] && found.first?.url == "https://e.com/x")
        #expect(try misses("https://shop.e.com/x", #"{"/":"/x"}"#, domain: "e.com").isEmpty)
    }

    @Test("an inclusion that an earlier exclusion hides is named, and no URL")
    func excluded() throws {
        let components = #"{"/":"/buy/*","exclude":true},{"/":"/sell/*"},{"/":"/buy/7"},{"/":"*"}"#
        let found = try #require(try misses("https://e.com/buy/7", components).first)
        #expect(found.change == .earlierExclude && found.url == nil && found.rule.pointer.hasSuffix("/components/2"))
        #expect(found.json.text.contains(#""url":null"#))
    }

    @Test("there are at most three, in the order of the changes")
    func order() throws {
        let components =
            ##"{"/":"/buy","?":"","#":""},{"/":"/Buy/*","?":"q=?"},{"/":"/buy/7","#":""},{"/":"/buy/7","?":""}"##
        let found = try misses("https://e.com/buy/7?q=1#f", components)
        #expect(found.map(\.change) == [.letterCase, .withoutQuery, .withoutFragment])
    }

    @Test(
        "nothing is guessed",
        arguments: [
            (#"{"/":"/buy/*"}"#, "https://e.com/buy/x"), (#"{"/":"/buy/*"}"#, "https://e.com/sell/x"),
            (#"{"/":"/a"}"#, "https://e.com/b/c/d"), (#"{"/":"/buy"}"#, "https://e.com/BUY/7?a#b"),
            (#"{"/":"/Admin/*","exclude":true}"#, "https://e.com/Admin/x"),
            (#"{"/":"/é"}"#, "https://e.com/%C3%A9"),
        ])
    func nothing(components: String, url: String) throws { #expect(try misses(url, components).isEmpty) }

    @Test(
        "every URL of a near miss opens, by its rule, and every hidden inclusion matches",
        arguments: TestSeeds.of(1...4))
    func random(seed: UInt64) throws {
        var fuzzer = NearMissFuzzer(seed: seed)
        for _ in 0..<60 {
            if let fault = try fuzzer.round(urls: 20) {
                Issue.record("\(fault), seed \(seed)")
                return
            }
        }
        #expect(fuzzer.misses > 0)
    }
}
