import AppSiteAssociation
import AssociationLint
import Diagnostics
import Testing

struct CaseTests {
    private static let shop = "7K3QWZ9PLM.com.shop.app"

    private func document() throws -> AssociationDocument {
        try AssociationDocument(
            """
            { "applinks": { "details": [{ "appIDs": ["\(Self.shop)", "7K3QWZ9PLM.com.shop.beta"], "components": [
              { "/": "/help/*", "exclude": true },
              { "/": "/buy/*" },
              { "/": "/news/*" }
            ]}]}}
            """)
    }

    @Test(
        "A case holds if the decision is the one that was expected",
        arguments: [
            (#""opens": ["7K3QWZ9PLM.com.shop.beta", "7K3QWZ9PLM.com.shop.app"]"#, "/buy/1", true),
            (#""opens": ["7K3QWZ9PLM.com.shop.app"]"#, "/buy/1", false), (#""opens": "any""#, "/buy/1", true),
            (#""opens": "any""#, "/other", false), (#""opens": []"#, "/other", true),
            (#""opens": []"#, "/help/x", true),
            (#""opens": []"#, "/buy/1", false), (#""excluded": true"#, "/help/x", true),
            (#""excluded": true"#, "/other", false), (#""excluded": true"#, "/buy/1", false),
        ])
    func verdicts(expectation: String, path: String, hasPassed: Bool) throws {
        let list = CaseList.read(
            Array(#"[{"url": "https://shop.example\#(path)", \#(expectation)}]"#.utf8), path: "cases")
        #expect(list.diagnostics.isEmpty)
        let run = CaseRun(list.cases, try document())
        #expect(run.verdicts.map(\.hasPassed) == [hasPassed])
        #expect(run.failedCount == (hasPassed ? 0 : 1))
    }

    @Test("The rules that no case reached are known")
    func unreached() throws {
        let list = CaseList.read(Array(#"[{"url": "https://shop.example/buy/1", "opens": "any"}]"#.utf8), path: "cases")
        let run = CaseRun(list.cases, try document())
        #expect(run.unreached.map(\.path) == ["/help/*", "/news/*"])
    }

    @Test(
        "What is wrong with a list is reported where it is",
        arguments: [
            (#"⟦{}⟧"#, "invalid-case"), (#"[⟦1⟧]"#, "invalid-case"), (#"[⟦{"opens": []}⟧]"#, "invalid-case"),
            (#"[⟦{"url": "https://a.example/"}⟧]"#, "invalid-case"),
            (#"[⟦{"url": "https://a.example/", "opens": [], "excluded": true}⟧]"#, "invalid-case"),
            (#"[{"url": ⟦7⟧, "opens": []}]"#, "invalid-case"), (#"[{"url": ⟦"bad"⟧, "opens": []}]"#, "invalid-case"),
            (#"[{"url": "https://a.example/", "opens": ⟦"all"⟧}]"#, "invalid-case"),
            (#"[{"url": "https://a.example/", "opens": ⟦[1]⟧}]"#, "invalid-case"),
            (#"[{"url": "https://a.example/", "excluded": ⟦false⟧}]"#, "invalid-case"),
            (#"[{"url": "https://a.example/", "opens": [], ⟦"exclude"⟧: true}]"#, "invalid-case"),
            (#"[{"url": "https://a.example/", "opens": []}⟦,⟧]"#, "trailing-comma"),
        ])
    func mistakes(marked: String, code: String) {
        let marked = MarkedText(marked)
        let list = CaseList.read(marked.bytes, path: "cases") { $0.hasPrefix("https://") }
        #expect(list.diagnostics.map(\.code.rawValue) == [code])
        #expect(list.diagnostics.first?.range == marked.range)
    }

    @Test(
        "The examples in the descriptions show what they say",
        arguments: RuleRegistry.catalogue.rules.filter { [.testCases, .testRun].contains($0.subject) })
    func examples(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = CaseExample.report(marked.bytes).diagnostics
        #expect(found.map(\.code) == [rule.code])
        #expect(found.first?.range == marked.range ?? SourceRange(start: 0, end: 0))
        #expect(found.first?.severity == rule.severity)
        #expect(CaseExample.report(Array(rule.good.utf8)).diagnostics.isEmpty)
        // Whether a list is sound does not depend on a file.
        let list = CaseList.read(marked.bytes, path: "cases")
        #expect(list.diagnostics.map(\.code) == (rule.subject == .testCases ? [rule.code] : []))
    }

    @Test("A case that fails says what was expected, what was decided, and by which rule")
    func failures() throws {
        let list = CaseList.read(
            Array(#"[{"url": "https://shop.example/help/1", "opens": ["\#(Self.shop)"]}]"#.utf8), path: "cases")
        let found = CaseRun(list.cases, try document()).diagnostics
        #expect(
            found.map(\.message) == [
                """
                'https://shop.example/help/1': expected it to open '\(Self.shop)', but it is excluded \
                (apple-app-site-association:2)
                """
            ])
        #expect(found.map(\.notes) == [["the rule excludes /help/*"]])
        #expect(found.map(\.pointer) == ["/0"])
    }
}
