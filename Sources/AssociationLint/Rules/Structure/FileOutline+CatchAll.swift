internal import Diagnostics
internal import JSONSyntax

extension FileOutline {
    /// Whether nothing limits a component: it has no pattern of its own, and none by defaults.
    func isUnlimited(_ component: LevelObject, in entry: EntryOutline) -> Bool {
        ![component, entry.defaults, defaults].contains { level in
            level.map { level in ["/", "?", "#"].contains { level.member($0) != nil } } ?? false
        }
    }

    /// Whether the system takes a component for an exclusion.
    func isExclusion(_ component: LevelObject, in entry: EntryOutline) -> Bool {
        [component, entry.defaults, defaults].lazy.compactMap { $0?["exclude"]?.boolean }.first ?? false
    }

    /// What is said about a component with a wrong key if it matches everything as it stands.
    func catchAllNotes(_ level: LevelObject) -> [String] {
        guard level.level == .component,
            let entry = entry(around: level), isUnlimited(level, in: entry)
        else { return [] }
        let effect = isExclusion(level, in: entry) ? "excludes" : "matches"
        return ["as it stands the component has no pattern and \(effect) every URL"]
    }

    /// The entry that an object stands in; entries are in the order of the text.
    private func entry(around level: LevelObject) -> EntryOutline? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].level.range.start <= level.range.start { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }
}
