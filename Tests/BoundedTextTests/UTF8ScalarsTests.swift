import BoundedText
import Testing

@Suite("Scalars in UTF-8")
struct UTF8ScalarsTests {
    @Test(
        "a well-formed scalar has its length",
        arguments: [
            ([0x00], 1), ([0x41], 1), ([0x7F], 1), ([0xC2, 0x80], 2), ([0xDF, 0xBF], 2), ([0xE0, 0xA0, 0x80], 3),
            ([0xED, 0x9F, 0xBF], 3), ([0xEE, 0x80, 0x80], 3), ([0xEF, 0xBF, 0xBF], 3),
            ([0xF0, 0x90, 0x80, 0x80], 4), ([0xF4, 0x8F, 0xBF, 0xBF], 4), ([0xC3, 0xA9, 0xA9], 2),
        ] as [([UInt8], Int)])
    func wellFormed(bytes: [UInt8], expected: Int) { #expect(length(bytes) == expected) }

    @Test(
        "a byte where none begins counts as one",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC0], [0xE0, 0x9F, 0xBF],
            [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xE1, 0x41, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF0, 0x90, 0x80, 0xC0], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func illFormed(bytes: [UInt8]) { #expect(length(bytes) == 1) }

    @Test("scalars of all planes are written and read as they are")
    func manyScalars() {
        // All that end or begin a run of one of their bytes, and many between them.
        func isAsked(_ value: UInt32) -> Bool {
            value < 0x3000 || value % 64 == 0 || value % 64 == 63 || value % 37 == 0
        }
        let values = (0...0x10FFFF as ClosedRange<UInt32>).lazy.filter(isAsked)
        withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { buffer in
            for scalar in values.compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?) {
                let expected = UTF8.width(scalar)
                let tooSmall = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(expected - 1)])
                let count = UTF8Scalars.write(scalar.value, into: buffer, at: 0)
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<expected])
                guard count == expected, bytes.elementsEqual(Unicode.UTF8.encode(scalar) ?? .init()),
                    UTF8Scalars.length(bytes, at: 0) == expected,
                    UTF8Scalars.value(bytes, at: 0, length: expected) == scalar.value,
                    UTF8Scalars.write(scalar.value, into: tooSmall, at: 0) == nil
                else {
                    Issue.record("U+\(String(scalar.value, radix: 16))")
                    return
                }
            }
        }
    }

    @Test("what is well-formed agrees with the standard library, for all two bytes and some that follow")
    func agreement() {
        let tails: [[UInt8]] = [[], [0x80], [0x80, 0x80], [0xBF, 0xBF], [0x7F, 0x80], [0x80, 0xC0]]
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for tail in tails where length([first, second] + tail) != decodedLength([first, second] + tail) {
                    Issue.record("\([first, second] + tail)")
                }
            }
        }
    }

    @Test("an offset inside a text is looked at like its beginning")
    func offsets() {
        let bytes: [UInt8] = Array("aé日😀".utf8) + [0xF0, 0x9F]
        let lengths = bytes.withUnsafeBytes { bytes in
            var lengths: [Int] = []
            var offset = 0
            while offset < bytes.count {
                lengths.append(UTF8Scalars.length(bytes, at: offset))
                offset += lengths[lengths.count - 1]
            }
            return lengths
        }
        #expect(lengths == [1, 2, 3, 4, 1, 1])
    }

    private func length(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { UTF8Scalars.length($0, at: 0) } }

    private func decodedLength(_ bytes: [UInt8]) -> Int {
        var iterator = bytes.makeIterator()
        var codec = UTF8()
        if case .scalarValue(let scalar) = codec.decode(&iterator) { return UTF8.width(scalar) }
        return 1
    }
}
