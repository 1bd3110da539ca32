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
        /// The first rule after the deciding one, in its entry, that matches the URL and says the opposite, if that is what the
        /// case expects.
        package let laterRule: Rule?
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
        let details = document.appLinks?.details ?? []
        let deciding = details.filter(\.canDecide).flatMap(\.rules)
        var reached = Set<String>()
        var budget = WorkBudget()
        verdicts = cases.map { testCase in
            guard isInDomain(testCase.url), let url = WebURL(Array(testCase.url.utf8)) else {
                return Verdict(testCase, outcome: .noMatch, appIDs: [], rule: nil, isInDomain: false)
            }
            let decision = matcher.decide(url)
            reached.formUnion(decision.trace.filter { $0.failure == nil }.map(\.rule.pointer))
            var later: Rule?
            if let rule = decision.rule, testCase.expectation.contradicts(rule) {
                later = Self.laterRule(than: rule, deciding, matcher, url, &budget)
            }
            return Verdict(
                testCase, outcome: decision.outcome, appIDs: decision.appIDs, rule: decision.rule, isInDomain: true,
                laterRule: later)
        }
        unreached = details.flatMap(\.rules).filter { !reached.contains($0.pointer) }
    }

    private static func laterRule(
        than rule: Rule, _ rules: [Rule], _ matcher: ReferenceMatcher, _ url: WebURL, _ budget: inout WorkBudget
    ) -> Rule? {
        for (index, later) in rules.enumerated()
        where later.detail == rule.detail && later.component > rule.component && later.excludes != rule.excludes {
            guard let isMatch = matcher.matches(index, url, &budget) else { return nil }
            if isMatch { return later }
        }
        return nil
    }
}

extension CaseRun.Verdict {
    fileprivate init(
        _ testCase: TestCase, outcome: Outcome, appIDs: [String], rule: Rule?, isInDomain: Bool, laterRule: Rule? = nil
    ) {
        self.testCase = testCase
        self.outcome = outcome
        self.appIDs = appIDs
        self.rule = rule
        self.isInDomain = isInDomain
        self.laterRule = laterRule
        hasPassed =
            switch testCase.expectation {
            case .opens(let apps): Set(apps.map { Array($0.utf8) }) == Set(appIDs.map { Array($0.utf8) })
            case .opensAny: outcome == .open
            case .excluded: outcome == .excluded
            }
    }
}

extension CaseRun.Verdict {
    /// Why no rule decided.
    package var reason: String {
        isInDomain ? "no rule matches" : "its host is not in the domain of the file"
    }

    /// The rule that decides as the case expects, but too late.
    package var note: String? {
        laterRule.map { "line \($0.position.line) would \($0.excludes ? "exclude" : "open") it, but comes later" }
    }
}

extension TestCase.Expectation {
    fileprivate func contradicts(_ rule: Rule) -> Bool {
        switch self {
        case .opens([]): false
        case .opens, .opensAny: rule.excludes
        case .excluded: !rule.excludes
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
        let actual =
            switch verdict.outcome {
            case .open: "opens \(Self.list(verdict.appIDs))"
            case .excluded: "is excluded"
            case .noMatch: "stays in the browser"
            }
        let expected =
            switch verdict.testCase.expectation {
            case .opens([]): "open no app"
            case .opens(let apps): "open \(Self.list(apps))"
            case .opensAny: "open an app"
            case .excluded: "be excluded"
            }
        let reason = verdict.rule.map { "(\(path):\($0.position.line))" } ?? "(\(verdict.reason))"
        return Diagnostic(
            code: DiagnosticCode(rawValue: "case-failed"), severity: .error,
            message: "\(quoted(verdict.testCase.url)): expected it to \(expected), but it \(actual) \(reason)",
            range: verdict.testCase.range, pointer: verdict.testCase.pointer,
            notes: (verdict.rule.map { ["the rule \($0.excludes ? "excludes" : "opens") \(RuleText.patterns($0))"] }
                ?? [])
                + [verdict.note].compactMap { $0 })
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
