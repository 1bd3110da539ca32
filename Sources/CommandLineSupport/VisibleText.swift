/// Text from outside, made safe to be shown.
public enum VisibleText {
    /// Escapes control characters and those that steer the direction or the breaks of text: a name from outside can neither
    /// write a line of its own, nor talk to the terminal, nor show something else than it says.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                result += "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
            } else if isInvisible(scalar.value) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Marks of direction, zero-width characters, separators of lines and paragraphs.
    private static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
