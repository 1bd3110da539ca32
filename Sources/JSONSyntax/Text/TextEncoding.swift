/// An encoding that JSON no longer allows (RFC 8259, section 8.1).
enum TextEncoding: String {
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    case utf32LittleEndian = "UTF-32LE"
    case utf32BigEndian = "UTF-32BE"

    /// The encoding of a text by its byte order mark, or by the zero bytes of its first characters, which are ASCII.
    ///
    /// - Returns: The encoding and the length of the mark; nil if the text looks like neither UTF-16 nor UTF-32.
    static func detect(_ bytes: [UInt8]) -> (encoding: TextEncoding, mark: Int)? {
        let head = bytes.prefix(4)
        if head.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        switch head.map({ $0 == 0 }) {
        case [false, true, true, true]: return (.utf32LittleEndian, 0)
        case [true, true, true, false]: return (.utf32BigEndian, 0)
        case [false, true, false, true], [false, true], [false, true, false]: return (.utf16LittleEndian, 0)
        case [true, false, true, false], [true, false], [true, false, true]: return (.utf16BigEndian, 0)
        default: return nil
        }
    }

    /// The text in UTF-8, without its mark, and where it holds U+FFFD for something malformed first.
    func convert(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], malformed: Int?) {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2 + 4)
        var malformed: Int?
        var rest = bytes
        while !rest.isEmpty {
            let scalar = nextScalar(&rest)
            if scalar == nil, malformed == nil { malformed = result.count }
            result.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        }
        return (result, malformed)
    }

    private func nextScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        var lookahead = rest
        guard isUTF16, first < 0xDC00, let second = unit(&lookahead), (0xDC00...0xDFFF).contains(second) else {
            return nil
        }
        rest = lookahead
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

    /// The next code unit; nil, and nothing is left, if there is only a part of it.
    private func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        let size = isUTF16 ? 2 : 4
        let bytes = rest.prefix(size)
        rest = rest.dropFirst(size)
        guard bytes.count == size else { return nil }
        let isLittleEndian = self == .utf16LittleEndian || self == .utf32LittleEndian
        return isLittleEndian
            ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
