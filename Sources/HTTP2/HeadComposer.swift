internal import HTTP1

/// Writes the header block of a request as the head that it would have in HTTP/1.1, so that both versions are judged by
/// one parser, answered by the same rules and logged alike.
///
/// The library has checked names, values and the order of fields (RFC 9113, sections 8.2 and 8.3): no value has a line end
/// in it. What HTTP/1.1 would refuse all the same, the parser refuses.
struct HeadComposer: BitwiseCopyable {
    /// The largest header list: names, values, and 32 bytes for each field (RFC 9113, section 6.5.2).
    static let largestList = 8_192
    /// The largest header list that is decoded to its end. The library checks each byte of a value, also of one that the
    /// peer has sent once and names with a byte for each time.
    static let largestDecodedList = 32_768
    /// Room for a head, before the values of pseudo-header fields.
    private static let headCapacity = largestList + 256
    /// The memory that a head is composed in.
    static let capacity = 2 * headCapacity

    /// Where a value is in the memory.
    private struct Value: BitwiseCopyable {
        var start: UInt16 = 0
        var count: UInt16 = 0
    }

    /// The length of the head so far.
    private(set) var count = 0
    /// The end of the values of pseudo-header fields, which are not in the head before its line is written.
    private var valuesEnd = HeadComposer.headCapacity
    private var listSize = 0
    private var method = Value()
    private var path = Value()
    private var authority: Value?
    private var hasLine = false
    private var isTooLarge = false
    private var isMalformed = false
    /// Whether the block is not the head of a request but trailers.
    private let isIgnored: Bool

    /// Whether the block decompresses to more than is decoded.
    var isBeyondDecoding: Bool { listSize > Self.largestDecodedList }

    init(isIgnored: Bool = false) { self.isIgnored = isIgnored }

    /// The parts of the memory that are in use as long as the block goes on.
    var used: (head: Range<Int>, values: Range<Int>) {
        (0..<count, hasLine ? 0..<0 : Self.headCapacity..<valuesEnd)
    }

    mutating func add(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, to memory: UnsafeMutablePointer<UInt8>
    ) {
        listSize &+= name.count &+ value.count &+ 32
        guard !isIgnored, !isTooLarge else { return }
        guard listSize <= Self.largestList else {
            isTooLarge = true
            return
        }
        if name.first == UInt8(ascii: ":") { return addPseudo(name, value, memory) }
        if !hasLine { writeLine(memory) }
        switch name.count {
        case 4:
            if let authority, name.reads("host") {
                let named = UnsafeBufferPointer(start: memory + Int(authority.start), count: Int(authority.count))
                if !named.matches(value) { isMalformed = true }
                return
            }
        // The end of a body is the end of its stream.
        case 14 where name.reads("content-length"): return
        default: break
        }
        write(name, memory)
        write(": ", memory)
        write(value, memory)
        write("\r\n", memory)
    }

    private mutating func addPseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ memory: UnsafeMutablePointer<UInt8>
    ) {
        if name.reads(":scheme") {
            if !value.reads("https") { isMalformed = true }
            return
        }
        let kept = Value(
            start: UInt16(truncatingIfNeeded: valuesEnd), count: UInt16(truncatingIfNeeded: value.count))
        Self.copy(value, to: memory + valuesEnd)
        valuesEnd &+= value.count
        switch name.count {
        case 5: path = kept
        case 7: method = kept
        default: authority = kept
        }
    }

    /// Writes the request line and `host`; a CONNECT has an authority for its target.
    private mutating func writeLine(_ memory: UnsafeMutablePointer<UInt8>) {
        hasLine = true
        write(method, memory)
        write(" ", memory)
        write(path.count > 0 ? path : authority ?? path, memory)
        write(" HTTP/1.1\r\n", memory)
        guard let authority else { return }
        write("host: ", memory)
        self.authority?.start = UInt16(truncatingIfNeeded: count)
        write(authority, memory)
        write("\r\n", memory)
    }

    /// The block has ended.
    ///
    /// - Returns: the request, or the status that refuses it. The head is the first `count` bytes of the memory.
    mutating func finish(_ memory: UnsafeMutablePointer<UInt8>) -> RequestParser.Result {
        if !hasLine { writeLine(memory) }
        write("\r\n", memory)
        if isTooLarge { return .refused(.requestHeaderFieldsTooLarge) }
        if isMalformed { return .refused(.badRequest) }
        return switch RequestParser.parse(UnsafeBufferPointer(start: memory, count: count).span) {
        case .request(let head): .request(head)
        case .refused(let status): .refused(status)
        case .incomplete: .refused(.badRequest)
        }
    }

    private mutating func write(_ value: Value, _ memory: UnsafeMutablePointer<UInt8>) {
        write(UnsafeBufferPointer(start: memory + Int(value.start), count: Int(value.count)), memory)
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, _ memory: UnsafeMutablePointer<UInt8>) {
        Self.copy(bytes, to: memory + count)
        count &+= bytes.count
    }

    private mutating func write(_ text: StaticString, _ memory: UnsafeMutablePointer<UInt8>) {
        (memory + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    private static func copy(_ bytes: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) {
        if let start = bytes.baseAddress { output.update(from: start, count: bytes.count) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes read like this text, byte by byte.
    @inline(__always)
    fileprivate func reads(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Whether the bytes are the same, letters without case.
    fileprivate func matches(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where Self.lowercased(self[index]) != Self.lowercased(other[index]) { return false }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
