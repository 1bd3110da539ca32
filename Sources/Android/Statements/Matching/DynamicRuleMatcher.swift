internal import Diagnostics
package import URLPatterns

/// Decides URLs: the components of a list from top to bottom, the first that matches decides.
///
/// Components whose path has another text before its first wildcard than the URL, or after its last one, are not looked at:
/// each is found by the one of the two that fewer others have.
package struct DynamicRuleMatcher: Sendable {
    package let components: [DynamicComponent]
    /// The indices of components, by what their path has before the first wildcard.
    private var byHead = PrefixIndex<Int>()
    /// The indices of the others, by what their path has after the last wildcard, from its end.
    private var byTail = PrefixIndex<Int>()
    /// Whether a pattern of the list could be read in another way; the answer of any other list is certain.
    package let readingsDiffer: Bool

    package init(_ components: [DynamicComponent]) {
        self.components = components
        readingsDiffer = components.contains(where: \.readingsDiffer)
        let ends = components.map { (head: $0.path?.head ?? [], tail: $0.path?.tail ?? []) }
        let heads = Dictionary(ends.map { ($0.head, 1) }, uniquingKeysWith: +)
        let tails = Dictionary(ends.map { ($0.tail, 1) }, uniquingKeysWith: +)
        for (index, (head, tail)) in ends.enumerated() {
            if heads[head, default: 0] <= tails[tail, default: 0] {
                byHead.insert(index, beginning: head)
            } else {
                byTail.insert(index, beginning: tail.reversed())
            }
        }
    }

    /// The matcher of an app; nil if no dynamic rules are in force for it.
    package init?(_ app: AssetLinksApp) {
        guard let components = app.components else { return nil }
        self.init(components)
    }

    /// Decides a URL; nil if that takes more than is left.
    package func decide(
        _ url: AndroidURL, reading: WildcardReading = AndroidDecisions.reading, _ budget: inout WorkBudget
    ) -> DynamicDecision? {
        budget.spend(20 + url.path.count + url.query.count)
        let candidates = byHead.candidates(for: url.path) + byTail.candidates(for: url.path.reversed())
        for index in candidates.joined().sorted() {
            budget.spend(4)
            guard let failure = components[index].firstFailure(url, reading, &budget) else { return nil }
            if failure == .none { return DynamicDecision(components[index]) }
        }
        return budget.isSpent ? nil : DynamicDecision(nil)
    }

    /// Decides a URL and keeps every component that was tried; nil if that takes more than is left.
    package func explain(
        _ url: AndroidURL, reading: WildcardReading = AndroidDecisions.reading, _ budget: inout WorkBudget
    ) -> (decision: DynamicDecision, trace: [DynamicEvaluation])? {
        var trace: [DynamicEvaluation] = []
        budget.spend(20 + url.path.count + url.query.count)
        for component in components {
            guard let failure = component.firstFailure(url, reading, &budget) else { return nil }
            let evaluation = DynamicEvaluation(component, failure, url)
            // An evaluation is kept and shown, so its text counts for more than a step.
            budget.spend(500 + 16 * (evaluation.failure?.length ?? 0))
            if budget.isSpent { return nil }
            trace.append(evaluation)
            if failure == .none { return (DynamicDecision(component), trace) }
        }
        return (DynamicDecision(nil), trace)
    }

    /// Whether the outcome of a decision does not depend on how `*` is read; nil if to find out takes more than is left.
    package func isCertain(_ decision: DynamicDecision, _ url: AndroidURL, _ budget: inout WorkBudget) -> Bool? {
        guard readingsDiffer else { return true }
        return decide(url, reading: .backtracking, &budget).map { $0.outcome == decision.outcome }
    }
}

extension AssetLinksApp {
    /// Whether the answer of the dynamic rules in force is certain; nil if to find out takes more than is left.
    package func isCertain(
        _ decision: DynamicDecision, of matcher: DynamicRuleMatcher, _ url: AndroidURL, _ budget: inout WorkBudget
    ) -> Bool? {
        hasTwoLists && AndroidDecisions.firstUsableListCounts ? false : matcher.isCertain(decision, url, &budget)
    }
}

/// The decision of dynamic rules about a URL.
package struct DynamicDecision: Sendable {
    /// It is never unknown.
    package let outcome: AndroidOutcome
    /// The component that decided; nil if none matches.
    package let component: DynamicComponent?

    init(_ component: DynamicComponent?) {
        self.component = component
        outcome = component.map { $0.excludes ? .excluded : .open } ?? .noMatch
    }
}

/// One component that was tried for a URL.
package struct DynamicEvaluation: Sendable {
    package let component: DynamicComponent
    /// The part of the URL that did not match; nil if the component matches.
    package let failure: Failure?

    /// The first part of a URL that a component does not match.
    package struct Failure: Equatable, Sendable {
        package enum Part: String, Sendable {
            case path, query, fragment
            /// The component has no pattern.
            case empty
        }

        package let part: Part
        /// The pattern as the file writes it, `name=pattern` for an item of the query; empty if there is none.
        package let pattern: String
        /// The decoded text, for an item of the query the whole query; empty for a part that the URL does not have.
        package let value: String

        var length: Int { pattern.utf8.count + value.utf8.count }
    }

    package var isMatch: Bool { failure == nil }

    init(_ component: DynamicComponent, _ failure: DynamicComponent.Failure, _ url: AndroidURL) {
        self.component = component
        self.failure =
            switch failure {
            case .none: nil
            case .empty: Failure(part: .empty, pattern: "", value: "")
            case .path: Failure(part: .path, pattern: component.path?.text ?? "", value: url.path.text)
            case .item(let index):
                Failure(part: .query, pattern: component.query[index].pattern.text, value: url.query.text)
            case .fragment:
                Failure(part: .fragment, pattern: component.fragment?.text ?? "", value: url.fragment?.text ?? "")
            }
    }
}

extension DynamicComponent {
    /// The first part of a URL that does not match.
    enum Failure: Equatable {
        case none
        case empty
        case path
        /// An item of the query, by its index.
        case item(Int)
        case fragment
    }

    /// Whether the component matches a URL; nil if to find out takes more than is left.
    package func matches(_ url: AndroidURL, _ budget: inout WorkBudget) -> Bool? {
        firstFailure(url, AndroidDecisions.reading, &budget).map { $0 == .none }
    }

    func firstFailure(_ url: AndroidURL, _ reading: WildcardReading, _ budget: inout WorkBudget) -> Failure? {
        if isEmpty, AndroidDecisions.emptyComponentMatchesNothing { return .empty }
        if let path {
            guard let matches = path.matches(url.path, reading: reading, &budget) else { return nil }
            if !matches { return .path }
        }
        for (index, item) in query.enumerated() {
            var isMet = false
            for text in url.items {
                guard let matches = item.pattern.matches(text, reading: reading, &budget) else { return nil }
                if matches {
                    isMet = true
                    break
                }
            }
            if !isMet { return .item(index) }
        }
        if let fragment {
            guard let text = url.fragment else { return .fragment }
            guard let matches = fragment.matches(text, reading: reading, &budget) else { return nil }
            if !matches { return .fragment }
        }
        return Failure.none
    }
}

extension DynamicEvaluation {
    /// A few words about why the component does not match.
    package var reason: String {
        guard let failure else { return "matches" }
        switch failure.part {
        case .path: return "path does not match"
        case .fragment:
            return failure.value.isEmpty
                ? "fragment: the URL has none"
                : "fragment: '\(shortened(failure.value, to: 24, mark: "..."))' does not match"
        case .query: return "query: no '\(shortened(failure.pattern, to: 24, mark: "..."))'"
        case .empty: return "no pattern, so it matches no URL"
        }
    }
}
