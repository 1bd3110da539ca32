internal import AppSiteAssociation

/// Parts of a URL as rules see them that have no regard to case, or that see the URL decoded.
///
/// The four comparisons are numbered: 1 folds case, 2 decodes, 3 does both, 0 neither.
enum TextTransform {
    static func number(_ comparison: Comparison) -> Int {
        (comparison.caseSensitive ? 0 : 1) | (comparison.percentEncoded ? 0 : 2)
    }

    /// Lends the transformed text. On the stack, unless it is longer than about 900 bytes.
    @inline(__always)
    static func with<Result>(_ comparison: Int, _ text: IndexText, _ body: (IndexText) -> Result) -> Result {
        // An escape of three bytes becomes one, so only what is not escaped can grow.
        let canGrow = comparison == 3 && !isASCII(text)
        let capacity = canGrow ? text.count &* CaseFolding.growth : text.count
        return withUnsafeTemporaryAllocation(byteCount: capacity &+ 96, alignment: 16) { buffer in
            guard let start = buffer.baseAddress else { return body(text) }
            let target = start + 16
            var count: Int
            switch comparison {
            case 1: count = fold(text, target)
            case 2: count = decode(text, target)
            default: count = decodeAndFold(text, target, capacity)
            }
            return body(IndexText(base: UnsafeRawPointer(target), count: count))
        }
    }

    private static func isASCII(_ text: IndexText) -> Bool {
        var offset = 0
        var high: UInt64 = 0
        while offset < text.count {
            high |= text.base.word(offset) & Word.mask(text.count &- offset)
            offset &+= 8
        }
        return high & Word.repeating(0x80) == 0
    }

    private static func fold(_ text: IndexText, _ target: UnsafeMutableRawPointer) -> Int {
        var offset = 0
        while offset < text.count {
            let word = Word.lowercased(text.base.word(offset))
            target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        return text.count
    }

    private static func decode(_ text: IndexText, _ target: UnsafeMutableRawPointer) -> Int {
        var offset = 0
        var count = 0
        while offset < text.count {
            let byte = text.base.byte(offset)
            if byte == UInt8(ascii: "%"), offset &+ 2 < text.count,
                let decoded = OpenDecisions.decodedEscape(text.base.byte(offset &+ 1), text.base.byte(offset &+ 2))
            {
                target.storeBytes(of: decoded, toByteOffset: count, as: UInt8.self)
                offset &+= 3
            } else {
                target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                offset &+= 1
            }
            count &+= 1
        }
        return count
    }

    private static func decodeAndFold(_ text: IndexText, _ target: UnsafeMutableRawPointer, _ capacity: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: text.count &+ 16, alignment: 16) { buffer in
            guard let decoded = buffer.baseAddress else { return 0 }
            let count = decode(text, decoded)
            let source = UnsafeRawBufferPointer(start: decoded, count: count)
            guard OpenDecisions.foldsBeyondASCII(percentEncoded: false) else {
                return fold(IndexText(base: UnsafeRawPointer(decoded), count: count), target)
            }
            return CaseFolding.foldUTF8(source, into: UnsafeMutableRawBufferPointer(start: target, count: capacity))
                ?? 0
        }
    }
}

/// A text to be matched, in memory that may be read 64 bytes beyond its end and 8 bytes before its beginning.
///
/// After a path comes a `/` that is not part of it: a pattern with the tail `/*` that may be left out is compared with
/// the path and this slash, and so needs no second look.
struct IndexText {
    let base: UnsafeRawPointer
    let count: Int
}

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
        let offset = chunk &+ slashes.trailingZeroBitCount
        slashes &= slashes &- 1
        return offset
    }

    @inline(never)
    private mutating func nextInLaterChunk() -> Int {
        while slashes == 0 {
            chunk &+= 64
            if chunk >= count { return count }
            slashes = Self.slashes(base + chunk) & Self.mask(count &- chunk)
        }
        let offset = chunk &+ slashes.trailingZeroBitCount
        slashes &= slashes &- 1
        return offset
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
