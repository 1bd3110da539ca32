package import Diagnostics

/// A JSON value and where it stands.
package struct JSONNode: Sendable {
    package var value: JSONValue
    /// The whole token or value, quotes and brackets included.
    package var range: SourceRange

    package init(_ value: JSONValue, range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension JSONNode {
    package var string: JSONString? { if case .string(let string) = value { string } else { nil } }
    package var boolean: Bool? { if case .boolean(let boolean) = value { boolean } else { nil } }
    package var array: [JSONNode]? { if case .array(let array) = value { array } else { nil } }
    package var object: JSONObject? { if case .object(let object) = value { object } else { nil } }
}
