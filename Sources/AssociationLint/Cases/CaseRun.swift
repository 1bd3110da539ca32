package import Android
public import AppSiteAssociation
public import Diagnostics
package import URLPatterns

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
        /// Whether all that the case expects is so.
        public internal(set) var hasPassed: Bool
        /// Whether what it expects of Apple's systems is so.
        package let hasPassedOnApple: Bool
        /// The answer about Android; nil if the case expects nothing of it.
        package internal(set) var android: AndroidAnswer?
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
        /// The router for Android; nil without one.
        package var android: AndroidRouter?

        package init(
            isInDomain: @escaping (String) -> Bool = { _ in true },
            decide: @escaping (String) -> QuickDecision? = { _ in nil },
            hint: @escaping (String) -> String? = { _ in nil }, android: AndroidRouter? = nil
        ) {
            self.isInDomain = isInDomain
            self.decide = decide
            self.hint = hint
            self.android = android
        }
    }

    public let verdicts: [Verdict]
    /// The rules that decided no case, in file order.
    public let unreached: [Rule]
    /// The dynamic rules for Android that decided no case, in file order; none if no case is about Android.
    package let unreachedComponents: [DynamicComponent]
    /// The number of cases that say nothing about Android, where nothing else is checked.
    package let skippedCount: Int
    /// Whether nothing but Android is checked.
    package let isForAndroidOnly: Bool
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
        var work = WorkBudget.unlimited
        self.init(cases, document, router, within: &work)
    }

    /// The same run, which is paid from a budget; cases for which nothing is left are not decided.
    package init(
        _ cases: [TestCase], _ document: AssociationDocument, _ router: Router, within work: inout WorkBudget
    ) {
        path = document.source.path
        let matcher = ReferenceMatcher(document)
        let details = document.appLinks?.details ?? []
        let deciding = details.filter(\.canDecide).flatMap(\.rules)
        var reached = Set<String>()
        var budget = WorkBudget()
        let verdicts = cases.map { testCase in
            let encodedURL = EncodedURL.text(of: testCase.url)
            let text = encodedURL ?? testCase.url
            guard router.isInDomain(text), let url = WebURL(text.utf8) else {
                return Verdict(
                    testCase, nil, isInDomain: false, hint: testCase.expectation.wantsApps ? router.hint(text) : nil)
            }
            var decisionBudget = work.isSpent ? WorkBudget(0) : .decision
            defer { work.spend(decisionBudget.spent) }
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
        (self.verdicts, unreachedComponents) = Self.withAndroid(verdicts, router.android, &work)
        skippedCount = 0
        isForAndroidOnly = false
    }

    /// A run of nothing but what cases expect of Android; the others are skipped.
    package init(_ cases: [TestCase], android: AndroidRouter) {
        var work = WorkBudget.unlimited
        self.init(cases, android: android, within: &work)
    }

    package init(_ cases: [TestCase], android: AndroidRouter, within work: inout WorkBudget) {
        path = android.document.source.path
        let own = cases.filter { $0.android != nil }
        let verdicts = own.map { testCase in
            Verdict(
                TestCase(
                    url: testCase.url, expectation: .unchecked, android: testCase.android, range: testCase.range,
                    pointer: testCase.pointer), encodedURL: EncodedURL.text(of: testCase.url))
        }
        (self.verdicts, unreachedComponents) = Self.withAndroid(verdicts, android, &work)
        unreached = []
        skippedCount = cases.count - own.count
        isForAndroidOnly = true
    }

    /// The verdicts with what Android does, and the components that decided none of them.
    private static func withAndroid(
        _ verdicts: [Verdict], _ router: AndroidRouter?, _ work: inout WorkBudget
    ) -> ([Verdict], [DynamicComponent]) {
        guard let router, verdicts.contains(where: { $0.testCase.android != nil }) else { return (verdicts, []) }
        var reached = Set<SourceRange>()
        let all = verdicts.map { verdict in
            guard let expectation = verdict.testCase.android else { return verdict }
            var verdict = verdict
            let url = verdict.encodedURL ?? verdict.testCase.url
            let answer = work.isSpent ? nil : router.answer(url, explains: false, within: &work)
            verdict.android = answer
            reached.formUnion(answer?.apps.compactMap(\.component?.range) ?? [])
            verdict.hasPassed = verdict.hasPassed && (answer.map { expectation.isMet(by: $0) } ?? false)
            return verdict
        }
        return (all, router.components.filter { !reached.contains($0.range) })
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
        hasPassedOnApple =
            switch testCase.expectation {
            case .unchecked: true
            case _ where outcome == .notDecided: false
            case .opens(let apps): Set(apps.map { Array($0.utf8) }) == Set(appIDs.map { Array($0.utf8) })
            case .opensAny: outcome == .open
            case .excluded: outcome == .excluded
            }
        hasPassed = hasPassedOnApple
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
        case .excluded, .unchecked: false
        }
    }

    /// Whether the answer about Android is what is expected of it.
    func isMet(by answer: AndroidAnswer) -> Bool {
        switch self {
        case .opens([]): answer.outcome == .noMatch || answer.outcome == .excluded
        case .opens(let packages): Set(packages) == Set(answer.packages)
        case .opensAny: answer.outcome == .open
        case .excluded: answer.outcome == .excluded
        case .unchecked: true
        }
    }

    /// The action that is expected of the URL, as a verb.
    var action: String {
        switch self {
        case .opens([]): "open no app"
        case .opens(let apps): "open \(CaseRun.list(apps))"
        case .opensAny: "open an app"
        case .excluded: "be excluded"
        case .unchecked: "be decided"
        }
    }

    fileprivate func contradicts(_ rule: Rule) -> Bool {
        switch self {
        case .opens([]), .unchecked: false
        case .opens, .opensAny: rule.excludes
        case .excluded: !rule.excludes
        }
    }
}

extension CaseRun {
    /// A finding for each case that fails, at its range in the list, or one if there are no cases.
    public var diagnostics: [Diagnostic] {
        guard !verdicts.isEmpty else { return skippedCount > 0 ? [] : [Self.noCases] }
        return verdicts.flatMap { verdict in
            [
                verdict.hasPassedOnApple ? nil : failure(verdict), verdict.androidFailure,
                verdict.isUncertain ? Self.uncertain(verdict) : nil,
            ].compactMap { $0 }
        }
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
        let reason = verdict.rule.map { "(\(path):\($0.position.line))" } ?? "(\(verdict.reason))"
        return Diagnostic(
            .caseFailed,
            "\(quoted(verdict.testCase.url)): expected it to \(verdict.testCase.expectation.action), but it \(actual) \(reason)",
            range: verdict.testCase.range, pointer: verdict.testCase.pointer,
            notes: (verdict.rule.map { ["the rule \($0.excludes ? "excludes" : "opens") \(RuleText.patterns($0))"] }
                ?? [])
                + [verdict.encodedURL.map { "decided as \($0)" }, verdict.note, verdict.hint].compactMap { $0 })
    }

    static func list(_ apps: [String]) -> String { apps.map { quoted($0) }.joined(separator: ", ") }
}
