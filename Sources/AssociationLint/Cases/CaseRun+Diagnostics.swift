internal import AppSiteAssociation
public import Diagnostics

extension CaseRun {
    /// A finding for each case that does not hold, at its place in the list, or one if there are no cases.
    public var diagnostics: [Diagnostic] {
        guard !verdicts.isEmpty else { return [Self.noCases] }
        return verdicts.filter { !$0.hasPassed }.map(failure)
    }

    private static let noCases = Diagnostic(
        code: DiagnosticCode(rawValue: "no-cases"), severity: .warning,
        message: "the list has no cases, so nothing was checked", range: SourceRange(start: 0, end: 0), pointer: "")

    private func failure(_ verdict: Verdict) -> Diagnostic {
        let decided =
            switch verdict.outcome {
            case .open: Self.list(verdict.appIDs)
            case .excluded: "'excluded'"
            case .noMatch: "'noMatch'"
            }
        let none = verdict.isInDomain ? "no rule matches" : "its host is not in the domain of the file"
        let rule = verdict.rule.map { " by rule at \(path):\($0.position.line)" } ?? ", \(none)"
        let expected = Self.words(verdict.testCase.expectation)
        return Diagnostic(
            code: DiagnosticCode(rawValue: "case-failed"), severity: .error,
            message: "\(quoted(verdict.testCase.url)) expected \(expected), decided \(decided)\(rule)",
            range: verdict.testCase.range, pointer: verdict.testCase.pointer,
            notes: verdict.rule.map { ["the rule \($0.excludes ? "excludes" : "opens") \(RuleText.patterns($0))"] }
                ?? [])
    }

    private static func words(_ expectation: TestCase.Expectation) -> String {
        switch expectation {
        case .opens([]): "no app"
        case .opens(let apps): list(apps)
        case .opensAny: "any app"
        case .excluded: "'excluded'"
        }
    }

    private static func list(_ apps: [String]) -> String { apps.map { quoted($0) }.joined(separator: ", ") }
}
