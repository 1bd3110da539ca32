/// Text in lines that fit.
package enum WrappedText {
    /// Breaks a text at blanks; a word that is longer than a line stays whole.
    package static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line: String?
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let width = TerminalWidth.columns(word)
            if let start = line, used + 1 + width <= columns {
                line = "\(start) \(word)"
                used += 1 + width
            } else {
                if let line { lines.append(line) }
                line = word
                used = width
            }
        }
        return lines + [line ?? ""]
    }
}
