internal import Android
internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// An object of the file whose keys have a meaning.
///
/// A class, for it is passed around a lot and does not change.
final class SchemaObject: Sendable {
    let schema: Schema
    let json: JSONObject
    /// The members, of those with equal keys only the last, as the system reads them; in file order.
    let members: [Member]
    let range: SourceRange
    /// The key whose value the object is, if any.
    let keyRange: SourceRange?
    /// Whether there is a key that the system does not read here, remarks excepted.
    let hasForeignKeys: Bool
    private let parent: JSONPointer
    /// The index in the array at ``parent``; nil if the object itself is there.
    let index: Int?

    /// A member, and what its key means in the object.
    struct Member: Sendable {
        let member: JSONMember
        let meaning: KeyMeaning

        var key: String { member.key.text }
        var value: JSONNode { member.value }
    }

    /// - Parameters:
    ///   - pointer: Where it is, or the array that it is in.
    ///   - index: The index in that array; nil if it is not in one.
    init?(
        _ schema: Schema, _ node: JSONNode?, _ pointer: JSONPointer, index: Int? = nil, keyRange: SourceRange? = nil
    ) {
        guard let node, let object = node.object else { return nil }
        self.schema = schema
        json = object
        range = node.range
        self.keyRange = keyRange
        parent = pointer
        self.index = index
        members = object.distinctMembers.map { member in
            let holdsArray = member.value.array != nil
            return Member(member: member, meaning: KeyMeaning(member.key.text, on: schema, holdsArray: holdsArray))
        }
        hasForeignKeys = members.contains { $0.meaning != .known && $0.meaning != .comment }
    }

    /// The name of this object in messages.
    var name: String { schema == .service ? quoted(pointer.description.dropFirst()) : schema.name }

    /// Where messages say that the keys of this object are.
    var location: String { schema == .root ? "at the top level of the file" : "in \(name)" }

    var pointer: JSONPointer { index.map { parent.element($0) } ?? parent }

    /// The member with exactly this key.
    func member(_ key: String) -> JSONMember? { json.member(key) }

    subscript(key: String) -> JSONNode? { json[key] }

    /// The object that is the value of a key.
    func child(_ key: String, _ schema: Schema) -> SchemaObject? {
        member(key).flatMap { SchemaObject(schema, $0.value, pointer.member(key), keyRange: $0.keyRange) }
    }

    /// The objects in the array that is the value of a key.
    func children(_ key: String, _ schema: Schema) -> [SchemaObject] {
        let array = pointer.member(key)
        return (self[key]?.array ?? []).enumerated().compactMap { SchemaObject(schema, $1, array, index: $0) }
    }

    /// The object as a value.
    var node: JSONNode { JSONNode(.object(json), range: range) }

    /// Whether a key is here, if only misspelt.
    func isMeant(_ key: String) -> Bool {
        member(key) != nil
            || hasForeignKeys
                && members.contains {
                    if case .misspelt(of: key, _) = $0.meaning { true } else { false }
                }
    }

    /// Whether one of some keys is here where the system does not look for it.
    func isMisplaced(_ keys: String...) -> Bool {
        hasForeignKeys && members.contains { $0.meaning == .misplaced && keys.contains($0.key) }
    }
}

/// A kind of object in an association or asset links file, with the keys that the system reads there (matching.md, 1;
/// android.md, 1).
enum Schema: Sendable, CaseIterable {
    case root, appLinks, entry, component, defaults, service
    case statement, appTarget, siteTarget, relationExtensions, relationRules, dynamicComponent

    /// Whether Android reads it.
    var isAndroid: Bool {
        switch self {
        case .statement, .appTarget, .siteTarget, .relationExtensions, .relationRules, .dynamicComponent: true
        case .root, .appLinks, .entry, .component, .defaults, .service: false
        }
    }

    /// Whether the system reads a key here.
    func has(_ key: String) -> Bool { rows.contains { $0.name.hasSameBytes(as: key) } }

    /// The name of such an object in messages.
    var name: String {
        switch self {
        case .root: "the file"
        case .appLinks: "'applinks'"
        case .entry: "an entry of 'details'"
        case .component: "a component"
        case .defaults: "'defaults'"
        case .service: "a service"
        case .statement: "a statement"
        case .appTarget, .siteTarget: "a target"
        case .relationExtensions: "'relation_extensions'"
        case .relationRules: "the extension of a relation"
        case .dynamicComponent: "a component"
        }
    }

    /// The services whose apps this project knows; `applinks` is the first.
    static let services = AppleService.modelled.map(\.rawValue)
    /// The keys whose values are lists.
    static let listKeys = ["apps", "details", "appIDs", "paths", "components"]

    /// The keys of association files that people write in the dynamic rules of Android, by where they do.
    var appleOnlyKeys: [String] {
        switch self {
        case .dynamicComponent:
            ["caseSensitive", "percentEncoded", "defaults", "substitutionVariables", "appIDs", "components"]
        case .relationRules: ["defaults", "substitutionVariables", "appIDs", "components"]
        default: []
        }
    }
}
