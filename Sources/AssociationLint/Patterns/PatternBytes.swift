internal import AppSiteAssociation

extension UInt8 {
    /// Takes the place of the bytes of a variable or placeholder in a parsed pattern; never a byte of UTF-8.
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
    static let unencoded: ByteSet = {
        var bytes = ByteSet()
        for byte in 0...UInt8.max where byte.isUnencoded { bytes.insert(byte) }
        return bytes
    }()

    func intersects(_ other: ByteSet) -> Bool {
        words.0 & other.words.0 | words.1 & other.words.1 | words.2 & other.words.2 | words.3 & other.words.3 != 0
    }
}

/// White space in UTF-8, invisible characters too.
enum WhiteSpace {
    /// The first offset at or after `start` with no white space.
    static func end(from start: Int, in bytes: [UInt8]) -> Int {
        var offset = start
        while offset < bytes.count, !bytes[offset].isGraphic {
            let length = (1...3).first { offset + $0 <= bytes.count && isSpace(bytes[offset..<offset + $0]) }
            guard let length else { break }
            offset += length
        }
        return offset
    }

    /// The first offset, not before `limit`, with nothing but white space from there to `end`.
    static func start(of end: Int, in bytes: [UInt8], notBefore limit: Int) -> Int {
        var offset = end
        while offset > limit, !bytes[offset - 1].isGraphic {
            let length = (1...3).first { offset - $0 >= limit && isSpace(bytes[offset - $0..<offset]) }
            guard let length else { break }
            offset -= length
        }
        return offset
    }

    private static func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        switch bytes.count {
        case 1: return first == 0x20 || (0x09...0x0D).contains(first)
        case 2: return first == 0xC2 && (last == 0x85 || last == 0xA0)
        default:
            switch (first, bytes[bytes.startIndex + 1]) {
            case (0xE1, 0x9A): return last == 0x80
            case (0xE2, 0x80): return (0x80...0x8B).contains(last) || [0xA8, 0xA9, 0xAF].contains(last)
            case (0xE2, 0x81): return last == 0x9F || last == 0xA0
            case (0xE3, 0x80): return last == 0x80
            case (0xEF, 0xBB): return last == 0xBF
            default: return false
            }
        }
    }
}

extension UInt8 {
    fileprivate var isGraphic: Bool { (0x21...0x7E).contains(self) }
}
