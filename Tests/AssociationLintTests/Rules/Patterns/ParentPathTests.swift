import AssociationLint
import Diagnostics
import Testing

struct ParentPathTests {
    private func findings(_ components: String, _ options: LintOptions = LintOptions()) -> [Diagnostic] {
        let file = """
            {"applinks": {"substitutionVariables": {"v": ["x", "y"]}, "details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"],
            "components": [{"/": "/v/$(v)"}, \(components)]}]}}
            """
        return Linter(options).check(Array(file.utf8)).diagnostics
    }

    @Test(
        "Stars at the end become '?*', as '/x/*' would match '/x' too, and one star elsewhere",
        arguments: [
            ("/x/**", "/x/?*", FixIt.Applicability.automatic), ("/x/***/", "/x/?*/", .automatic),
            ("x/**", "x/?*", .automatic), ("/*/**", "/*/?*", .automatic), ("/?/**", "/?/?*", .automatic),
            ("/x/$(v)/**", "/x/$(v)/?*", .automatic), ("/$(v)/**", "/$(v)/?*", .suggested),
            ("/**/x/**", "/*/x/?*", .automatic), ("/x/**y", "/x/*y", .automatic), ("/x/**/y", "/x/*/y", .automatic),
            ("/x**", "/x*", .automatic), ("/**", "/*", .automatic), ("//**//", "//*//", .automatic),
            ("**", "*", .automatic), ("/x/**?a=b", "/x/*?a=b", .automatic), ("/(a|b)/**", "/(a|b)/?*", .suggested),
        ])
    func stars(path: String, fixed: String, applicability: FixIt.Applicability) throws {
        let found = try #require(
            findings(#"{"/": "\#(path)"}"#).first { $0.code.rawValue == "repeated-wildcard" })
        #expect(found.fixIts.map(\.applicability) == [applicability])
        let edits = try #require(found.fixIts.first).edits
        var text = path
        // The pattern begins where the first run of stars is, less its offset in the path.
        let first = try #require(path.firstRange(of: "**")).lowerBound
        let start = found.range.start - path[..<first].utf8.count
        for edit in edits.reversed() {
            let range =
                text.utf8.index(
                    text.startIndex, offsetBy: edit.range.start - start)..<text.utf8.index(
                    text.startIndex, offsetBy: edit.range.end - start)
            text.replaceSubrange(range, with: edit.replacement)
        }
        #expect(text == fixed)
        // It is said that one star would match more, where it would.
        #expect(found.notes.isEmpty == !fixed.contains("?*"))
    }

    @Test(
        "Who asks for it is told that '/x/*' also matches '/x'",
        arguments: [
            (#"{"/": "/x/*"}"#, 1), (#"{"/": "/x/$(digit)/*"}"#, 1), (#"{"/": "/*"}"#, 0), (#"{"/": "//*"}"#, 0),
            (#"{"/": "/x*"}"#, 0), (#"{"/": "/x/?*"}"#, 0), (##"{"/": "/x", "#": "y/*"}"##, 0),
        ])
    func parents(components: String, count: Int) {
        let code = DiagnosticCode(rawValue: "parent-path-included")
        let options = LintOptions(settings: [code: .warning])
        #expect(findings(components, options).count { $0.code == code } == count)
        #expect(!findings(components).contains { $0.code == code })
    }
}
