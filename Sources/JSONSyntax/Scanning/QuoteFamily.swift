/// Quotes that belong together: `"` and its curly forms, `'` and its curly forms.
enum QuoteFamily {
    case single
    case double

    /// The family of the curly quote at a place: one of U+2018…U+201F.
    init?(curlyAt offset: Int, in bytes: ByteView) {
        guard bytes[offset] == 0xE2, bytes[offset + 1] == 0x80 else { return nil }
        switch bytes[offset + 2] {
        case 0x98...0x9B: self = .single
        case 0x9C...0x9F: self = .double
        default: return nil
        }
    }

    var straight: UInt8 {
        switch self {
        case .single: UInt8(ascii: "'")
        case .double: UInt8(ascii: "\"")
        }
    }
}
