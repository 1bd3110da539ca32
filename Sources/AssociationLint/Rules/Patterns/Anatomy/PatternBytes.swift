internal import AppSiteAssociation

extension UInt8 {
    /// What stands in an anatomy for the bytes of a variable or placeholder; no byte of UTF-8.
    static let blank: UInt8 = 0xFF

    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    /// What an identifier is made of.
    var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
    /// What the names of query items are usually made of, encoded or not, or a variable.
    var isInItemName: Bool { isWord || self == .blank || isUnencoded || Self.itemNameMarks.contains(self) }
    /// Whether no URL has it as it is.
    var isUnencoded: Bool {
        self <= 0x20 || self >= 0x7F && self != .blank || Self.excluded.contains(self)
    }

    private static let itemNameMarks = ByteSet("-.~[]%".utf8)
    private static let excluded = ByteSet(#""<>\^{}|`"#.utf8)
}

extension ByteSet {
    /// The bytes that no URL has as they are.
    static let unencoded = ByteSet((0...UInt8.max).lazy.filter(\.isUnencoded))

    func intersects(_ other: ByteSet) -> Bool {
        words.0 & other.words.0 | words.1 & other.words.1 | words.2 & other.words.2 | words.3 & other.words.3 != 0
    }
}
