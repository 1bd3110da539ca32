package import AppSiteAssociation
package import Diagnostics
package import JSONSyntax

/// A file as rules look at it: its objects, app IDs and patterns with their places, and what the system reads in it.
package struct FileOutline: Sendable {
    package let source: SourceText
    package let root: JSONNode
    /// What the system reads.
    package let document: AssociationDocument
    /// The oldest system that the file is for; nil if nobody has said.
    package let minimumIOS: SystemVersion?
    /// The root, if it is an object.
    package let file: LevelObject?
    package let appLinks: LevelObject?
    /// `defaults` of `applinks`.
    package let defaults: LevelObject?
    /// The entries of `details` that are objects.
    package let entries: [EntryOutline]
    /// The services with `apps` only: `webcredentials`, `activitycontinuation`, `appclips`; those that are objects.
    package let services: [LevelObject]
    /// All app IDs, in file order within their lists.
    package let appIDs: [AppIDPlace]
    /// All patterns, values of variables too.
    package let patterns: [PatternPlace]
    /// The file's variables.
    package let variables: [VariableOutline]

    package init(_ root: JSONNode, source: SourceText, minimumIOS: SystemVersion?) {
        let start = JSONPointer()
        self.source = source
        self.root = root
        self.minimumIOS = minimumIOS
        document = AssociationDocument(root, source: source)
        file = LevelObject(.root, root, start)
        let links = file?.member("applinks")
        appLinks = LevelObject(.appLinks, links?.value, start.member("applinks"), keyRange: links?.keyRange)
        let defaults = appLinks?.member("defaults")
        let here = start.member("applinks")
        self.defaults = LevelObject(
            .defaults, defaults?.value, here.member("defaults"), keyRange: defaults?.keyRange)
        entries = Self.entries(appLinks?["details"], here.member("details"))
        services = Level.services.dropFirst().compactMap { [file] name in
            guard let member = file?.member(name) else { return nil }
            return LevelObject(.service, member.value, start.member(name), keyRange: member.keyRange)
        }
        variables = Self.variables(appLinks?["substitutionVariables"], here.member("substitutionVariables"))
        appIDs = AppIDCollector.appIDs(entries: entries, services: services)
        patterns = PatternCollector.patterns(defaults: self.defaults, entries: entries, variables: variables)
    }

    /// All objects whose keys have a meaning, from the outside to the inside.
    package var levels: [LevelObject] {
        var levels = [file, appLinks, defaults].compactMap { $0 }
        for entry in entries {
            levels.append(entry.level)
            if let defaults = entry.defaults { levels.append(defaults) }
            for component in entry.components { levels.append(component.level) }
        }
        return levels + services
    }

    /// Whether the file is only for systems from a version on.
    func isOnly(for version: SystemVersion) -> Bool { minimumIOS.map { $0 >= version } ?? false }

    private static func entries(_ details: JSONNode?, _ pointer: JSONPointer) -> [EntryOutline] {
        if let array = details?.array {
            return array.enumerated().compactMap { index, node in
                EntryOutline(node, index: index, key: nil, pointer: pointer.element(index))
            }
        }
        guard let dictionary = details?.object, !EntryOutline.isEntry(dictionary) else { return [] }
        return dictionary.distinctMembers.enumerated().compactMap { index, member in
            EntryOutline(member.value, index: index, key: member, pointer: pointer.member(member.key.text))
        }
    }

    private static func variables(_ node: JSONNode?, _ pointer: JSONPointer) -> [VariableOutline] {
        (node?.object?.distinctMembers ?? []).map { member in
            VariableOutline(member: member, pointer: pointer.member(member.key.text))
        }
    }
}

/// A variable of the file.
package struct VariableOutline: Sendable {
    package let member: JSONMember
    package let pointer: JSONPointer

    package var name: String { member.key.text }
}

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
