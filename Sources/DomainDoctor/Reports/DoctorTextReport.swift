package import Diagnostics

/// Text for people: a block of steps per domain, then its findings.
package struct DoctorTextReport: Sendable {
    /// The marks in front of steps.
    package struct Signs: Sendable {
        let ok: String
        let warning: String
        let error: String
        let skipped: String

        package init(isUnicode: Bool) {
            (ok, warning, error, skipped) = isUnicode ? ("✓", "!", "✗", "–") : ("+", "!", "x", "-")
        }
    }

    private let style: TextStyle
    private let signs: Signs
    /// The columns of the terminal; nil if there is none.
    private let width: Int?
    private let renderer: TextRenderer

    /// As wide as the longest title, and two spaces.
    private static let titleWidth = 11
    /// The sign and the spaces around it.
    private static let margin = 4

    package init(style: TextStyle, signs: Signs, width: Int?) {
        self.style = style
        self.signs = signs
        self.width = width.map { max($0, 40) }
        renderer = TextRenderer(style: style, width: width)
    }

    /// The block of a domain, with an empty line after it if it has findings.
    package func lines(_ diagnosis: Diagnosis) -> [String] {
        let steps = shown(diagnosis).flatMap(lines)
        let findings = diagnosis.findings.flatMap { [""] + lines($0) }
        return [style.bold(VisibleText.escaped(diagnosis.target.authority))] + steps + findings
    }

    /// Findings that are about no domain, such as those of `--app` files.
    package func lines(_ finding: Finding) -> [String] {
        guard finding.evidence.isEmpty else { return withEvidence(finding) }
        guard let source = finding.source else { return headline(finding) + details(finding.diagnostic) }
        // The first line is for tools, and stays whole.
        return headline(finding)
            + TextRenderer(style: style, width: width).render(finding.diagnostic, in: source)
            .dropFirst(wrappedHeadlineCount(finding, source))
    }

    /// The last line of all, and what nobody can check.
    package func summary(_ diagnoses: [Diagnosis], others: [Finding] = []) -> [String] {
        let severities =
            diagnoses.flatMap { $0.findings.map(\.diagnostic.severity) } + others.map(\.diagnostic.severity)
        let errors = severities.count { $0 >= .error }
        let warnings = severities.count { $0 == .warning }
        let line =
            "\(counted(errors, "error")), \(counted(warnings, "warning")) in \(counted(diagnoses.count, "domain"))"
        let colored = errors > 0 ? style.red(line) : warnings > 0 ? style.yellow(line) : style.green(line)
        guard errors == 0, warnings == 0, diagnoses.contains(where: { !$0.links.isEmpty }) else { return [colored] }
        return [colored, ""] + WrappedText.lines(Self.limits, columns: min(width ?? 80, 80))
    }

    private static let limits =
        "What no file can tell: a link does not open the app when it is typed into the address bar, followed within the same "
        + "domain in Safari, opened by another browser or an in-app browser that decides otherwise, or after the user chose the "
        + "browser for this domain before."

    /// The steps that have something to say.
    private func shown(_ diagnosis: Diagnosis) -> [Step] {
        var steps = diagnosis.steps.filter { step in
            switch step.id {
            case .app, .link: step.status != .skipped
            default: true
            }
        }
        // Both speak of Android: one line is enough where neither has anything to say.
        if let links = steps.first(where: { $0.id == .assetlinks }), links.status == .skipped {
            steps.removeAll { $0.id == .google && $0.status == .skipped }
        }
        return steps
    }

    private func lines(_ step: Step) -> [String] {
        let sign =
            switch step.status {
            case .ok: style.green(signs.ok)
            case .warning: style.yellow(signs.warning)
            case .error: style.red(signs.error)
            case .skipped: style.dim(signs.skipped)
            }
        let title = Self.title(step.id)
        let indent = Self.margin + Self.titleWidth
        let start = "  \(sign) \(title)\(String(repeating: " ", count: Self.titleWidth - title.count))"
        let columns = (width ?? 80) - indent
        let texts = [step.summary] + step.details
        return texts.flatMap { WrappedText.lines(VisibleText.escaped($0), columns: columns) }.enumerated().map {
            number, line in
            let line = step.status == .skipped ? style.dim(line) : line
            return (number == 0 ? start : String(repeating: " ", count: indent)) + line
        }
    }

    package static func title(_ id: Step.ID) -> String {
        switch id {
        case .dns: "DNS"
        case .tls: "TLS"
        case .http: "HTTP"
        case .agents: "Agents"
        case .addresses: "Addresses"
        case .file: "File"
        case .cdn: "Apple CDN"
        case .assetlinks: "Android"
        case .google: "Google"
        case .app: "App"
        case .link: "Link"
        }
    }
}

extension DoctorTextReport {
    /// The contract: `SUBJECT[:LINE:COLUMN]: error: MESSAGE [CODE]`, on one line whatever the terminal.
    private func headline(_ finding: Finding) -> [String] {
        let diagnostic = finding.diagnostic
        var place = VisibleText.escaped(finding.subject)
        if let source = finding.source {
            let position = source.position(at: diagnostic.range.start)
            place += ":\(position.line):\(position.column)"
        }
        let severity = style.bold(colored("\(diagnostic.severity.rawValue):", diagnostic.severity))
        let code = style.dim("[\(diagnostic.code)]")
        return ["\(style.bold("\(place):")) \(severity) \(VisibleText.escaped(diagnostic.message)) \(code)"]
    }

    /// How many lines the headline of a finding about a text takes where it is wrapped.
    private func wrappedHeadlineCount(_ finding: Finding, _ source: SourceText) -> Int {
        let diagnostic = finding.diagnostic
        guard let width else { return 1 }
        let position = source.position(at: diagnostic.range.start)
        let line =
            "\(VisibleText.escaped(source.path)):\(position.line):\(position.column): \(diagnostic.severity.rawValue): "
            + "\(VisibleText.escaped(diagnostic.message)) [\(diagnostic.code)]"
        return WrappedText.lines(line, columns: max(width, 20), indent: 4).count
    }

    private func withEvidence(_ finding: Finding) -> [String] {
        let columns = (width ?? 160) - 5
        let evidence = finding.evidence.map { line -> String in
            let text = VisibleText.escaped(line)
            let shown = TerminalWidth.columns(text) > columns ? "\(text.prefix(max(1, columns - 1)))…" : text
            return "   \(style.cyan("|")) \(shown)"
        }
        return headline(finding) + evidence + details(finding.diagnostic)
    }

    private func details(_ diagnostic: Diagnostic) -> [String] {
        let texts =
            diagnostic.notes.map { ("note: ", $0, false) } + (diagnostic.help.map { [("help: ", $0, true)] } ?? [])
        return texts.flatMap { kind, text, isHelp -> [String] in
            let indent = 5 + kind.count
            let text = VisibleText.escaped(text)
            let lines =
                width.map { WrappedText.lines(text, columns: $0 - indent) }
                ?? WrappedText.lines(text, columns: 80 - indent)
            let start = "   \(style.cyan("=")) \(isHelp ? style.bold(style.green(kind)) : kind)"
            return lines.enumerated().map { number, line in
                (number == 0 ? start : String(repeating: " ", count: indent)) + line
            }
        }
    }

    private func colored(_ text: String, _ severity: Severity) -> String {
        switch severity {
        case .critical, .error: style.red(text)
        case .warning: style.yellow(text)
        case .note: style.cyan(text)
        }
    }
}
