/// Findings for people: a block each, with an empty line after it, then a line that sums up.
///
/// The first line of a block is the one that tools read, then come the line of the source with the range marked, the notes, and
/// what to do.
package struct TextRenderer: ReportRenderer {
    private let style: TextStyle
    private let width: Int?
    private let isQuiet: Bool

    /// - Parameters:
    ///   - style: Colors, or none.
    ///   - width: The columns of the terminal; nil if there is none: then nothing is wrapped, and long source lines are cut at
    ///     160 columns.
    ///   - isQuiet: Whether a report has nothing but its findings, without notes and summary.
    package init(style: TextStyle, width: Int?, isQuiet: Bool = false) {
        self.style = style
        self.isQuiet = isQuiet
        // What a terminal says of itself may be anything.
        self.width = width.map { min(max($0, 20), 1000) }
    }

    package func render(_ report: Report) -> String {
        var blocks: [[String]] = []
        for file in report.files {
            if !file.fixed.isEmpty { blocks.append(file.fixed.map { line($0, path: file.source.path) }) }
            // The numbers of all lines of a file take as many columns.
            let digits = file.diagnostics.compactMap { Self.lineNumber(of: $0, in: file.source) }.max()
                .map { String($0).utf8.count }
            blocks += file.diagnostics.map { render($0, in: file.source, digits: digits ?? 1) }
        }
        if !isQuiet { blocks.append(notes(report) + [summary(report)]) }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// The block of one finding, line by line.
    package func render(_ diagnostic: Diagnostic, in source: SourceText) -> [String] {
        render(diagnostic, in: source, digits: 1)
    }

    /// - Parameter digits: How many columns the number of the line takes at least.
    private func render(_ diagnostic: Diagnostic, in source: SourceText, digits: Int) -> [String] {
        var lines = [headline(diagnostic, in: source)]
        var margin = digits + 2
        if let line = Self.shownLine(of: diagnostic, in: source) {
            margin = max(digits, String(source.position(at: line.range.start).line).utf8.count) + 2
            let snippet = SourceSnippet(line.range, in: source, columns: columns(behind: margin + 2))
            lines.append(numbered(snippet, margin: margin))
            if line.isMarked { lines.append(marks(snippet, diagnostic.severity, margin: margin)) }
        }
        for note in diagnostic.notes { lines += detail("note", note, margin: margin) }
        if let help = diagnostic.help { lines += detail("help", help, margin: margin) }
        return lines
    }

    /// The columns behind a margin; on the narrowest terminals lines are rather broken than empty.
    private func columns(behind margin: Int) -> Int { max(24, (width ?? 160) - margin) }
}

extension TextRenderer {
    private func headline(_ diagnostic: Diagnostic, in source: SourceText) -> String {
        let start = place(source.path, source.position(at: diagnostic.range.start))
        let severity = style.bold(colored("\(diagnostic.severity.rawValue):", diagnostic.severity))
        return "\(start) \(severity) \(VisibleText.escaped(diagnostic.message)) \(style.dim("[\(diagnostic.code)]"))"
    }

    private func line(_ fixed: FileReport.Fixed, path: String) -> String {
        let start = place(path, fixed.start)
        let title = VisibleText.escaped(fixed.title)
        return "\(start) \(style.bold(style.green("fixed:"))) \(title) \(style.dim("[\(fixed.diagnostic.code)]"))"
    }

    private func place(_ path: String, _ position: SourcePosition) -> String {
        style.bold("\(VisibleText.escaped(path)):\(position.line):\(position.column):")
    }

    private func numbered(_ snippet: SourceSnippet, margin: Int) -> String {
        let number = String(snippet.line)
        return blanks(margin - 1 - number.utf8.count) + style.cyan("\(number) |")
            + (snippet.text.isEmpty ? "" : " \(snippet.text)")
    }

    private func marks(_ snippet: SourceSnippet, _ severity: Severity, margin: Int) -> String {
        let marks = "^" + String(repeating: "~", count: snippet.length - 1)
        return blanks(margin) + style.cyan("|") + blanks(snippet.margin + 1) + colored(marks, severity)
    }

    /// A note or a help; on a terminal its further lines begin below its first word.
    private func detail(_ kind: String, _ text: String, margin: Int) -> [String] {
        let start = "\(blanks(margin))\(style.cyan("=")) \(style.bold("\(kind):")) "
        let indent = margin + kind.utf8.count + 4
        let text = VisibleText.escaped(text)
        let lines = width == nil ? [text] : WrappedText.lines(text, columns: columns(behind: indent))
        return lines.enumerated().map { number, line in (number == 0 ? start : blanks(indent)) + line }
    }

    private func notes(_ report: Report) -> [String] {
        report.notes.map { "\(style.bold("note:")) \(VisibleText.escaped("\($0.path): \($0.message)"))" }
    }

    /// How much was found in how many files, then what is worth knowing besides.
    private func summary(_ report: Report) -> String {
        let errors = Self.count(report.errorCount, "error")
        let warnings = Self.count(report.warningCount, "warning")
        let configurations = report.configurationCount
        let counts =
            (report.errorCount > 0 ? style.bold(style.red(errors)) : errors) + ", "
            + (report.warningCount > 0 ? style.bold(style.yellow(warnings)) : warnings)
            + " in \(Self.count(report.fileCount, "file"))"
            + (configurations > 0 ? " and \(Self.count(configurations, "configuration"))" : "")
        var parts = [counts]
        if report.suppressedCount > 0 { parts.append("\(report.suppressedCount) ignored") }
        if report.fixedCount > 0 { parts.append(style.green("\(report.fixedCount) fixed")) }
        return (parts + [Self.fixable(report)].compactMap { $0 }).joined(separator: "; ")
    }

    private static func fixable(_ report: Report) -> String? {
        let automatic = report.fixableCount(.automatic)
        let suggested = report.fixableCount(.suggested)
        switch (automatic, suggested) {
        case (0, 0): return nil
        case (_, 0): return "\(automatic) fixable with --fix"
        case (0, _): return "\(suggested) fixable with --fix --suggested"
        default: return "\(automatic) fixable with --fix, \(suggested) more with --fix --suggested"
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private func colored(_ text: String, _ severity: Severity) -> String {
        switch severity {
        case .critical, .error: style.red(text)
        case .warning: style.yellow(text)
        case .note: style.cyan(text)
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension TextRenderer {
    private struct ShownLine {
        /// Where the line is cut around, if it is too long.
        var range: SourceRange
        var isMarked = true
    }

    private static func lineNumber(of diagnostic: Diagnostic, in source: SourceText) -> Int? {
        shownLine(of: diagnostic, in: source).map { source.position(at: $0.range.start).line }
    }

    /// What is shown of the source below a finding.
    ///
    /// A finding about the file as a whole marks nothing. Its first line is shown if it tells what the file is instead of JSON,
    /// such as a page or a message.
    private static func shownLine(of diagnostic: Diagnostic, in source: SourceText) -> ShownLine? {
        guard diagnostic.range == SourceRange(start: 0, end: 0) else {
            return ShownLine(range: diagnostic.range)
        }
        for number in 1...max(1, min(source.lineCount, 8)) {
            let line = source.line(number)
            guard let first = line.first(where: { !blanks.contains($0) }) else { continue }
            let isBinary = line.prefix(256).contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
            guard first != UInt8(ascii: "{"), first != UInt8(ascii: "["), !isBinary else { return nil }
            return ShownLine(range: SourceRange(start: line.startIndex, end: line.startIndex), isMarked: false)
        }
        return nil
    }

    /// A blank, a tab, the bytes of a UTF-8 mark.
    private static let blanks: Set<UInt8> = [0x20, 0x09, 0xEF, 0xBB, 0xBF]
}
