/// The characters of the parts of a URL (RFC 3986, section 2 and 3), and writing them such that a part cannot be left.
enum URLBytes {
    /// Letters, digits, `-`, `.`, `_` and `~`.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool { isIn(0x03FF_6000_0000_0000, 0x47FF_FFFE_87FF_FFFE, byte) }

    /// The characters that a segment of a path may have as they are (`pchar`), escapes aside.
    @inline(__always)
    static func isSegmentCharacter(_ byte: UInt8) -> Bool { isIn(0x2FFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFF, byte) }

    /// A set of ASCII characters: the bits of the bytes 0…63 and 64…127.
    @inline(__always)
    private static func isIn(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        byte < 0x80 && ((byte < 0x40 ? low : high) >> UInt64(byte & 0x3F)) & 1 == 1
    }

    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- UInt8(ascii: "0") < 10 { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The byte that an escape at an index stands for; nil if none is there.
    @inline(__always)
    static func escape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8? {
        guard index &+ 2 < text.count, text[index] == UInt8(ascii: "%"), let high = hexValue(text[index &+ 1]),
            let low = hexValue(text[index &+ 2])
        else { return nil }
        return high << 4 | low
    }

    /// Writes a text with everything escaped but what is allowed and the escapes that are there; a `%` without two digits
    /// becomes `%25`.
    static func write(
        _ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], allowing isAllowed: (UInt8) -> Bool
    ) {
        for index in 0..<text.count {
            let byte = text[index]
            if isAllowed(byte) || byte == UInt8(ascii: "%") && escape(text, at: index) != nil {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(digit(byte >> 4))
                output.append(digit(byte & 15))
            }
        }
    }

    /// Writes the path of a request, from which nothing can end a path.
    static func writePath(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        write(text, to: &output) { isSegmentCharacter($0) || $0 == UInt8(ascii: "/") }
    }

    /// Writes the query of a request as it is, but for what no query may have.
    static func writeQuery(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        write(text, to: &output) {
            isSegmentCharacter($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Looks for the segments `.` and `..` in a path, also percent-encoded; an encoded slash and a backslash end a segment,
/// too, as some servers read them.
struct DotSegments {
    private var length = 0
    private var hasOnlyDots = true

    /// Whether a text has such a segment.
    static func areIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var state = DotSegments()
        var index = 0
        while index < text.count {
            var byte = text[index]
            if let decoded = URLBytes.escape(text, at: index) {
                byte = decoded
                index &+= 2
            }
            if state.ends(at: byte) { return true }
            index &+= 1
        }
        return state.isDots
    }

    private var isDots: Bool { hasOnlyDots && (length == 1 || length == 2) }

    private mutating func ends(at byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") {
            defer { (length, hasOnlyDots) = (0, true) }
            return isDots
        }
        length &+= 1
        if byte != UInt8(ascii: ".") { hasOnlyDots = false }
        return false
    }
}
