/// Finds the slashes of a text one after another, 64 bytes at a time.
struct SlashScanner {
    private let base: UnsafeRawPointer
    private let count: Int
    private var chunk = 0
    private var slashes: UInt64

    @inline(__always)
    init(_ text: IndexText) {
        base = text.base
        count = text.count
        slashes = Self.slashes(text.base) & Self.mask(text.count)
    }

    /// The offset of the next slash; the length of the text if there is none.
    @inline(__always)
    mutating func next() -> Int {
        if slashes == 0 {
            guard count > chunk &+ 64 else { return count }
            return nextInLaterChunk()
        }
        let place = chunk &+ slashes.trailingZeroBitCount
        slashes &= slashes &- 1
        return place
    }

    @inline(never)
    private mutating func nextInLaterChunk() -> Int {
        while slashes == 0 {
            chunk &+= 64
            if chunk >= count { return count }
            slashes = Self.slashes(base + chunk) & Self.mask(count &- chunk)
        }
        let place = chunk &+ slashes.trailingZeroBitCount
        slashes &= slashes &- 1
        return place
    }

    @inline(__always)
    private static func mask(_ count: Int) -> UInt64 {
        count >= 64 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    }

    @inline(__always)
    private static func slashes(_ base: UnsafeRawPointer) -> UInt64 {
        let slash = Word.repeating(UInt8(ascii: "/"))
        var result: UInt64 = 0
        var word = 0
        while word < 8 {
            let bits = Word.gather(Word.equalBytes(base.word(word &* 8), slash))
            result |= bits &<< UInt64(truncatingIfNeeded: word &* 8)
            word &+= 1
        }
        return result
    }
}
