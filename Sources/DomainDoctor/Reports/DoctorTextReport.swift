internal import AppSiteAssociation
package import Diagnostics
internal import URLPatterns

/// Text for people: a block of steps per domain, then its findings.
package struct DoctorTextReport: DoctorReport {
    private let context: DoctorContext
    private let style: TextStyle
    private let isUnicode: Bool
    /// The marks in front of steps, and the one of what is cut.
    private let signs: (ok: String, warning: String, error: String, skipped: String, ellipsis: String)
    private let columns: Int
    private let renderer: TextRenderer
    /// The one of first lines, which are wrapped on a terminal only: otherwise tools read them.
    private let headlines: TextRenderer
    /// Whether the last line that was written is one of a finding, which an empty line follows.
    private var endsWithFinding = false
    private var isFirst = true

    /// The width of the longest title and two spaces.
    private static let titleWidth = 11
    /// The sign and the spaces around it.
    private static let margin = 4
    /// Longer evidence is cut, in characters; the findings and the formats for programs have more of it.
    private static let longestEvidence = 600

    /// - Parameter width: The columns of the terminal; nil if there is none.
    package init(_ context: DoctorContext, style: TextStyle, isUnicode: Bool, width: Int?) {
        self.context = context
        self.style = style
        self.isUnicode = isUnicode
        signs = isUnicode ? ("✓", "!", "✗", "–", "…") : ("+", "!", "x", "-", "...")
        columns = min(max(width ?? 80, 40), 1_000)
        renderer = TextRenderer(style: style, width: columns)
        headlines = TextRenderer(style: style, width: width == nil ? nil : columns)
    }

    package mutating func add(_ diagnosis: Diagnosis) -> String {
        var lines = isFirst ? [] : [""]
        isFirst = false
        lines.append(heading(diagnosis.target))
        lines += diagnosis.shownSteps.flatMap(self.lines)
        lines += blocks(diagnosis.findings)
        endsWithFinding = !diagnosis.findings.isEmpty
        return String(lines: lines)
    }

    /// The findings about no domain, then what cannot be checked, after the line that counts.
    package mutating func end(_ tally: DoctorTally) -> String {
        var lines = blocks(context.findings)
        if isFirst, lines.first == "" { lines.removeFirst() }
        let needsGap = endsWithFinding || !lines.isEmpty || tally.domains > 1
        if needsGap { lines.append("") }
        lines.append(summary(tally))
        if let remark = tally.remark { lines += [""] + WrappedText.lines(remark, columns: min(columns, 80)) }
        return String(lines: lines)
    }

    private func summary(_ tally: DoctorTally) -> String {
        let counts = "\(counted(tally.errors, "error")), \(counted(tally.warnings, "warning"))"
        let ignored = tally.ignored == 0 ? "" : " (\(counted(tally.ignored, "finding")) ignored)"
        let line = "\(counts) in \(counted(tally.domains, "domain"))\(ignored)"
        switch tally.status {
        case .error: return style.bold(style.red(line))
        case .warning: return style.bold(style.yellow(line))
        case .ok, .skipped: return style.bold(style.green(line))
        }
    }
}

// The block of steps.
extension DoctorTextReport {
    /// The name as programs have it, and as people read it where that is another one.
    private func heading(_ target: Target) -> String {
        let name = style.bold(VisibleText.escaped(target.authority))
        guard isUnicode, let unicode = target.unicode else { return name }
        return "\(name) \(style.dim("(\(unicode))"))"
    }

    private func lines(_ step: Step) -> [String] {
        let sign =
            switch step.status {
            case .ok: style.green(signs.ok)
            case .warning: style.yellow(signs.warning)
            case .error: style.red(signs.error)
            case .skipped: style.dim(signs.skipped)
            }
        func dimmed(_ text: String) -> String { step.status == .skipped ? style.dim(text) : text }
        let title = TerminalWidth.padded(step.id.title, to: Self.titleWidth)
        let indent = Self.margin + Self.titleWidth
        let lines = step.lines.flatMap { WrappedText.lines(fitting($0), columns: columns - indent) }
        return lines.enumerated().map { number, line in
            number == 0
                ? "  \(sign) \(dimmed(title + line))" : String(repeating: " ", count: indent) + dimmed(line)
        }
    }

    /// Evidence that may be received, without words that are longer than a line.
    private func fitting(_ text: String) -> String {
        let isLong = text.utf8.count > Self.longestEvidence
        let start = isLong ? String(text.prefix(Self.longestEvidence)) + signs.ellipsis : text
        let room = columns - Self.margin - Self.titleWidth
        let words = VisibleText.escaped(start).split(separator: " ", omittingEmptySubsequences: false)
        return words.map { cut(String($0), to: room) }.joined(separator: " ")
    }

    private func cut(_ text: String, to room: Int) -> String {
        guard TerminalWidth.columns(text) > room else { return text }
        var start = text
        let left = room - TerminalWidth.columns(signs.ellipsis)
        while TerminalWidth.columns(start) > left, !start.isEmpty { start.removeLast() }
        return start + signs.ellipsis
    }
}

// The findings.
extension DoctorTextReport {
    /// An empty line and the lines of the finding, for each.
    private func blocks(_ findings: [StepFinding]) -> [String] { findings.flatMap { [""] + lines($0) } }

    private func lines(_ finding: StepFinding) -> [String] {
        // The contract: `SUBJECT[:LINE:COLUMN]: error: MESSAGE [CODE]`.
        let headline = headlines.headline(finding.diagnostic, "\(finding.location):")
        if let source = finding.located.source { return headline + renderer.body(finding.diagnostic, in: source) }
        let margin = 3
        return headline + finding.located.evidence.flatMap { evidence($0, margin) }
            + renderer.notes(finding.diagnostic, margin: margin)
    }

    /// The lines that show an observation, in place of a line of a file.
    private func evidence(_ text: String, _ margin: Int) -> [String] {
        WrappedText.lines(VisibleText.escaped(text), columns: columns - margin - 2, indent: 2).map { line in
            "\(String(repeating: " ", count: margin))\(style.cyan("|")) \(line)"
        }
    }
}

extension StepFinding {
    /// `SUBJECT`, with `:LINE:COLUMN` if it is about a text.
    var location: String {
        guard let start = located.start else { return located.path }
        return "\(located.path):\(start.line):\(start.column)"
    }
}
