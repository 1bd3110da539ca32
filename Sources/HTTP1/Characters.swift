/// The character classes of RFC 9110 and RFC 3986, and their fast scans.
enum Characters {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let slash = UInt8(ascii: "/")

    /// RFC 9110, 5.6.2: a letter, a digit or one of ``!#$%&'*+-.^_`|~``.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        isIn(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE, byte)
    }

    /// RFC 3986, 3.2.2: unreserved characters and sub-delimiters; a `%` has to be looked at with what follows it.
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        isIn(0x2BFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE, byte)
    }

    /// A set of ASCII characters: the bits of the bytes 0…63 and 64…127.
    @inline(__always)
    private static func isIn(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        byte < 0x80 && ((byte < 0x40 ? low : high) >> UInt64(byte & 0x3F)) & 1 == 1
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// RFC 3986, 2.3.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The first index from `start` on of a control character other than a tab, or the end.
    static func endOfValue(in bytes: RawSpan, from start: Int) -> Int {
        var index = start
        while true {
            index = first(below: 0x20, orAnyOf: 0, in: bytes, from: index)
            if index >= bytes.byteCount || byte(at: index, of: bytes) != tab { return index }
            index &+= 1
        }
    }

    /// The first index from `start` on of a byte outside `!`…`~`, or the end.
    static func endOfTarget(in bytes: RawSpan, from start: Int) -> Int {
        first(below: 0x21, orAnyOf: 0x80, in: bytes, from: start)
    }

    /// The first byte that is below `bound`, is DEL, or has a bit of `mask`; eight bytes a step.
    ///
    /// A byte is below `bound` when subtracting borrows into its top bit. A borrow can only spoil the bytes above the
    /// first hit, so the lowest hit is exact.
    @inline(__always)
    private static func first(below bound: UInt8, orAnyOf mask: UInt8, in bytes: RawSpan, from start: Int) -> Int {
        var index = start
        let count = bytes.byteCount
        while index &+ 8 <= count {
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let delete = word ^ (0x7F &* ones)
            let low = (word &- UInt64(bound) &* ones) & ~word
            let hits = (low | ((delete &- ones) & ~delete) | (word & (UInt64(mask) &* ones))) & highs
            if hits != 0 { return index &+ hits.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < count {
            let value = byte(at: index, of: bytes)
            if value < bound || value == 0x7F || value & mask != 0 { return index }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private static func byte(at index: Int, of bytes: RawSpan) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}

extension Span where Element == UInt8 {
    /// Whether `range` reads `text`, which is in lower case; ASCII letters of the range may be in either case.
    @inline(__always)
    func matches(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        let expected = text.utf8Start
        for index in 0..<range.count {
            let byte = self[range.lowerBound &+ index]
            let folded = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
            if folded != expected[index] { return false }
        }
        return true
    }

    /// `range` without the white space at its ends.
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, Characters.isBlank(self[lower]) { lower &+= 1 }
        while lower < upper, Characters.isBlank(self[upper &- 1]) { upper &-= 1 }
        return lower..<upper
    }

    /// Calls `body` with each element of a comma-separated list, white space trimmed, empty ones left out.
    func forEachListElement(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        var index = start
        while index <= range.upperBound {
            if index == range.upperBound || self[index] == UInt8(ascii: ",") {
                let element = trimmed(start..<index)
                if !element.isEmpty { body(element) }
                start = index &+ 1
            }
            index &+= 1
        }
    }
}
