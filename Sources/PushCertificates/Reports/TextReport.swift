package import Diagnostics

/// A report for people: a table of the certificates, or all about the only one; then what to do, and a summary.
package struct TextReport: Sendable {
    private let style: TextStyle
    private let width: Int?

    /// - Parameters:
    ///   - style: Colors, or none.
    ///   - width: The columns of the terminal; nil if there is none: then nothing is wrapped or cut.
    package init(style: TextStyle, width: Int?) {
        self.style = style
        // What a terminal says of itself may be anything.
        self.width = width.map { min(max($0, 20), 1000) }
    }

    /// Lines without an end of line after the last one.
    package func render(_ report: CheckReport) -> String {
        let model = ReportModel(report)
        let lines = model.lines
        let groups = ActionGroup.all(model.findings)
        var parts: [[String]] = []
        if lines.count == 1, let entry = lines.first, let check = entry.check {
            parts.append(CertificateCard(style: style, width: width).lines(check, in: entry.file))
            parts += groups.map { ActionBlock(style: style, width: width, hasLabels: false).lines($0) }
        } else {
            if lines.contains(where: { $0.check != nil }) {
                parts.append(CertificateTable(style: style, width: width).lines(lines))
            }
            parts += groups.map { ActionBlock(style: style, width: width, hasLabels: true).lines($0) }
            parts.append(model.summary.lines(style, width: width))
        }
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }
}

/// The lines of a group: its statements, what they are about, and what to do.
private struct ActionBlock {
    let style: TextStyle
    let width: Int?
    /// Whether it has to be said which certificate something is about.
    let hasLabels: Bool

    /// So many statements are shown with an advice, and so many labels with a statement: the table has them all.
    private static let statementLimit = 8
    private static let labelLimit = 5
    private static let margin = "  "

    func lines(_ group: ActionGroup) -> [String] {
        let shown = group.statements.prefix(Self.statementLimit)
        let isNote = shown.allSatisfy { $0.severity == .note }
        // A dim line is dim as a whole.
        let style = isNote ? TextStyle(isColored: false) : style
        var lines = shown.flatMap { self.lines($0, style) }
        let rest = group.statements.dropFirst(Self.statementLimit).reduce(0) { $0 + $1.labels.count }
        if rest > 0 { lines.append("\(Self.margin)and \(rest) more") }
        if let advice = group.advice { lines += help(advice, style) }
        return isNote ? lines.map(self.style.dim) : lines
    }

    private func lines(_ statement: ActionGroup.Statement, _ style: TextStyle) -> [String] {
        let word = "\(statement.severity.rawValue):"
        let code = "[\(statement.code)]"
        var lines = wrapped("\(word) \(statement.text) \(code)", margin: Self.margin.utf8.count)
        // Both are whole words, so each is on one line.
        if let first = lines.first { lines[0] = colored(word, statement.severity, style) + first.dropFirst(word.count) }
        if let last = lines.last { lines[lines.count - 1] = last.dropLast(code.count) + style.dim(code) }
        lines = lines.enumerated().map { $0 == 0 ? $1 : Self.margin + $1 }
        // An error begins with the path.
        return hasLabels && statement.severity != .error ? lines + labels(statement.labels, style) : lines
    }

    private func labels(_ labels: [String], _ style: TextStyle) -> [String] {
        var texts = Array(labels.prefix(Self.labelLimit))
        if labels.count > Self.labelLimit { texts.append("and \(labels.count - Self.labelLimit) more") }
        return texts.enumerated().map { "\(Self.margin)\($0 == 0 ? style.cyan("-->") : "   ") \($1)" }
    }

    private func help(_ text: String, _ style: TextStyle) -> [String] {
        let start = "= help: "
        return wrapped(text, margin: Self.margin.utf8.count + start.utf8.count).enumerated().map { number, line in
            number == 0
                ? "\(Self.margin)\(style.cyan("=")) \(style.bold(style.cyan("help:"))) \(line)"
                : Self.margin + String(repeating: " ", count: start.utf8.count) + line
        }
    }

    private func wrapped(_ text: String, margin: Int) -> [String] {
        width.map { WrappedText.lines(text, columns: max(24, $0 - margin)) } ?? [text]
    }

    private func colored(_ word: String, _ severity: Severity, _ style: TextStyle) -> String {
        switch severity {
        case .critical, .error: style.bold(style.red(word))
        case .warning: style.bold(style.yellow(word))
        case .note: style.bold(word)
        }
    }
}
