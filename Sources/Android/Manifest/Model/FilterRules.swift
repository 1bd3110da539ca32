/// A condition under which a filter takes links of a host or does not, with no more than path, query and fragment in it.
package struct FilterRule: Sendable {
    /// The patterns that have to match together; none if every link does.
    package let conditions: [(part: FilterGroup.Part, pattern: TextPattern)]
    /// Whether the filter takes what matches.
    package let takes: Bool
    /// The conditions as they are written: `pathPrefix="/buy/"`; nil if there are none.
    package let text: String?
}

/// The rules by which a filter takes the `https` links of a host.
package enum FilterRules: Sendable {
    /// The first rule that matches decides; where none does, the filter does not take the link.
    case rules([FilterRule])
    /// Only a build tells about a part.
    case unresolved(FilterPart)
    /// The filter asks for a text of the whole URL (`android:ssp` and others).
    case wholeURL
}

/// The rules by which a manifest takes the `https` links of a host.
package enum HostRules: Sendable {
    /// A link opens the app if one of the filters takes it.
    case filters([(filter: LinkFilter, rules: [FilterRule])], undivided: [LinkFilter])
    /// The app opens no link of the host: no filter takes one, or none asks for the verification of the host.
    case nothing
    /// Only a build tells; with the first filter for which that is so, if it is about a filter, and with the value as it
    /// is written.
    case unresolved(LinkFilter?, value: String?)
}

extension AppManifest {
    /// The rules by which the filters take the `https` links of a host that have no port, for each filter.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func rules(for host: String) -> HostRules {
        switch verification(of: host) {
        case .no: return .nothing
        case .undecided: return .unresolved(nil, value: unresolvedVerification(of: host))
        case .yes: break
        }
        var known: [(filter: LinkFilter, rules: [FilterRule])] = []
        var undivided: [LinkFilter] = []
        for filter in filters where filter.getsLinks {
            switch filter.rules(for: host) {
            case .rules(let rules): if !rules.isEmpty { known.append((filter, rules)) } else { continue }
            case .unresolved(let part): return .unresolved(filter, value: filter.unresolved(part, host))
            case .wholeURL: undivided.append(filter)
            }
            guard filter.reach == .yes else {
                return .unresolved(filter, value: filter.unresolved(filter.reachMatch.part, host))
            }
        }
        return known.isEmpty && undivided.isEmpty ? .nothing : .filters(known, undivided: undivided)
    }

    /// The hosts that filters name themselves and ask the system to verify, each once, in file order.
    package var verifiedHosts: [String] {
        let asking = filters.filter { (verifiesTogether ? $0.isOnlyForWeb : $0.verification) == .yes }
        var seen = Set<String>()
        let hosts = asking.flatMap(\.authorities).filter { !$0.isWildcard && $0.isVerifiable }.compactMap(\.host)
            .filter { seen.insert($0).inserted }
        // All are verified if one is.
        return hosts.first.map { verification(of: $0) == .yes } == true ? hosts : []
    }
}
