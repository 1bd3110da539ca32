package import AppSiteAssociation
internal import Diagnostics
package import URLPatterns

/// Says in a few words why a rule does not match a URL; the pattern and the URL are shown beside it.
package struct RuleMismatch {
    private let parsers: PatternParsers
    /// For all rules of a trace together.
    private var budget = WorkBudget.decision

    package init(_ document: AssociationDocument) {
        parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
    }

    package mutating func reason(_ failure: RuleFailure, of rule: Rule, _ url: WebURL?) -> String {
        let part = failure.part.rawValue
        if let url, rule.caseSensitive, matches(further: failure.part, url, ignoringCaseIn: rule) {
            return "\(part): letter case differs"
        }
        if failure.part == .path {
            return differingSegment(failure, rule).map { "path: \($0)" } ?? "path does not match"
        }
        guard failure.value.isEmpty else { return "\(part): '\(Self.shortened(failure.value))' does not match" }
        guard case .items = rule.query, failure.part == .query else { return "\(part): the URL has none" }
        return "query: no '\(Self.shortened(String(failure.pattern.prefix { $0 != "=" })))'"
    }

    /// Whether the rule without regard to case matches the URL, or at least a later part of it decides.
    private mutating func matches(
        further part: RuleFailure.Part, _ url: WebURL, ignoringCaseIn rule: Rule
    ) -> Bool {
        budget.spend(RuleMatcher.parsingCost(rule))
        if budget.isSpent { return false }
        let folded = Rule(
            path: rule.path, query: rule.query, fragment: rule.fragment, caseSensitive: false,
            percentEncoded: rule.percentEncoded, index: 0)
        guard let evaluation = RuleMatcher(folded, parsers).evaluation(url, &budget) else { return false }
        guard let failure = evaluation.failure else { return true }
        let order: [RuleFailure.Part] = [.path, .query, .fragment]
        return (order.firstIndex(of: failure.part) ?? 0) > (order.firstIndex(of: part) ?? 0)
    }

    /// The first segment that is another one than the pattern's, as far as that has no wildcards; nil if there is none.
    private func differingSegment(_ failure: RuleFailure, _ rule: Rule) -> String? {
        let wanted = failure.pattern.split(separator: "/")
        let found = failure.value.split(separator: "/")
        for (wanted, found) in zip(wanted, found) {
            guard !wanted.contains(where: { "*?$".contains($0) }) else { return nil }
            guard rule.percentEncoded || !found.contains("%") else { return nil }
            if wanted == found || !rule.caseSensitive && wanted.lowercased() == found.lowercased() { continue }
            return "'\(Self.shortened(String(found)))' is not '\(Self.shortened(String(wanted)))'"
        }
        return nil
    }

    private static func shortened(_ text: String) -> String { Diagnostics.shortened(text, to: 24, mark: "...") }
}
