/// The value of a `Content-Type` field (RFC 9110, section 8.3.1).
package enum MediaType {
    /// Whether the text is a media type with its parameters, like `text/plain; charset=utf-8`.
    package static func isValid(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard consumeToken(&rest), consume(Characters.slash, &rest), consumeToken(&rest) else { return false }
        while !rest.isEmpty {
            consumeBlanks(&rest)
            guard consume(UInt8(ascii: ";"), &rest) else { return false }
            consumeBlanks(&rest)
            guard consumeToken(&rest), consume(UInt8(ascii: "="), &rest), consumeToken(&rest) || consumeQuoted(&rest)
            else {
                return false
            }
        }
        return true
    }

    private static func consume(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func consumeBlanks(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop(while: Characters.isBlank) }

    private static func consumeToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let after = rest.drop(while: Characters.isToken)
        defer { rest = after }
        return after.count < rest.count
    }

    /// A quoted string (RFC 9110, section 5.6.4) of visible ASCII characters and spaces.
    private static func consumeQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let quote = UInt8(ascii: "\"")
        guard consume(quote, &rest) else { return false }
        while let byte = rest.popFirst() {
            if byte == quote { return true }
            guard let meant = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte,
                meant == Characters.tab || (0x20..<0x7F).contains(meant)
            else { return false }
        }
        return false
    }
}
