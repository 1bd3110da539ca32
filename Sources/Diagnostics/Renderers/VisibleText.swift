/// Text from outside, made safe to be shown.
package enum VisibleText {
    /// Escapes control characters and those that steer the direction or the breaks of text: a name from outside can neither
    /// write a line of its own, nor talk to the terminal, nor show something else than it says.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// The same for a line of a file, in which tabs are indentation.
    package static func escapedKeepingTabs(_ line: String) -> String {
        line.split(separator: "\t", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "\t")
    }

    /// What stands for a character that cannot be shown; nil for one that can.
    static func escape(_ scalar: Unicode.Scalar) -> String? {
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
            return "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
        }
        return isInvisible(scalar) ? codePoint(scalar) : nil
    }

    /// A character by its number.
    static func codePoint(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// Marks of direction, zero-width characters, separators of lines and paragraphs, tags; not what chooses the look of an
    /// emoji.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x80, 0xFE00...0xFE0F: false
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
