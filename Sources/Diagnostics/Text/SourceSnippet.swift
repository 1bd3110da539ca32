/// The line of a source text that a range begins in, as it is shown, cut around the range if it is too long.
struct SourceSnippet {
    /// The number of the line, counted from 1.
    let line: Int
    let text: String
    private let bytes: ArraySlice<UInt8>
    private let cells: [VisibleCell]
    /// The cells that are shown.
    private let shown: Range<Int>
    private let isCutBefore: Bool
    private let isCutAfter: Bool

    /// Where a range is below the shown text.
    struct Mark {
        /// The columns before the range.
        let margin: Int
        /// The columns of the range in this line, at least one.
        let length: Int
    }

    /// - Parameter columns: How many columns there are for the text.
    init(_ range: SourceRange, in source: SourceText, columns: Int) {
        line = source.position(at: range.start).line
        bytes = source.line(line)
        let range = Self.clamped(range, to: bytes)
        var window = Self.window(range, in: bytes, reach: columns)
        // More bytes than columns are needed only where characters have several.
        if window.contains(where: { $0 >= 0x80 }) {
            window = Self.window(range, in: bytes, reach: columns * 3 + 16)
        }
        cells = VisibleCell.cells(window)
        let marked = Self.cells(of: range, in: cells)

        // After the last character the mark needs a column of its own.
        let needed = cells.reduce(marked.lowerBound == cells.count ? 1 : 0) { $0 + $1.width }
        let fits = window.count == bytes.count && needed <= columns
        shown = fits ? 0..<cells.count : Self.cut(cells, around: marked, columns: columns)
        isCutBefore = shown.lowerBound > 0 || window.startIndex > bytes.startIndex
        isCutAfter = shown.upperBound < cells.count || window.endIndex < bytes.endIndex
        text = (isCutBefore ? "…" : "") + cells[shown].map(\.text).joined() + (isCutAfter ? "…" : "")
    }

    /// The mark of the range that the line was cut around, or another one that begins in this line; what is cut off has none.
    func mark(_ range: SourceRange) -> Mark {
        let marked = Self.cells(of: Self.clamped(range, to: bytes), in: cells)
        let first = min(max(marked.lowerBound, shown.lowerBound), shown.upperBound)
        let last = min(max(marked.upperBound, first), shown.upperBound)
        return Mark(
            margin: (isCutBefore ? 1 : 0) + cells[shown.lowerBound..<first].reduce(0) { $0 + $1.width },
            length: max(1, cells[first..<last].reduce(0) { $0 + $1.width }))
    }

    /// Whether all of a range that begins in this line is shown, as far as this line has it.
    func shows(_ range: SourceRange) -> Bool {
        let range = Self.clamped(range, to: bytes)
        return (!isCutBefore || range.lowerBound >= cells[shown.lowerBound].start)
            && (!isCutAfter || range.upperBound <= cells[shown.upperBound - 1].end)
    }

    /// The part of a range in a line; a range that begins in the line end is after the last character.
    private static func clamped(_ range: SourceRange, to bytes: ArraySlice<UInt8>) -> Range<Int> {
        let start = min(max(range.start, bytes.startIndex), bytes.endIndex)
        return start..<min(max(range.end, start), bytes.endIndex)
    }

    private static func cells(of range: Range<Int>, in cells: [VisibleCell]) -> Range<Int> {
        let first = cells.firstIndex { $0.end > range.lowerBound } ?? cells.count
        return first..<max(first, cells[first...].firstIndex { $0.start >= range.upperBound } ?? cells.count)
    }

    /// The bytes around a range that may be shown: what a line costs does not depend on its length.
    private static func window(
        _ range: Range<Int>, in bytes: ArraySlice<UInt8>, reach: Int
    ) -> ArraySlice<UInt8> {
        var start = max(bytes.startIndex, range.lowerBound - reach)
        var end = min(bytes.endIndex, range.lowerBound + reach)
        // Whole characters, as far as there are any.
        if start > bytes.startIndex {
            for _ in 0..<3 where start < range.lowerBound && isContinuation(bytes[start]) { start += 1 }
        }
        if end < bytes.endIndex {
            for _ in 0..<3 where end > range.lowerBound && isContinuation(bytes[end]) { end -= 1 }
        }
        return bytes[start..<end]
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The cells that are shown of a line that is too long: the range, and as much on both sides as there is room for.
    private static func cut(_ cells: [VisibleCell], around range: Range<Int>, columns: Int) -> Range<Int> {
        let room = columns - 2
        var start = range.lowerBound
        var end = range.lowerBound
        var used = 0
        func widen(before limit: Int) {
            while start > 0, used + cells[start - 1].width <= limit {
                start -= 1
                used += cells[start].width
            }
        }
        func widen(after limit: Int, to last: Int) {
            while end < last, used + cells[end].width <= limit {
                used += cells[end].width
                end += 1
            }
        }
        // If a range is too long, its beginning is shown, with a little before it.
        widen(after: room * 3 / 4, to: range.upperBound)
        widen(before: used + (room - used) / 2)
        widen(after: room, to: cells.count)
        widen(before: room)
        return start..<end
    }
}

/// A character of a source line as it is shown, with the marks drawn over it.
struct VisibleCell {
    /// The text that is shown, with escapes for what cannot be.
    var text: String
    /// The columns it takes.
    var width: Int
    /// The offset of its first byte.
    let start: Int
    /// The offset after its last byte.
    var end: Int

    /// The characters of some bytes of a line. A byte that is not UTF-8 is shown as a replacement character.
    static func cells(_ bytes: ArraySlice<UInt8>) -> [VisibleCell] {
        var cells: [VisibleCell] = []
        cells.reserveCapacity(bytes.count)
        var previous: Unicode.Scalar?
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return cells
            case .error(let length):
                for index in offset..<offset + length {
                    cells.append(VisibleCell(text: "\u{FFFD}", width: 1, start: index, end: index + 1))
                }
                offset += length
                previous = nil
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                let isShown = cells.add(scalar, at: offset..<offset + encoded.count, after: previous)
                offset += encoded.count
                previous = isShown ? scalar : nil
            }
        }
    }

    /// The text that is shown in place of a character; nil for the character itself.
    fileprivate static func substitute(_ scalar: Unicode.Scalar) -> String? {
        if scalar == "\t" { return "    " }
        if scalar.isASCII { return VisibleText.escape(scalar) }
        // A space that JSON does not allow should not look like one.
        if scalar.properties.generalCategory == .spaceSeparator { return VisibleText.codePoint(scalar) }
        return VisibleText.escape(scalar)
    }
}

extension [VisibleCell] {
    /// Adds a character to the cells.
    ///
    /// - Parameter previous: The character before; nil if there is none or something else is shown in its place.
    /// - Returns: Whether the character is shown itself.
    fileprivate mutating func add(
        _ scalar: Unicode.Scalar, at range: Range<Int>, after previous: Unicode.Scalar?
    ) -> Bool {
        if let text = VisibleCell.substitute(scalar) {
            append(VisibleCell(text: text, width: text.utf8.count, start: range.lowerBound, end: range.upperBound))
            return false
        }
        var text = String(Character(scalar))
        var width = TerminalWidth.columns(scalar, after: previous)
        if width == 0 || scalar.value == 0xFE0F {
            if previous != nil, let last = indices.last {
                self[last].text += text
                self[last].width += width
                self[last].end = range.upperBound
                return true
            }
            // A mark without anything below it gets the usual dotted circle.
            text = "\u{25CC}" + text
            width = 1
        }
        append(VisibleCell(text: text, width: width, start: range.lowerBound, end: range.upperBound))
        return true
    }
}
