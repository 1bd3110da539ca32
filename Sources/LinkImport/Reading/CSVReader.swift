internal import Diagnostics

/// The records of comma-separated values (RFC 4180), each field with its range.
///
/// Lines end with LF, CR LF or CR, and empty ones are no records. A quote within a field that does not begin with one is text.
struct CSVReader {
    /// A value without its quotes, and the bytes in the file with them.
    struct Field {
        let bytes: [UInt8]
        let range: SourceRange
    }

    private let bytes: [UInt8]
    private var offset: Int
    /// The quote that nothing closes.
    private(set) var openQuote: SourceRange?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private static let quote = UInt8(ascii: "\"")

    /// The fields of the next record; nil at the end.
    mutating func next() -> [Field]? {
        while offset < bytes.count, Self.isLineEnd(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return nil }
        var fields = [field()]
        while offset < bytes.count, bytes[offset] == UInt8(ascii: ",") {
            offset += 1
            fields.append(field())
        }
        return fields
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The field that begins here; what follows it is a comma, a line end or the end.
    private mutating func field() -> Field {
        let start = offset
        var value: [UInt8] = []
        if offset < bytes.count, bytes[offset] == Self.quote {
            offset += 1
            value = quotedText(from: start)
        }
        // Also what follows the quote that closes a value, which nothing should.
        let rest = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: ","), !Self.isLineEnd(bytes[offset]) { offset += 1 }
        value += bytes[rest..<offset]
        return Field(bytes: value, range: SourceRange(start: start, end: offset))
    }

    /// The text up to the quote that closes it, in which two quotes are one.
    private mutating func quotedText(from start: Int) -> [UInt8] {
        var text: [UInt8] = []
        while offset < bytes.count {
            let rest = bytes[offset...].prefix { $0 != Self.quote }
            text += rest
            offset = rest.endIndex + 1
            guard offset < bytes.count, bytes[offset] == Self.quote else { break }
            text.append(Self.quote)
            offset += 1
        }
        if offset > bytes.count {
            offset = bytes.count
            openQuote = SourceRange(start: start, end: start + 1)
        }
        return text
    }
}
