public import AppSiteAssociation
public import Diagnostics
internal import JSONSyntax

/// Decides the URLs of a list of cases and compares.
public struct CaseRun: Sendable {
    /// The result of one case.
    public struct Verdict: Sendable {
        public let testCase: TestCase
        public let outcome: Outcome
        /// The apps that open the URL.
        public let appIDs: [String]
        /// The rule that decided.
        public let rule: Rule?
        /// Whether the document speaks for the host of the URL; if not, no rule was asked.
        public let isInDomain: Bool
        public let hasPassed: Bool
    }

    public let verdicts: [Verdict]
    /// The rules that decided no case, in file order.
    public let unreached: [Rule]
    /// The path of the document.
    let path: String

    public var failedCount: Int { verdicts.count { !$0.hasPassed } }

    /// - Parameter isInDomain: Whether the document speaks for the host of a URL.
    public init(_ cases: [TestCase], _ document: AssociationDocument, isInDomain: (String) -> Bool = { _ in true }) {
        path = document.source.path
        let matcher = ReferenceMatcher(document)
        var reached = Set<String>()
        verdicts = cases.map { testCase in
            guard isInDomain(testCase.url), let url = WebURL(Array(testCase.url.utf8)) else {
                return Verdict(testCase, outcome: .noMatch, appIDs: [], rule: nil, isInDomain: false)
            }
            let decision = matcher.decide(url)
            reached.formUnion(decision.trace.filter { $0.failure == nil }.map(\.rule.pointer))
            return Verdict(
                testCase, outcome: decision.outcome, appIDs: decision.appIDs, rule: decision.rule, isInDomain: true)
        }
        let rules = (document.appLinks?.details ?? []).flatMap(\.rules)
        unreached = rules.filter { !reached.contains($0.pointer) }
    }
}

extension CaseRun.Verdict {
    fileprivate init(_ testCase: TestCase, outcome: Outcome, appIDs: [String], rule: Rule?, isInDomain: Bool) {
        self.testCase = testCase
        self.outcome = outcome
        self.appIDs = appIDs
        self.rule = rule
        self.isInDomain = isInDomain
        hasPassed =
            switch testCase.expectation {
            case .opens(let apps): Set(apps.map { Array($0.utf8) }) == Set(appIDs.map { Array($0.utf8) })
            case .opensAny: outcome == .open
            case .excluded: outcome == .excluded
            }
    }
}

extension CaseRun {
    /// A finding for each case that fails, at its range in the list, or one if there are no cases.
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

/// The lists of cases in descriptions, and their findings.
package enum CaseExample {
    /// What they are run against; the descriptions say what is in it.
    static let file = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
              }
            ]
          }
        }

        """

    /// The mistakes of a list, or the result of its cases if it has none.
    package static func report(_ bytes: [UInt8]) -> FileReport {
        let list = CaseList.read(bytes, path: "cases.json")
        let json = JSONReader.read(Array(file.utf8), path: "apple-app-site-association")
        guard list.diagnostics.isEmpty, let root = json.root else { return FileReport(list.source, list.diagnostics) }
        let run = CaseRun(list.cases, AssociationDocument(root, source: json.source))
        return FileReport(list.source, run.diagnostics)
    }
}
