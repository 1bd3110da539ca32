/// HTML in which text never becomes markup: a literal is markup, which only the sources of this program can have, and every
/// value in it is escaped for its context, as in `html += "<a href=\"\(address)\">\(name)</a>"`.
package struct HTML: ExpressibleByStringInterpolation {
    package private(set) var bytes: [UInt8] = []

    /// Bytes that are markup as they are: a document that is continued in its memory, a style, base64. Never those of a text.
    package init(markup bytes: consuming [UInt8]) { self.bytes = bytes }

    package init(stringLiteral markup: StaticString) { append(markup) }

    package init(stringInterpolation parts: StringInterpolation) { bytes = parts.html.bytes }

    package static func += (html: inout HTML, other: HTML) { html.bytes += other.bytes }

    /// The parts of a literal, which has each attribute from one quotation mark to the other.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html: HTML = ""
        private var isInAttribute = false

        package init(literalCapacity: Int, interpolationCount: Int) {
            html.bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ markup: StaticString) {
            html.append(markup)
            for index in 0..<markup.utf8CodeUnitCount where markup.utf8Start[index] == UInt8(ascii: "\"") {
                isInAttribute.toggle()
            }
        }

        /// In an attribute, hidden characters become U+FFFD.
        package mutating func appendInterpolation(_ text: String) {
            if isInAttribute { html.plain(text) } else { html.text(text) }
        }

        package mutating func appendInterpolation(_ text: Substring) { appendInterpolation(String(text)) }

        package mutating func appendInterpolation(_ number: Int) { html.bytes += String(number).utf8 }

        /// Text where no element can be, as in a title; hidden characters become U+FFFD.
        package mutating func appendInterpolation(plain text: String) { html.plain(text) }

        package mutating func appendInterpolation(_ other: HTML) { html += other }
    }

    private mutating func append(_ markup: StaticString) {
        bytes += UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount)
    }

    /// Characters that cannot be seen, or that change the direction of others, are shown as their numbers in a box.
    private mutating func text(_ text: String) {
        if appendIfOrdinary(text) { return }
        for scalar in text.unicodeScalars {
            if Self.isHidden(scalar) {
                append("<span class=\"hidden-character\">")
                bytes += Self.codePoint(scalar).utf8
                append("</span>")
            } else {
                append(scalar)
            }
        }
    }

    private mutating func plain(_ value: String) {
        if appendIfOrdinary(value) { return }
        for scalar in value.unicodeScalars { append(Self.isHidden(scalar) ? "\u{FFFD}" : scalar) }
    }

    /// Appends a text if it may be written as it is, and returns whether it did.
    private mutating func appendIfOrdinary(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in
            if utf8.contains(where: Self.isSpecial) { return false }
            bytes += utf8
            return true
        }
    }

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

    /// Whether a byte may belong to something that is not written as it is: controls and what is not ASCII, and `& < > " '`.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        // A bit for each character below '@' that is written as it is.
        let ordinary: UInt64 = 0xAFFF_FF3B_0000_0000
        return byte < 0x40 ? ordinary >> UInt64(byte) & 1 == 0 : byte >= 0x7F
    }

    /// Controls but the tab, marks of direction, separators of lines, and what has no width; scripts have the same list.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
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
