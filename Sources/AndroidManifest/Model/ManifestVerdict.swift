package import URLPatterns

/// Whether a manifest lets its app open a link, and why.
package struct ManifestVerdict: Sendable {
    package enum Refusal: Sendable {
        /// No filter takes the link.
        case noFilter
        /// A filter takes the link, but none asks Android to verify its host, so the app opens no link of it.
        case notVerified
    }

    /// Undecided if a filter could take the link, and only a build tells, or if to tell takes too long.
    package let decision: Decision
    /// The first filter that takes the link; if that is undecided, the first that could.
    package let filter: LinkFilter?
    /// Nil unless the decision is no.
    package let refusal: Refusal?
    /// Whether only a wildcard of the manifest names the host.
    package let isByWildcard: Bool
    /// Whether the manifest and the URL are too large together.
    package let isTooLarge: Bool
}

extension AppManifest {
    /// Decides whether the app may open a link (docs/spec/android.md, section 5).
    ///
    /// The filters of the app decide together: one has to take the link, and one, which may be another, has to ask for the
    /// verification of its host.
    package func verdict(on link: AndroidLink) -> ManifestVerdict {
        var budget = WorkBudget.decision
        return verdict(on: link, &budget)
    }

    /// Decides as ``verdict(on:)``.
    ///
    /// - Parameter budget: Pays for the decision.
    package func verdict(on link: AndroidLink, _ budget: inout WorkBudget) -> ManifestVerdict {
        var first: LinkFilter?
        var possible: LinkFilter?
        for filter in filters where filter.getsLinks && first == nil {
            switch filter.takes(link, &budget) {
            case .yes: first = filter
            case .undecided: possible = possible ?? filter
            case .no: break
            }
            if budget.isSpent { break }
        }
        let verified = Decision.any(filters.lazy.map { $0.verifies(link.host) })
        let filter = first ?? possible
        let taken: Decision = first != nil ? .yes : possible != nil ? .undecided : .no
        let decision = Decision.all([taken, verified])
        let isNamedExactly =
            filter.map { filter in
                filter.authorities.isEmpty
                    ? filters.contains { $0.verifies(link.host) == .yes && $0.namesExactly(link.host) }
                    : filter.namesExactly(link.host)
            } ?? false
        return ManifestVerdict(
            decision: decision, filter: filter,
            refusal: decision != .no ? nil : taken == .no ? .noFilter : .notVerified,
            isByWildcard: filter != nil && !isNamedExactly, isTooLarge: budget.isSpent && first == nil)
    }
}
