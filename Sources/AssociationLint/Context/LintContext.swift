internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// A file as rules look at it: its objects, app IDs and patterns, where they are, and what the system reads in it.
struct LintContext: Sendable {
    let source: SourceText
    let root: JSONNode
    /// What the system reads.
    let document: AssociationDocument
    /// The oldest system that the file is for; nil if that is not known.
    let minimumIOS: SystemVersion?
    /// The root, if it is an object.
    let rootObject: SchemaObject?
    let appLinks: SchemaObject?
    /// `defaults` of `applinks`.
    let defaults: SchemaObject?
    /// The entries of `details` that are objects.
    let entries: [DetailsEntry]
    /// The services with `apps` only: `webcredentials`, `activitycontinuation`, `appclips`; those that are objects.
    let services: [SchemaObject]
    /// All app IDs, in file order within their lists.
    let appIDs: [AppID]
    /// All patterns, values of variables too.
    let patterns: [FilePattern]
    /// The file's variables.
    let variables: [DefinedVariable]

    init(_ root: JSONNode, source: SourceText, minimumIOS: SystemVersion?) {
        let start = JSONPointer()
        self.source = source
        self.root = root
        self.minimumIOS = minimumIOS
        document = AssociationDocument(root, source: source)
        rootObject = SchemaObject(.root, root, start)
        let links = rootObject?.member("applinks")
        appLinks = SchemaObject(.appLinks, links?.value, start.member("applinks"), keyRange: links?.keyRange)
        let defaults = appLinks?.member("defaults")
        let here = start.member("applinks")
        self.defaults = SchemaObject(
            .defaults, defaults?.value, here.member("defaults"), keyRange: defaults?.keyRange)
        entries = Self.entries(appLinks?["details"], here.member("details"))
        services = Schema.services.dropFirst().compactMap { [rootObject] name in
            guard let member = rootObject?.member(name) else { return nil }
            return SchemaObject(.service, member.value, start.member(name), keyRange: member.keyRange)
        }
        variables = Self.variables(appLinks?["substitutionVariables"], here.member("substitutionVariables"))
        appIDs = AppID.all(entries: entries, services: services)
        patterns = FilePattern.all(defaults: self.defaults, entries: entries, variables: variables)
    }

    /// All objects whose keys have a meaning, from the outside to the inside.
    var objects: [SchemaObject] {
        var objects = [rootObject, appLinks, defaults].compactMap { $0 }
        for entry in entries {
            objects.append(entry.object)
            if let defaults = entry.defaults { objects.append(defaults) }
            for component in entry.components { objects.append(component.object) }
        }
        return objects + services
    }

    /// Whether the file is only for systems from a version on.
    func isOnly(for version: SystemVersion) -> Bool { minimumIOS.map { $0 >= version } ?? false }

    private static func entries(_ details: JSONNode?, _ pointer: JSONPointer) -> [DetailsEntry] {
        if let array = details?.array {
            return array.enumerated().compactMap { index, node in
                DetailsEntry(node, index: index, key: nil, pointer: pointer.element(index))
            }
        }
        guard let dictionary = details?.object, !DetailsEntry.isEntry(dictionary) else { return [] }
        return dictionary.distinctMembers.enumerated().compactMap { index, member in
            DetailsEntry(member.value, index: index, key: member, pointer: pointer.member(member.key.text))
        }
    }

    private static func variables(_ node: JSONNode?, _ pointer: JSONPointer) -> [DefinedVariable] {
        (node?.object?.distinctMembers ?? []).map { member in
            DefinedVariable(member: member, pointer: pointer.member(member.key.text))
        }
    }
}

/// A variable that the file defines.
struct DefinedVariable: Sendable {
    let member: JSONMember
    let pointer: JSONPointer

    var name: String { member.key.text }
}

// Components that match every URL.
extension LintContext {
    /// Whether nothing limits a component: it has no pattern of its own, and none by defaults.
    func isUnlimited(_ component: SchemaObject, in entry: DetailsEntry) -> Bool {
        ![component, entry.defaults, defaults].contains { object in
            object.map { object in ["/", "?", "#"].contains { object.member($0) != nil } } ?? false
        }
    }

    /// Whether the system takes a component for an exclusion.
    func isExclusion(_ component: SchemaObject, in entry: DetailsEntry) -> Bool {
        [component, entry.defaults, defaults].lazy.compactMap { $0?["exclude"]?.boolean }.first ?? false
    }

    /// A note about a component with a wrong key, if it matches every URL as it is.
    func catchAllNotes(_ object: SchemaObject) -> [String] {
        guard object.schema == .component, let entry = entry(around: object), isUnlimited(object, in: entry) else {
            return []
        }
        let effect = isExclusion(object, in: entry) ? "excludes" : "matches"
        return ["without a pattern the component \(effect) every URL"]
    }

    /// The entry that contains an object; entries are in the order of the text.
    private func entry(around object: SchemaObject) -> DetailsEntry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].object.range.start <= object.range.start { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }
}
