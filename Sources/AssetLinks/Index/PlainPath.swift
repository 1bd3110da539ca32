/// The path of a URL of the usual form, read by words: `http` or `https`, a name, and a path of plain ASCII that ends the URL.
struct PlainPath {
    private let base: UnsafeRawPointer
    let count: Int

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Nil says only that a URL is not of this form.
    @inline(__always)
    init?(_ url: UnsafeRawBufferPointer) {
        guard url.count > 8, url.count <= 64, let start = url.baseAddress else { return nil }
        let text = PlainPath(base: start, count: url.count)
        guard Self.isPlain(text) else { return nil }
        let scheme = text.word(0)
        let isSecure = scheme | 0x20_2020_2020 == 0x2F2F_3A73_7074_7468
        guard isSecure || scheme & 0xFF_FFFF_FFFF_FFFF | 0x2020_2020 == 0x2F_2F3A_7074_7468 else { return nil }
        let host = isSecure ? 8 : 7
        var end = host
        var stops = Self.nameStops(text.word(end))
        while stops == 0 {
            end &+= 8
            stops = Self.nameStops(text.word(end))
        }
        end &+= stops.trailingZeroBitCount &>> 3
        guard end > host, end < url.count, text.word(end) & 0xFF == 0x2F, text.word(host) & 0xFF != 0x5B else {
            return nil
        }
        self.init(base: start + end, count: url.count &- end)
    }

    @inline(__always)
    private init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    /// The eight bytes at an offset, those behind the end being zero. There are as many before the end.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        // Behind the end there may be no more memory, so that the last bytes are read with those before them.
        let beyond = max(0, offset &+ 8 &- count)
        let word = (base + (offset &- beyond)).loadUnaligned(as: UInt64.self)
        return UInt64(littleEndian: word) >> UInt64(truncatingIfNeeded: 8 &* beyond)
    }

    /// Whether no byte of up to 64 is beyond ASCII, `?`, `#` or `%`; without a branch that depends on their number.
    @inline(__always)
    private static func isPlain(_ text: PlainPath) -> Bool {
        var marks: UInt64 = 0
        var offset = 0
        while offset < 64 {
            let place = min(offset, text.count &- 8)
            let word = (text.base + place).loadUnaligned(as: UInt64.self)
            marks |= word | below(word, 0x25) | below(word, 0x23) | below(word, 0x3F)
            offset &+= 8
        }
        return marks & (ones &* 0x80) == 0
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The highest bit of each byte that is the given one, and perhaps of others behind it.
    @inline(__always)
    private static func below(_ word: UInt64, _ byte: UInt64) -> UInt64 { (word ^ ones &* byte) &- ones }

    /// A bit in the first of eight bytes of ASCII that is not a letter, a digit, `-`, `.`, or beyond `@`; those above it are
    /// undefined.
    @inline(__always)
    private static func nameStops(_ word: UInt64) -> UInt64 {
        let fromHyphen = word &+ ones &* (0x80 - 0x2D)
        let afterNine = word &+ ones &* (0x7F - 0x39)
        let afterAt = word &+ ones &* (0x7F - 0x40)
        let slash = word ^ ones &* 0x2F
        return (~fromHyphen | (afterNine & ~afterAt) | ((slash &- ones) & ~slash)) & (ones &* 0x80)
    }
}
