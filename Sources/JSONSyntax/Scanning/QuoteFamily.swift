/// Quotes that belong together: `"` and its curly forms, `'` and its curly forms, `«»`, `‹›`, `「」` and `『』`.
enum QuoteFamily {
    case single
    case double
    case guillemet
    case singleGuillemet
    case corner

    /// The family of the quote beyond ASCII at a place, and its length in bytes; nil if there is none.
    static func foreign(at offset: Int, in bytes: ByteView) -> (family: QuoteFamily, length: Int)? {
        switch (bytes[offset], bytes[offset + 1], bytes[offset + 2]) {
        case (0xE2, 0x80, 0x98...0x9B): (.single, 3)
        case (0xE2, 0x80, 0x9C...0x9F): (.double, 3)
        case (0xC2, 0xAB, _), (0xC2, 0xBB, _): (.guillemet, 2)
        case (0xE2, 0x80, 0xB9...0xBA): (.singleGuillemet, 3)
        case (0xE3, 0x80, 0x8C...0x8F): (.corner, 3)
        default: nil
        }
    }

    var straight: UInt8 {
        switch self {
        case .single, .singleGuillemet: UInt8(ascii: "'")
        case .double, .guillemet, .corner: UInt8(ascii: "\"")
        }
    }
}
