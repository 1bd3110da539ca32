internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// A file as rules look at it: its objects, app IDs and patterns, where they are, and what the system reads in it.
struct LintContext: Sendable {
    let source: SourceText
    let root: JSONNode
    /// The document as the system reads it.
    let document: AssociationDocument
    /// The oldest system that the file is for; nil if that is not known.
    let minimumIOS: SystemVersion?
    /// The root, if it is an object.
    private(set) var rootObject: SchemaObject?
    private(set) var appLinks: SchemaObject?
    /// `defaults` of `applinks`.
    private(set) var defaults: SchemaObject?
    /// The entries of `details` that are objects.
    private(set) var entries: [DetailsEntry] = []
    /// The services with `apps` only: `webcredentials`, `activitycontinuation`, `appclips`; those that are objects.
    private(set) var services: [SchemaObject] = []
    /// All app IDs, in file order within their lists.
    private(set) var appIDs: [AppID] = []
    /// All patterns, values of variables too.
    let patterns: [FilePattern]
    /// The file's variables.
    private(set) var variables: [DefinedVariable] = []
    /// The objects of an `assetlinks.json`; an association file has none of them.
    private let androidObjects: [SchemaObject]

    /// An `assetlinks.json`, for the rules that look at its keys and patterns as at those of an association file.
    init(assetLinks root: JSONNode, source: SourceText, objects: [SchemaObject], patterns: [FilePattern]) {
        self.source = source
        self.root = root
        self.patterns = patterns
        androidObjects = objects
        minimumIOS = nil
        document = AssociationDocument(appLinks: nil, source: source)
    }

    init(_ root: JSONNode, source: SourceText, minimumIOS: SystemVersion?) {
        self.source = source
        self.root = root
        self.minimumIOS = minimumIOS
        androidObjects = []
        document = AssociationDocument(root, source: source)
        let file = SchemaObject(.root, root, JSONPointer())
        rootObject = file
        appLinks = file?.child("applinks", .appLinks)
        defaults = appLinks?.child("defaults", .defaults)
        services = Schema.services.dropFirst().compactMap { file?.child($0, .service) }
        let here = JSONPointer().member("applinks")
        entries = Self.entries(appLinks?["details"], here.member("details"))
        let pointer = here.member("substitutionVariables")
        variables = (appLinks?["substitutionVariables"]?.object?.distinctMembers ?? []).map { member in
            DefinedVariable(member: member, pointer: pointer.member(member.key.text))
        }
        appIDs = AppID.all(entries: entries, services: services)
        var collector = PatternCollector(source)
        collector.add(defaults: defaults, entries: entries, variables: variables)
        patterns = collector.patterns
    }

    /// All objects whose keys have a meaning, from the outside to the inside.
    var objects: [SchemaObject] {
        var objects = [rootObject, appLinks, defaults].compactMap { $0 }
        for entry in entries {
            objects.append(entry.object)
            if let defaults = entry.defaults { objects.append(defaults) }
            objects += entry.components
        }
        return objects + services + androidObjects
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

    /// The legacy paths with a word that is meant to exclude and does not: no component can have such a word, so it has to
    /// be fixed first.
    var misreadExclusions: FaultyRules {
        FaultyRules(
            patterns.lazy.filter { $0.kind == .legacyPath && $0.parsed.exclusion != nil && !$0.parsed.isExclusionValid }
                .map(\.range))
    }

    /// A note about a component with a wrong key, if it matches every URL as it is.
    func catchAllNotes(_ object: SchemaObject) -> [String] {
        guard object.schema == .component, let entry = entry(around: object.range), isUnlimited(object, in: entry)
        else {
            return []
        }
        let effect = isExclusion(object, in: entry) ? "excludes" : "matches"
        return ["without a pattern the component \(effect) every URL"]
    }

    /// The entry that contains a range; entries are in the order of the text.
    func entry(around range: SourceRange) -> DetailsEntry? {
        let next = entries.partitioningIndex { $0.object.range.start > range.start }
        return next > 0 && range.end <= entries[next - 1].object.range.end ? entries[next - 1] : nil
    }
}

/// An entry of `details`, as it is in the file.
struct DetailsEntry: Sendable {
    /// The index in `details`, as in `Detail.index`.
    let index: Int
    let object: SchemaObject
    /// The key, where `details` is a dictionary.
    let key: JSONMember?
    let defaults: SchemaObject?
    /// The components that are objects.
    let components: [SchemaObject]

    init?(_ node: JSONNode, index: Int, key: JSONMember?, pointer: JSONPointer) {
        guard let object = SchemaObject(.entry, node, pointer, keyRange: key?.keyRange) else { return nil }
        self.index = index
        self.object = object
        self.key = key
        defaults = object.child("defaults", .defaults)
        components = object.children("components", .component)
    }
}

extension DetailsEntry {
    /// The component at an index of `components`; nil if that is not an object.
    func component(_ index: Int) -> SchemaObject? {
        // Only what is not an object is missing, so none is after its own index.
        components.prefix(index + 1).last { $0.index == index }
    }

    /// Whether the entry is for one app, by its key or by `appID`: what iOS 12 reads.
    var hasSingleApp: Bool { key != nil || object.isMeant("appID") }

    /// The keys that tell an entry from a dictionary of entries.
    static let keys = ["appID", "appIDs", "paths", "components"]

    /// Whether a value of `details` is an entry itself, not a dictionary of entries.
    static func isEntry(_ object: JSONObject) -> Bool {
        keys.contains { key in object[key].map { $0.object == nil } ?? false }
    }

    /// Whether an element of `details` is a dictionary from app ID to entry, as in the betas of iOS 9.
    static func isBetaDictionary(_ object: SchemaObject) -> Bool {
        guard object.schema == .entry, object.hasForeignKeys else { return false }
        let members = object.members.filter { $0.meaning != .comment }
        return !members.isEmpty
            && members.allSatisfy { member in
                guard member.meaning == .unknown,
                    let inner = SchemaObject(.entry, member.value, object.pointer.member(member.key))
                else { return false }
                return inner.isMeant("paths") || inner.isMeant("components")
            }
    }

    /// The component that means the same as a legacy path, as JSON text.
    ///
    /// - Parameter member: What else the component has, as JSON text that begins with a comma.
    static func component(ofPath path: String, and member: String = "") -> String {
        let isExclusion = path.utf8.starts(with: "NOT ".utf8)
        let path = JSONEdits.literal(isExclusion ? String(Substring(path.utf8.dropFirst(4))) : path)
        return #"{ "/": "# + path + member + (isExclusion ? #", "exclude": true }"# : " }")
    }
}
