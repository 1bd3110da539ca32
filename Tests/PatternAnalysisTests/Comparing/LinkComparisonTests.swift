import AppSiteAssociation
import PatternAnalysis
import Testing

@Suite("Comparing two files")
struct LinkComparisonTests {
    /// Components of a file's only entry, and what changes from the first file to the second.
    struct Case: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        /// Kind, witness without the host, and the numbers of the components, `-` for none.
        let changes: [String]

        init(_ old: String, _ new: String, _ changes: String...) {
            self.old = old
            self.new = new
            self.changes = changes
        }

        var testDescription: String { "\(old) → \(new)" }
    }

    private func document(_ components: String) throws -> AssociationDocument {
        try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[\#(components)]}]}}"#)
    }

    private func text(_ change: LinkChange) -> String {
        func number(_ rule: Rule?) -> String { rule.map { String($0.component) } ?? "-" }
        let witness = change.witness.dropFirst("https://example.com".count)
        return "\(change.kind.rawValue) \(witness) \(number(change.old.rule))\(number(change.new.rule))"
    }

    @Test(
        "the kind of a change, its shortest witness and its rules",
        arguments: [
            Case(#"{"/": "/a"}"#, "", "no longer opens /a 0-"),
            Case("", #"{"/": "/a"}"#, "opens /a -0"),
            Case(#"{"/": "/a"}"#, #"{"/": "/a", "exclude": true}"#, "now excluded /a 00"),
            Case(#"{"/": "/a", "exclude": true}"#, #"{"/": "/a"}"#, "opens /a 00"),
            Case(#"{"/": "/a", "exclude": true}"#, "", "no longer excluded /a 0-"),
            Case("", #"{"/": "/a", "exclude": true}"#, "now excluded /a -0"),
            Case(#"{"/": "/a/*"}"#, #"{"/": "/a/?*"}"#, "no longer opens /a 0-"),
            Case(#"{"/": "/buy/*"}"#, #"{"/": "/buy/?"}, {"/": "/b/?"}"#, "opens /b/a -1", "no longer opens /buy 0-"),
            Case(
                #"{"/": "/help/*", "exclude": true}, {"/": "*"}"#, #"{"/": "*"}, {"/": "/help/*", "exclude": true}"#,
                "opens /help 00"),
            Case(#"{"/": "/id/????"}"#, #"{"/": "/id/???"}"#, "opens /id/aaa -0", "no longer opens /id/aaaa 0-"),
            Case(#"{"/": "/a"}"#, #"{"/": "/a", "caseSensitive": false}"#, "opens /A -0"),
            Case(#"{"/": "/é"}"#, #"{"/": "/é", "percentEncoded": false}"#, "opens /%C3%A9 -0"),
            Case(#"{"/": "/$(digit)"}"#, #"{"/": "/?"}"#, "opens /a -0"),
            Case(#"{"/": "/a", "?": {"x": "?*"}}"#, #"{"/": "/a"}"#, "opens /a -0"),
            Case(#"{"/": "/a"}"#, #"{"/": "/a", "?": {"x": "?*"}}"#, "no longer opens /a 0-"),
            Case(#"{"/": "/a", "?": {"x": "?*"}}"#, #"{"/": "/a", "?": {"x": "1"}}"#, "no longer opens /a?x=a 0-"),
            Case(#"{"/": "/a", "?": "x=*"}"#, #"{"/": "/a", "?": {"x": "*"}}"#, "opens /a -0"),
            Case(
                #"{"/": "/a", "?": "x=?*"}"#, #"{"/": "/a", "?": {"x": "?*"}}"#, "opens /a?&x=a -0",
                "no longer opens /a?x=& 0-"),
            Case(
                ##"{"/": "/a", "#": "x*"}"##, ##"{"/": "/a", "#": "y*"}"##, "opens /a#y -0", "no longer opens /a#x 0-"),
            Case(
                #"{"/": "/a/*", "?": {"x": "1"}, "exclude": true}, {"/": "/a/*"}"#, #"{"/": "/a/*"}"#,
                "opens /a?x=1 00"),
        ])
    func kinds(example: Case) throws {
        let comparison = LinkComparison(old: try document(example.old), new: try document(example.new))
        #expect(comparison.changes.map(text) == example.changes)
        #expect(comparison.undecided.isEmpty)
    }

    @Test(
        "what means the same is no change",
        arguments: [
            Case(#"{"/": "/a", "comment": "x"}"#, #"{"comment": "y", "/": "/a"}"#),
            Case(#"{"/": "/a"}"#, #"{"/": "a/"}"#),
            Case(#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a"}"#),
            Case(#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a"}, {"/": "/a"}"#),
            Case(#"{"/": "*"}"#, #"{"/": "*"}, {"/": "/help/*", "exclude": true}"#),
            Case(#"{"/": "/a/*"}"#, #"{"/": "/a"}, {"/": "/a/?*"}"#),
            Case(#"{"/": "/$(digit)"}"#, #"{"/": "/$(x)"}, {"/": "/$(digit)"}"#),
            Case(#"{"/": "/1", "caseSensitive": false}"#, #"{"/": "/1"}"#),
            Case(#"{"/": "/a", "percentEncoded": false, "?": {"x": "*"}}"#, #"{"/": "/a", "percentEncoded": false}"#),
            Case(#"{"/": "/a", "?": {"x": "1", "y": "2"}}"#, #"{"/": "/a", "?": {"y": "2", "x": "1"}}"#),
            Case(#"{}"#, ##"{"/": "*", "#": "*", "?": "*"}"##),
        ])
    func same(example: Case) throws {
        let comparison = LinkComparison(old: try document(example.old), new: try document(example.new))
        #expect(comparison.changes.map(text) == [])
        #expect(comparison.isWithoutChange)
    }

    @Test("entries may be merged and split, apps named in another order")
    func entries() throws {
        let merged = """
            {"applinks":{"details":[{"appIDs":["A.a","A.b"],"components":[{"/":"/x/*"},{"/":"/y"}]}]}}
            """
        let split = """
            {"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/x/*"}]},
            {"appIDs":["A.a","A.b"],"components":[{"/":"/y"},{"/":"/x/*"}]}]}}
            """
        let comparison = LinkComparison(old: try AssociationDocument(merged), new: try AssociationDocument(split))
        #expect(comparison.isWithoutChange)
    }

    @Test("apps that differ are told with the rules of the first of them")
    func apps() throws {
        let old = """
            {"applinks":{"details":[{"appIDs":["A.a"],"components":[{"/":"*"}]},
            {"appIDs":["A.b"],"components":[{"/":"/b/*"}, {"/":"/c"}]}]}}
            """
        let new = """
            {"applinks":{"details":[{"appIDs":["A.a"],"components":[{"/":"*"}]},
            {"appIDs":["A.b"],"components":[{"/":"/b/?*"}, {"/":"/c", "exclude": true}]}]}}
            """
        let comparison = LinkComparison(old: try AssociationDocument(old), new: try AssociationDocument(new))
        #expect(comparison.changes.map(\.kind) == [.otherApps, .otherApps])
        #expect(comparison.changes.map(\.witness) == ["https://example.com/b", "https://example.com/c"])
        #expect(comparison.changes.map { $0.old.appIDs } == [["A.a", "A.b"], ["A.a", "A.b"]])
        #expect(comparison.changes.map { $0.new.appIDs } == [["A.a"], ["A.a"]])
        #expect(comparison.changes.map { $0.old.rule?.detail } == [1, 1])
        #expect(comparison.changes.map { $0.new.rule?.detail } == [0, 1])
    }

    @Test("other services are told apart from links")
    func services() throws {
        let old = #"{"webcredentials":{"apps":["A.a","A.b"]},"appclips":{"apps":["A.c"]}}"#
        let new = #"{"webcredentials":{"apps":["A.d","A.b"]},"appclips":{"apps":["A.c","A.c"]}}"#
        let comparison = LinkComparison(old: try AssociationDocument(old), new: try AssociationDocument(new))
        #expect(comparison.isWithoutChange)
        #expect(comparison.services.map(\.service) == ["webcredentials"])
        #expect(comparison.services.map(\.added) == [["A.d"]])
        #expect(comparison.services.map(\.removed) == [["A.a"]])
    }

    @Test("witnesses have the host that is asked for")
    func host() throws {
        let comparison = LinkComparison(old: try document(""), new: try document("{}"), host: "shop.example")
        #expect(comparison.changes.map(\.witness) == ["https://shop.example/"])
    }

    @Test("a change among a thousand rules is found")
    func manyRules() throws {
        var rules = (0..<1000).map { #"{"/": "/section-\#($0 % 30)/page-\#($0)/*"}"# }
        let old = try document(rules.joined(separator: ","))
        rules[700] = #"{"/": "/section-10/page-700/?*"}"#
        rules.swapAt(1, 2)
        let comparison = LinkComparison(old: old, new: try document(rules.joined(separator: ",")))
        #expect(comparison.changes.map(text) == ["no longer opens /section-10/page-700 700-"])
        #expect(comparison.undecided.isEmpty)
    }

    @Test("conditions for many items are compared name by name")
    func manyItems() throws {
        let items = (0..<20).map { #""k\#($0)": "?*""# }
        let rule = #"{"/": "/s", "?": {\#(items.joined(separator: ", "))}}"#
        let all = LinkComparison(old: try document(""), new: try document(rule))
        #expect(
            all.changes.map(\.witness) == [
                "https://example.com/s?" + (0..<20).map { "k\($0)=a" }.joined(separator: "&")
            ])
        #expect(all.undecided.isEmpty)

        var rules = items.map { #"{"/": "/s", "?": {\#($0)}, "exclude": true}"# } + [#"{"/": "/s"}"#]
        let old = try document(rules.joined(separator: ","))
        rules.remove(at: 10)
        let one = LinkComparison(old: old, new: try document(rules.joined(separator: ",")))
        #expect(one.changes.map(text) == ["opens /s?k10=a 1019"])
        #expect(one.undecided.isEmpty)
    }

    @Test("patterns that have too much in common are not decided, but changes that are seen are told")
    func limits() throws {
        let words = (0..<12).map { #"{"/": "*word\#($0)*", "exclude": \#($0 % 2 == 0)}"# }
        var limits = ComparisonLimits()
        limits.states = 100
        let comparison = LinkComparison(
            old: try document(words.joined(separator: ",")),
            new: try document(words.reversed().joined(separator: ",")), limits: limits)
        #expect(!comparison.undecided.isEmpty)
        #expect(!comparison.changes.isEmpty)
        #expect(!comparison.isWithoutChange)

        limits.work = 0
        let nothing = LinkComparison(old: try document(words[0]), new: try document(words[1]), limits: limits)
        #expect(nothing.changes.isEmpty && !nothing.undecided.isEmpty)
        let same = LinkComparison(old: try document(words[0]), new: try document(words[0]), limits: limits)
        #expect(same.isWithoutChange)
    }
}
