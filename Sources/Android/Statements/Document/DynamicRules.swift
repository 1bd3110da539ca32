internal import Diagnostics
package import JSONSyntax

/// The dynamic rules of a statement: which links of the site open its app on Android 15 and later.
package enum DynamicRules: Sendable {
    /// There are none, or an empty list; the manifest alone decides.
    case absent
    /// Something in them is malformed or empty, so Android drops all of them; the manifest alone decides.
    case discarded([DynamicRuleFault])
    /// The components, in file order; at least one.
    case list([DynamicComponent])

    package static let extensionsKey = "relation_extensions"
    package static let listKey = "dynamic_app_link_components"

    /// Whether there is no list.
    package var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// The components, if they are in force.
    package var components: [DynamicComponent]? { if case .list(let list) = self { list } else { nil } }

    /// Everything for which Android drops the rules.
    package var faults: [DynamicRuleFault] { if case .discarded(let faults) = self { faults } else { [] } }

    /// - Parameters:
    ///   - statement: The statement, whose index in the file is `index`.
    ///   - pointer: Where the statement is.
    init(in statement: JSONObject, statement index: Int, pointer: JSONPointer, source: SourceText) {
        guard let extensions = statement[Self.extensionsKey] else {
            self = .absent
            return
        }
        var reader = DynamicRuleReader(statement: index, source: source)
        let list = reader.list(in: extensions, pointer.member(Self.extensionsKey))
        if !reader.faults.isEmpty {
            self = .discarded(reader.faults)
        } else if list.isEmpty, AndroidDecisions.emptyListIsNoList {
            self = .absent
        } else {
            self = .list(list)
        }
    }
}

/// A value for which Android drops all dynamic rules of a statement.
package struct DynamicRuleFault: Sendable {
    /// The kind of value that was expected.
    package enum Expected: Sendable {
        case object
        case array
        case component
        case pattern
        case queryItems
        case boolean
    }

    package let expected: Expected
    /// The key whose value it is; nil for an element of the list.
    package let key: String?
    package let node: JSONNode
    package let pointer: JSONPointer
}

/// Reads dynamic rules and notes everything that makes Android drop them.
private struct DynamicRuleReader {
    let statement: Int
    let source: SourceText
    private(set) var faults: [DynamicRuleFault] = []

    init(statement: Int, source: SourceText) {
        self.statement = statement
        self.source = source
    }

    mutating func list(in extensions: JSONNode, _ pointer: JSONPointer) -> [DynamicComponent] {
        guard let relations = extensions.object else {
            note(.object, DynamicRules.extensionsKey, extensions, pointer)
            return []
        }
        let relation = AssetLinksStatement.handleAllURLs
        guard let value = relations[relation] else { return [] }
        let here = pointer.member(relation)
        guard let rules = value.object else {
            note(.object, relation, value, here)
            return []
        }
        guard let list = rules[DynamicRules.listKey] else { return [] }
        let listPointer = here.member(DynamicRules.listKey)
        guard let elements = list.array else {
            note(.array, DynamicRules.listKey, list, listPointer)
            return []
        }
        return elements.enumerated().compactMap { index, node in component(node, index, listPointer) }
    }

    private mutating func component(_ node: JSONNode, _ index: Int, _ list: JSONPointer) -> DynamicComponent? {
        guard let object = node.object else {
            note(.component, nil, node, list.element(index))
            return nil
        }
        var pointer: JSONPointer { list.element(index) }
        let path = pattern("/", in: object, pointer)
        let fragment = pattern("#", in: object, pointer)
        let query = query(in: object, pointer)
        var excludes = false
        if let value = object["exclude"] {
            excludes = value.boolean ?? false
            if value.boolean == nil { note(.boolean, "exclude", value, pointer.member("exclude")) }
        }
        return DynamicComponent(
            statement: statement, component: index, range: node.range,
            position: source.position(at: node.range.start), path: path, query: query, fragment: fragment,
            excludes: excludes, list: list)
    }

    private mutating func pattern(
        _ key: String, in object: JSONObject, _ pointer: @autoclosure () -> JSONPointer
    ) -> AndroidPattern? {
        guard let value = object[key] else { return nil }
        guard let text = value.string?.text, !text.isEmpty else {
            note(.pattern, key, value, pointer().member(key))
            return nil
        }
        return AndroidPattern(text)
    }

    private mutating func query(
        in object: JSONObject, _ pointer: @autoclosure () -> JSONPointer
    ) -> [DynamicComponent.QueryItem] {
        guard let value = object["?"] else { return [] }
        let here = pointer().member("?")
        guard let items = value.object, !items.members.isEmpty else {
            note(.queryItems, "?", value, here)
            return []
        }
        return items.distinctMembers.compactMap { item in
            guard let text = item.value.string?.text, !text.isEmpty else {
                note(.pattern, item.key.text, item.value, here.member(item.key.text))
                return nil
            }
            return DynamicComponent.QueryItem(name: item.key.text, value: text)
        }
    }

    private mutating func note(
        _ expected: DynamicRuleFault.Expected, _ key: String?, _ node: JSONNode, _ pointer: JSONPointer
    ) {
        faults.append(DynamicRuleFault(expected: expected, key: key, node: node, pointer: pointer))
    }
}
