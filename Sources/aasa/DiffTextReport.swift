import AppSiteAssociation
import AssociationLint
import Diagnostics

/// Text for people: a block a change, with a URL and the rule of each file that decides about it.
struct DiffTextReport {
    let oldPath: String
    let newPath: String
    let style: TextStyle

    /// So many rules that are not decided are shown; the last line counts all.
    private static let undecidedLimit = 20

    private static let mostBlanks = 16

    private let margin = String(repeating: " ", count: 10)

    func lines(_ comparison: LinkComparison) -> [String] {
        comparison.changes.flatMap(lines) + comparison.undecided.prefix(Self.undecidedLimit).flatMap(lines)
            + comparison.services.flatMap(notes) + [summary(comparison)]
    }

    private func lines(_ change: LinkChange) -> [String] {
        let rules = [rule(oldPath, change.old.rule), rule(newPath, change.new.rule)]
        // The apps of both files begin in the same column, unless that takes more blanks than one can follow.
        let widths = rules.map(\.width)
        let width = widths.max() ?? 0
        let isAligned = width - (widths.min() ?? 0) <= Self.mostBlanks
        let answers = zip(rules, [change.old, change.new]).map { rule, answer in
            let pad = String(repeating: " ", count: isAligned ? width - rule.width : 0)
            let apps = VisibleText.escaped(answer.appIDs.joined(separator: ", "))
            return margin + rule.text + (apps.isEmpty ? "" : "\(pad)  \(style.green(apps))")
        }
        return ["\(word(change.kind))  \(style.bold(change.witness))"] + answers
    }

    /// A rule with its place, and how many columns they take.
    private func rule(_ path: String, _ rule: Rule?) -> (text: String, width: Int) {
        let path = VisibleText.escaped(path)
        let position = rule.map { "\($0.position.line):\($0.position.column):" } ?? ""
        let place = "\(path):\(position)"
        let words =
            rule.map { ($0.excludes ? "excludes " : "") + VisibleText.escaped(RuleText.patterns($0)) }
            ?? "no rule matches"
        return (
            "\(style.cyan(place)) \(rule == nil ? style.dim(words) : words)",
            TerminalWidth.columns(place) + 1 + TerminalWidth.columns(words)
        )
    }

    private func word(_ kind: LinkChange.Kind) -> String {
        switch kind {
        case .opens: style.green(kind.rawValue)
        case .noLongerOpens, .nowExcluded: style.red(kind.rawValue)
        case .otherApps, .noLongerExcluded: style.yellow(kind.rawValue)
        }
    }

    private func lines(_ undecided: UndecidedLinks) -> [String] {
        let rules = [undecided.old.map { rule(oldPath, $0) }, undecided.new.map { rule(newPath, $0) }].compactMap { $0 }
        return [style.yellow("not decided") + "  links that these rules are about"] + rules.map { margin + $0.text }
    }

    private func notes(_ service: ServiceChange) -> [String] {
        func note(_ what: String, _ apps: [String]) -> [String] {
            apps.map { "note: \(service.service) \(what) \(VisibleText.escaped($0))" }
        }
        return note("no longer has", service.removed) + note("now has", service.added)
    }

    private func summary(_ comparison: LinkComparison) -> String {
        let count = comparison.changes.count
        let open = comparison.undecided.isEmpty ? "" : ", \(comparison.undecided.count) not decided"
        if comparison.isWithoutChange { return "no link changes" }
        return "\(count) \(count == 1 ? "change" : "changes")\(open)"
    }
}
