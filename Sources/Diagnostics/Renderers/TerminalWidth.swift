/// How many columns of a terminal a text takes.
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

    /// The columns that a character adds behind another one: 0 for what is drawn over it, 2 for a wide one.
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
