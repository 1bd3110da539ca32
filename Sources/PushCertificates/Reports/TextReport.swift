package import Diagnostics
internal import SystemSupport

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

    /// The maximum number of statements shown with an advice, and of labels with a statement: the table has them all.
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

/// All about the only certificate of a run.
struct CertificateCard {
    let style: TextStyle
    let width: Int?

    /// The maximum number of topics shown.
    private static let topicLimit = 30
    /// The maximum number of purposes shown of a topic.
    private static let purposeLimit = 8
    private static let margin = 3
    private static let labelWidth = 14

    func lines(_ check: CertificateCheck, in file: FileCheck) -> [String] {
        let certificate = check.certificate
        let topics = certificate.topics
        return [head(check, file), ""]
            + field("kind", "\(certificate.kind.rawValue) (\(certificate.kind.explanation))")
            + field(topics.count == 1 ? "topic" : "topics", lines: topicLines(topics))
            + field(
                certificate.environments.count == 1 ? "environment" : "environments",
                certificate.environments.map(\.rawValue).joined(separator: ", "))
            + field("team", certificate.team)
            + field("subject", certificate.subjectCommonName)
            + field("serial", certificate.serial)
            + field("valid from", check.validity.map { InternetDate.string($0.notBefore) })
            + field("expires", check.validity.map { InternetDate.string($0.notAfter) } ?? "never")
            + field("issuer", certificate.issuer.map(Self.issuer), isBad: certificate.issuer?.chainsToApple == false)
            + field(
                "private key", certificate.key.explanation(in: certificate.keyPath),
                isBad: certificate.key.matches == false || check.isUnusable && certificate.key == .none)
            + field("beside it", Self.company(file))
            + field("revoked", topics.isEmpty ? nil : "not checked (offline); see Apple's developer portal")
    }

    private func head(_ check: CertificateCheck, _ file: FileCheck) -> String {
        let state = style.bold(style.colored(check.stateWord, check.status))
        return
            "\(style.bold("\(VisibleText.escaped(file.path)):")) \(state), \(check.isUnusable ? "cannot send, " : "")\(check.relativeTime)"
    }

    /// A value after its name; nothing if there is none.
    private func field(_ name: String, _ value: String?, isBad: Bool = false) -> [String] {
        guard let value, !value.isEmpty else { return [] }
        let text = ShownText.line(value)
        let lines = width.map { WrappedText.lines(text, columns: max(20, $0 - Self.start)) } ?? [text]
        return field(name, lines: isBad ? lines.map(style.yellow) : lines)
    }

    private func field(_ name: String, lines: [String]) -> [String] {
        lines.enumerated().map { number, line in
            guard number == 0 else { return Self.blanks(Self.start) + line }
            return Self.blanks(Self.margin) + style.cyan(name) + Self.blanks(Self.labelWidth - name.utf8.count) + line
        }
    }

    /// One line per topic, the purposes in a column after the names.
    private func topicLines(_ topics: [Topic]) -> [String] {
        let shown = topics.prefix(Self.topicLimit).map { topic in
            let more = topic.purposes.count > Self.purposeLimit ? ", …" : ""
            let purposes = topic.purposes.prefix(Self.purposeLimit).joined(separator: ", ") + more
            return (name: ShownText.line(topic.name), purposes: ShownText.line(purposes))
        }
        let column = shown.map { TerminalWidth.columns($0.name) }.max() ?? 0
        let lines = shown.map { name, purposes in
            guard !purposes.isEmpty else { return name }
            return name + Self.blanks(column - TerminalWidth.columns(name) + 2) + style.dim(purposes)
        }
        return lines + (topics.count > Self.topicLimit ? ["and \(topics.count - Self.topicLimit) more"] : [])
    }

    private static func issuer(_ issuer: CertificateIssuer) -> String {
        let name = issuer.commonName ?? "nameless"
        guard issuer.chainsToApple else { return "\(name), not confirmed by a signature" }
        return issuer.generation.map { "\(name) (\($0))" } ?? name
    }

    /// The sentence about the other things that are in the file.
    private static func company(_ file: FileCheck) -> String? {
        let count = file.certificates.count { $0.isBesideOthers }
        return count > 0 ? counted(count, "CA certificate") : nil
    }

    private static let start = margin + labelWidth

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
