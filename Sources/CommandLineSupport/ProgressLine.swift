internal import Glibc

/// A line on standard error that is written over, for somebody who waits; nothing if that is not a terminal.
package struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// The columns of what is shown.
    private var shown = 0

    package init() {}

    /// - Parameter text: ASCII, shorter than a line.
    package mutating func show(_ text: String) {
        guard isTerminal else { return }
        let rest = String(repeating: " ", count: max(0, shown - text.utf8.count))
        write("\r\(text)\(rest)")
        shown = text.utf8.count
    }

    /// Takes it away, before anything else is written.
    package mutating func clear() {
        guard shown > 0 else { return }
        write("\r\(String(repeating: " ", count: shown))\r")
        shown = 0
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
