/// Writes HTML in which text never becomes markup: markup is written in the sources of this program, and everything else is
/// escaped for its context.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    /// Markup as it is.
    mutating func markup(_ markup: StaticString) {
        bytes += UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount)
    }

    /// Text between tags. Characters that cannot be seen, or that change the direction of others, are shown as their numbers
    /// in a box.
    mutating func text(_ text: some StringProtocol) {
        guard text.utf8.contains(where: Self.isSpecial) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            if Self.isHidden(scalar) {
                markup("<span class=\"hidden-character\">")
                bytes += Self.codePoint(scalar).utf8
                markup("</span>")
            } else {
                append(scalar)
            }
        }
    }

    /// Text of several lines, for a text area or preformatted text.
    mutating func lines(_ text: String) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number > 0 { markup("\n") }
            self.text(line)
        }
    }

    /// An attribute with a space before it; hidden characters become U+FFFD.
    mutating func attribute(_ name: StaticString, _ value: some StringProtocol) {
        markup(" ")
        markup(name)
        markup("=\"")
        plain(value)
        markup("\"")
    }

    /// Text where no element can be, as in a title; hidden characters become U+FFFD.
    mutating func plain(_ value: some StringProtocol) {
        if value.utf8.contains(where: Self.isSpecial) {
            for scalar in value.unicodeScalars { append(Self.isHidden(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar) }
        } else {
            bytes += value.utf8
        }
    }

    mutating func attribute(_ name: StaticString, _ value: Int) { attribute(name, String(value)) }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "&": bytes += "&amp;".utf8
        case "<": bytes += "&lt;".utf8
        case ">": bytes += "&gt;".utf8
        case "\"": bytes += "&quot;".utf8
        case "'": bytes += "&#39;".utf8
        default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    /// Whether a byte may belong to something that is not written as it is.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    /// Controls but the tab, marks of direction, separators of lines, and what has no width; scripts have the same list.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
