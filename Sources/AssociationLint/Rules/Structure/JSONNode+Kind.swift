internal import JSONSyntax

extension JSONNode {
    /// What messages call a value of this kind.
    var kindName: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
