import AppSiteAssociation
import AssociationLint
import Diagnostics
import Testing

struct FixerTests {
    private func fix(_ text: String) -> (text: String, fixed: [String], left: [String], failure: String?) {
        let outcome = Fixer(Linter()).fix(Array(text.utf8), path: "file")
        return (
            String(decoding: outcome.bytes, as: UTF8.self), outcome.fixed.map(\.diagnostic.code.rawValue),
            outcome.result.diagnostics.map(\.code.rawValue), outcome.failure
        )
    }

    @Test("Syntax and meaning are mended together, other bytes stay")
    func several() {
        let result = fix("{\r\n\t\"webcredentials\" : { apps: [ \" 7K3QWZ9PLM.com.shop.app\", ], }\r\n}\r\n\r\n")
        #expect(result.text == "{\r\n\t\"webcredentials\" : { \"apps\": [ \"7K3QWZ9PLM.com.shop.app\" ] }\r\n}\r\n\r\n")
        #expect(result.fixed.sorted() == ["trailing-comma", "trailing-comma", "unquoted-key", "whitespace-in-app-id"])
        #expect(result.left.isEmpty)
        #expect(result.failure == nil)
    }

    @Test("What has no automatic fix is left")
    func left() {
        let result = fix(#"{ "webcredentials": { "apps": ["com.shop.app",] } }"#)
        #expect(result.fixed == ["trailing-comma"])
        #expect(result.left == ["invalid-app-id"])
    }

    @Test("More mistakes than are shown are all mended")
    func many() {
        let apps = (0..<300).map { "\"7K3QWZ9PLM.com.shop.app\($0)\"," }.joined(separator: ",")
        let result = fix("{ \"webcredentials\": { \"apps\": [\(apps)] } }")
        #expect(result.failure == nil)
        #expect(result.left.isEmpty)
        #expect(result.fixed.count == 300)
    }

    @Test("Thousands of mistakes are fixed, and nothing else changes")
    func thousands() {
        let apps = (0..<2_100).map { "\"7K3QWZ9PLM.com.shop.app\($0)\"" }
        let result = fix("{\"webcredentials\":{\"apps\":[\(apps.joined(separator: ",,"))]}}")
        #expect(result.text == "{\"webcredentials\":{\"apps\":[\(apps.joined(separator: ","))]}}")
        #expect(result.fixed.count == 2_099)
        #expect(result.left.isEmpty)
        #expect(result.failure == nil)
    }

    @Test("A renamed key may bring errors into view that nobody saw before")
    func revealed() {
        let result = fix(
            """
            { "applinks": { "apps": [], "details": [{ "appID": "7K3QWZ9PLM.com.shop.app", "Paths": ["/a b/#c"] }] } }
            """)
        #expect(result.failure == nil)
        #expect(result.fixed.contains("misspelt-key"))
        #expect(result.text.contains("\"paths\""))
    }

    @Test("Under a renamed key variables can be used whose values nobody has looked at before")
    func revealedValue() {
        let result = fix(
            """
            { "applinks": { "substitutionVariables": { "shelf": ["a b"] }, "details": [
              { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "Components": [{ "/": "/$(shelf)/*" }] }] } }
            """)
        #expect(result.failure == nil)
        #expect(result.fixed.contains("misspelt-key"))
    }

    @Test("Converted files are never fixed")
    func converted() {
        let text = "{\"webcredentials\": {\"apps\": [\"7K3QWZ9PLM.com.shop.app\",]}}"
        let bytes: [UInt8] = text.utf8.flatMap { byte -> [UInt8] in [byte, 0] }
        let outcome = Fixer(Linter()).fix(bytes, path: "file")
        #expect(outcome.bytes == bytes)
        #expect(outcome.fixed.isEmpty)
        #expect(outcome.result.diagnostics.map(\.code.rawValue).sorted() == ["trailing-comma", "utf-16-text"])
    }

    @Test("Every automatic fix of an example is applied", arguments: RuleExampleTests.aboutAssociationFiles)
    func examples(rule: RuleDescription) {
        guard rule.fix == .automatic else { return }
        var options = LintOptions(minimumIOS: rule.minimumIOS.flatMap(SystemVersion.init))
        if !rule.isOnByDefault { options.settings[rule.code] = .warning }
        let outcome = Fixer(Linter(options)).fix(rule.badBytes, path: "file")
        #expect(outcome.fixed.map(\.diagnostic.code) == [rule.code])
        #expect(outcome.result.diagnostics.isEmpty)
        let again = Fixer(Linter(options)).fix(outcome.bytes, path: "file")
        #expect(again.bytes == outcome.bytes && again.fixed.isEmpty)
    }

    private func fixSuggested(_ text: String) -> Fixer.Outcome {
        Fixer(Linter(), upTo: .suggested).fix(Array(text.utf8), path: "file")
    }

    @Test("Suggested fixes are applied only if they are asked for, and every finding that they are about is gone")
    func suggested() {
        let text = """
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[
            {"/":"/a/*"},{"/":"/a/b","exclude":true},{"/":"/a/c","exclude":true},{"/":"/q?x=1"}]}]}}
            """
        #expect(fix(text).text == text)
        let outcome = fixSuggested(text)
        #expect(outcome.failure == nil)
        #expect(outcome.refused.isEmpty)
        #expect(Set(outcome.fixed.map(\.diagnostic.code.rawValue)) == ["dead-exclude", "query-in-path"])
        #expect(outcome.result.diagnostics.isEmpty, "\(outcome.result.diagnostics)")
    }

    @Test("Whatever suggested fixes do, there are no more errors, and what is refused is still there")
    func suggestedExamples() {
        var count = 0
        for rule in RuleRegistry.catalogue.rules where rule.subject == .associationFile && rule.fix == .suggested {
            let before = Linter().check(rule.badBytes, path: "file")
            let outcome = Fixer(Linter(), upTo: .suggested).fix(rule.badBytes, path: "file")
            #expect(outcome.failure == nil, "\(rule.code)")
            guard before.diagnostics.contains(where: { $0.code == rule.code }), before.isAsInFile else { continue }
            count += 1
            let errors = { (result: LintResult) in result.diagnostics.count { $0.severity == .error } }
            #expect(errors(outcome.result) <= errors(before), "\(rule.code)")
            let isLeft = outcome.result.diagnostics.contains { $0.code == rule.code }
            #expect(isLeft == outcome.refused.contains { $0.diagnostic.code == rule.code }, "\(rule.code)")
            #expect(isLeft || outcome.fixed.contains { $0.diagnostic.code == rule.code }, "\(rule.code)")
        }
        #expect(count > 20)
    }

    @Test("An entry whose 'paths' beside its exclusions open links is not opened for all others")
    func pathsBesideExclusions() throws {
        for paths in [#""/shared/*""#, #"["/shared/*"]"#] {
            let text = #"""
                {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "paths": \#(paths), "components": [
                  {"/": "/x", "exclude": true}]}]}}
                """#
            let outcome = Fixer(Linter(), upTo: .suggested).fix(Array(text.utf8), path: "file")
            #expect(outcome.fixed.map(\.diagnostic.code.rawValue).contains("ignored-paths"))
            let rules = try AssociationDocument(outcome.bytes).appLinks?.details.first?.rules ?? []
            #expect(rules.map(\.path) == ["/x", "/shared/*"], "\(String(decoding: outcome.bytes, as: UTF8.self))")
        }
    }

    @Test("A path with a query or fragment is not cut to one that opens every link to the page")
    func pathsWithMore() throws {
        let text = ##"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":["##
        for (path, component) in [
            ("/#/settings", ##"{ "/": "/", "#": "/settings" }"##), ("/?a=b", #"{ "/": "/", "?": { "a": "b" } }"#),
            ("NOT /x#y", ##"{ "/": "/x", "#": "y", "exclude": true }"##),
        ] {
            let file = "\(text)\"\(path)\",\"/*\"]}]}}"
            let outcome = fixSuggested(file)
            #expect(String(decoding: outcome.bytes, as: UTF8.self) == file)
            let help = try #require(outcome.result.diagnostics.first).help
            #expect(help == "write '\(component)' in 'components': 'paths' only match the path")
        }
    }

    @Test("Links that only a mistake in a pattern made are not named")
    func mistakenLinks() {
        let outcome = fixSuggested(
            """
            {"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":[
            "http://www.shop.de/x","/z//a","www.shop.com/y"]}]}}
            """)
        #expect(outcome.fixed.count == 3)
        #expect(outcome.closedLink == nil)
        let message = "with the fixes, links such as 'https://example.com/x' now open an app"
        #expect(outcome.notes.map(\.message) == [message])
    }

    @Test("What is meant to exclude is not taken into 'components', where nothing would exclude it")
    func misreadExclusion() throws {
        let outcome = fixSuggested(
            """
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"paths":["!/x","/*"]}]}}
            """)
        let rules = try AssociationDocument(outcome.bytes).appLinks?.details.first?.rules ?? []
        #expect(rules.map(\.path) == ["/x", "/*"] && rules.map(\.excludes) == [true, false])
    }

    @Test("Many suggested fixes of which all are right are made at once")
    func manySuggested() {
        let rules = (0..<200).map { #"{"/":"/a/\#($0)","exclude":true}"# }.joined(separator: ",")
        let outcome = fixSuggested(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a/*"},\#(rules)]}]}}"#)
        #expect(outcome.failure == nil)
        #expect(outcome.fixed.count == 200)
        #expect(outcome.result.diagnostics.isEmpty)
        let text = String(decoding: outcome.bytes, as: UTF8.self)
        #expect(text.contains(#""components":[\#(rules),{"/":"/a/*"}]"#), "in the same order")
        #expect(outcome.closedLink == "https://example.com/a/0")
    }

    /// Rules of an app that come after an entry that opens everything, with a mistake each; only some can be corrected.
    private static func mixture(_ count: Int) -> String {
        let paths = (0..<count).map { $0 % 3 == 0 ? #""not /a\#($0)""# : #""/b\#($0)//x""# }.joined(separator: ",")
        return #"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":["/a*"]},"#
            + #"{"appID":"7K3QWZ9PLM.com.shop.app","paths":[\#(paths)]}]}}"#
    }

    @Test("Among many suggested fixes those that do not work are named, each once, and the others are made")
    func mixture() {
        let outcome = fixSuggested(Self.mixture(60))
        #expect(outcome.failure == nil)
        #expect(outcome.fixed.map(\.diagnostic.code.rawValue) == Array(repeating: "double-slash-in-pattern", count: 40))
        #expect(outcome.refused.count == 20 && outcome.untriedCount == 0)
        #expect(
            outcome.refused.first?.reason
                == "'NOT /a0' would still come after '/a*', which matches first; move it up by hand")
        #expect(outcome.result.diagnostics.allSatisfy { $0.fix(upTo: .suggested) == nil })
        // What they advise stays.
        let left = outcome.result.diagnostics.first { $0.code.rawValue == "malformed-not" }
        #expect(left?.help == "write 'NOT '")
    }

    @Test("Fixes that were refused are named for the findings that are shown, and for no others")
    func refusedBeyondTheLimit() {
        let objects = Array(repeating: #"{"a"x:[1]}"#, count: 30).joined(separator: ",\n")
        let outcome = fixSuggested(#"{"applinks":{"details":[\#(objects)]}}"#)
        let shown = outcome.result.diagnostics.filter { $0.code.rawValue == "missing-colon" }.map(\.range)
        #expect(!shown.isEmpty && shown.count < 30)
        #expect(outcome.refused.map(\.diagnostic.range) == shown)
    }

    @Test("Fixes stop when their work is spent, after the same ones each time, and say how many were not tried")
    func budget() {
        let text = Array(Self.mixture(60).utf8)
        func fix(_ work: Int, _ bytes: [UInt8]) -> Fixer.Outcome {
            Fixer(Linter(), kind: .association, upTo: .suggested, work: work).fix(bytes, path: "file")
        }
        let none = fix(1, text)
        #expect(none.fixed.isEmpty && none.refused.isEmpty && none.bytes == text)
        #expect(
            none.notes.map(\.message) == ["stopped after 2 s, the limit for one file; 60 fixes were not tried"])
        let most = (1...40).lazy.map { fix($0 * 50_000, text) }.first { !$0.fixed.isEmpty && $0.untriedCount > 0 }
        #expect(most?.notes.last?.message.hasSuffix("; run it again for the rest") == true)
        #expect(fix(10_000_000, text).untriedCount == 0)
    }

    @Test("Titles of fixes have a past tense")
    func pastTense() {
        var titles: [String: String] = [:]
        for rule in RuleRegistry.catalogue.rules where rule.subject == .associationFile {
            for finding in Linter().check(rule.badBytes, path: "file").diagnostics {
                for fixIt in finding.fixIts where fixIt.applicability != .displayOnly && !fixIt.edits.isEmpty {
                    titles[fixIt.title] = fixIt.doneTitle
                }
            }
        }
        #expect(titles.count > 25)
        for (title, done) in titles { #expect(title != done, "\(title)") }
        #expect(titles["delete the comma"] == "deleted the comma")
    }
}
