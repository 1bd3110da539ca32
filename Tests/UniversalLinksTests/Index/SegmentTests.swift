import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import Testing
import URLPatterns

/// Patterns with elements that no file can say, but routes can.
@Suite("Patterns that end at a slash, in the index")
struct SegmentTests {
    private static let variables = SubstitutionVariables([
        SubstitutionVariable(name: "one", elements: [.segmentCharacter]),
        SubstitutionVariable(name: "run", elements: [.segmentRun]),
        SubstitutionVariable(name: "segment", elements: [.segmentCharacter, .segmentRun]),
        SubstitutionVariable(name: "w", values: ["", "a", "/b", "é*"]),
    ])

    @Test("are decided like the plain loop does", arguments: [3, 40, 150], TestSeeds.of(1...1))
    func agreement(count: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed &+ UInt64(count))
        func text(_ letters: [String], upTo count: Int) -> String {
            (0...random.number(0...count)).map { _ in random.pick(letters) }.joined()
        }
        let letters = [
            "a", "b", "/", "/", "/*", "*", "?", "é", "$(one)", "$(run)", "$(segment)", "/$(segment)", "$(w)",
            "abcdefgh",
        ]
        var open = 0
        for _ in 0..<max(500 / count, 10) {
            let rules = (0..<count).map { index in
                Rule(
                    path: "/" + text(letters, upTo: 5),
                    query: random.number(below: 4) == 0
                        ? .items([QueryItemPattern(name: "q", value: text(letters, upTo: 2))]) : .void,
                    fragment: random.number(below: 5) == 0 ? text(letters, upTo: 2) : "*",
                    caseSensitive: random.chance(50), percentEncoded: random.chance(50),
                    index: index)
            }
            let links = AppLinks([Detail(app: "A.a", rules: rules)], Self.variables)
            let agreement = Agreement(AssociationDocument(appLinks: links, source: SourceText([], path: "routes")))
            for _ in 0..<60 {
                let pieces = ["a", "b", "A", "/", "%2F", "%C3%A9", "%FF", "abcdefgh", "x"]
                var url = "https://example.com/" + text(pieces, upTo: 7)
                if random.chance(50) { url += "?q=" + text(pieces, upTo: 3) }
                if random.chance(50) { url += "#" + text(pieces, upTo: 3) }
                if agreement.expect(url) != "noMatch" { open += 1 }
            }
        }
        #expect(open > 400)
    }

    @Test("are found over more than a machine word of text", arguments: [true, false])
    func long(percentEncoded: Bool) {
        let rule = Rule(
            path: "/x$(segment)y/z", query: .void, fragment: "*", caseSensitive: true, percentEncoded: percentEncoded,
            index: 0)
        let links = AppLinks([Detail(app: "A.a", rules: [rule])], Self.variables)
        let agreement = Agreement(AssociationDocument(appLinks: links, source: SourceText([], path: "routes")))
        for length in [0, 1, 61, 62, 63, 64, 65, 127, 128, 129, 500] {
            let middle = String(repeating: length % 2 == 0 ? "%C3%A9" : "a", count: length)
            let found = agreement.expect("https://example.com/x\(middle)y/z")
            #expect(found.hasPrefix("open") == (length > 0))
            #expect(agreement.expect("https://example.com/x\(middle)/y/z") == "noMatch")
            #expect(agreement.expect("https://example.com/x\(middle)y/zz") == "noMatch")
        }
    }
}
