internal import BoundedText

/// Bytes that are lent for the time of one reading; every byte outside of them reads as 0.
struct ByteView {
    private let buffer: UnsafeBufferPointer<UInt8>

    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    var count: Int { buffer.count }

    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        UInt(bitPattern: offset) < UInt(bitPattern: buffer.count) ? buffer[offset] : 0
    }

    /// The part of a range that is inside.
    func text(_ range: Range<Int>) -> String { boundedText(range).text }

    /// The part of a range that is inside, and whether a run of marks in it was too long.
    func boundedText(_ range: Range<Int>) -> (text: String, isChanged: Bool) {
        BoundedText.text(UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<count)]))
    }

    /// Appends the part of a range that is inside.
    func append(_ range: Range<Int>, to array: inout [UInt8]) {
        array.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<count)]))
    }

    func starts(with ascii: StaticString, at offset: Int) -> Bool {
        let length = ascii.utf8CodeUnitCount
        guard offset >= 0, length <= count - offset else { return false }
        return ascii.withUTF8Buffer { expected in
            for index in 0..<length where expected[index] != buffer[offset + index] { return false }
            return true
        }
    }

    func equals(_ ascii: StaticString, _ range: Range<Int>) -> Bool {
        range.count == ascii.utf8CodeUnitCount && starts(with: ascii, at: range.lowerBound)
    }

    /// The first offset at or after `start` that ends the line, or the end.
    func endOfLine(from start: Int) -> Int {
        var index = start
        while index < count, !isLineEnd(self[index]) { index += 1 }
        return index
    }
}

extension ByteView {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private func chunk(at offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The first offset at or after `start` that holds a quotation mark, a backslash or a control character, or
    /// `limit`.
    @inline(__always)
    func endOfPlainText(from start: Int, to limit: Int) -> Int {
        var index = start
        while index &+ 8 <= limit {
            let chunk = chunk(at: index)
            let quote = chunk ^ (Self.ones &* 0x22)
            let backslash = chunk ^ (Self.ones &* 0x5C)
            // The lowest bit that is set is exact; higher ones may be borrowed from it.
            let found =
                ((quote &- Self.ones) & ~quote) | ((backslash &- Self.ones) & ~backslash)
                | ((chunk &- Self.ones &* 0x20) & ~chunk)
            let bits = found & Self.highs
            if bits != 0 { return index &+ bits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < limit {
            let byte = self[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
            index &+= 1
        }
        return index
    }

    /// The first offset at or after `start` that does not hold a space, or the end.
    @inline(__always)
    func endOfSpaces(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count, chunk(at: index) == Self.ones &* 0x20 { index &+= 8 }
        while index < count, self[index] == 0x20 { index &+= 1 }
        return index
    }

    /// The first offset at or after `start` that holds a byte beyond ASCII, or the end.
    func endOfASCII(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count, chunk(at: index) & Self.highs == 0 { index &+= 8 }
        while index < count, self[index] < 0x80 { index &+= 1 }
        return index
    }
}

/// RFC 8259, section 2.
@inline(__always)
func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

@inline(__always)
func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- UInt8(ascii: "0")) }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? UInt32(letter &+ 10) : nil
}

extension Unicode.Scalar {
    /// Whether it looks like white space, or like nothing at all, but is not white space in JSON.
    var isForeignSpace: Bool {
        switch value {
        case 0x85, 0xA0, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2064, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// Whether a word without quotes may hold this character beyond ASCII.
    var isForeignLetter: Bool {
        properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
    }
}

extension ByteView {
    /// The character at an offset of a text that is valid UTF-8, and its length in bytes.
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        guard offset < count else { return ("\0", 1) }
        let bytes = UnsafeRawBufferPointer(buffer)
        let length = UTF8Scalars.length(bytes, at: offset)
        return (Unicode.Scalar(UTF8Scalars.value(bytes, at: offset, length: length)) ?? "\u{FFFD}", length)
    }

    /// The first byte of the first sequence that is not UTF-8 (Unicode, table 3-7), or nil.
    func firstInvalidUTF8() -> Int? {
        let bytes = UnsafeRawBufferPointer(buffer)
        var index = endOfASCII(from: 0)
        while index < count {
            // This is no ASCII.
            let length = UTF8Scalars.length(bytes, at: index)
            guard length > 1 else { return index }
            index = endOfASCII(from: index + length)
        }
        return nil
    }
}
