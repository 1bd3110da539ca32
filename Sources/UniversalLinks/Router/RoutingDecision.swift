public import AppSiteAssociation
internal import URLPatterns

/// The fate of a URL: whether apps open it, which ones, and which rule says so.
///
/// A decision is two numbers and a reference to its router; app IDs and rule are looked up when they are asked for.
public struct RoutingDecision: Sendable {
    @usableFromInline let storage: RouterStorage
    @usableFromInline let verdict: RouterVerdict
    /// The apps, if they are too many for the verdict.
    @usableFromInline let manyApps: [String]?

    @inlinable
    init(storage: RouterStorage, verdict: RouterVerdict, manyApps: [String]?) {
        self.storage = storage
        self.verdict = verdict
        self.manyApps = manyApps
    }

    @inlinable public var outcome: Outcome { verdict.outcome }

    /// Whether it is an `http` or `https` URL with a host at all.
    public var isWebURL: Bool { verdict.document != RouterVerdict.notAWebURLNumber }

    /// The apps that open the URL, in the order of their first appearance in the file; empty unless it is opened.
    public var appIDs: [String] { manyApps ?? storage.appIDs(verdict) }

    /// The rule that decided: for the first of the apps that open the URL, else for the first that is excluded.
    public var rule: Rule? { storage.rule(verdict) }

    /// The document that decided; nil if no document is for the URL's host.
    public var document: AssociationDocument? { storage.document(verdict) }
}

extension RouterStorage {
    private func index(_ verdict: RouterVerdict) -> DocumentIndex? {
        documents.indices.contains(Int(verdict.document)) ? documents[Int(verdict.document)] : nil
    }

    func document(_ verdict: RouterVerdict) -> AssociationDocument? { index(verdict)?.document }

    func rule(_ verdict: RouterVerdict) -> Rule? {
        guard let index = index(verdict), verdict.key < RuleKey.undecided else { return nil }
        return index.rules[RuleKey(rawValue: verdict.key).index].rule
    }

    func appIDs(_ verdict: RouterVerdict) -> [String] {
        guard let index = index(verdict), verdict.outcome == .open else { return [] }
        let apps = index.isSingleGroup ? index.groups[0] : (0..<64).filter { verdict.apps >> UInt64($0) & 1 == 1 }
        return apps.map { index.apps[$0] }
    }
}

extension RoutingDecision {
    /// The index of the rule that decided among all rules of the document, for comparing; -1 if none did.
    package var ruleNumber: Int { verdict.key < RuleKey.undecided ? RuleKey(rawValue: verdict.key).index : -1 }
}

/// A decision with every rule that was tried for it.
public struct RoutingExplanation: Sendable {
    public let decision: RoutingDecision
    /// The rules that were tried, in file order, up to where every app was decided; of the first that matches for an app
    /// comes the decision.
    public let trace: [RuleEvaluation]
    /// Whether the trace has all of them; the rest is left out where to compare them takes more steps than are spent on a URL
    /// (matching.md, section 8).
    public let isTraceComplete: Bool
}

/// Explains decisions: it tries the rules one by one, as the specification says it.
///
/// Making one compiles all rules for the plain loop, so keep it when many URLs are to be explained.
public struct RoutingExplainer: Sendable {
    private let router: UniversalLinkRouter
    private let matchers: [ReferenceMatcher]

    public init(_ router: UniversalLinkRouter) {
        self.router = router
        matchers = router.storage.documents.map { ReferenceMatcher($0.document) }
    }

    public func explain(_ url: String) -> RoutingExplanation {
        Array(url.utf8).withUnsafeBytes { explain($0) }
    }

    /// Explains the decision about a URL that is at hand as bytes.
    public func explain(_ url: UnsafeRawBufferPointer) -> RoutingExplanation {
        var budget = WorkBudget.decision
        return explain(router.decide(url), url, &budget)
    }

    /// Explains a decision about a URL.
    func explain(
        _ decision: RoutingDecision, _ url: UnsafeRawBufferPointer, _ budget: inout WorkBudget
    ) -> RoutingExplanation {
        let number = Int(decision.verdict.document)
        guard matchers.indices.contains(number), let url = WebURL(url) else {
            return RoutingExplanation(decision: decision, trace: [], isTraceComplete: true)
        }
        let explained = matchers[number].decide(url, explaining: &budget)
        return RoutingExplanation(decision: decision, trace: explained.trace, isTraceComplete: explained.isComplete)
    }
}

extension UniversalLinkRouter {
    /// Decides a URL and says of every rule that was tried which part of it failed.
    ///
    /// For many URLs keep a ``RoutingExplainer``.
    public func explain(_ url: String) -> RoutingExplanation { RoutingExplainer(self).explain(url) }
}

extension RoutingDecision {
    /// The decision as the plain loop over the rules has it; nil if the URL was not decided.
    package var quick: QuickDecision? {
        guard outcome != .notDecided else { return nil }
        return QuickDecision(outcome: outcome, appIDs: appIDs, matched: rule.map { [$0] } ?? [], rule: rule)
    }
}
