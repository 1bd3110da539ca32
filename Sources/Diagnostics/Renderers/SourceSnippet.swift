/// The line of a source text that a range begins in, as it is shown, cut around the range if it is too long.
struct SourceSnippet {
    /// The number of the line, counted from 1.
    let line: Int
    let text: String
    /// The columns before the range.
    let margin: Int
    /// The columns of the range in this line, at least one.
    let length: Int

    /// - Parameter columns: How many columns there are for the text.
    init(_ range: SourceRange, in source: SourceText, columns: Int) {
        let position = source.position(at: range.start)
        let bytes = source.line(position.line)
        // A range that begins in a line end is shown behind the last character.
        let start = min(bytes.startIndex + position.column - 1, bytes.endIndex)
        let end = min(max(range.end, start), bytes.endIndex)
        var window = Self.window(start..<end, in: bytes, reach: columns)
        // More bytes than columns are needed only where characters have several.
        if window.contains(where: { $0 >= 0x80 }) {
            window = Self.window(start..<end, in: bytes, reach: columns * 3 + 16)
        }
        let cells = VisibleCell.cells(window)
        let first = cells.firstIndex { $0.end > start } ?? cells.count
        let last = max(first, cells[first...].firstIndex { $0.start >= end } ?? cells.count)

        // Behind the last character the mark needs a column of its own.
        let needed = cells.reduce(first == cells.count ? 1 : 0) { $0 + $1.width }
        let fits = window.count == bytes.count && needed <= columns
        let shown = fits ? 0..<cells.count : Self.cut(cells, around: first..<last, columns: columns)
        let isCutBefore = shown.lowerBound > 0 || window.startIndex > bytes.startIndex
        let isCutBehind = shown.upperBound < cells.count || window.endIndex < bytes.endIndex
        line = position.line
        text = (isCutBefore ? "…" : "") + cells[shown].map(\.text).joined() + (isCutBehind ? "…" : "")
        margin = (isCutBefore ? 1 : 0) + cells[shown.lowerBound..<first].reduce(0) { $0 + $1.width }
        length = max(1, cells[first..<min(last, shown.upperBound)].reduce(0) { $0 + $1.width })
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
        func widen(behind limit: Int, to last: Int) {
            while end < last, used + cells[end].width <= limit {
                used += cells[end].width
                end += 1
            }
        }
        // Of a range that is too long the beginning is shown, with a little before it.
        widen(behind: room * 3 / 4, to: range.upperBound)
        widen(before: used + (room - used) / 2)
        widen(behind: room, to: cells.count)
        widen(before: room)
        return start..<end
    }
}
