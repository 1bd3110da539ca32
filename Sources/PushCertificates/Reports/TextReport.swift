package import Diagnostics

/// A report for people: a table of the certificates, or all about the only one; then what to do, and a summary.
package struct TextReport: Sendable {
    private let style: TextStyle
    private let width: Int?

    /// - Parameters:
    ///   - style: Colours, or none.
    ///   - width: The columns of the terminal; nil if there is none: then nothing is wrapped or cut.
    package init(style: TextStyle, width: Int?) {
        self.style = style
        // What a terminal says of itself may be anything.
        self.width = width.map { min(max($0, 20), 1000) }
    }

    /// Lines without an end of line behind the last one.
    package func render(_ report: CheckReport) -> String {
        let entries = ReportEntry.all(in: report)
        let shown = entries.filter { !$0.isBesideOthers }
        let remarks = Remark.all(in: report, entries)
        var parts: [[String]] = []
        if shown.count == 1, let entry = shown.first, let check = entry.check {
            let card = CertificateCard(style: style, width: width)
            parts.append(card.lines(check, in: entry.file))
            parts += AdviceList(style: style, width: width, namesPlaces: false).blocks(remarks)
        } else {
            if shown.contains(where: { $0.check != nil }) {
                parts.append(CertificateTable(style: style, width: width).lines(shown))
            }
            parts += AdviceList(style: style, width: width, namesPlaces: true).blocks(remarks)
            parts.append(revocation(shown) + ReportSummary(report).lines(style, width: width))
        }
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Where a certificate looks good, what was not looked at.
    private func revocation(_ entries: [ReportEntry]) -> [String] {
        let isThere = entries.contains { entry in
            entry.check.map { !$0.certificate.topics.isEmpty && $0.validity?.isValid == true } ?? false
        }
        guard isThere else { return [] }
        let text = "Revocation is not checked (offline)."
        return (width.map { WrappedText.lines(text, columns: $0) } ?? [text]).map(style.dim)
    }
}

/// What to do, the most urgent first, and each advice once for all that need it.
struct AdviceList {
    let style: TextStyle
    let width: Int?
    /// Whether it has to be said which certificate something is about.
    let namesPlaces: Bool

    /// So many statements are shown with an advice, and so many places with a statement: the table has them all.
    private static let statementLimit = 8
    private static let placeLimit = 5
    private static let margin = "   "

    /// A block of lines for each advice.
    func blocks(_ remarks: [Remark]) -> [[String]] { AdviceBlock.all(remarks).map(lines) }

    private func lines(_ block: AdviceBlock) -> [String] {
        let shown = block.statements.prefix(Self.statementLimit)
        let isNote = shown.allSatisfy { $0.weight == .note }
        // A dim line is dim as a whole.
        let style = isNote ? TextStyle(isColored: false) : style
        var lines = shown.flatMap { self.lines($0, style) }
        let rest = block.statements.dropFirst(Self.statementLimit).reduce(0) { $0 + $1.places.count }
        if rest > 0 { lines.append("\(Self.margin)and \(rest) more") }
        if !block.advice.isEmpty { lines += advice(block.advice, style) }
        return isNote ? lines.map(self.style.dim) : lines
    }

    private func lines(_ statement: AdviceBlock.Statement, _ style: TextStyle) -> [String] {
        let word = "\(statement.weight.word):"
        let code = "[\(statement.code)]"
        var lines = wrapped("\(word) \(statement.text) \(code)", margin: Self.margin.utf8.count)
        // Both are whole words, so each is on one line.
        if let first = lines.first { lines[0] = colored(word, statement.weight, style) + first.dropFirst(word.count) }
        if let last = lines.last { lines[lines.count - 1] = last.dropLast(code.count) + style.dim(code) }
        lines = lines.enumerated().map { $0 == 0 ? $1 : Self.margin + $1 }
        // An error begins with the path.
        return namesPlaces && statement.weight != .error ? lines + places(statement.places, style) : lines
    }

    private func places(_ places: [String], _ style: TextStyle) -> [String] {
        var texts = Array(places.prefix(Self.placeLimit))
        if places.count > Self.placeLimit { texts.append("and \(places.count - Self.placeLimit) more") }
        return texts.enumerated().map { "\(Self.margin)\($0 == 0 ? style.cyan("-->") : "   ") \($1)" }
    }

    private func advice(_ text: String, _ style: TextStyle) -> [String] {
        wrapped("help: \(text)", margin: Self.margin.utf8.count + 2).enumerated().map { number, line in
            "\(Self.margin)\(number == 0 ? style.cyan("=") : " ") \(line)"
        }
    }

    private func wrapped(_ text: String, margin: Int) -> [String] {
        width.map { WrappedText.lines(text, columns: max(24, $0 - margin)) } ?? [text]
    }

    private func colored(_ word: String, _ weight: Remark.Weight, _ style: TextStyle) -> String {
        switch weight {
        case .critical, .error: style.bold(style.red(word))
        case .warning: style.bold(style.yellow(word))
        case .note: style.bold(word)
        }
    }
}
