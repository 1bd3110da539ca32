import AppSiteAssociation
import Diagnostics
import Testing

/// Patterns with elements that no file can say, but routes can.
@Suite("Patterns that end at a slash, in the index")
struct SegmentTests {
    private static let variables = SubstitutionVariables([
        SubstitutionVariable(name: "one", elements: [.segmentCharacter]),
        SubstitutionVariable(name: "run", elements: [.segmentRun]),
        SubstitutionVariable(name: "segment", elements: [.segmentCharacter, .segmentRun]),
        SubstitutionVariable(name: "w", values: ["", "a", "/b", "é*"]),
    ])

    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }

        mutating func text(_ letters: [String], upTo count: Int) -> String {
            (0...Int.random(in: 0...count, using: &self)).map { _ in letters.randomElement(using: &self) ?? "" }
                .joined()
        }
    }

    @Test("are decided like the plain loop does", arguments: [3, 40, 150])
    func agreement(count: Int) {
        var random = Random(state: UInt64(count))
        let letters = [
            "a", "b", "/", "/", "/*", "*", "?", "é", "$(one)", "$(run)", "$(segment)", "/$(segment)", "$(w)",
            "abcdefgh",
        ]
        var open = 0
        for _ in 0..<max(1_200 / count, 25) {
            let rules = (0..<count).map { index in
                Rule(
                    path: "/" + random.text(letters, upTo: 5),
                    query: Int.random(in: 0..<4, using: &random) == 0
                        ? .items([QueryItemPattern(name: "q", value: random.text(letters, upTo: 2))]) : .void,
                    fragment: Int.random(in: 0..<5, using: &random) == 0 ? random.text(letters, upTo: 2) : "*",
                    caseSensitive: Bool.random(using: &random), percentEncoded: Bool.random(using: &random),
                    index: index)
            }
            let links = AppLinks([Detail(app: "A.a", rules: rules)], Self.variables)
            let agreement = Agreement(AssociationDocument(appLinks: links, source: SourceText([], path: "routes")))
            for _ in 0..<60 {
                let pieces = ["a", "b", "A", "/", "%2F", "%C3%A9", "%FF", "abcdefgh", "x"]
                var url = "https://example.com/" + random.text(pieces, upTo: 7)
                if Bool.random(using: &random) { url += "?q=" + random.text(pieces, upTo: 3) }
                if Bool.random(using: &random) { url += "#" + random.text(pieces, upTo: 3) }
                if agreement.expect(url) != "noMatch" { open += 1 }
            }
        }
        #expect(open > 1_000)
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
