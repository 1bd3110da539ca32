/// Reads JSON (RFC 8259) for nothing but to say whether it is right.
struct JSONProof {
    private var rest: ArraySlice<UInt8>

    /// Whether a text is one JSON value.
    static func isRight(_ text: String) -> Bool {
        var proof = JSONProof(rest: Array(text.utf8)[...])
        return proof.value(depth: 0) && proof.blank() && proof.rest.isEmpty
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < 20, blank(), let first = rest.first else { return false }
        switch first {
        case UInt8(ascii: "{"):
            return list("}", depth) { $0.string() && $0.blank() && $0.take(":") && $0.value(depth: $1) }
        case UInt8(ascii: "["): return list("]", depth) { $0.value(depth: $1) }
        case UInt8(ascii: "\""): return string()
        default: return word()
        }
    }

    private mutating func list(_ end: Unicode.Scalar, _ depth: Int, _ item: (inout Self, Int) -> Bool) -> Bool {
        rest.removeFirst()
        guard blank() else { return false }
        if take(end) { return true }
        repeat {
            guard blank(), item(&self, depth + 1), blank() else { return false }
        } while take(",")
        return take(end)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case ..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return false }
                if escaped == UInt8(ascii: "u") {
                    guard rest.count >= 4, rest.prefix(4).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
                    else {
                        return false
                    }
                    rest.removeFirst(4)
                } else if !"\"\\/bfnrt".utf8.contains(escaped) {
                    return false
                }
            default: break
            }
        }
        return false
    }

    private mutating func word() -> Bool {
        let characters = rest.prefix { !" \n,]}".utf8.contains($0) }
        rest.removeFirst(characters.count)
        let text = String(decoding: characters, as: UTF8.self)
        return ["true", "false", "null"].contains(text) || (Int64(text) != nil && !text.hasPrefix("+"))
    }

    /// Skips white space; always true.
    private mutating func blank() -> Bool {
        rest = rest.drop { " \n\r\t".utf8.contains($0) }
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
