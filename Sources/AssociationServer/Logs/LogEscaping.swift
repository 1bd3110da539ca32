/// Writes what a peer sent so that it stays within its quotes and its line, and shows nothing but printable ASCII.
///
/// Everything else is escaped, characters that are good in UTF-8, too: no terminal, no reader and no later version of
/// Unicode can take them for something to act on.
enum LogEscaping {
    /// The most bytes for one that was sent.
    static let growth = 6
    /// The most bytes that mark a cut.
    static let longestMark = 6

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080
    private static let spaces: UInt64 = 0x2020_2020_2020_2020
    private static let lowerDigits: StaticString = "0123456789abcdef"
    private static let upperDigits: StaticString = "0123456789ABCDEF"

    /// - Parameters:
    ///   - limit: no more of its bytes are written, and then a mark: `…` in JSON, else `...`.
    @inline(__always)
    static func write(
        _ text: UnsafePointer<UInt8>, count: Int, limit: Int, _ format: ServerConfiguration.LogFormat,
        to line: inout LineCursor
    ) {
        if count > limit { return writeCut(text, limit, format, to: &line) }
        writeAll(text, count, format, to: &line)
    }

    @inline(never)
    private static func writeCut(
        _ text: UnsafePointer<UInt8>, _ limit: Int, _ format: ServerConfiguration.LogFormat, to line: inout LineCursor
    ) {
        // Not within a character. The byte at the limit is there: the text is longer.
        var count = limit
        while count > 0, limit - count < 3, text[count] & 0xC0 == 0x80 { count -= 1 }
        writeAll(text, count, format, to: &line)
        switch format {
        case .json: line.put("\\u2026")
        case .combined: line.put("...")
        }
    }

    @inline(__always)
    private static func writeAll(
        _ text: UnsafePointer<UInt8>, _ count: Int, _ format: ServerConfiguration.LogFormat, to line: inout LineCursor
    ) {
        var source = text
        let end = text + count
        // In a register: nothing is slower here than to keep it in memory.
        var next = line.next
        while end - source >= 8 {
            let word = UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
            let marks = marks(word)
            if marks == 0 {
                next += 8
                source += 8
            } else {
                let plain = marks.trailingZeroBitCount >> 3
                (source, next) = escape(source + plain, end, format, to: next + plain)
            }
        }
        while source < end {
            let word = lastWord(from: source, end, startOfText: text)
            UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
            let marks = marks(word)
            if marks == 0 {
                next += end - source
                break
            }
            let plain = marks.trailingZeroBitCount >> 3
            (source, next) = escape(source + plain, end, format, to: next + plain)
        }
        line.next = next
    }

    /// The top bit of each byte that has to be escaped; of bytes above such a one, perhaps by mistake.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: word)
        // Borrows and carries go upwards. Changing bit 1 puts the quotation mark beside the control characters.
        let low = (word ^ (0x02 &* ones)) &- 0x21 &* ones
        let backslash = (word ^ (0x5C &* ones)) &- ones
        let high = (word &+ ones) | word
        return (low | backslash | high) & highs
    }

    /// The last one to seven bytes, and spaces after them.
    @inline(__always)
    private static func lastWord(
        from source: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, startOfText: UnsafePointer<UInt8>
    ) -> UInt64 {
        let bits = UInt64(truncatingIfNeeded: end - source) &* 8
        var word: UInt64 = 0
        if end - startOfText >= 8 {
            word = UInt64(littleEndian: UnsafeRawPointer(end - 8).loadUnaligned(as: UInt64.self)) >> (64 &- bits)
        } else {
            var byte = end
            while byte > source {
                byte -= 1
                word = word << 8 | UInt64(byte.pointee)
            }
        }
        return (word | spaces << bits).littleEndian
    }

    /// Writes the first character in a way that can be shown.
    ///
    /// - Returns: what follows it, and where that goes.
    @inline(never)
    private static func escape(
        _ source: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ format: ServerConfiguration.LogFormat,
        to output: UnsafeMutablePointer<UInt8>
    ) -> (source: UnsafePointer<UInt8>, next: UnsafeMutablePointer<UInt8>) {
        var line = LineCursor(next: output)
        let byte = source.pointee
        var count = 1
        switch (format, byte) {
        case (.combined, _):
            // As nginx does.
            line.put("\\x")
            line.put(upperDigits.utf8Start[Int(byte >> 4)])
            line.put(upperDigits.utf8Start[Int(byte & 0xF)])
        case (.json, UInt8(ascii: "\"")): line.put("\\\"")
        case (.json, UInt8(ascii: "\\")): line.put("\\\\")
        case (.json, UInt8(ascii: "\t")): line.put("\\t")
        case (.json, UInt8(ascii: "\n")): line.put("\\n")
        case (.json, UInt8(ascii: "\r")): line.put("\\r")
        case (.json, ..<0x80): putUnit(UInt32(byte), to: &line)
        case (.json, _):
            if let character = character(source, end - source) {
                put(character.scalar, to: &line)
                count = character.count
            } else {
                line.put("\\ufffd")
            }
        }
        return (source + count, line.next)
    }

    private static func put(_ scalar: UInt32, to line: inout LineCursor) {
        guard scalar >= 0x1_0000 else { return putUnit(scalar, to: &line) }
        putUnit(0xD7C0 &+ scalar >> 10, to: &line)
        putUnit(0xDC00 | scalar & 0x3FF, to: &line)
    }

    private static func putUnit(_ unit: UInt32, to line: inout LineCursor) {
        line.put("\\u")
        var shift: UInt32 = 16
        while shift > 0 {
            shift &-= 4
            line.put(lowerDigits.utf8Start[Int(unit >> shift & 0xF)])
        }
    }

    /// The character that begins with a byte from 0x80 on; `nil` if that is not UTF-8 (RFC 3629).
    private static func character(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (scalar: UInt32, count: Int)? {
        let first = UInt32(bytes[0])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first), count >= length else { return nil }
        var value = first & (0xFF >> UInt32(length + 1))
        for index in 1..<length {
            guard bytes[index] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[index] & 0x3F)
        }
        // Longer than it has to be, half of a surrogate pair, or beyond Unicode.
        guard value >= (length == 4 ? 0x1_0000 : length == 3 ? 0x800 : 0x80), Unicode.Scalar(value) != nil else {
            return nil
        }
        return (value, length)
    }
}
