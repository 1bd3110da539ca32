internal import AppSiteAssociation

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
        let text = BoundedText(base: url, count: count)
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
private struct BoundedText {
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
