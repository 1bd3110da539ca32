public import AppSiteAssociation

/// What becomes of a URL: whether apps open it, which ones, and which rule says so.
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
        guard let index = index(verdict), verdict.key != RuleKey.none else { return nil }
        return index.rules[RuleKey(rawValue: verdict.key).place].rule
    }

    func appIDs(_ verdict: RouterVerdict) -> [String] {
        guard let index = index(verdict), verdict.outcome == .open else { return [] }
        let apps = index.isSingleGroup ? index.groups[0] : (0..<64).filter { verdict.apps >> UInt64($0) & 1 == 1 }
        return apps.map { index.apps[$0] }
    }
}

extension RoutingDecision {
    /// The place of the rule that decided among all rules of the document, for comparing; -1 if none did.
    package var ruleNumber: Int { verdict.key == RuleKey.none ? -1 : RuleKey(rawValue: verdict.key).place }
}
