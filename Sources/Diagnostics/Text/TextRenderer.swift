/// Findings for people: one block per finding, with an empty line after it, then a line that sums up.
///
/// The first line of a block is the one that tools read; then come the lines of the source with the ranges marked, the notes,
/// and what to do.
package struct TextRenderer {
    let style: TextStyle
    private let width: Int?
    private let isQuiet: Bool
    private let preface: String?

    /// A block has no more labels than this: each costs a line of the source.
    private static let maxLabels = 8

    /// - Parameters:
    ///   - style: Colors, or none.
    ///   - width: The columns of the terminal; nil if there is none: then nothing is wrapped, and long source lines are cut at
    ///     160 columns.
    ///   - isQuiet: Whether a report has nothing but its findings, without notes and summary.
    ///   - preface: The line before the summary; nil for none.
    package init(style: TextStyle, width: Int?, isQuiet: Bool = false, preface: String? = nil) {
        self.style = style
        self.preface = preface
        self.isQuiet = isQuiet
        // A terminal may report any width.
        self.width = width.map { min(max($0, 20), 1000) }
    }

    package func render(_ report: Report) -> String {
        var blocks: [[String]] = []
        for file in report.files {
            if !file.fixed.isEmpty { blocks.append(file.fixed.flatMap { lines($0, path: file.source.path) }) }
            // The numbers of all lines of a file take as many columns.
            let digits = file.diagnostics.map { Self.digits(of: $0, in: file.source) }.max() ?? 1
            blocks += file.diagnostics.map { render($0, in: file.source, digits: digits) }
        }
        if !isQuiet { blocks.append(report.notes.flatMap(lines) + prefaceLines + lines(summary(report), indent: 0)) }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// The block of a finding that is not about a text: a named subject has its file on a line of its own.
    package func render(_ diagnostic: Diagnostic) -> [String] {
        var location: String?
        var lines: [String] = []
        switch diagnostic.subject {
        case .text: break
        case .file(let path): location = "\(path):"
        case .item(_, let path, _):
            if let path { lines.append("  \(style.cyan("-->")) \(VisibleText.escaped(path))") }
        }
        return headline(diagnostic, location) + lines + notes(diagnostic, margin: 2)
    }

    /// The block of a finding about a text, line by line.
    ///
    /// - Parameter digits: How many columns the numbers of lines take, where several findings have the same margin.
    package func render(_ diagnostic: Diagnostic, in source: SourceText, digits: Int? = nil) -> [String] {
        let position = source.position(at: diagnostic.range.start)
        return headline(diagnostic, "\(source.path):\(position.line):\(position.column):")
            + body(diagnostic, in: source, digits: digits)
    }

    /// The lines of the block after its first: those of the source, the notes, and the remedy.
    package func body(_ diagnostic: Diagnostic, in source: SourceText, digits: Int? = nil) -> [String] {
        let margin = (digits ?? Self.digits(of: diagnostic, in: source)) + 2
        let details = notes(diagnostic, margin: margin)
        var excerpt = excerpt(diagnostic, in: source, margin: margin)
        if !excerpt.isEmpty {
            let bar = blanks(margin) + style.cyan("|")
            excerpt = [bar] + excerpt + (details.isEmpty ? [] : [bar])
        }
        return excerpt + details
    }

    private var prefaceLines: [String] { preface.map { lines(VisibleText.escaped($0), indent: 4) } ?? [] }

    /// The columns after a margin; on the narrowest terminals lines are rather broken than empty.
    private func columns(after margin: Int) -> Int { max(24, (width ?? 160) - margin) }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension TextRenderer {
    /// One line; on a terminal as many as it takes.
    private func lines(_ text: String, indent: Int) -> [String] {
        width.map { WrappedText.lines(text, columns: $0, indent: indent) } ?? [text]
    }

    /// The first line, which tools read.
    package func headline(_ diagnostic: Diagnostic, _ location: String?) -> [String] {
        let location = location.map { "\(style.bold(VisibleText.escaped($0))) " } ?? ""
        let severity = style.bold(colored("\(diagnostic.severity.rawValue):", diagnostic.severity))
        return lines("\(location)\(severity) \(coded(diagnostic.message, diagnostic.code))", indent: 4)
    }

    private func lines(_ fixed: FileReport.Fixed, path: String) -> [String] {
        let location = style.bold("\(VisibleText.escaped(path)):\(fixed.start.line):\(fixed.start.column):")
        let title = coded(fixed.fixIt.doneTitle, fixed.diagnostic.code)
        return lines("\(location) \(style.bold(style.green("fixed:"))) \(title)", indent: 4)
    }

    private func lines(_ note: Report.Note) -> [String] {
        lines("\(style.bold("note:")) \(VisibleText.escaped("\(note.path): \(note.message)"))", indent: 4)
    }

    private func coded(_ text: String, _ code: DiagnosticCode) -> String {
        VisibleText.escaped(text) + (code == .unnamed ? "" : " " + style.dim("[\(code)]"))
    }

    /// Notes and what to do, without a text.
    ///
    /// - Parameter margin: The columns before them.
    package func notes(_ diagnostic: Diagnostic, margin: Int) -> [String] {
        diagnostic.notes.flatMap { detail("note: ", $0, margin: margin) { $0 } }
            + (diagnostic.help.map { detail("help: ", $0, margin: margin) { style.bold(style.green($0)) } } ?? [])
    }

    /// A note or what to do; on a terminal its further lines begin below its first word.
    private func detail(
        _ kind: String, _ text: String, margin: Int, style kindStyle: (String) -> String
    ) -> [String] {
        let start = "\(blanks(margin))\(style.cyan("=")) \(kindStyle(kind))"
        let indent = margin + 2 + kind.utf8.count
        let text = VisibleText.escaped(text)
        let lines = width == nil ? [text] : WrappedText.lines(text, columns: columns(after: indent))
        return lines.enumerated().map { number, line in (number == 0 ? start : blanks(indent)) + line }
    }

    func colored(_ text: String, _ severity: Severity) -> String {
        switch severity {
        case .critical, .error: style.red(text)
        case .warning: style.yellow(text)
        case .note: style.cyan(text)
        }
    }
}

extension TextRenderer {
    /// A range that is marked below its line.
    private struct Annotation {
        let range: SourceRange
        let text: String?
        let isPrimary: Bool
    }

    /// The lines of the block that show the source.
    package func excerpt(_ diagnostic: Diagnostic, in source: SourceText) -> [String] {
        excerpt(diagnostic, in: source, margin: Self.digits(of: diagnostic, in: source) + 2)
    }

    /// The lines with the ranges of a finding, in their order, and a gap where lines between them are left out.
    private func excerpt(_ diagnostic: Diagnostic, in source: SourceText, margin: Int) -> [String] {
        let columns = columns(after: margin + 2)
        var lines: [String] = []
        var last: SourceSnippet?
        func show(_ range: SourceRange) -> SourceSnippet {
            if let last, last.shows(range), source.position(at: range.start).line == last.line { return last }
            let snippet = SourceSnippet(range, in: source, columns: columns)
            if let last, snippet.line > last.line + 1 { lines.append(blanks(margin - 3) + style.cyan("...")) }
            lines.append(numbered(snippet, margin: margin))
            last = snippet
            return snippet
        }
        if let whole = Self.telltaleLine(of: diagnostic, in: source) { _ = show(whole) }
        for annotation in Self.annotations(of: diagnostic) {
            let mark = show(annotation.range).mark(annotation.range)
            lines += marks(mark, annotation, diagnostic.severity, margin: margin, columns: columns)
        }
        return lines
    }

    private func numbered(_ snippet: SourceSnippet, margin: Int) -> String {
        let number = String(snippet.line)
        return blanks(margin - 1 - number.utf8.count) + style.cyan("\(number) |")
            + (snippet.text.isEmpty ? "" : " \(snippet.text)")
    }

    /// The marks with the label after them, or below them if there is no room.
    private func marks(
        _ mark: SourceSnippet.Mark, _ annotation: Annotation, _ severity: Severity, margin: Int, columns: Int
    ) -> [String] {
        func colored(_ text: String) -> String {
            annotation.isPrimary ? self.colored(text, severity) : style.cyan(text)
        }
        let bar = blanks(margin) + style.cyan("|") + " "
        let marks = String(repeating: annotation.isPrimary ? "^" : "-", count: mark.length)
        guard let label = annotation.text.map(VisibleText.escaped), !label.isEmpty else {
            return [bar + blanks(mark.margin) + colored(marks)]
        }
        let end = mark.margin + mark.length + 1
        if width == nil || end + TerminalWidth.columns(label) <= columns {
            return [bar + blanks(mark.margin) + colored("\(marks) \(label)")]
        }
        // As far to the right as the label fits in few lines.
        let indent = max(0, min(mark.margin, columns - min(TerminalWidth.columns(label), max(24, columns / 2))))
        return [bar + blanks(mark.margin) + colored(marks)]
            + WrappedText.lines(label, columns: columns - indent).map { bar + blanks(indent) + colored($0) }
    }

    /// The marks in the order of the text; a finding about the file as a whole has no range to mark.
    private static func annotations(of diagnostic: Diagnostic) -> [Annotation] {
        let primary = Annotation(range: diagnostic.range, text: diagnostic.label, isPrimary: true)
        var all = diagnostic.isAboutWholeText ? [] : [primary]
        all += diagnostic.labels.prefix(maxLabels).map { Annotation(range: $0.range, text: $0.text, isPrimary: false) }
        return all.sorted { $0.range.start < $1.range.start }
    }

    /// The number of columns that the line numbers of a finding take.
    private static func digits(of diagnostic: Diagnostic, in source: SourceText) -> Int {
        let ranges =
            annotations(of: diagnostic).map(\.range) + [telltaleLine(of: diagnostic, in: source)].compactMap { $0 }
        let last = ranges.map(\.start).max() ?? 0
        return String(source.position(at: last).line).utf8.count
    }

    /// The start of the first line for a finding about the file as a whole, if it tells what the file is instead of
    /// JSON, such as a page or a message.
    private static func telltaleLine(of diagnostic: Diagnostic, in source: SourceText) -> SourceRange? {
        guard diagnostic.isAboutWholeText else { return nil }
        for number in 1...max(1, min(source.lineCount, 8)) {
            // A file of megabytes may be one line.
            let line = source.line(number).prefix(4096)
            guard let first = line.first(where: { !spaces.contains($0) }) else { continue }
            let isBinary = line.prefix(256).contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
            guard first != UInt8(ascii: "{"), first != UInt8(ascii: "["), !isBinary else { return nil }
            return SourceRange(start: line.startIndex, end: line.startIndex)
        }
        return nil
    }

    /// A space, a tab, the bytes of a UTF-8 mark.
    private static let spaces: Set<UInt8> = [0x20, 0x09, 0xEF, 0xBB, 0xBF]
}

extension Diagnostic {
    fileprivate var isAboutWholeText: Bool { range == SourceRange(start: 0, end: 0) }
}
