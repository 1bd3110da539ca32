internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// Where host and path are in a web URL.
struct ScannedURL {
    var hostStart: Int
    var hostEnd: Int
    /// Where the path begins and ends, without the slashes at its ends.
    var pathStart: Int
    var pathEnd: Int
    /// Where the path ends with them.
    var wholePathEnd: Int

    /// Scans the usual form: `http` or `https`, a host of letters, digits, `.`, `-` and the like, no port.
    ///
    /// Nil says only that it is not of this form.
    @inline(__always)
    init?(_ url: UnsafeRawPointer, _ count: Int) {
        guard count > 8 else { return nil }
        let text = UnpaddedText(base: url, count: count)
        let first = url.word(0)
        if first | 0x20_2020_2020 == Self.https {
            hostStart = 8
        } else if first & 0xFF_FFFF_FFFF_FFFF | 0x2020_2020 == Self.http {
            hostStart = 7
        } else {
            return nil
        }
        hostEnd = hostStart
        var stops = Self.hostStops(text.word(hostEnd))
        while stops == 0 {
            hostEnd &+= 8
            if hostEnd >= count { break }
            stops = Self.hostStops(text.word(hostEnd))
        }
        hostEnd = min(hostEnd &+ (stops.trailingZeroBitCount &>> 3), count)
        guard hostEnd > hostStart, url.byte(hostStart) != UInt8(ascii: "[") else { return nil }
        if hostEnd < count {
            let stop = url.byte(hostEnd)
            guard stop == UInt8(ascii: "/") || stop == UInt8(ascii: "?") || stop == UInt8(ascii: "#") else {
                return nil
            }
        }
        wholePathEnd = text.firstMark(from: hostEnd)
        pathStart = hostEnd
        pathEnd = wholePathEnd
        trim(url)
    }

    init(_ parts: URLParts, in url: UnsafeRawPointer) {
        hostStart = parts.host.lowerBound
        hostEnd = parts.host.upperBound
        pathStart = parts.path.lowerBound
        pathEnd = parts.path.upperBound
        wholePathEnd = pathEnd
        trim(url)
    }

    @inline(__always)
    private mutating func trim(_ url: UnsafeRawPointer) {
        let slash = UInt8(ascii: "/")
        while pathStart < pathEnd, url.byte(pathStart) == slash { pathStart &+= 1 }
        while pathEnd > pathStart, url.byte(pathEnd &- 1) == slash { pathEnd &-= 1 }
    }

    /// The highest bit of the first byte that is not `-`, `.`, a digit, or above `@` and ASCII; those above it are undefined.
    @inline(__always)
    private static func hostStops(_ word: UInt64) -> UInt64 {
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let fromHyphen = low &+ Word.repeating(0x80 - UInt8(ascii: "-"))
        let afterNine = low &+ Word.repeating(0x7F - UInt8(ascii: "9"))
        let afterAt = low &+ Word.repeating(0x7F - UInt8(ascii: "@"))
        let stops = ~fromHyphen | (afterNine & ~afterAt) | word
        return stops & 0x8080_8080_8080_8080 | Word.firstEqualByte(word, Word.repeating(UInt8(ascii: "/")))
    }

    private static let https: UInt64 = 0x2F2F_3A73_7074_7468
    private static let http: UInt64 = 0x2F_2F3A_7074_7468
}

/// A text of at least 8 bytes that may not be read beyond its end.
private struct UnpaddedText {
    let base: UnsafeRawPointer
    let count: Int

    /// The 8 bytes at an offset before the end; zeros for those after it.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        if offset &+ 8 <= count { return base.word(offset) }
        return base.word(count &- 8) &>> UInt64(truncatingIfNeeded: (offset &+ 8 &- count) &* 8)
    }

    /// The offset of the first `?` or `#`, or the end. There is none before `start`.
    @inline(__always)
    func firstMark(from start: Int) -> Int {
        // Most URLs have none, and this says so without a branch that depends on their length.
        if count >= 32, start >= count &- 64, marksIn(max(0, count &- 64)) | marksIn(count &- 32) == 0 { return count }
        return findMark(from: start)
    }

    @inline(never)
    private func findMark(from start: Int) -> Int {
        var offset = start
        while offset < count {
            let marks = Self.marks(word(offset))
            if marks != 0 { return offset &+ (marks.trailingZeroBitCount &>> 3) }
            offset &+= 8
        }
        return count
    }

    /// Not 0 if there is a mark in 32 bytes.
    @inline(__always)
    private func marksIn(_ offset: Int) -> UInt64 {
        Self.marks(base.word(offset)) | Self.marks(base.word(offset &+ 8)) | Self.marks(base.word(offset &+ 16))
            | Self.marks(base.word(offset &+ 24))
    }

    /// The highest bit of the first byte that ends a path; those above it are undefined.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        Word.firstEqualByte(word, Word.repeating(UInt8(ascii: "?")))
            | Word.firstEqualByte(word, Word.repeating(UInt8(ascii: "#")))
    }
}

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

    /// The bytes that it has with the one after it, as bits modulo 64.
    @inline(__always)
    var presentBytes: UInt64 {
        var present: UInt64 = 0
        var offset = 0
        while offset <= count {
            present |= 1 &<< UInt64(base.byte(offset) & 63)
            offset &+= 1
        }
        return present
    }
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
