import AppSiteAssociation
import CommandLineSupport
import Diagnostics
import URLPatterns
import UniversalLinks

/// Text for people: a block for each URL, or one line per URL when they come from standard input.
///
/// Columns are separated by two or more spaces, which no word of a column contains.
struct RouteTextReport {
    let document: AssociationDocument
    let style: TextStyle
    let symbols: Symbols
    /// The columns of the terminal; nil if there is none.
    let width: Int?
    /// One line per URL.
    let isBrief: Bool

    private static let longestWord = 16

    func text(_ answer: RouteAnswer) -> String {
        let word = word(answer.decision.outcome)
        let url = VisibleText.escaped(answer.url)
        let encoded = answer.encodedURL.map { "decided as \(VisibleText.escaped($0))" }
        if isBrief {
            return "\(word)  \(url)\(brief(answer.decision))" + (encoded.map { "  \($0)" } ?? "")
        }
        var lines = ["\(word)  \(style.bold(url))"]
        if let encoded { lines.append(margin + style.dim(encoded)) }
        for app in answer.decision.appIDs { lines.append(margin + style.green(VisibleText.escaped(app))) }
        if let rule = answer.decision.rule {
            lines += self.lines(rule)
        } else if let reason = answer.reason {
            let isDecided = answer.decision.outcome != .notDecided
            let code = isDecided ? "" : " [\(RuleDescription.urlNotDecided.code)]"
            lines += wrapped(VisibleText.escaped(reason) + code).map { margin + $0 }
            if !isDecided { lines += remark("help", RouteAnswer.tooLargeHelp, margin) }
        }
        guard let trace = answer.trace else {
            return (lines + (answer.hint.map { remark("hint", $0.message, margin) } ?? [])).joined(separator: "\n")
        }
        let remarks =
            (answer.hint.map { remark("hint", $0.message, "  ") } ?? [])
            + otherMisses(answer).flatMap { remark("hint", $0.message, "  ") }
            + unreadPaths.flatMap { remark("note", $0, "  ") }
            + (answer.isTraceComplete ? [] : remark("note", Self.cutTrace, "  "))
        for block in [table(trace, WebURL((answer.encodedURL ?? answer.url).utf8)), remarks] where !block.isEmpty {
            lines += [""] + block
        }
        return lines.joined(separator: "\n")
    }

    /// The near misses but the one that the hint names.
    private func otherMisses(_ answer: RouteAnswer) -> [NearMiss] {
        (answer.nearMisses ?? []).filter { $0.url == nil || $0.url != answer.hint?.url }
    }

    private static let cutTrace =
        "the rules that follow are not shown: to compare them with this URL takes too many steps"

    private func wrapped(_ text: String) -> [String] {
        width.map { WrappedText.lines(text, columns: max(24, $0 - margin.count)) } ?? [text]
    }

    func refusal(_ url: String) -> String {
        let refusal = VisibleText.escaped(WebURL.refusal(of: url))
        let word = style.red(TerminalWidth.padded("error", to: Self.longestWord))
        let url = VisibleText.escaped(url)
        return isBrief
            ? "\(word)  \(url)  \(refusal)"
            : (["\(word)  \(style.bold(url))"] + wrapped(refusal).map { margin + $0 }).joined(separator: "\n")
    }

    /// The indentation of a block: to the URL, unless that takes too much of a narrow terminal.
    private var margin: String { String(repeating: " ", count: (width ?? 80) < 80 ? 4 : Self.longestWord + 2) }

    private func word(_ outcome: Outcome) -> String {
        switch outcome {
        case .open: style.green(TerminalWidth.padded("open", to: Self.longestWord))
        case .excluded: style.yellow(TerminalWidth.padded("excluded", to: Self.longestWord))
        case .noMatch: style.yellow("stays in browser")
        case .notDecided: style.red(TerminalWidth.padded("not decided", to: Self.longestWord))
        }
    }

    private func brief(_ decision: RoutingDecision) -> String {
        let apps = VisibleText.escaped(decision.appIDs.joined(separator: ","))
        let location = decision.rule.map { "\(VisibleText.escaped(document.source.path)):\($0.position.line)" } ?? ""
        return [apps, location].filter { !$0.isEmpty }.map { "  \($0)" }.joined()
    }

    /// Where the rule is, and what it says; on a terminal in two lines, if they do not fit into one.
    private func lines(_ rule: Rule) -> [String] {
        let path = VisibleText.escaped(document.source.path)
        let location = "\(path):\(rule.position.line):\(rule.position.column):"
        let text = (rule.excludes ? "excludes " : "") + VisibleText.escaped(RuleText.patterns(rule))
        let comment = rule.comment.flatMap { $0.isEmpty ? nil : "\"\(VisibleText.escaped($0))\"" }
        let shown = [text, comment.map(style.dim)].compactMap { $0 }.joined(separator: "  ")
        let columns = TerminalWidth.columns("\(margin)\(location) \(text)  \(comment ?? "")")
        guard let width, columns > width else { return ["\(margin)\(style.cyan(location)) \(shown)"] }
        return ["\(margin)\(style.cyan(location))", "\(margin)  \(shown)"]
    }

    /// A hint or a note; on a terminal its further lines are indented to its first word.
    private func remark(_ kind: String, _ text: String, _ margin: String) -> [String] {
        let indent = margin.count + kind.count + 2
        let text = VisibleText.escaped(text)
        let lines = width.map { WrappedText.lines(text, columns: max(24, $0 - indent)) } ?? [text]
        return lines.enumerated().map { number, line in
            number == 0
                ? "\(margin)\(style.bold(style.cyan("\(kind):"))) \(line)"
                : String(repeating: " ", count: indent) + line
        }
    }

    /// Notes about entries whose `paths` are not used.
    private var unreadPaths: [String] {
        (document.appLinks?.details ?? []).compactMap { detail in
            guard detail.components != nil, let first = detail.paths?.first else { return nil }
            let line = document.source.position(at: first.range.start).line
            return
                "'paths' on line \(line) are not used, because 'components' are in the same entry; only iOS 12 and older "
                + "read them"
        }
    }

    /// Patterns up to this width have their reasons in one column.
    private static let widestPattern = 40

    /// One row per rule: mark, file and line, what it does, pattern, and what did not match.
    private func table(_ trace: [RuleEvaluation], _ url: WebURL?) -> [String] {
        let prefix = locationPrefix
        let locations = trace.map { "\(prefix)\($0.rule.position.line)" }
        let locationWidth = locations.map { TerminalWidth.columns($0) }.max() ?? 0
        // Mark, location and verb, each with what separates it from the next.
        let start = 3 + symbols.width + locationWidth + 2 + 7 + 2
        let room = width.map { max(16, $0 - start) }
        let patterns = trace.map {
            TableLine.cut(
                VisibleText.escaped(RuleText.patterns($0.rule)), to: room ?? .max, ellipsis: symbols.ellipsis)
        }
        let patternWidth = patterns.map { TerminalWidth.columns($0) }.filter { $0 <= Self.widestPattern }.max() ?? 0
        var mismatch = RuleMismatch(document)
        let details = (document.appLinks?.details ?? []).filter(\.canDecide)
        let hasSeveralApps = Set(details.lazy.map { Set($0.appIDs.map(\.value)) }.prefix(1_000)).count > 1
        return trace.indices.flatMap { index in
            let (rule, failure) = (trace[index].rule, trace[index].failure)
            let mark = TerminalWidth.padded(failure == nil ? symbols.check : symbols.cross, to: symbols.width)
            let row =
                "  \(failure == nil ? style.green(mark) : style.red(mark)) \(style.cyan(TerminalWidth.padded(locations[index], to: locationWidth)))  "
                + (rule.excludes ? "exclude" : "open   ") + "  "
            let reason = VisibleText.escaped(
                failure.map { mismatch.reason($0, of: rule, url) }
                    ?? Self.matches(for: hasSeveralApps ? trace[index].appIDs : []))
            let shown = failure == nil ? style.green(reason) : reason
            let pattern = TerminalWidth.padded(patterns[index], to: patternWidth)
            if TerminalWidth.columns(pattern) + 2 + TerminalWidth.columns(reason) <= room ?? .max {
                return ["\(row)\(pattern)  \(shown)"]
            }
            return [row + patterns[index], String(repeating: " ", count: start) + shown]
        }
    }

    /// For whom a rule decides, where the file has several apps.
    private static func matches(for apps: [String]) -> String {
        let most = 4
        let rest = apps.count > most ? " and \(grouped(apps.count - most)) more" : ""
        return apps.isEmpty ? "matches" : "matches for \(apps.prefix(most).joined(separator: ", "))\(rest)"
    }

    /// The text before a line's number: the path of the file, or on a terminal where that is too long its name, or just
    /// "line".
    private var locationPrefix: String {
        let path = VisibleText.escaped(document.source.path)
        guard let width else { return "\(path):" }
        let names = [path, path.split(separator: "/").last.map(String.init) ?? path]
        return names.first { TerminalWidth.columns($0) <= width / 4 }.map { "\($0):" } ?? "line "
    }
}
