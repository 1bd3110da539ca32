/// The 9 bytes before the payload of a frame (RFC 9113, section 4.1).
struct FrameHeader: BitwiseCopyable {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let resetStream: UInt8 = 3
        static let settings: UInt8 = 4
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    static let count = 9
    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    /// The length of the payload in bytes.
    let length: Int
    let type: UInt8
    let flags: UInt8

    var endsHeaders: Bool { flags & Self.endHeaders != 0 }
}

/// Finds where frames begin and end, so that the library is given one at a time and each is judged before it.
///
/// It holds nine bytes and no payload.
struct FrameScanner: BitwiseCopyable {
    struct Step {
        /// The number of bytes up to the end of the frame, or up to the end of its header, or all there are.
        let count: Int
        /// The header, if its last byte is among them.
        let header: FrameHeader?
    }

    /// `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n` (RFC 9113, section 3.4).
    static let prefaceCount = 24

    private var prefaceLeft = FrameScanner.prefaceCount
    private var headerCount = 0
    /// The first eight bytes of a header; the ninth is not needed.
    private var header: UInt64 = 0
    private(set) var payloadLeft = 0

    /// Whether the bytes so far end inside of the preface or of a frame.
    var isInside: Bool { prefaceLeft > 0 && prefaceLeft < Self.prefaceCount || headerCount > 0 || payloadLeft > 0 }

    /// Whether the preface has come.
    var hasBegun: Bool { prefaceLeft == 0 }

    /// - Parameter count: at least one.
    mutating func scan(_ bytes: UnsafePointer<UInt8>, count: Int) -> Step {
        if payloadLeft > 0 {
            let taken = min(payloadLeft, count)
            payloadLeft &-= taken
            return Step(count: taken, header: nil)
        }
        if prefaceLeft > 0 {
            let taken = min(prefaceLeft, count)
            prefaceLeft &-= taken
            return Step(count: taken, header: nil)
        }
        let taken = min(FrameHeader.count &- headerCount, count)
        for index in 0..<taken where headerCount &+ index < 8 { header = header << 8 | UInt64(bytes[index]) }
        headerCount &+= taken
        guard headerCount == FrameHeader.count else { return Step(count: taken, header: nil) }
        headerCount = 0
        let length = Int(header >> 40)
        payloadLeft = length
        let found = FrameHeader(
            length: length, type: UInt8(truncatingIfNeeded: header >> 32),
            flags: UInt8(truncatingIfNeeded: header >> 24))
        header = 0
        return Step(count: taken, header: found)
    }

    /// Takes the rest of a frame, as far as it is there, after its header was judged.
    mutating func takePayload(of count: Int) -> Int {
        let taken = min(payloadLeft, count)
        payloadLeft &-= taken
        return taken
    }
}
