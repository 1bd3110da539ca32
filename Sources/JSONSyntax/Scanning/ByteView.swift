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

    /// The part of a range that lies inside.
    func text(_ range: Range<Int>) -> String {
        let range = range.clamped(to: 0..<count)
        return String(decoding: UnsafeBufferPointer(rebasing: buffer[range]), as: UTF8.self)
    }

    /// Appends the part of a range that lies inside.
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

    /// The first place at or behind `start` that ends the line, or the end.
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

    /// The first place at or behind `start` that holds a quotation mark, a backslash or a control character, or
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

    /// The first place at or behind `start` that holds no blank, or the end.
    @inline(__always)
    func endOfBlanks(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count, chunk(at: index) == Self.ones &* 0x20 { index &+= 8 }
        while index < count, self[index] == 0x20 { index &+= 1 }
        return index
    }

    /// The first place at or behind `start` that holds a byte beyond ASCII, or the end.
    func endOfASCII(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count, chunk(at: index) & Self.highs == 0 { index &+= 8 }
        while index < count, self[index] < 0x80 { index &+= 1 }
        return index
    }
}
