internal import AppSiteAssociation

/// Apps that the same entries name in both files: what becomes of a URL is the same for all of them.
struct AppGroup {
    /// The entries that name them, in file order.
    private(set) var old: [Int] = []
    private(set) var new: [Int] = []
    /// The place of the first of the apps in the file; nil if it does not name them.
    private(set) var oldPlace: Int?
    private(set) var newPlace: Int?

    /// The groups, in the order in which their first apps appear in the new file, then in the old one.
    static func groups(_ old: ComparedFile, _ new: ComparedFile) -> [AppGroup] {
        var apps: [[UInt8]: AppGroup] = [:]
        var order: [[UInt8]] = []
        var place = 0
        for (index, entry) in new.entries.enumerated() {
            for app in entry.apps where apps[app]?.new.last != index {
                if apps[app] == nil { order.append(app) }
                apps[app, default: AppGroup(newPlace: place)].new.append(index)
                place += 1
            }
        }
        place = 0
        for (index, entry) in old.entries.enumerated() {
            for app in entry.apps where apps[app]?.old.last != index {
                if apps[app] == nil { order.append(app) }
                apps[app, default: AppGroup()].addOld(index, place)
                place += 1
            }
        }
        var groups: [AppGroup] = []
        var known: [Entries: Int] = [:]
        for app in order {
            guard let group = apps[app] else { continue }
            let entries = Entries(old: group.old, new: group.new)
            if let index = known[entries] {
                groups[index].merge(group)
            } else {
                known[entries] = groups.count
                groups.append(group)
            }
        }
        return groups
    }

    /// The groups that name each entry, ascending.
    static func ofEntries(_ groups: [AppGroup], _ entries: KeyPath<AppGroup, [Int]>, count: Int) -> [[Int]] {
        var result = [[Int]](repeating: [], count: count)
        for (index, group) in groups.enumerated() {
            for entry in group[keyPath: entries] { result[entry].append(index) }
        }
        return result
    }

    private struct Entries: Hashable {
        let old: [Int]
        let new: [Int]
    }

    private init(newPlace: Int? = nil) { self.newPlace = newPlace }

    private mutating func addOld(_ entry: Int, _ place: Int) {
        old.append(entry)
        if oldPlace == nil { oldPlace = place }
    }

    private mutating func merge(_ other: AppGroup) {
        if let place = other.oldPlace { oldPlace = min(oldPlace ?? place, place) }
        if let place = other.newPlace { newPlace = min(newPlace ?? place, place) }
    }
}

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
