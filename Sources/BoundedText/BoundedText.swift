/// Text from outside, as it becomes a `String`.
///
/// The time in which Swift compares, hashes and orders a `String`, and in which it walks back over its characters, grows
/// with the square of the longest run of combining marks, or of regional indicators. Such runs end here, as in the
/// Stream-Safe Text Format of Unicode (UAX #15, section 13), so that every use of a text is linear in its length. Text of
/// any language is far below the limits, and is not changed.
package enum BoundedText {
    /// The most combining marks that may follow each other: those of UAX #15, section 13.
    package static let longestRunOfMarks = 30
    /// The most regional indicators, of which two are a flag, that may be a run: 64.
    package static let longestRunOfIndicators = 64

    /// Counts the scalars that follow each other without an end of the run.
    package struct Runs {
        private var marks = 0
        private var indicators = 0

        package init() {}

        /// Whether the next scalar of a text is one too many.
        package mutating func isExcess(_ scalar: Unicode.Scalar) -> Bool {
            if BoundedText.isMark(scalar) {
                marks += 1
                return marks > BoundedText.longestRunOfMarks
            }
            marks = 0
            indicators = BoundedText.isIndicator(scalar) ? indicators + 1 : 0
            return indicators > BoundedText.longestRunOfIndicators
        }
    }

    /// The text, with U+FFFD for each scalar that is one too many, and whether there was one.
    package static func bounded(_ text: String) -> (text: String, isChanged: Bool) {
        guard text.utf8.count > shortestExcess else { return (text, false) }
        var text = text
        guard text.withUTF8(mayHaveExcess) else { return (text, false) }
        var runs = Runs()
        var isChanged = false
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isExcess = runs.isExcess(scalar)
            isChanged = isChanged || isExcess
            result.append(isExcess ? "\u{FFFD}" : scalar)
        }
        return isChanged ? (String(result), true) : (text, false)
    }

    /// Text in UTF-8 as `String(text:)` makes it, and whether a run in it was too long.
    package static func text(_ bytes: some Collection<UInt8>) -> (text: String, isChanged: Bool) {
        bounded(String(decoding: bytes, as: UTF8.self))
    }

    /// The bytes that a text has at least besides one scalar too many, each of which has two.
    private static let shortestExcess = 2 * longestRunOfMarks

    /// Whether a canonical decomposition begins with a scalar that is not a starter.
    ///
    /// The three that are starters themselves are signs of Tibetan, and their decompositions are not.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.value {
        case 0x0F73, 0x0F75, 0x0F81: return true
        default: return scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    /// Whether a scalar is one of the letters of which two are a flag.
    package static func isIndicator(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

    /// Whether the bytes, which are valid UTF-8, have so many marks or indicators in succession that one is too many.
    ///
    /// Bytes below 0xCC, with which U+0300 begins, are no part of one but as continuations.
    private static func mayHaveExcess(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return false }
        var runs = Runs()
        var offset = 0
        while offset < bytes.count {
            if offset &+ 8 <= bytes.count,
                base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                runs = Runs()
                offset &+= 8
                continue
            }
            let first = bytes[offset]
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if first < 0xCC || (0xE4...0xE9).contains(first) {
                // ASCII, Latin, and the ideographs of U+4000 to U+9FFF.
                runs = Runs()
            } else {
                var value = UInt32(first & (0x7F >> UInt8(length)))
                for index in 1..<length { value = value << 6 | UInt32(bytes[offset &+ index] & 0x3F) }
                if let scalar = Unicode.Scalar(value), runs.isExcess(scalar) { return true }
            }
            offset &+= length
        }
        return false
    }
}

extension String {
    /// Text in UTF-8, as far as it is: what is not, and what a run of marks or indicators is too long by, becomes U+FFFD.
    package init(text bytes: some Collection<UInt8>) { self = String(decoding: bytes, as: UTF8.self).bounded }

    /// Text in UTF-16, as far as it is: what is not, and what a run of marks or indicators is too long by, becomes U+FFFD.
    package init(units: some Collection<UInt16>) { self = String(decoding: units, as: UTF16.self).bounded }

    /// Text of scalars, in which what a run of marks or indicators is too long by becomes U+FFFD.
    package init(scalars: some Sequence<Unicode.Scalar>) {
        self = String(String.UnicodeScalarView(scalars)).bounded
    }

    /// Text in UTF-8 up to a NUL, otherwise as `init(text:)`.
    package init(cText: UnsafePointer<CChar>) { self = String(cString: cText).bounded }

    /// Text in UTF-8, bounded as in `init(text:)`; nil for bytes that are not UTF-8.
    package init?(validText bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = text.bounded
    }

    /// Text in UTF-8 that is handed on as it is: a password, or a whole file. It must not be compared, hashed, ordered or cut.
    package init(unbounded bytes: some Collection<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }

    /// The same, for bytes that have to be UTF-8.
    package init?(validUnbounded bytes: some Collection<UInt8>) { self.init(validating: bytes, as: UTF8.self) }

    /// The words that the program was started with, each as it is: `BoundedText.bounded` tells which cannot be taken.
    package static var arguments: [String] { CommandLine.arguments }

    /// The text with U+FFFD for what a run of marks or indicators is too long by: for text that somebody else has decoded,
    /// and after parts without an end have been joined.
    package var bounded: String { BoundedText.bounded(self).text }
}

extension BoundedText {
    /// The text that bytes in UTF-8 are, in UTF-16, as long as they are; what is not UTF-8 becomes U+FFFD.
    package static func utf16(of bytes: some Collection<UInt8>) -> [UInt16] {
        Array(String(decoding: bytes, as: UTF8.self).utf16)
    }

    /// The text that units of UTF-16 are, in UTF-8, as long as they are; what is not UTF-16 becomes U+FFFD.
    package static func utf8(of units: some Collection<UInt16>) -> [UInt8] {
        Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The scalars of text in UTF-8, as many as there are; what is not UTF-8 becomes U+FFFD.
    package static func scalars(of bytes: some Collection<UInt8>) -> [Unicode.Scalar] {
        Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    /// The scalars of text in UTF-16, as many as there are; what is not UTF-16 becomes U+FFFD.
    package static func scalars(of units: some Collection<UInt16>) -> [Unicode.Scalar] {
        Array(String(decoding: units, as: UTF16.self).unicodeScalars)
    }
}
