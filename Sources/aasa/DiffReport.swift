import AppSiteAssociation
import CommandLineSupport
import Diagnostics
import PatternAnalysis

/// Text for people: a block per change, with a URL and the rule of each file that decides about it.
struct DiffTextReport {
    let oldPath: String
    let newPath: String
    let style: TextStyle
    /// The columns of the terminal; nil if it is none.
    let width: Int?

    /// At most this many undecided rules are shown; the last line counts all.
    private static let undecidedLimit = 20

    private static let mostSpaces = 16

    private let margin = "    "

    func lines(_ comparison: LinkComparison) -> [String] {
        comparison.changes.flatMap(lines) + comparison.undecided.prefix(Self.undecidedLimit).flatMap(lines)
            + comparison.services.flatMap(notes) + [summary(comparison)]
    }

    private func lines(_ change: LinkChange) -> [String] {
        let rules = [rule(oldPath, change.old.rule), rule(newPath, change.new.rule)]
        // The apps of both files begin in the same column, unless that takes more spaces than one can follow.
        let widths = rules.map(\.width)
        let width = widths.max() ?? 0
        let isAligned = width - (widths.min() ?? 0) <= Self.mostSpaces
        let answers = zip(rules, [change.old, change.new]).map { rule, answer in
            let pad = String(repeating: " ", count: isAligned ? width - rule.width : 0)
            let apps = VisibleText.escaped(answer.appIDs.joined(separator: ", "))
            return (rule.text, apps.isEmpty ? "" : "\(pad)  \(apps)")
        }
        let lines = answers.map { margin + $0.0 + $0.1 }
        if let columns = self.width, zip(rules, answers).contains(where: { isWider($0.width, $1.1, columns) }) {
            return [headline(change)] + zip(rules, [change.old, change.new]).flatMap { wrapped($0.text, $1.appIDs) }
        }
        return [headline(change)] + lines
    }

    private func isWider(_ rule: Int, _ apps: String, _ columns: Int) -> Bool {
        margin.count + rule + TerminalWidth.columns(apps) > columns
    }

    /// A rule and its apps below each other, for a narrow terminal.
    private func wrapped(_ rule: String, _ appIDs: [String]) -> [String] {
        let columns = (width ?? .max) - margin.count
        return WrappedText.lines(rule, columns: columns, indent: margin.count).map { margin + $0 }
            + appIDs.map { margin + margin + VisibleText.escaped($0) }
    }

    /// The marker of a change, the kind of it, and a URL that shows it.
    private func headline(_ change: LinkChange) -> String {
        let widest = LinkChange.Kind.noLongerExcluded.rawValue.count
        let kind = change.kind.rawValue + String(repeating: " ", count: max(0, widest - change.kind.rawValue.count))
        let start =
            switch change.kind {
            case .opens: style.green("+ \(kind)")
            case .noLongerOpens, .nowExcluded: style.red("- \(kind)")
            case .otherApps, .noLongerExcluded: style.yellow("~ \(kind)")
            }
        return "\(start)  \(style.bold(change.witness))"
    }

    /// A rule with its location, and how many columns they take.
    private func rule(_ path: String, _ rule: Rule?) -> (text: String, width: Int) {
        let path = VisibleText.escaped(path)
        let position = rule.map { "\($0.position.line):\($0.position.column):" } ?? ""
        let location = "\(path):\(position)"
        let words =
            rule.map { ($0.excludes ? "excludes " : "") + VisibleText.escaped(RuleText.patterns($0)) }
            ?? "no rule matches"
        return (
            "\(style.cyan(location)) \(rule == nil ? style.dim(words) : words)",
            TerminalWidth.columns(location) + 1 + TerminalWidth.columns(words)
        )
    }

    private func lines(_ undecided: UndecidedLinks) -> [String] {
        let rules = [undecided.old.map { rule(oldPath, $0) }, undecided.new.map { rule(newPath, $0) }].compactMap { $0 }
        return [style.yellow("? not decided") + "         links that these rules match"]
            + rules.map { margin + $0.text }
    }

    private func notes(_ service: ServiceChange) -> [String] {
        func note(_ what: String, _ apps: [String]) -> [String] {
            apps.map { "note: \(service.service) \(what) \(VisibleText.escaped($0))" }
        }
        return note("no longer has", service.removed) + note("now has", service.added)
    }

    private func summary(_ comparison: LinkComparison) -> String {
        let count = comparison.changes.count
        let open = comparison.undecided.isEmpty ? "" : ", \(grouped(comparison.undecided.count)) not decided"
        if comparison.isWithoutChange { return "no link changes" }
        return "\(counted(count, "change"))\(open)"
    }
}

/// Changes as CI systems show failed checks: annotations, or JUnit XML.
struct DiffCheckReport {
    let oldPath: String
    let newPath: String

    /// A change, or what could not be decided, as a failed check.
    struct Check {
        let name: String
        let message: String
        /// The file and line that it is shown at.
        let path: String
        let line: Int?
        let details: [String]
    }

    /// An annotation for each change.
    func github(_ comparison: LinkComparison) -> String { Self.github(checks(comparison), title: "link changes") }

    static func github(_ checks: [Check], title: String) -> String {
        checks.map { check in
            GitHubRenderer().command(
                .error, path: check.path, line: check.line, title: title,
                message: [check.message] + check.details)
        }.joined(separator: "\n")
    }

    /// A failed case for each change; a passed one if there is none.
    func junit(_ comparison: LinkComparison) -> String {
        Self.junit(checks(comparison), none: "no link changes", newPath)
    }

    static func junit(_ checks: [Check], none: String, _ newPath: String) -> String {
        let cases = checks.map { check in
            JUnitReport.Case(
                name: check.name, className: check.path, line: check.line,
                result: .failure(check.message, check.details.joined(separator: "\n")))
        }
        let none = JUnitReport.Case(name: none, className: newPath, result: .passed)
        return JUnitReport(
            name: "aasa diff", suites: [JUnitReport.Suite(name: newPath, cases: cases.isEmpty ? [none] : cases)]
        ).text
    }

    private func checks(_ comparison: LinkComparison) -> [Check] {
        comparison.changes.map { change in
            check(
                name: change.witness, message: "\(change.kind.rawValue): \(change.witness)", change.old.rule,
                change.new.rule,
                details: ["old: \(answer(oldPath, change.old))", "new: \(answer(newPath, change.new))"])
        }
            + comparison.undecided.map { undecided in
                let rules = [undecided.old.map { location(oldPath, $0) }, undecided.new.map { location(newPath, $0) }]
                    .compactMap { $0 }
                return check(
                    name: rules.first ?? "links", message: "not decided whether links change", undecided.old,
                    undecided.new,
                    details: rules)
            }
    }

    private func check(name: String, message: String, _ old: Rule?, _ new: Rule?, details: [String]) -> Check {
        // Where nothing in the new file decides, the rule that did is in the old one.
        let isOld = new == nil && old != nil
        return Check(
            name: name, message: message, path: isOld ? oldPath : newPath, line: (new ?? old)?.position.line,
            details: details)
    }

    private func answer(_ path: String, _ answer: LinkChange.Answer) -> String {
        let apps = answer.appIDs.isEmpty ? "" : " (\(answer.appIDs.joined(separator: ", ")))"
        return (answer.rule.map { location(path, $0) } ?? "no rule of \(path) matches") + apps
    }

    private func location(_ path: String, _ rule: Rule) -> String {
        "\(path):\(rule.position.line):\(rule.position.column): \(rule.excludes ? "excludes " : "")\(RuleText.patterns(rule))"
    }
}
