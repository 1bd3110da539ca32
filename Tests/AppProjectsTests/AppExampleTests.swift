import AppProjects
import AssociationLint
import Diagnostics
import Testing

@Suite("Examples of the codes about the app's side")
struct AppExampleTests {
    static let rules = AppRules.all

    private func report(_ rule: RuleDescription, _ text: String) -> FileReport {
        AppExample.report(MarkedText(text).bytes, of: rule)
    }

    @Test("a bad example yields its code at the marked place, and nothing else", arguments: rules.map(\.code.rawValue))
    func bad(code: String) throws {
        let rule = try #require(Self.rules.first { $0.code.rawValue == code })
        let found = report(rule, rule.bad).diagnostics
        #expect(found.map(\.code) == [rule.code], "\(found)")
        let diagnostic = try #require(found.first)
        #expect(diagnostic.range == MarkedText(rule.bad).range ?? SourceRange(start: 0, end: 0))
        #expect(diagnostic.severity == rule.severity)
        #expect(diagnostic.fixIts.first?.applicability == rule.fix)
        for text in [diagnostic.message, rule.summary] + diagnostic.notes + [diagnostic.help].compactMap({ $0 }) {
            #expect(text.first?.isUppercase == false || text.hasPrefix("Android"), "\(text)")
            #expect(!text.hasSuffix("."), "\(text)")
        }
        #expect(rule.reason.hasSuffix("."))
    }

    @Test("a good example yields nothing", arguments: rules.map(\.code.rawValue))
    func good(code: String) throws {
        let rule = try #require(Self.rules.first { $0.code.rawValue == code })
        #expect(report(rule, rule.good).diagnostics.map(\.message) == [])
    }
}
