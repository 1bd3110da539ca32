import JSONSyntax

extension JSONNode {
    /// What the value says, without where it stands.
    var outline: String {
        switch value {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .number(let text): text
        case .string(let string): string.text.debugDescription
        case .array(let elements): "[" + elements.map(\.outline).joined(separator: ",") + "]"
        case .object(let object):
            "{" + object.members.map { "\($0.key.text.debugDescription):\($0.value.outline)" }.joined(separator: ",")
                + "}"
        }
    }
}
