/// One `name: value` line (RFC 9112, section 5), as ranges of the bytes that it stands in.
struct FieldLine {
    var name: Range<Int>
    /// Without the blanks around it.
    var value: Range<Int>
    /// The first byte behind the line's CRLF.
    var end: Int

    enum Reading {
        case line(FieldLine)
        /// The empty line that ends a head; the place behind it.
        case endOfHead(Int)
        case incomplete
        /// Not a field line: a bare CR or LF, white space where none may be, a name that is no token, a control character.
        case malformed
    }

    @inline(__always)
    static func read(_ bytes: Span<UInt8>, at start: Int) -> Reading {
        guard start < bytes.count else { return .incomplete }
        if bytes[start] == Characters.carriageReturn {
            guard start &+ 1 < bytes.count else { return .incomplete }
            return bytes[start &+ 1] == Characters.lineFeed ? .endOfHead(start &+ 2) : .malformed
        }
        var colon = start
        while colon < bytes.count, Characters.isToken(bytes[colon]) { colon &+= 1 }
        guard colon < bytes.count else { return .incomplete }
        guard bytes[colon] == Characters.colon, colon > start else { return .malformed }
        let end = Characters.endOfValue(in: bytes.bytes, from: colon &+ 1)
        guard end &+ 1 < bytes.count else {
            return end == bytes.count || bytes[end] == Characters.carriageReturn ? .incomplete : .malformed
        }
        guard bytes[end] == Characters.carriageReturn, bytes[end &+ 1] == Characters.lineFeed else { return .malformed }
        return .line(FieldLine(name: start..<colon, value: bytes.trimmed(colon &+ 1..<end), end: end &+ 2))
    }
}
