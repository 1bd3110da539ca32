/// Text from outside, made safe to be shown.
public enum VisibleText {
    /// Escapes control characters: a name from outside can neither write a line of its own nor talk to the terminal.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                result += "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
