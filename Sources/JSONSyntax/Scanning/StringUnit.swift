/// One character of a string as it is written: itself or an escape.
struct StringUnit {
    enum Meaning {
        case character(Unicode.Scalar)
        /// `\u` for half of a surrogate pair, without the other half.
        case loneSurrogate
        /// A backslash and what is no escape; the character behind the backslash.
        case invalidEscape(Unicode.Scalar)
        /// A character that must not stand in a string as it is.
        case control(Unicode.Scalar)
    }

    let range: Range<Int>
    let meaning: Meaning

    /// What the reader takes it for.
    var scalar: Unicode.Scalar {
        switch meaning {
        case .character(let scalar), .invalidEscape(let scalar), .control(let scalar): scalar
        case .loneSurrogate: "\u{FFFD}"
        }
    }

    var utf8Count: Int { UTF8.width(scalar) }
}
