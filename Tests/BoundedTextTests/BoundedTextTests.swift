import BoundedText
import Foundation
import FuzzingSupport
import Testing

/// The way from bytes from outside to text.
struct BoundedTextTests {
    @Test("a run of 30 marks, or of 64 regional indicators, stays, and each one more is U+FFFD")
    func limits() {
        for (unit, most) in [("\u{301}", 30), ("\u{F73}", 30), ("\u{1F1E6}", 64), ("\u{200D}", 1_000), ("é", 1_000)] {
            let longest = "a" + String(repeating: unit, count: most)
            #expect(String(text: longest.utf8).utf8.elementsEqual(longest.utf8), "\(unit)")
            guard most < 1_000 else { continue }
            let longer = longest + unit + unit + "b" + unit
            let expected = longest + "\u{FFFD}\u{FFFD}b" + unit
            #expect(String(text: longer.utf8).utf8.elementsEqual(expected.utf8), "\(unit)")
            #expect(String(units: Array(longer.utf16)).utf8.elementsEqual(expected.utf8), "\(unit)")
            #expect(String(scalars: longer.unicodeScalars).utf8.elementsEqual(expected.utf8), "\(unit)")
            #expect(String(validText: longer.utf8)?.utf8.elementsEqual(expected.utf8) == true, "\(unit)")
            #expect(String(cText: longer).utf8.elementsEqual(expected.utf8), "\(unit)")
            #expect(BoundedText.bounded(longer).isChanged && !BoundedText.bounded(longest).isChanged)
            #expect(String(unbounded: longer.utf8).utf8.elementsEqual(longer.utf8), "\(unit)")
        }
    }

    @Test("runs are counted wherever they begin, beside text of all lengths", arguments: HostileText.kinds)
    func everywhere(kind: HostileText) {
        for padding in ["", "a", "é", "漢", "\u{1F600}", "abcdefgh", "abcdefghijklmno"] {
            for size in [50, 62, 64, 100, 400, 2_000] {
                let text = padding + kind.text(size) + padding
                var runs = BoundedText.Runs()
                let expected = text.unicodeScalars.map { runs.isExcess($0) ? "\u{FFFD}" : $0 }
                let bounded = String(text: text.utf8)
                #expect(bounded.unicodeScalars.elementsEqual(expected), "\(padding) \(size)")
                #expect(bounded.bounded.utf8.elementsEqual(bounded.utf8))
            }
        }
    }

    @Test("bytes that are not UTF-8 are repaired as Swift does it, or refused")
    func repaired() {
        for bytes: [UInt8] in [[0xFF], [0xE3, 0x81], [0xED, 0xA0, 0x80], [0x61, 0xC0, 0x80], [0xF0, 0x9F]] {
            #expect(String(text: bytes) == String(decoding: bytes, as: UTF8.self))
            #expect(String(validText: bytes) == nil && String(validUnbounded: bytes) == nil)
        }
    }

    @Test("every scalar whose decomposition begins with a mark is counted as one")
    func decompositions() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), !(0xAC00...0xD7A3).contains(value) else { continue }
            let first = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
            let isMark = first.properties.canonicalCombiningClass != .notReordered
            var runs = BoundedText.Runs()
            for _ in 0..<BoundedText.longestRunOfMarks { _ = runs.isExcess("\u{301}") }
            if runs.isExcess(scalar) != isMark { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test(
        "text that is made to take long is read, compared, hashed and cut in linear time", arguments: HostileText.kinds)
    func linear(kind: HostileText) {
        let bytes = Array(kind.text(1_000_000).utf8)
        var count = 0
        let time = ThreadTime.least(limit: 5_000_000_000) {
            let text = String(text: bytes)
            count = text.hashValue &+ (text + "a" == text + "b" ? 1 : 0) &+ (text < text + "a" ? 1 : 0)
            count &+= text.reversed().count &+ text.dropLast(2).utf8.count &+ text.split(separator: "y").count
        }
        #expect(time < 5_000_000_000, "\(count)")
    }
}
