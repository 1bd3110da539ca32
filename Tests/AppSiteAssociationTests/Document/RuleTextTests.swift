import AppSiteAssociation
import Testing

@Suite("Rules in a few words")
struct RuleTextTests {
    @Test("are the patterns that some URL does not match, and how they are compared")
    func usual() {
        let rule = Rule(
            path: "/buy/*", query: .items([QueryItemPattern(name: "id", value: "?*")]), fragment: "",
            caseSensitive: false,
            index: 0)
        #expect(RuleText.patterns(rule) == "/buy/*  ? id=?*  # (empty)  (any case)")
        #expect(RuleText.patterns(Rule(path: "*", index: 0)) == "every URL")
    }

    @Test("are short, however long the patterns are, and however many items the query has")
    func long() {
        let long = String(repeating: "é", count: 100_000)
        let items = (0..<5_000).map { _ in QueryItemPattern(name: long, value: long) }
        let text = RuleText.patterns(Rule(path: "/" + long, query: .items(items), fragment: long, index: 0))
        #expect(text.hasPrefix("/é") && text.contains("é…  ? é") && text.contains(" & …  # é") && text.hasSuffix("é…"))
        #expect(text.unicodeScalars.count < 40_000)
    }
}
