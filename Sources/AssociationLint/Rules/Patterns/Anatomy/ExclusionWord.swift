/// A word in front of a path that excludes, or is meant to: `NOT `, `not `, `!`.
struct ExclusionWord {
    let range: Range<Int>
    /// Whether it is `NOT ` with exactly one blank.
    let isSound: Bool

    /// - Parameter isLegacy: Whether it is one of the legacy `paths`; in a component only a whole word with white space
    ///   behind it is taken for one, for nothing excludes there anyway.
    init?(_ bytes: [UInt8], at start: Int, isLegacy: Bool) {
        guard start < bytes.count else { return nil }
        if isLegacy, bytes[start] == UInt8(ascii: "!") {
            let end = WhiteSpace.end(from: start + 1, in: bytes)
            self.init(range: start..<Self.endOfRepetition(from: end, in: bytes), isSound: false)
            return
        }
        let wordEnd = start + 3
        guard wordEnd <= bytes.count, bytes[start..<wordEnd].lazy.map(\.lowercased).elementsEqual("not".utf8) else {
            return nil
        }
        let end = WhiteSpace.end(from: wordEnd, in: bytes)
        let isCapital = bytes[start..<wordEnd].elementsEqual("NOT".utf8)
        let isBeforePath = end == bytes.count || bytes[end] == UInt8(ascii: "/") || bytes[end] == UInt8(ascii: "*")
        if end > wordEnd {
            guard isLegacy || isCapital || isBeforePath else { return nil }
            let last = Self.endOfRepetition(from: end, in: bytes)
            let isSound = isCapital && bytes[wordEnd..<end].elementsEqual([0x20]) && last == end
            self.init(range: start..<last, isSound: isSound)
        } else {
            guard isLegacy, isCapital, isBeforePath else { return nil }
            self.init(range: start..<end, isSound: false)
        }
    }

    /// Skips the word where it stands once more: twice is no double negation.
    private static func endOfRepetition(from start: Int, in bytes: [UInt8]) -> Int {
        var end = start
        while bytes[end...].starts(with: "NOT".utf8) {
            let next = WhiteSpace.end(from: end + 3, in: bytes)
            guard next > end + 3 else { break }
            end = next
        }
        return end
    }

    private init(range: Range<Int>, isSound: Bool) {
        self.range = range
        self.isSound = isSound
    }
}
