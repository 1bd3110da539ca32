/// A JSON Schema in the words that mean the same in draft-07 and in 2020-12.
package struct JSONSchema: Sendable {
    package private(set) var members: [String: JSONOutput]

    package init(_ members: [String: JSONOutput] = [:]) { self.members = members }

    /// The value as a member of another schema.
    package var json: JSONOutput { .object(members) }

    /// A schema that takes nothing.
    package static let never = JSONOutput.boolean(false)

    package static func type(_ name: String) -> JSONSchema { JSONSchema(["type": .string(name)]) }

    package static let string = type("string")
    /// A string that is not empty.
    package static let text = string.with("minLength", .number(1))
    package static let boolean = type("boolean")
    package static let object = type("object")

    package static func array(of element: JSONSchema) -> JSONSchema { type("array").with("items", element.json) }

    package static func matching(_ pattern: String) -> JSONSchema { string.with("pattern", .string(pattern)) }

    package static func oneOf(words: [String]) -> JSONSchema {
        JSONSchema(["enum": .array(words.map(JSONOutput.string))])
    }

    package static func any(of schemas: [JSONSchema]) -> JSONSchema {
        JSONSchema(["anyOf": .array(schemas.map(\.json))])
    }

    /// The schema in `definitions`, in `allOf`, since other words beside `$ref` are ignored in draft-07.
    package static func definition(_ name: String) -> JSONSchema {
        JSONSchema(["allOf": .array([.object(["$ref": .string("#/definitions/\(name)")])])])
    }

    package static func having(_ keys: String...) -> JSONSchema { JSONSchema().requiring(keys) }

    package func with(_ word: String, _ value: JSONOutput) -> JSONSchema {
        var schema = self
        schema.members[word] = value
        return schema
    }

    package func described(_ text: String) -> JSONSchema { with("description", .string(text)) }

    package func requiring(_ keys: [String]) -> JSONSchema { with("required", .array(keys.map(JSONOutput.string))) }

    /// Adds members whose values are described.
    package func with(properties: [String: JSONOutput]) -> JSONSchema {
        var all = properties
        if case .object(let own)? = members["properties"] { all.merge(own) { $1 } }
        return with("properties", .object(all))
    }

    /// Takes no other keys than those of `properties`.
    ///
    /// - Parameter pattern: The keys that are taken whatever their value is.
    package func closed(butFor pattern: String? = nil) -> JSONSchema {
        let schema = with("additionalProperties", Self.never)
        return pattern.map { schema.with("patternProperties", .object([$0: .boolean(true)])) } ?? schema
    }

    package func when(_ condition: JSONSchema, then: JSONSchema, otherwise: JSONSchema) -> JSONSchema {
        with("if", condition.json).with("then", then.json).with("else", otherwise.json)
    }

    /// The schema as a document.
    ///
    /// - Parameter id: The URL at which it is published; nil if that is not known.
    package func document(id: String?) -> String {
        var document = with("$schema", .string("http://json-schema.org/draft-07/schema#"))
        if let id { document = document.with("$id", .string(id)) }
        return document.json.indented
    }
}
