package import Diagnostics

/// A string and the bytes that it was read from.
package struct JSONString: Sendable {
    /// What the string says, escapes resolved.
    package var text: String
    /// The bytes between the quotes.
    package var content: SourceRange
    /// Whether the bytes between the quotes are the text itself, without any escape.
    package var isVerbatim: Bool

    package init(_ text: String, content: SourceRange, isVerbatim: Bool) {
        self.text = text
        self.content = content
        self.isVerbatim = isVerbatim
    }

    /// The bytes of the file that a part of the text was read from.
    ///
    /// A character that is written as an escape is its whole escape, both halves of a surrogate pair included.
    /// - Parameters:
    ///   - range: Offsets in the UTF-8 form of ``text``; what is outside counts as the nearest end.
    ///   - source: The text that the string was read from.
    package func sourceRange(ofUTF8 range: Range<Int>, in source: SourceText) -> SourceRange {
        let lower = max(range.lowerBound, 0)
        let upper = max(range.upperBound, lower)
        if isVerbatim {
            let start = min(content.start + lower, content.end)
            return SourceRange(start: start, end: min(content.start + upper, content.end))
        }
        return source.bytes.withUnsafeBufferPointer { buffer in
            var units = StringUnits(ByteView(buffer), content: content.start..<content.end)
            var decoded = 0
            var start: Int?
            while let unit = units.next() {
                let next = decoded + unit.utf8Count
                if start == nil, lower < next { start = unit.range.lowerBound }
                if let start, upper <= next {
                    let end = lower == upper ? start : unit.range.upperBound
                    return SourceRange(start: start, end: end)
                }
                decoded = next
            }
            return SourceRange(start: start ?? content.end, end: content.end)
        }
    }
}
