/// A JSON value to be written: on one line, keys sorted, slashes as they are.
package enum JSONOutput: Sendable {
    case null
    case boolean(Bool)
    case number(Int)
    case string(String)
    case array([JSONOutput])
    case object([String: JSONOutput])

    /// A string, or null.
    package static func optional(_ text: String?) -> JSONOutput { text.map(JSONOutput.string) ?? .null }

    /// The value as JSON text (RFC 8259).
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The value as JSON text for people: each level is indented by two spaces.
    package var indented: String {
        var text = ""
        write(to: &text, margin: "\n")
        return text
    }

    /// - Parameter margin: The line break and spaces before the value's own level; nil for one line.
    private func write(to text: inout String, margin: String? = nil) {
        let inner = margin.map { $0 + "  " }
        switch self {
        case .null: text += "null"
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .number(let number): text += String(number)
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements):
            text += "["
            for (number, element) in elements.enumerated() {
                if number > 0 { text += "," }
                text += inner ?? ""
                element.write(to: &text, margin: inner)
            }
            if !elements.isEmpty { text += margin ?? "" }
            text += "]"
        case .object(let members):
            text += "{"
            for (number, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if number > 0 { text += "," }
                text += inner ?? ""
                Self.write(member.key, to: &text)
                text += inner == nil ? ":" : ": "
                member.value.write(to: &text, margin: inner)
            }
            if !members.isEmpty { text += margin ?? "" }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        let isPlain = string.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard !isPlain else {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                // JSON needs this for the first 32 only; the others may talk to a terminal, look like the end of a line,
                // or show something else than they say.
                if VisibleText.escape(scalar) == nil {
                    text.unicodeScalars.append(scalar)
                } else {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                    }
                }
            }
        }
    }
}
