internal import BoundedText
internal import URLPatterns

/// A piece of a URL's text that patterns see as one character, or as the bytes of it.
struct URLSymbol: Hashable {
    /// The text as it is.
    let raw: [UInt8]
    /// The character that it is when it is decoded (``PatternSymbol``).
    let decoded: UInt32
    let kind: Kind

    /// The meaning of a symbol beside what patterns see, as far as all of Apple's URLs are read.
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
        /// A digit that must not come second after such a percent sign.
        static let hexDigit = Kind(rawValue: 16)
        /// An escaped byte that belongs to no character.
        static let strayByte = Kind(rawValue: 32)
        /// Such a byte that could complete a character.
        static let strayTail = Kind(rawValue: 64)
        /// A slash of a path that only patterns see which see characters.
        static let escapedSlash = Kind(rawValue: 128)
    }

    init(raw: [UInt8], _ decoded: UInt32, _ kind: Kind = []) {
        self.raw = raw
        self.decoded = decoded
        self.kind = kind
    }

    /// A character as it is in a URL, escaped or not.
    init(_ scalar: Unicode.Scalar, isEscaped: Bool) {
        let bytes = Array(String(Character(scalar)).utf8)
        self.init(raw: isEscaped ? bytes.flatMap(Self.escape) : bytes, scalar.value)
    }

    /// The decoded character; nil for a byte that belongs to none.
    var scalar: Unicode.Scalar? { Unicode.Scalar(decoded) }

    var isEscaped: Bool { raw.count > 1 }

    /// Whether it is the escape of a character that could be there by itself.
    var isOfPlainCharacter: Bool { isEscaped && scalar.map(URLAlphabet.isPlain) ?? false }

    /// Whether it is a certain ASCII character, escaped or not.
    func `is`(_ character: Unicode.Scalar) -> Bool { decoded == character.value }

    /// A byte as it is written as an escape.
    static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The characters that are escaped in a text, each as it is written there; what is not UTF-8 is left out.
    static func escapes(in text: [UInt8]) -> [URLSymbol] {
        var symbols: [URLSymbol] = []
        var index = 0
        while index < text.count {
            guard let symbol = escape(in: text, at: index) else {
                index += 1
                continue
            }
            symbols.append(symbol)
            index += symbol.raw.count
        }
        return symbols
    }

    /// The escaped character that begins at an offset.
    static func escape(in text: [UInt8], at offset: Int) -> URLSymbol? {
        var bytes: [UInt8] = []
        while bytes.count < 4, let byte = escapedByte(in: text, at: offset + 3 * bytes.count) {
            bytes.append(byte)
            // `validating` takes nothing but whole characters.
            if let scalar = String(validText: bytes)?.unicodeScalars.first {
                return URLSymbol(raw: Array(text[offset..<offset + 3 * bytes.count]), scalar.value)
            }
        }
        return nil
    }

    /// The byte that is written as an escape at an offset.
    static func escapedByte(in text: [UInt8], at offset: Int) -> UInt8? {
        guard offset + 2 < text.count, text[offset] == UInt8(ascii: "%") else { return nil }
        return OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
    }
}

/// The end of a text, as far as it says what may follow.
struct TextEnding: OptionSet, Hashable {
    let rawValue: UInt8

    /// A percent sign that begins no escape.
    static let percent = TextEnding(rawValue: 1)
    /// Such a sign and a digit.
    static let percentDigit = TextEnding(rawValue: 2)
    /// An escaped byte that belongs to no character.
    static let strayByte = TextEnding(rawValue: 4)
    /// A slash of the path.
    static let slash = TextEnding(rawValue: 8)
    /// A slash of the path, escaped or not.
    static let decodedSlash = TextEnding(rawValue: 16)
    /// Nothing but slashes, escaped or not, or nothing at all.
    static let nothing = TextEnding(rawValue: 32)

    /// The end after another symbol, as far as escapes go; nil if the symbol cannot follow.
    func following(_ kind: URLSymbol.Kind) -> TextEnding? {
        if kind.contains(.strayTail), contains(.strayByte) { return nil }
        if kind.contains(.hexDigit) {
            if contains(.percentDigit) { return nil }
            return contains(.percent) ? .percentDigit : []
        }
        if kind.contains(.percent) { return .percent }
        return kind.contains(.strayByte) ? .strayByte : []
    }
}
