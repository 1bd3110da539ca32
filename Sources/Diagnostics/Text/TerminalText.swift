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

    /// The text that is shown for a character that cannot be; nil for one that can.
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

/// The columns of a terminal that a text takes.
package enum TerminalWidth {
    /// The columns of a text without control characters.
    package static func columns(_ text: String) -> Int {
        var previous: Unicode.Scalar?
        var count = 0
        for scalar in text.unicodeScalars {
            count += columns(scalar, after: previous)
            previous = scalar
        }
        return count
    }

    /// A text with blanks after it, up to a number of columns.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// The columns that a character adds after another one: 0 for what is drawn over it, 2 for a wide one.
    static func columns(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.value {
        case 0xFE0F:
            // Asks for the emoji, which is wide, in place of the text character, which is not.
            return previous.map { $0.properties.isEmoji && columns($0, after: nil) == 1 } == true ? 1 : 0
        case 0x1160...0x11FF, 0xD7B0...0xD7FF:
            // Vowels and final consonants of Hangul join the wide one before.
            return 0
        case 0x1F1E6...0x1F1FF:
            // Two of them make a flag.
            return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// East Asian Width W and F (Unicode Standard Annex 11) without emoji, for which the standard library has a property;
    /// gaps of unassigned characters are closed.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

/// Text in lines that fit.
package enum WrappedText {
    /// Breaks a text at spaces; a word that is longer than a line stays whole. Escape sequences of `TextStyle` take no columns.
    ///
    /// - Parameter indent: How many spaces all lines but the first begin with.
    package static func lines(_ text: String, columns: Int, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line: String?
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let width = width(word)
            if let start = line, used + 1 + width <= columns {
                line = "\(start) \(word)"
                used += 1 + width
            } else {
                if let line { lines.append(line) }
                let margin = lines.isEmpty ? 0 : indent
                line = String(repeating: " ", count: margin) + word
                used = margin + width
            }
        }
        return lines + [line ?? ""]
    }

    private static func width(_ word: String) -> Int {
        let parts = word.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(TerminalWidth.columns(String(parts[0]))) { count, part in
            count + TerminalWidth.columns(String(part.drop { $0 != "m" }.dropFirst()))
        }
    }
}

/// Colors for text on a terminal, or none.
package struct TextStyle: Sendable {
    private let isColored: Bool

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    package var hasColors: Bool { isColored }

    package func bold(_ text: String) -> String { with("1", text) }
    package func dim(_ text: String) -> String { with("2", text) }
    package func red(_ text: String) -> String { with("31", text) }
    package func green(_ text: String) -> String { with("32", text) }
    package func yellow(_ text: String) -> String { with("33", text) }
    package func cyan(_ text: String) -> String { with("36", text) }

    private func with(_ code: String, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
