/// Text that takes time in the square of its length, or did, where it is compared, hashed or walked through backwards.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    /// The text that is repeated.
    private let scalars: [Unicode.Scalar]

    /// Whether its runs are so long that a reader may replace their ends.
    package let isExcessive: Bool

    private init(_ description: String, _ scalars: [Unicode.Scalar], isExcessive: Bool) {
        self.description = description
        self.scalars = scalars
        self.isExcessive = isExcessive
    }

    package static let kinds: [HostileText] = [
        .init("marks of two classes", ["\u{301}", "\u{323}"], isExcessive: true),
        .init("marks of all classes", shuffledMarks, isExcessive: true),
        .init("signs that decompose to marks", ["\u{F73}", "\u{F81}", "\u{344}"], isExcessive: true),
        .init("regional indicators", ["\u{1F1E6}", "\u{1F1E7}", "\u{1F1E8}"], isExcessive: true),
        runsOfMarks,
        .init("letters that may compose", ["\u{1100}", "\u{1161}", "\u{11A8}", "e", "\u{301}"], isExcessive: false),
        .init("emoji that are joined", ["\u{1F468}", "\u{FE0F}", "\u{200D}"], isExcessive: false),
        .init("joiners", ["\u{200D}"], isExcessive: false),
    ]

    /// The longest runs that are read as they are.
    package static let runsOfMarks = HostileText(
        "runs of 30 marks", ["x"] + (0..<30).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }, isExcessive: false)

    /// All marks below U+2000 whose class is not 0, in an order that has nothing to do with their classes.
    private static let shuffledMarks: [Unicode.Scalar] = {
        var random = SplitMix64(seed: 1)
        var marks = (0x300..<0x2000 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter {
            $0.properties.canonicalCombiningClass != .notReordered
        }
        for index in marks.indices.reversed() { marks.swapAt(index, random.number(0...index)) }
        return marks
    }()

    /// The text in at most so many bytes.
    package func text(_ size: Int) -> String { repeated(size) { String($0) } }

    /// The same as escapes of a string in JSON.
    package func escapedForJSON(_ size: Int) -> String {
        repeated(size) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }.joined()
        }
    }

    /// The same as references to characters in XML.
    package func escapedForXML(_ size: Int) -> String {
        repeated(size) { "&#x\(String($0.value, radix: 16));" }
    }

    /// The same as bytes of a URL.
    package func percentEncoded(_ size: Int) -> String {
        repeated(size) { String($0).utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined() }
    }

    private func repeated(_ size: Int, _ written: (Unicode.Scalar) -> String) -> String {
        let unit = scalars.map { Array(written($0).utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var index = 0
        while bytes.count + unit[index].count <= size {
            bytes += unit[index]
            index = (index + 1) % unit.count
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
