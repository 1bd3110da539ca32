internal import AppSiteAssociation

/// A `%` in a pattern and the two characters after it.
struct PercentEscape {
    enum Kind {
        /// `%` without two digits or wildcards after it.
        case invalid
        /// Two hexadecimal digits, one of them a lowercase letter.
        case lowercase
        case uppercase
        /// Wildcards or variables may stand for the digits.
        case open
    }

    let kind: Kind
    /// The `%` alone if it is invalid, else the whole escape.
    let range: Range<Int>

    /// All escapes in the examined part of a pattern.
    static func all(in pattern: FilePattern) -> [PercentEscape] {
        let parsed = pattern.parsed
        guard parsed.present.contains(UInt8(ascii: "%")) else { return [] }
        let bytes = parsed.bytes[parsed.examined]
        // What follows on a value of a variable is not known.
        let end: UInt8? = pattern.isVariableValue ? .blank : nil
        var found: [PercentEscape] = []
        var offset = bytes.startIndex
        while let sign = bytes[offset...].firstIndex(of: UInt8(ascii: "%")) {
            func byte(_ offset: Int) -> UInt8? { offset < bytes.endIndex ? bytes[offset] : end }
            let kind = kind(byte(sign + 1), byte(sign + 2))
            let length = if case .invalid = kind { 1 } else if case .open = kind { 1 } else { 3 }
            found.append(PercentEscape(kind: kind, range: sign..<sign + length))
            offset = sign + length
        }
        return found
    }

    private static func kind(_ first: UInt8?, _ second: UInt8?) -> Kind {
        guard let first else { return .invalid }
        if first == UInt8(ascii: "*") || first == .blank { return .open }
        guard let second, first.isHexDigit || first == UInt8(ascii: "?") else { return .invalid }
        if second == UInt8(ascii: "*") || second == UInt8(ascii: "?") || second == .blank { return .open }
        guard second.isHexDigit else { return .invalid }
        if first == UInt8(ascii: "?") { return .open }
        return first >= 0x61 || second >= 0x61 ? .lowercase : .uppercase
    }
}
