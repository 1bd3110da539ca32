import AppSiteAssociation
import CommandLineSupport
import Diagnostics
import UniversalLinks

/// Text for people: a block for each URL, or a line when they come from standard input.
struct RouteTextReport: RouteReport {
    let document: AssociationDocument
    let style: TextStyle
    let isBrief: Bool
    /// The columns of the terminal; nil if there is none.
    let width: Int?

    func answer(
        _ url: String, _ decision: RoutingDecision, _ remarks: RouteRemarks, trace: [RuleTrial]?
    ) -> String {
        let word = self.word(decision.outcome)
        let url = VisibleText.escaped(url)
        if isBrief, trace == nil { return "\(word)  \(url)\(brief(decision))" }
        var lines = ["\(word)  \(style.bold(url))"]
        for app in decision.appIDs { lines.append("\(margin)\(style.green(VisibleText.escaped(app)))") }
        if let rule = decision.rule {
            lines.append("\(margin)\(place(rule)) \(description(rule))")
        } else if let reason = remarks.reason {
            lines.append("\(margin)\(style.dim(VisibleText.escaped(reason)))")
        }
        if let hint = remarks.hint { lines += remark("hint", hint.message) }
        if let trace { lines += self.lines(trace) + unreadPaths.flatMap { remark("note", $0) } }
        return lines.joined(separator: "\n")
    }

    func refusal(_ url: String) -> String {
        let text = VisibleText.escaped(url)
        return isBrief
            ? "\(style.red(padded("error")))  \(text)  \(RouteRefusal.message)"
            : "\(style.red(padded("error")))  \(style.bold(text))\n\(margin)\(RouteRefusal.message)"
    }

    /// As wide as the longest outcome.
    private let margin = String(repeating: " ", count: 10)

    private func padded(_ word: String) -> String { word + String(repeating: " ", count: max(0, 8 - word.count)) }

    private func word(_ outcome: Outcome) -> String {
        switch outcome {
        case .open: style.green(padded("open"))
        case .excluded: style.red(padded("excluded"))
        case .noMatch: style.yellow(padded("noMatch"))
        }
    }

    private func brief(_ decision: RoutingDecision) -> String {
        let apps = VisibleText.escaped(decision.appIDs.joined(separator: ","))
        let place = decision.rule.map { "\(VisibleText.escaped(document.source.path)):\($0.position.line)" } ?? ""
        return [apps, place].filter { !$0.isEmpty }.map { "  \($0)" }.joined()
    }

    private func place(_ rule: Rule) -> String {
        let path = VisibleText.escaped(document.source.path)
        return style.cyan("\(path):\(rule.position.line):\(rule.position.column):")
    }

    private func description(_ rule: Rule) -> String {
        let verb = rule.excludes ? "excludes " : ""
        let comment = rule.comment.map { $0.isEmpty ? "" : style.dim("  – \(VisibleText.escaped($0))") } ?? ""
        return verb + VisibleText.escaped(RuleText.patterns(rule)) + comment
    }

    /// A hint or a note; on a terminal its further lines begin below its first word.
    private func remark(_ kind: String, _ text: String) -> [String] {
        let indent = margin.count + kind.utf8.count + 2
        let text = VisibleText.escaped(text)
        let lines = width.map { WrappedText.lines(text, columns: max(24, $0 - indent)) } ?? [text]
        return lines.enumerated().map { number, line in
            number == 0
                ? "\(margin)\(style.bold(style.cyan("\(kind):"))) \(line)"
                : String(repeating: " ", count: indent) + line
        }
    }

    /// Entries whose `paths` are not asked.
    private var unreadPaths: [String] {
        (document.appLinks?.details ?? []).compactMap { detail in
            guard detail.components != nil, let first = detail.paths?.first else { return nil }
            let line = document.source.position(at: first.range.start).line
            return
                "'paths' on line \(line) are not used, because 'components' are in the same entry; only iOS 12 and older "
                + "read them"
        }
    }

    private func lines(_ trace: [RuleTrial]) -> [String] {
        guard !trace.isEmpty else { return [] }
        let places = trace.map { "line \($0.rule.position.line)" }
        let width = places.map(\.count).max() ?? 0
        let count = trace.count == 1 ? "1 rule was tried:" : "\(trace.count) rules were tried:"
        return ["", "\(margin)\(style.dim(count))"]
            + zip(trace, places).flatMap { trial, place in
                let pad = String(repeating: " ", count: width - place.count)
                let start = "\(margin)\(style.cyan(place))\(pad)  "
                let verdict = trial.failure == nil ? style.green("matches  ") : ""
                let indent = String(repeating: " ", count: margin.count + width + 4)
                return ["\(start)\(verdict)\(description(trial.rule))"]
                    + (trial.failure.map { ["\(indent)\(failure($0))"] } ?? [])
            }
    }

    private func failure(_ failure: RuleFailure) -> String {
        let pattern = VisibleText.escaped(failure.pattern)
        let value = failure.value.isEmpty ? "; the URL has none" : " '\(VisibleText.escaped(failure.value))'"
        return style.dim("\(failure.part.rawValue): '\(pattern)' does not match\(value)")
    }
}
