/// The 9 bytes before the payload of a frame (RFC 9113, section 4.1).
struct FrameHeader: BitwiseCopyable {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
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
    /// The identifier, reserved bit excluded.
    let stream: UInt32

    /// - Parameter bytes: `count` of them.
    init(_ bytes: UnsafePointer<UInt8>) {
        let words = UnsafeRawPointer(bytes)
        let first = UInt32(bigEndian: words.loadUnaligned(as: UInt32.self))
        length = Int(first >> 8)
        type = UInt8(truncatingIfNeeded: first)
        flags = bytes[4]
        stream = UInt32(bigEndian: words.loadUnaligned(fromByteOffset: 5, as: UInt32.self)) & 0x7FFF_FFFF
    }

    var endsHeaders: Bool { flags & Self.endHeaders != 0 }
}

/// Finds where frames begin and end, so that each is judged before the library sees it, and the library is given one at a time.
///
/// It holds nine bytes and no payload. The library gets a header whole: it counts each piece of one as a CONTINUATION.
struct FrameScanner {
    enum Step {
        /// So many bytes are the preface, or payload of a frame that was judged.
        case content(Int)
        /// So many bytes are a part of a header, which is kept.
        case kept(Int)
        /// A header has come, and its last bytes are so many.
        case header(Int)
    }

    /// The length of `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n` (RFC 9113, section 3.4).
    private static let prefaceCount = 24

    private var prefaceLeft = FrameScanner.prefaceCount
    /// The number of bytes of a header that were kept.
    private(set) var keptCount = 0
    private var payloadLeft = 0
    /// The kept bytes, with room for all of a header.
    private let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: FrameHeader.count)

    func deallocate() { kept.deallocate() }

    /// Whether the bytes so far end inside of the preface or of a frame.
    var isInside: Bool { prefaceLeft > 0 || keptCount > 0 || payloadLeft > 0 }

    /// - Parameter count: at least one.
    mutating func scan(_ bytes: UnsafePointer<UInt8>, count: Int) -> Step {
        if payloadLeft > 0 { return .content(takePayload(of: count)) }
        if prefaceLeft > 0 {
            let taken = min(prefaceLeft, count)
            prefaceLeft &-= taken
            return .content(taken)
        }
        let taken = min(FrameHeader.count &- keptCount, count)
        guard keptCount > 0 || taken < FrameHeader.count else { return .header(taken) }
        (kept + keptCount).update(from: bytes, count: taken)
        keptCount &+= taken
        return keptCount == FrameHeader.count ? .header(taken) : .kept(taken)
    }

    /// The header that has come.
    ///
    /// - Parameter bytes: those that it was found at the beginning of.
    /// - Returns: where its bytes are.
    mutating func takeHeader(_ bytes: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        let whole = keptCount > 0 ? UnsafePointer(kept) : bytes
        payloadLeft = FrameHeader(whole).length
        keptCount = 0
        return whole
    }

    /// Takes the rest of a payload, as far as it is there.
    mutating func takePayload(of count: Int) -> Int {
        let taken = min(payloadLeft, count)
        payloadLeft &-= taken
        return taken
    }
}
