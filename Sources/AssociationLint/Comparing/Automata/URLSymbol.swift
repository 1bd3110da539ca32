internal import AppSiteAssociation

/// A piece of a URL's text that patterns see as one character, or as the bytes that stand there.
struct URLSymbol {
    /// The text as it stands.
    let raw: [UInt8]
    /// The character that it is when it is decoded (``PatternSymbol``).
    let decoded: UInt32
    let kind: Kind

    /// What a symbol means beside what patterns see.
    struct Kind: OptionSet, Hashable {
        let rawValue: UInt8

        /// A slash of a path.
        static let slash = Kind(rawValue: 1)
        /// `&` of a query with items.
        static let itemEnd = Kind(rawValue: 2)
        /// `=` of a query with items.
        static let nameEnd = Kind(rawValue: 4)
        /// A percent sign that begins no escape.
        static let percent = Kind(rawValue: 8)
        /// A digit that must not come second behind such a percent sign.
        static let hexDigit = Kind(rawValue: 16)
        /// An escaped byte that belongs to no character.
        static let strayByte = Kind(rawValue: 32)
        /// Such a byte that could complete a character.
        static let strayTail = Kind(rawValue: 64)
        /// A slash of a path that only patterns see which see characters.
        static let escapedSlash = Kind(rawValue: 128)
    }

    /// The way a pattern sees a URL, as a number.
    static func view(_ comparison: Comparison) -> Int {
        (comparison.percentEncoded ? 0 : 2) + (comparison.caseSensitive ? 0 : 1)
    }

    static func isEncoded(view: Int) -> Bool { view < 2 }

    /// What a pattern reads.
    static func folded(_ symbol: UInt32, view: Int) -> UInt32 {
        switch view {
        case 1: symbol < 0x80 ? CaseFolding.simple(symbol) : symbol
        case 3: CaseFolding.simple(symbol)
        default: symbol
        }
    }
}
