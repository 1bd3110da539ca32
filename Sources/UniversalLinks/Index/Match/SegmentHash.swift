/// What is compared of a segment at once: its first and last 8 bytes and its length.
struct SegmentKey {
    let head: UInt64
    /// 0 unless the segment is longer than the head.
    let tail: UInt64
    let length: Int

    /// `base` may be read 8 bytes before the segment and behind it.
    @inline(__always)
    init(_ base: UnsafeRawPointer, _ length: Int) {
        self.length = length
        head = base.word(0) & Word.mask(length)
        tail = base.word(length &- 8) & UInt64(bitPattern: Int64((8 &- length) &>> 63))
    }

    /// The hash of the segment alone, of all its bytes. Up to 24 of them without a branch.
    @inline(__always)
    func hash(_ base: UnsafeRawPointer, _ seed: UInt64) -> UInt64 {
        let middle = base.word(8) & UInt64(bitPattern: Int64((16 &- length) &>> 63))
        let hash = Word.mix(head ^ seed ^ middle &* (seed | 1), tail ^ UInt64(truncatingIfNeeded: length))
        return length > 24 ? withRest(base, hash) : hash
    }

    @inline(never)
    private func withRest(_ base: UnsafeRawPointer, _ hash: UInt64) -> UInt64 {
        var hash = hash
        var offset = 16
        while offset < length &- 8 {
            hash = Word.mix(hash, base.word(offset))
            offset &+= 8
        }
        return hash
    }
}

/// The running hash of a path, segment by segment.
struct PathHash {
    private(set) var value: UInt64

    @inline(__always)
    init(seed: UInt64) {
        value = seed
    }

    @inline(__always)
    mutating func add(_ segment: UInt64) {
        value = (value &<< 5 | value &>> 59) ^ segment
        value = value &* 0x9E37_79B9_7F4A_7C15
        value ^= value &>> 32
    }
}
