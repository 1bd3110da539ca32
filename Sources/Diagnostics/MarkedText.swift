/// A text in which `⟦` and `⟧` stand around the part that is meant.
///
/// The scalars U+F780 to U+F7FF stand for the bytes 0x80 to 0xFF, so that an example can show what is no UTF-8.
package struct MarkedText: Sendable {
    /// The text without the marks.
    package let bytes: [UInt8]
    /// The bytes between the marks, as offsets in the text without them; nil if there are none.
    package let range: SourceRange?

    package init(_ marked: String) {
        let parts = marked.split(separator: "⟦", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.dropFirst().first?.split(separator: "⟧", maxSplits: 1, omittingEmptySubsequences: false) ?? []
        let pieces = ([parts[0]] + rest).map(Self.bytes)
        bytes = pieces.flatMap { $0 }
        range = rest.isEmpty ? nil : SourceRange(start: pieces[0].count, end: pieces[0].count + pieces[1].count)
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            isByte(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool { (0xF780...0xF7FF).contains(scalar.value) }
}
