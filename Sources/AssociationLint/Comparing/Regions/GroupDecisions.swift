internal import AppSiteAssociation

/// The rules that decide about a URL, for each group of apps, and what follows from them.
struct GroupDecisions {
    struct Decision {
        /// The place of the rule in its file.
        let rule: Int
        let excludes: Bool
    }

    /// Nil where no rule matches.
    var old: [Decision?]
    var new: [Decision?]

    /// A pair of rules, as places in their files.
    struct Pair: Hashable {
        let old: Int?
        let new: Int?
    }

    private static func outcome(_ decisions: [Decision?]) -> Outcome {
        var isExcluded = false
        for case let decision? in decisions {
            if !decision.excludes { return .open }
            isExcluded = true
        }
        return isExcluded ? .excluded : .noMatch
    }

    /// What changes, and the rules that make it so; nil if nothing changes.
    func change(_ groups: [AppGroup]) -> (kind: LinkChange.Kind, pair: Pair)? {
        let before = Self.outcome(old)
        let after = Self.outcome(new)
        func opens(_ decision: Decision?) -> Bool { decision.map { !$0.excludes } ?? false }
        let otherApp = groups.indices.first { opens(old[$0]) != opens(new[$0]) }
        guard let kind = LinkChange.Kind(old: before, new: after, isSameApps: otherApp == nil) else { return nil }
        let group = otherApp ?? groups.indices.first { (old[$0] == nil) != (new[$0] == nil) }
        let oldRule = group.flatMap { old[$0] } ?? Self.first(old, groups, \.oldPlace)
        let newRule = group.flatMap { new[$0] } ?? Self.first(new, groups, \.newPlace)
        return (kind, Pair(old: oldRule?.rule, new: newRule?.rule))
    }

    /// What decides for the first app that opens the URL; if none does, for the first that is excluded.
    private static func first(
        _ decisions: [Decision?], _ groups: [AppGroup], _ place: KeyPath<AppGroup, Int?>
    ) -> Decision? {
        let decided = groups.indices.compactMap { index -> (place: Int, decision: Decision)? in
            guard let place = groups[index][keyPath: place], let decision = decisions[index] else { return nil }
            return (place, decision)
        }
        let open = decided.filter { !$0.decision.excludes }
        return (open.isEmpty ? decided : open).min { $0.place < $1.place }?.decision
    }
}
