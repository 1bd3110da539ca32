internal import Diagnostics
internal import JSONSyntax

/// What the system takes as the value of a key.
enum ExpectedType {
    case string, boolean, object, array, stringOrObject, strings, objects

    /// What messages say must be there.
    var name: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .object: "an object"
        case .array: "an array"
        case .stringOrObject: "a string or an object"
        case .strings: "an array of strings"
        case .objects: "an array of objects"
        }
    }

    /// What the elements have to be, if that matters.
    var element: ExpectedType? {
        switch self {
        case .strings: .string
        case .objects: .object
        default: nil
        }
    }

    /// Whether a value is of this type, whatever its elements are.
    func takes(_ node: JSONNode) -> Bool {
        switch (self, node.value) {
        case (.string, .string), (.stringOrObject, .string), (.boolean, .boolean): true
        case (.object, .object), (.stringOrObject, .object): true
        case (.array, .array), (.strings, .array), (.objects, .array): true
        default: false
        }
    }

    /// Whether a value and its elements are of this type.
    func takesAll(of node: JSONNode) -> Bool {
        guard takes(node) else { return false }
        guard let element, let elements = node.array else { return true }
        return elements.allSatisfy(element.takes)
    }

    /// The type for a key of a level; nil if any is right or it is looked at elsewhere.
    init?(_ key: String, on level: Level) {
        switch (level, key) {
        case (.root, _) where Level.services.contains(key): self = .object
        case (.appLinks, "apps"): self = .array
        case (.appLinks, "defaults"), (.appLinks, "substitutionVariables"), (.entry, "defaults"): self = .object
        case (.entry, "appID"): self = .string
        case (.entry, "appIDs"), (.entry, "paths"), (.service, "apps"): self = .strings
        case (.entry, "components"): self = .objects
        case (.component, "/"), (.defaults, "/"), (.component, "#"), (.defaults, "#"): self = .string
        case (.component, "?"), (.defaults, "?"): self = .stringOrObject
        case (.component, "exclude"), (.component, "caseSensitive"), (.component, "percentEncoded"),
            (.defaults, "exclude"), (.defaults, "caseSensitive"), (.defaults, "percentEncoded"):
            self = .boolean
        default: return nil
        }
    }
}

extension ExpectedType {
    /// The changes that make a value of this type of another one, where it is plain what is meant.
    func edits(for node: JSONNode, in source: SourceText) -> [TextEdit] {
        switch (self, node.value) {
        case (.strings, .string), (.objects, .object): return JSONEdits.wrap(node.range, in: "[", "]")
        case (.string, .array(let elements)), (.stringOrObject, .array(let elements)):
            guard elements.count == 1, elements[0].string != nil else { return [] }
            return [JSONEdits.replace(node, with: source.text(elements[0].range))]
        case (.string, .object(let object)):
            // An app as in `details`, where its ID alone is expected.
            guard object.members.count == 1, let member = object.members.first, member.key.text == "appID",
                member.value.string != nil
            else { return [] }
            return [JSONEdits.replace(node, with: source.text(member.value.range))]
        case (.object, .array(let elements)):
            guard elements.count == 1, elements[0].object != nil else { return [] }
            return [JSONEdits.replace(node, with: source.text(elements[0].range))]
        case (.boolean, .string(let string)): return Self.boolean(string.text, node)
        case (.boolean, .number(let number)): return Self.boolean(number, node)
        default: return []
        }
    }

    private static func boolean(_ text: String, _ node: JSONNode) -> [TextEdit] {
        switch text.lowercased() {
        case "true", "yes", "1": [JSONEdits.replace(node, with: "true")]
        case "false", "no", "0": [JSONEdits.replace(node, with: "false")]
        default: []
        }
    }
}
