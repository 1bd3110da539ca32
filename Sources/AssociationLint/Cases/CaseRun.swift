public import AppSiteAssociation
internal import Diagnostics

/// Decides the URLs of a list of cases and compares.
public struct CaseRun: Sendable {
    /// What came of one case.
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
