package import URLPatterns

/// Whether a manifest lets its app open a link, and why.
package struct ManifestVerdict: Sendable {
    /// Undecided if a filter could take the link, and only a build tells, or if to tell takes too long.
    package let decision: Decision
    /// The first filter that takes the link; if that is undecided, the first that could. Where the decision is no all the
    /// same, no filter asks Android to verify the host.
    package let filter: LinkFilter?
    /// The first value, as it is written, because of which the decision is undecided.
    package let unresolved: String?
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
        var possible: (filter: LinkFilter, part: FilterPart)?
        for filter in filters where filter.getsLinks && first == nil {
            let match = filter.match(link, &budget).and(filter.reachMatch)
            switch match.decision {
            case .yes: first = filter
            case .undecided: possible = possible ?? (filter, match.part)
            case .no: break
            }
            if budget.isSpent { break }
        }
        let verified = verification(of: link.host)
        let filter = first ?? possible?.filter
        let taken: Decision = first != nil ? .yes : possible != nil ? .undecided : .no
        let decision = Decision.all([taken, verified])
        let isNamedExactly =
            filter.map { filter in
                filter.authorities.isEmpty
                    ? allFilters.contains { $0.verifies(link.host) == .yes && $0.namesExactly(link.host) }
                    : filter.namesExactly(link.host)
            } ?? false
        let unresolved = first == nil ? possible.flatMap { $0.filter.unresolved($0.part, link.host) } : nil
        return ManifestVerdict(
            decision: decision, filter: filter,
            unresolved: decision == .undecided ? unresolved ?? unresolvedVerification(of: link.host) : nil,
            isByWildcard: filter != nil && !isNamedExactly, isTooLarge: budget.isSpent && first == nil)
    }
}

// The verification of hosts (docs/spec/android.md, section 5).
extension AppManifest {
    /// Whether the system verifies a host for the app, as far as the manifest decides.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func verification(of host: String) -> Decision {
        guard verifiesTogether else {
            return api < ManifestDecisions.verificationAPI ? .no : .any(allFilters.lazy.map { $0.verifies(host) })
        }
        // One filter asks for all of them, and a host that cannot be verified leaves all others unverified: a filter with
        // one helps nothing, even if only a build tells whether it is for the web.
        let blocking = Decision.any(allFilters.lazy.filter(\.hasUnverifiableHost).map(\.isOnlyForWeb))
        guard blocking != .yes else { return .no }
        let others = allFilters.filter { !$0.hasUnverifiableHost }
        let asked = Decision.any(others.lazy.map { .all([$0.asksForVerification, $0.isOnlyForWeb]) })
        let named = Decision.any(others.lazy.map { .all([$0.isOnlyForWeb, $0.namesVerifiably(host)]) })
        let hasUnknown = others.contains { $0.isOnlyForWeb != .no && $0.authorities.contains { $0.host == nil } }
        return .all([asked, named, blocking == .undecided || hasUnknown ? .undecided : .yes])
    }

    /// Whether the system verifies all hosts of the app or none.
    var verifiesTogether: Bool {
        (ManifestDecisions.verificationAPI..<ManifestDecisions.separateHostsAPI).contains(api)
    }

    var filtersVerifiedTogether: [LinkFilter] { allFilters.filter { $0.isOnlyForWeb == .yes } }

    /// The value, as it is written, because of which only a build tells whether a host is verified; nil if there is none.
    func unresolvedVerification(of host: String) -> String? {
        let undecided =
            allFilters.first { $0.verifies(host) == .undecided }
            ?? (verifiesTogether ? allFilters.first { $0.verification == .undecided } : nil)
        if let raw = undecided?.unresolved(.verification, host) { return raw }
        return filtersVerifiedTogether.lazy.flatMap(\.authorities).first { $0.host == nil }?.raw
            ?? allFilters.first { $0.isOnlyForWeb == .undecided }?.unresolved(.scheme, host)
    }

    /// The hosts that have to be verified together, where the system verifies all hosts of an app or none: as it looks for
    /// their assetlinks.json, each once, in file order; none where each host is verified for itself, or no filter asks.
    package var hostsVerifiedTogether: [String] {
        guard verifiesTogether,
            allFilters.contains(where: { $0.asksForVerification == .yes && $0.isOnlyForWeb == .yes })
        else { return [] }
        var seen = Set<String>()
        return filtersVerifiedTogether.lazy.flatMap(\.authorities).compactMap { authority in
            guard let host = authority.host else { return nil }
            let name = !authority.isWildcard ? host : authority.isVerifiable ? String(host.dropFirst()) : "*\(host)"
            return seen.insert(name).inserted ? name : nil
        }
    }
}
