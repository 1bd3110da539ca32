import AppSiteAssociation
import FuzzingSupport
import Testing
import URLPatterns
import UniversalLinks

/// A file may come from anybody, so that what is spent on a URL is bounded (matching.md, section 8).
struct BoundedDecisionTests {
    private static func document(_ components: String, values: [String]) throws -> AssociationDocument {
        let values = values.map { "\"\($0)\"" }.joined(separator: ",")
        return try AssociationDocument(
            #"{"applinks":{"substitutionVariables":{"v":[\#(values)]},"details":[{"appIDs":["A.b"],"components":[\#(components)]}]}}"#
        )
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// A rule that only the reference matcher can decide, and not within a budget: values with wildcards, of many lengths.
    private static func exploding(_ key: String = "/") throws -> AssociationDocument {
        let pattern = String(repeating: "$(v)*", count: 4_000)
        return try document(
            "{\"\(key)\":\"\(pattern)\"}", values: (0..<200).map { "\(letters(1 + $0 % 40))?\($0 % 5)" } + ["a?"])
    }

    @Test("What takes too many steps is not decided, in path, query and fragment", arguments: ["/", "?", "#"])
    func notDecided(key: String) throws {
        let router = UniversalLinkRouter(anyDomain: try Self.exploding(key))
        let url = "https://e.com\(key)\(Self.letters(1_900))"
        let start = ThreadTime.nanoseconds
        let decision = router.decide(url)
        #expect(decision.outcome == .notDecided)
        #expect(decision.isWebURL && decision.rule == nil && decision.appIDs.isEmpty && decision.ruleNumber == -1)
        // A debug build takes many times as long as a release.
        #expect(ThreadTime.nanoseconds - start < 60_000_000_000)
    }

    @Test("What is not decided has no complete trace and no hint")
    func notExplained() throws {
        let router = UniversalLinkRouter(anyDomain: try Self.exploding())
        let url = "https://e.com/\(Self.letters(1_900))"
        let explanation = router.explain(url)
        #expect(explanation.decision.outcome == .notDecided && !explanation.isTraceComplete)
        #expect(NearMissSearch(router).hint(for: url) == nil)
    }

    @Test("A short URL is decided by the same file")
    func decided() throws {
        let router = UniversalLinkRouter(anyDomain: try Self.exploding())
        #expect(router.decide("https://e.com/b").outcome == .noMatch)
    }

    @Test("What the index can decide stays decided where the explanation takes too long, and the trace is cut")
    func cutTrace() throws {
        // A digit that the path does not have rules these out at once; the plain loop finds that at their ends.
        let pattern = String(repeating: "$(v)*", count: 60)
        let rules = (0..<220).map { "{\"/\":\"/\(pattern)\($0)\"}" } + [#"{"/":"*"}"#]
        let document = try Self.document(
            rules.joined(separator: ","), values: (0..<20).map { Self.letters(1 + $0) })
        let explanation = UniversalLinkRouter(anyDomain: document).explain("https://e.com/\(Self.letters(1_000))")
        #expect(explanation.decision.outcome == .open && explanation.decision.ruleNumber == 220)
        #expect(!explanation.isTraceComplete && explanation.trace.count < 220)
    }

    @Test("Long defaults of thousands of rules are neither kept for each of them nor compared without end")
    func defaults() throws {
        let pattern = String(repeating: "*a?", count: 10_000)
        let components = Array(repeating: "{}", count: 5_000).joined(separator: ",")
        let document = try AssociationDocument(
            #"{"applinks":{"defaults":{"/":"\#(pattern)b"},"details":[{"appIDs":["A.b"],"components":[\#(components)]}]}}"#
        )
        let index = DocumentIndex(document)
        #expect(index.byteCount < 16 << 20)
        let router = UniversalLinkRouter(anyDomain: index)
        #expect(
            router.decide("https://e.com/x").outcome == .noMatch
                || router.decide("https://e.com/x").outcome == .notDecided)
        #expect(router.decide("https://e.com/\(Self.letters(4_000))").outcome == .notDecided)
    }

    @Test(
        "The reference matcher stops within its budget, and never says something wrong",
        arguments: [10, 1_000, 100_000])
    func budget(units: Int) throws {
        let document = try Self.exploding()
        let matcher = ReferenceMatcher(document)
        let url = try #require(WebURL("https://e.com/\(Self.letters(300))".utf8))
        var budget = WorkBudget(units)
        #expect(matcher.decide(url, &budget) == nil)
        var other = WorkBudget(units)
        let explained = matcher.decide(url, explaining: &other)
        #expect(explained.outcome == .notDecided && !explained.isComplete && explained.trace.isEmpty)
        #expect(budget.isSpent && other.isSpent)
    }
}
