/// Looks for what could disturb a terminal.
enum TextProof {
    /// The first control character, or one that changes the direction of text; nil if there is none.
    static func controls(in text: some StringProtocol, besides allowed: String = "") -> String? {
        // Nearly all texts are ASCII throughout.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return nil }
        let scalar = text.unicodeScalars.first { scalar in
            guard !allowed.unicodeScalars.contains(scalar) else { return false }
            return switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        return scalar.map { "U+" + String($0.value, radix: 16) }
    }
}
