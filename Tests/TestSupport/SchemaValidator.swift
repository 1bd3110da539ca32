package import Diagnostics
package import JSONSyntax

/// Decides whether a document is valid under a schema, for the words that `JSONSchema` writes.
package struct SchemaValidator {
    private let root: JSONOutput

    package init(_ schema: JSONSchema) { root = schema.json }

    package func accepts(_ text: String) -> Bool {
        JSONReader.read(Array(text.utf8), path: "", limits: .configuration).root.map { accepts($0, root) } ?? false
    }

    package func accepts(_ node: JSONNode) -> Bool { accepts(node, root) }

    private func accepts(_ node: JSONNode, _ schema: JSONOutput) -> Bool {
        if case .boolean(let isValid) = schema { return isValid }
        guard case .object(let words) = schema else { return false }
        return words.allSatisfy { accepts(node, $0, $1, words) }
    }

    private func accepts(
        _ node: JSONNode, _ word: String, _ value: JSONOutput, _ words: [String: JSONOutput]
    ) -> Bool {
        switch (word, value) {
        case ("$ref", .string(let reference)): return accepts(node, definition(reference))
        case ("type", .string(let name)): return node.isOfType(name)
        case ("type", .array(let names)): return names.contains { node.isOfType($0.word) }
        case ("enum", .array(let values)): return values.contains { node.equals($0) }
        case ("const", _): return node.equals(value)
        case ("allOf", .array(let schemas)): return schemas.allSatisfy { accepts(node, $0) }
        case ("anyOf", .array(let schemas)): return schemas.contains { accepts(node, $0) }
        case ("not", _): return !accepts(node, value)
        case ("if", _):
            return words[accepts(node, value) ? "then" : "else"].map { accepts(node, $0) } ?? true
        case ("pattern", .string(let pattern)):
            return node.string.map { Self.matches($0.text, pattern) } ?? true
        case ("minLength", .number(let least)): return node.string.map { $0.text.unicodeScalars.count >= least } ?? true
        case ("minimum", .number(let least)): return node.number.map { $0 >= Double(least) } ?? true
        case ("maximum", .number(let most)): return node.number.map { $0 <= Double(most) } ?? true
        case ("minItems", .number(let least)): return node.array.map { $0.count >= least } ?? true
        case ("items", _): return node.array?.allSatisfy { accepts($0, value) } ?? true
        case ("minProperties", .number(let least)): return node.object.map { $0.members.count >= least } ?? true
        case ("required", .array(let keys)):
            return node.object.map { object in keys.allSatisfy { object[$0.word] != nil } } ?? true
        case ("properties", .object(let properties)):
            return node.object?.members.allSatisfy { member in
                properties[member.key.text].map { accepts(member.value, $0) } ?? true
            } ?? true
        case ("patternProperties", .object(let patterns)):
            return node.object?.members.allSatisfy { member in
                patterns.allSatisfy { !Self.matches(member.key.text, $0) || accepts(member.value, $1) }
            } ?? true
        case ("additionalProperties", _):
            return node.object?.members.allSatisfy { isListed($0.key.text, words) || accepts($0.value, value) } ?? true
        case ("then", _), ("else", _), ("definitions", _), ("title", _), ("description", _): return true
        default: return false
        }
    }

    private func isListed(_ key: String, _ words: [String: JSONOutput]) -> Bool {
        words["properties"]?[key] != nil
            || words["patternProperties"]?.keys.contains { Self.matches(key, $0) } ?? false
    }

    private func definition(_ reference: String) -> JSONOutput {
        root["definitions"]?[String(reference.split(separator: "/").last ?? "")] ?? .boolean(false)
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        (try? Regex(pattern).firstMatch(in: text)) != nil
    }
}

extension JSONOutput {
    fileprivate subscript(key: String) -> JSONOutput? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    fileprivate var keys: [String] { if case .object(let members) = self { Array(members.keys) } else { [] } }

    fileprivate var word: String { if case .string(let text) = self { text } else { "" } }
}

extension JSONNode {
    fileprivate var number: Double? { if case .number(let text) = value { Double(text) } else { nil } }

    fileprivate func isOfType(_ name: String) -> Bool {
        switch value {
        case .null: name == "null"
        case .boolean: name == "boolean"
        case .number: name == "number" || name == "integer" && number.map { $0 == $0.rounded() } ?? false
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }

    fileprivate func equals(_ other: JSONOutput) -> Bool {
        switch (value, other) {
        case (.string(let text), .string(let other)): text.text == other
        case (.boolean(let boolean), .boolean(let other)): boolean == other
        default: false
        }
    }
}
