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
        "Stars at the end become one unseen, unless '/x/*' then decides about '/x' in the place of another rule",
        arguments: [
            (#"{"/": "/x/**"}"#, FixIt.Applicability.automatic),
            (#"{"/": "/x/**"}, {"/": "/y", "exclude": true}, {"/": "/z"}"#, .automatic),
            (#"{"/": "/x/**"}, {"/": "/x"}"#, .automatic),
            (#"{"/": "/x/**"}, {"/": "/x", "exclude": true}, {"/": "/z"}"#, .suggested),
            (#"{"/": "/x/**"}, {"/": "/X", "caseSensitive": false, "exclude": true}, {"/": "/z"}"#, .suggested),
            (#"{"/": "/x/**"}, {"/": "/$(v)", "exclude": true}, {"/": "/z"}"#, .suggested),
            (#"{"/": "/x/**", "exclude": true}, {"/": "/x"}"#, .suggested),
            (#"{"/": "/x/**y"}, {"/": "/x", "exclude": true}, {"/": "/z"}"#, .automatic),
            (#"{"/": "/x**"}, {"/": "/y", "exclude": true}, {"/": "/z"}"#, .automatic),
            (#"{"/": "/**"}"#, .automatic),
        ])
    func stars(components: String, applicability: FixIt.Applicability) {
        let found = findings(components).first { $0.code.rawValue == "repeated-wildcard" }
        #expect(found?.fixIts.map(\.applicability) == [applicability])
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
