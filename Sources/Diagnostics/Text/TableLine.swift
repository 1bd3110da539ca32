/// A line of a table for a terminal, cell by cell; blanks are owed until something follows.
package struct TableLine {
    package private(set) var text: String
    private var blanks = 0

    /// The blanks between two columns.
    package static let gap = 2

    /// - Parameter start: what comes before the first cell.
    package init(_ start: String = "") { text = start }

    /// Adds a cell.
    ///
    /// - Parameters:
    ///   - painted: the cell in its colors.
    ///   - width: the columns of the terminal that it gets; a longer cell moves the others to the right.
    ///   - isRight: whether it is at the right end of them.
    package mutating func add(_ cell: String, painted: String, width: Int, isRight: Bool = false) {
        let rest = max(0, width - TerminalWidth.columns(cell))
        if isRight { blanks += rest }
        if !cell.isEmpty {
            text += String(repeating: " ", count: blanks) + painted
            blanks = 0
        }
        blanks += Self.gap + (isRight ? 0 : rest)
    }

    /// Leaves something out of a text that is too long.
    ///
    /// - Parameter head: how many columns of its beginning stay, with its end after them; nil if only the beginning stays.
    package static func cut(_ text: String, to width: Int, head: Int? = nil, ellipsis: String = "…") -> String {
        guard TerminalWidth.columns(text) > width else { return text }
        let rest = max(0, width - TerminalWidth.columns(ellipsis))
        let start = prefix(text, head ?? rest)
        let end = head == nil ? "" : prefix(text.reversed(), rest - TerminalWidth.columns(start))
        return start + ellipsis + String(end.reversed())
    }

    private static func prefix(_ text: some Sequence<Character>, _ width: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += TerminalWidth.columns(String(character))
            guard used <= width else { break }
            result.append(character)
        }
        return result
    }
}
