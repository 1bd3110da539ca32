public import AppSiteAssociation
public import Diagnostics
internal import JSONSyntax
internal import URLPatterns

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
        /// The sentence about what is missing for the URL to open an app, if that is what the case expects.
        package let hint: String?
        /// The URL as the system has it, which was decided; nil if that is the URL of the case.
        package let encodedURL: String?
    }

    /// Who answers what a run asks about URLs beside the rules of the document.
    package struct Router {
        /// Whether the document speaks for the host of a URL.
        package var isInDomain: (String) -> Bool
        /// Decides a URL for which the plain loop takes too many steps; nil if that does, too.
        package var decide: (String) -> QuickDecision?
        /// Why a URL opens no app that almost does.
        package var hint: (String) -> String?

        package init(
            isInDomain: @escaping (String) -> Bool = { _ in true },
            decide: @escaping (String) -> QuickDecision? = { _ in nil },
            hint: @escaping (String) -> String? = { _ in nil }
        ) {
            self.isInDomain = isInDomain
            self.decide = decide
            self.hint = hint
        }
    }

    public let verdicts: [Verdict]
    /// The rules that decided no case, in file order.
    public let unreached: [Rule]
    /// The path of the document.
    let path: String

    public var failedCount: Int { verdicts.count { !$0.hasPassed } }

    /// - Parameter isInDomain: Whether the document speaks for the host of a URL.
    public init(
        _ cases: [TestCase], _ document: AssociationDocument, isInDomain: @escaping (String) -> Bool = { _ in true }
    ) {
        self.init(cases, document, Router(isInDomain: isInDomain))
    }

    package init(_ cases: [TestCase], _ document: AssociationDocument, _ router: Router) {
        path = document.source.path
        let matcher = ReferenceMatcher(document)
        let details = document.appLinks?.details ?? []
        let deciding = details.filter(\.canDecide).flatMap(\.rules)
        var reached = Set<String>()
        var budget = WorkBudget()
        verdicts = cases.map { testCase in
            let encodedURL = EncodedURL.text(of: testCase.url)
            let text = encodedURL ?? testCase.url
            guard router.isInDomain(text), let url = WebURL(text.utf8) else {
                return Verdict(
                    testCase, nil, isInDomain: false, hint: testCase.expectation.wantsApps ? router.hint(text) : nil)
            }
            var decisionBudget = WorkBudget.decision
            guard let decision = matcher.decide(url, &decisionBudget) ?? router.decide(text) else {
                return Verdict(testCase, outcome: .notDecided, encodedURL: encodedURL)
            }
            reached.formUnion(decision.matched.map(\.pointer))
            var later: Rule?
            if let rule = decision.rule, testCase.expectation.contradicts(rule) {
                later = Self.laterRule(than: rule, deciding, matcher, url, &budget)
            }
            let isMissed = testCase.expectation.wantsApps && decision.outcome != .open
            return Verdict(
                testCase, decision, laterRule: later, hint: isMissed ? router.hint(text) : nil, encodedURL: encodedURL)
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
    /// - Parameters:
    ///   - decision: Nil if no rule was asked, or if asking them took too long.
    ///   - outcome: Without a decision.
    fileprivate init(
        _ testCase: TestCase, _ decision: QuickDecision? = nil, outcome: Outcome = .noMatch, isInDomain: Bool = true,
        laterRule: Rule? = nil, hint: String? = nil, encodedURL: String? = nil
    ) {
        let outcome = decision?.outcome ?? outcome
        let appIDs = decision?.appIDs ?? []
        self.testCase = testCase
        self.outcome = outcome
        self.appIDs = appIDs
        self.rule = decision?.rule
        self.isInDomain = isInDomain
        self.laterRule = laterRule
        self.hint = hint
        self.encodedURL = encodedURL
        hasPassed =
            switch testCase.expectation {
            case _ where outcome == .notDecided: false
            case .opens(let apps): Set(apps.map { Array($0.utf8) }) == Set(appIDs.map { Array($0.utf8) })
            case .opensAny: outcome == .open
            case .excluded: outcome == .excluded
            }
    }
}

extension CaseRun.Verdict {
    /// Why no rule decided.
    package var reason: String {
        if outcome == .notDecided { return CaseRun.tooLarge }
        return isInDomain ? "no rule matches" : "its host is not in the domain of the file"
    }

    /// The rule that decides as the case expects, but too late.
    package var note: String? {
        laterRule.map { "line \($0.position.line) would \($0.excludes ? "exclude" : "open") it, but comes later" }
    }
}

extension TestCase.Expectation {
    /// Whether an app has to open the URL.
    fileprivate var wantsApps: Bool {
        switch self {
        case .opens(let apps): !apps.isEmpty
        case .opensAny: true
        case .excluded: false
        }
    }

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

    /// Why a URL is not decided.
    package static let tooLarge = "too large: to compare this URL with the rules takes too many steps"

    private static let noCases = Diagnostic(
        .noCases, "the list has no cases, so nothing was checked", pointer: "")

    private func failure(_ verdict: Verdict) -> Diagnostic {
        if verdict.outcome == .notDecided {
            return Diagnostic(
                .urlNotDecided, "\(quoted(verdict.testCase.url)) is not decided: \(verdict.reason)",
                range: verdict.testCase.range, pointer: verdict.testCase.pointer)
        }
        let actual =
            switch verdict.outcome {
            case .open: "opens \(Self.list(verdict.appIDs))"
            case .excluded: "is excluded"
            case .noMatch: "stays in the browser"
            case .notDecided: "is not decided"
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
            .caseFailed,
            "\(quoted(verdict.testCase.url)): expected it to \(expected), but it \(actual) \(reason)",
            range: verdict.testCase.range, pointer: verdict.testCase.pointer,
            notes: (verdict.rule.map { ["the rule \($0.excludes ? "excludes" : "opens") \(RuleText.patterns($0))"] }
                ?? [])
                + [verdict.encodedURL.map { "decided as \($0)" }, verdict.note, verdict.hint].compactMap { $0 })
    }

    private static func list(_ apps: [String]) -> String { apps.map { quoted($0) }.joined(separator: ", ") }
}

/// The lists of cases in descriptions, and their findings.
package enum CaseExample {
    /// The file that they are run against; the descriptions say what is in it.
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

/// The rules about the cases of `aasa test`.
enum CaseRules {
    static let all: [RuleDescription] = [.invalidCase, .caseFailed, .noCases]
}

extension RuleDescription {
    static let invalidCase = RuleDescription(
        "invalid-case", .error, subject: .testCases, summary: "a case for 'aasa test' is not valid",
        reason: """
            A case has a 'url', and either 'opens' (a list of app IDs, or "any") or 'excluded' (true). Otherwise a case that \
            cannot be checked would silently pass.
            """, basis: [.lint],
        bad: """
            [
              ⟦{ "url": "https://shop.example/buy/7" }⟧
            ]

            """,
        good: """
            [
              { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] }
            ]

            """)
    static let caseFailed = RuleDescription(
        "case-failed", .error, subject: .testRun, summary: "a case of 'aasa test' fails",
        reason: """
            The file treats the URL differently from what the case expects, so one of the two is wrong. In the examples \
            the file excludes '/buy/old/*' and opens '/buy/*' in the app 7K3QWZ9PLM.com.shop.app.
            """, basis: [.lint],
        bad: """
            [
              { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] },
              ⟦{ "url": "https://shop.example/buy/old/7", "opens": "any" }⟧
            ]

            """,
        good: """
            [
              { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] },
              { "url": "https://shop.example/buy/old/7", "excluded": true }
            ]

            """)
    static let noCases = RuleDescription(
        "no-cases", .warning, subject: .testRun, summary: "the list for 'aasa test' is empty",
        reason: "The list has no cases, so nothing was tested.",
        basis: [.lint],
        bad: """
            []

            """,
        good: """
            [
              { "url": "https://shop.example/buy/7", "opens": "any" }
            ]

            """)
}
