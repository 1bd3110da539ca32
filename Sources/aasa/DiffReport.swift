import AppSiteAssociation
import Diagnostics
import PatternAnalysis

/// The differences of two files, for people and as failed checks of CI systems.
struct DiffReport {
    /// A difference, or rules of which it is not known whether they differ.
    struct Entry {
        enum Mark {
            case opens, closes, changes, undecided
        }

        let mark: Mark
        /// The kind of difference, such as `no longer opens`.
        let kind: String
        /// The URL that shows it, or the app that it is about.
        let subject: String
        let sides: [DiffSide]
        /// Further lines of the block for people.
        var more: [String] = []
        /// The side at which a failed check is shown.
        let location: DiffSide
        /// The lines of a failed check after its message.
        let details: [String]
    }

    /// At most this many undecided rules are shown to people; the last line counts all.
    private static let maxUndecided = 20
    /// At most this many spaces align apps; more would hide which rule they belong to.
    private static let maxSpaces = 16
    private static let margin = "    "

    /// The file that a suite of checks is named after.
    let path: String
    /// The title of annotations.
    let title: String
    /// The result if there is no difference.
    let none: String
    let noun: String
    /// The columns that the longest kind takes.
    let kindWidth: Int
    let entries: [Entry]
    let undecided: [Entry]
    var notes: [String] = []
    /// Whether the apps of both sides begin in one column, and are below the rules on a terminal that is too narrow.
    var alignsApps = false

    var isEmpty: Bool { entries.isEmpty && undecided.isEmpty }

    /// A block for each difference, and a line that sums up.
    ///
    /// - Parameter width: The columns of the terminal; nil if it is none.
    func lines(_ style: TextStyle, width: Int?) -> [String] {
        let blocks = (entries + undecided.prefix(Self.maxUndecided)).flatMap { entry in
            [headline(entry, style)] + lines(entry.sides, style, alignsApps ? width : nil)
                + entry.more.map { Self.margin + $0 }
        }
        let open = undecided.isEmpty ? "" : ", \(grouped(undecided.count)) not decided"
        return blocks + notes + [isEmpty ? none : "\(counted(entries.count, noun))\(open)"]
    }

    private func headline(_ entry: Entry, _ style: TextStyle) -> String {
        let kind = TerminalWidth.padded(entry.kind, to: kindWidth)
        let start: String
        switch entry.mark {
        case .opens: start = style.green("+ \(kind)")
        case .closes: start = style.red("- \(kind)")
        case .changes: start = style.yellow("~ \(kind)")
        case .undecided:
            let blanks = String(repeating: " ", count: kindWidth - 9)
            return "\(style.yellow("? not decided"))\(blanks)links that these rules match"
        }
        return "\(start)  \(style.bold(VisibleText.escaped(entry.subject)))"
    }

    private func lines(_ sides: [DiffSide], _ style: TextStyle, _ columns: Int?) -> [String] {
        let widths = sides.map { TerminalWidth.columns($0.rule(TextStyle(isColored: false))) }
        let width = widths.max() ?? 0
        let isAligned = alignsApps && width - (widths.min() ?? 0) <= Self.maxSpaces
        let apps = zip(sides, widths).map { side, used in
            side.apps.isEmpty
                ? "" : String(repeating: " ", count: isAligned ? width - used : 0) + side.joinedApps
        }
        let used = zip(widths, apps).map { Self.margin.count + $0 + TerminalWidth.columns($1) }
        guard let columns, used.contains(where: { $0 > columns }) else {
            return zip(sides, apps).map { Self.margin + $0.rule(style) + $1 }
        }
        return sides.flatMap { side in
            WrappedText.lines(side.rule(style), columns: columns - Self.margin.count, indent: Self.margin.count).map {
                Self.margin + $0
            } + side.apps.map { Self.margin + Self.margin + VisibleText.escaped($0) }
        }
    }

    /// An annotation for each difference.
    var github: String {
        (entries + undecided).map { entry in
            GitHubRenderer().command(
                .error, path: entry.location.path, line: entry.location.position?.line, title: title,
                message: [entry.message] + entry.details)
        }.joined(separator: "\n")
    }

    /// A failed case for each difference; a passed one if there is none.
    var junit: String {
        let cases = (entries + undecided).map { entry in
            JUnitReport.Case(
                name: entry.subject, className: entry.location.path, line: entry.location.position?.line,
                result: .failure(entry.message, entry.details.joined(separator: "\n")))
        }
        let passed = JUnitReport.Case(name: none, className: path, result: .passed)
        return JUnitReport(
            name: "aasa diff", suites: [JUnitReport.Suite(name: path, cases: cases.isEmpty ? [passed] : cases)]
        ).text
    }
}

extension DiffReport.Entry {
    /// Rules of which it is not known whether they differ.
    ///
    /// - Parameter message: What is not known.
    init(undecided sides: [DiffSide], subject: String, _ message: String, at location: DiffSide) {
        self.init(
            mark: .undecided, kind: message, subject: subject, sides: sides, location: location,
            details: sides.map(\.plain))
    }

    fileprivate var message: String { mark == .undecided ? kind : "\(kind): \(subject)" }
}

extension DiffReport.Entry.Mark {
    init(_ kind: LinkChange.Kind) {
        self =
            switch kind {
            case .opens: .opens
            case .noLongerOpens, .nowExcluded: .closes
            case .otherApps, .noLongerExcluded: .changes
            }
    }
}

extension DiffReport {
    /// The links that change when one association file replaces another, and notes about services without links.
    init(_ comparison: LinkComparison, old oldPath: String, new newPath: String) {
        func answer(_ side: DiffSide) -> String {
            let apps = side.apps.isEmpty ? "" : " (\(side.apps.joined(separator: ", ")))"
            return (side.patterns == nil ? "no rule of \(side.path) matches" : side.rule(TextStyle(isColored: false)))
                + apps
        }
        func notes(_ service: ServiceChange, _ what: String, _ apps: [String]) -> [String] {
            apps.map { "note: \(service.service) \(what) \(VisibleText.escaped($0))" }
        }
        self.init(
            path: newPath, title: "link changes", none: "no link changes", noun: "change",
            kindWidth: LinkChange.Kind.noLongerExcluded.rawValue.count,
            entries: comparison.changes.map { change in
                let old = DiffSide(oldPath, change.old.rule, change.old.appIDs)
                let new = DiffSide(newPath, change.new.rule, change.new.appIDs)
                return Entry(
                    mark: Entry.Mark(change.kind), kind: change.kind.rawValue, subject: change.witness,
                    sides: [old, new], location: DiffSide.deciding(old, new),
                    details: ["old: \(answer(old))", "new: \(answer(new))"])
            },
            undecided: comparison.undecided.map { rules in
                let sides = [rules.old.map { DiffSide(oldPath, $0) }, rules.new.map { DiffSide(newPath, $0) }]
                    .compactMap { $0 }
                return Entry(
                    undecided: sides, subject: sides.first?.plain ?? "links", "not decided whether links change",
                    at: sides.last ?? DiffSide(path: newPath))
            },
            notes: comparison.services.flatMap {
                notes($0, "no longer has", $0.removed) + notes($0, "now has", $0.added)
            }, alignsApps: true)
    }
}

/// A side of a difference as text: the file, the rule and the apps that it opens.
struct DiffSide {
    let path: String
    var position: SourcePosition?
    /// Nil if no rule decides.
    var patterns: String?
    var excludes = false
    var apps: [String] = []
    /// The words in the place of the rule, if there is none.
    var otherwise = "no rule matches"

    /// The side that a difference is shown at: where nothing in the new file decides, the rule that did is in the old one.
    static func deciding(_ old: DiffSide, _ new: DiffSide) -> DiffSide {
        new.patterns == nil && old.patterns != nil ? old : new
    }

    /// The rule with its location.
    func rule(_ style: TextStyle) -> String {
        let location = VisibleText.escaped(path) + ":" + (position.map { "\($0.line):\($0.column):" } ?? "")
        let words = patterns.map { (excludes ? "excludes " : "") + VisibleText.escaped($0) } ?? style.dim(otherwise)
        return "\(style.cyan(location)) \(words)"
    }

    /// The apps, after the spaces that separate them from the rule.
    fileprivate var joinedApps: String { "  \(VisibleText.escaped(apps.joined(separator: ", ")))" }

    /// All of it, without colors.
    var plain: String { rule(TextStyle(isColored: false)) + (apps.isEmpty ? "" : joinedApps) }
}

extension DiffSide {
    init(_ path: String, _ rule: Rule?, _ apps: [String] = []) {
        self.init(
            path: path, position: rule?.position, patterns: rule.map(RuleText.patterns),
            excludes: rule?.excludes ?? false, apps: apps)
    }
}
