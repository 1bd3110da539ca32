import AppProjects
import AssociationLint
import Diagnostics
import Testing

@Suite("Examples of the codes about the app's side")
struct AppExampleTests {
    static let rules = RuleRegistry.all.filter { $0.subject == .app }

    private func report(_ rule: RuleDescription, _ text: String) -> FileReport {
        AppExample.report(MarkedText(text).bytes, isBesideOther: rule.code.rawValue == "app-identity-conflict")
    }

    @Test("every code has a description, with its severity")
    func descriptions() {
        #expect(Set(Self.rules.map(\.code.rawValue)) == Set(AppCode.allCases.map(\.rawValue)))
        for code in AppCode.allCases {
            #expect(RuleRegistry.description(of: code.rawValue)?.severity == code.severity, "\(code)")
        }
    }

    @Test("a bad example yields its code at the marked place, and nothing else", arguments: rules.map(\.code.rawValue))
    func bad(code: String) throws {
        let rule = try #require(RuleRegistry.description(of: code))
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
        let rule = try #require(RuleRegistry.description(of: code))
        #expect(report(rule, rule.good).diagnostics.map(\.message) == [])
    }
}
