internal import Android
internal import Diagnostics
internal import JSONSyntax

/// The manifest that Expo makes of `android.intentFilters`, with the positions of the JSON.
enum ExpoManifest {
    typealias Attribute = XMLElement.Attribute

    static func root(_ filters: JSONNode) -> XMLElement {
        let elements = list(filters).compactMap { node in node.object.map { filter($0, node.range) } }
        func element(_ name: String, _ children: [XMLElement]) -> XMLElement {
            XMLElement(name: name, attributes: [], children: children, tagRange: filters.range)
        }
        return element("manifest", [element("application", [element("activity", elements)])])
    }

    private static func filter(_ filter: JSONObject, _ range: SourceRange) -> XMLElement {
        func names(_ kind: String, _ node: JSONNode?) -> [XMLElement] {
            list(node).compactMap { node in
                guard let name = node.string else { return nil }
                let prefix = "android.intent.\(kind)."
                let value = name.text.hasPrefix(prefix) ? name.text : prefix + name.text
                return XMLElement(
                    name: kind,
                    attributes: [Attribute(name: "android:name", value: value, range: name.content)], children: [],
                    tagRange: node.range)
            }
        }
        let data = list(filter["data"]).compactMap { node in
            node.object.map { object in
                let attributes = object.distinctMembers.compactMap { member in
                    attribute("android:\(member.key.text)", member.value)
                }
                return XMLElement(name: "data", attributes: attributes, children: [], tagRange: node.range)
            }
        }
        return XMLElement(
            name: "intent-filter",
            attributes: [filter["autoVerify"].flatMap { attribute("android:autoVerify", $0) }].compactMap { $0 },
            children: names("action", filter["action"]) + names("category", filter["category"]) + data, tagRange: range)
    }

    private static func attribute(_ name: String, _ node: JSONNode) -> Attribute? {
        switch node.value {
        case .string(let string): Attribute(name: name, value: string.text, range: string.content)
        case .number(let number): Attribute(name: name, value: number, range: node.range)
        case .boolean(let boolean): Attribute(name: name, value: "\(boolean)", range: node.range)
        case .null, .array, .object: nil
        }
    }

    /// A value, or a list of them.
    private static func list(_ node: JSONNode?) -> [JSONNode] { node?.array ?? [node].compactMap { $0 } }
}
