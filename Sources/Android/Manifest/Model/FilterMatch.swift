package import URLPatterns

/// The part by which a filter does not take a link, or because of which only a build tells.
package enum FilterPart: String, Sendable {
    case action, category, exported, enabled, scheme, host, port, path, query, fragment
    /// A `<uri-relative-filter-group>` that blocks the link.
    case group
    case mimeType = "mime-type"
    case schemeSpecificPart = "ssp"
    /// The verification of the host.
    case verification
}

/// The decision of a filter about a link.
struct FilterMatch: Sendable {
    let decision: Decision
    /// The part that decided; it means nothing if the link is taken.
    var part: FilterPart
    /// The number of the group that blocks the link, if one does.
    var group: Int?

    init(_ decision: Decision, _ part: FilterPart, group: Int? = nil) {
        self.decision = decision
        self.part = part
        self.group = group
    }

    /// Both: the first that does not hold, or else the first that only a build tells.
    func and(_ other: FilterMatch) -> FilterMatch {
        if decision == .no || other.decision == .yes { return self }
        return other.decision == .no || decision == .yes ? other : self
    }
}

extension LinkFilter {
    /// Whether the filter takes a link, whatever has been verified.
    package func takes(_ link: AndroidLink, _ budget: inout WorkBudget) -> Decision { match(link, &budget).decision }

    func match(_ link: AndroidLink, _ budget: inout WorkBudget) -> FilterMatch {
        guard !isForContent else { return FilterMatch(.no, .mimeType) }
        budget.spend(1 + schemes.count + authorities.count)
        let scheme = FilterMatch(.any(schemes.lazy.map { $0.equals(link.scheme) }), .scheme)
        guard scheme.decision != .no else { return scheme }
        let part = Self.any(schemeSpecificParts, match: link.schemeSpecificPart, &budget)
        guard part != .yes else { return scheme }
        // Without a host, ports and paths are ignored.
        guard !authorities.isEmpty else {
            return schemeSpecificParts.isEmpty ? scheme : scheme.and(FilterMatch(part, .schemeSpecificPart))
        }
        let host = names(link.host)
        let authority = Decision.any(
            authorities.lazy.map { .all([$0.names(link.host), $0.takes(port: link.port)]) })
        var match = FilterMatch(authority, host == authority ? .host : .port)
        if authority != .no { match = match.and(matchPath(of: link, &budget)) }
        if part == .undecided, match.decision != .yes { match = FilterMatch(.undecided, .schemeSpecificPart) }
        return scheme.and(match)
    }

    private func matchPath(of link: AndroidLink, _ budget: inout WorkBudget) -> FilterMatch {
        guard !paths.isEmpty || !groups.isEmpty else { return FilterMatch(.yes, .path) }
        let path = Self.any(paths, match: link.path, &budget)
        guard path != .yes, !groups.isEmpty else { return FilterMatch(path, .path) }
        let group = FilterGroup.take(groups, link, &budget)
        guard group.decision == .no else {
            return group.decision == .yes ? group : FilterMatch(.undecided, path == .undecided ? .path : .group)
        }
        return path == .undecided || group.group == nil && !paths.isEmpty ? FilterMatch(path, .path) : group
    }

    private static func any(
        _ conditions: [TextCondition], match text: [UInt16], _ budget: inout WorkBudget
    ) -> Decision {
        .any(of: conditions) { $0.pattern.matches(text, &budget) }
    }

    /// Whether the system gives links to it, as a part of an answer.
    var reachMatch: FilterMatch {
        FilterMatch(Decision(hasViewAction), .action)
            .and(FilterMatch(Decision(hasBrowsableCategory && hasDefaultCategory), .category))
            .and(FilterMatch(isExported, .exported)).and(FilterMatch(isEnabled, .enabled))
    }

    /// The value, as it is written, because of which only a build tells about a part; nil if there is none.
    ///
    /// - Parameter host: In lower case, in Punycode.
    func unresolved(_ part: FilterPart, _ host: String) -> String? {
        switch part {
        case .action, .category, .mimeType: nil
        case .exported, .enabled: unresolvedFlags[part]
        case .verification:
            unresolvedFlags[part] ?? schemes.first { Self.isForWeb($0) == .undecided }?.raw ?? unresolved(.host, host)
        case .scheme: schemes.first { Self.isForWeb($0) == .undecided }?.raw
        case .host: authorities.first { $0.names(host) == .undecided }?.raw ?? unresolved(.port, host)
        case .port: authorities.first { $0.names(host) != .no && $0.port != nil && $0.port?.value == nil }?.port?.raw
        case .path: paths.first(where: \.pattern.isUnresolved)?.raw
        case .query, .fragment, .group: groups.lazy.compactMap(\.unresolved).first
        case .schemeSpecificPart: schemeSpecificParts.first(where: \.pattern.isUnresolved)?.raw
        }
    }
}
