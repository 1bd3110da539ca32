internal import AppSiteAssociation
internal import JSONSyntax

/// An entry of `details`, as it is in the file.
struct DetailsEntry: Sendable {
    /// The index in `details`, as in `Detail.index`.
    let index: Int
    let object: SchemaObject
    /// The key, where `details` is a dictionary.
    let key: JSONMember?
    let defaults: SchemaObject?
    /// The components that are objects.
    let components: [Component]

    /// A component, as it is in the file.
    struct Component: Sendable {
        /// The index in `components`.
        let index: Int
        let object: SchemaObject
    }

    init?(_ node: JSONNode, index: Int, key: JSONMember?, pointer: JSONPointer) {
        guard let object = SchemaObject(.entry, node, pointer, keyRange: key?.keyRange) else { return nil }
        self.index = index
        self.object = object
        self.key = key
        defaults = object.member("defaults").flatMap { member in
            SchemaObject(.defaults, member.value, pointer.member("defaults"), keyRange: member.keyRange)
        }
        guard let nodes = object["components"]?.array else {
            components = []
            return
        }
        let here = pointer.member("components")
        components = nodes.enumerated().compactMap { index, node in
            SchemaObject(.component, node, index: index, of: here).map { Component(index: index, object: $0) }
        }
    }
}

extension DetailsEntry {
    /// The component at an index of `components`; nil if that is not an object.
    func component(_ index: Int) -> SchemaObject? {
        // Only what is not an object is missing, so none is after its own index.
        components.prefix(index + 1).last { $0.index <= index }.flatMap { $0.index == index ? $0.object : nil }
    }

    /// Whether the entry is for one app, by its key or by `appID`: what iOS 12 reads.
    var hasSingleApp: Bool { key != nil || object.isMeant("appID") }

    /// Whether a value of `details` is an entry itself, not a dictionary of entries.
    static func isEntry(_ object: JSONObject) -> Bool {
        ["appID", "appIDs", "paths", "components"].contains { key in
            object[key].map { $0.object == nil } ?? false
        }
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
    static func component(ofPath path: String) -> String {
        let isExclusion = path.utf8.starts(with: "NOT ".utf8)
        let path = JSONEdits.literal(isExclusion ? String(Substring(path.utf8.dropFirst(4))) : path)
        return #"{ "/": "# + path + (isExclusion ? #", "exclude": true }"# : " }")
    }
}
