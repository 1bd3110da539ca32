import Android
import AppSiteAssociation
import CommandLineSupport
import Diagnostics
import JSONSyntax
import PatternAnalysis

/// Dynamic rules in messages.
enum DynamicComponentText {
    /// The patterns, long ones cut.
    static func patterns(_ component: DynamicComponent) -> String {
        var parts: [String] = []
        if let path = component.path { parts.append(cut(path.text)) }
        if !component.query.isEmpty {
            parts.append("? " + component.query.prefix(5).map { cut($0.pattern.text) }.joined(separator: " & "))
        }
        if let fragment = component.fragment { parts.append("# " + cut(fragment.text)) }
        return parts.isEmpty ? "no pattern" : parts.joined(separator: "  ")
    }

    private static func cut(_ text: String) -> String { text.count > 80 ? "\(text.prefix(79))…" : text }
}

/// A side of a difference as text: the file, the rule and the apps that it opens.
struct DiffSide {
    let path: String
    private(set) var position: SourcePosition?
    /// Nil if no rule decides.
    private(set) var patterns: String?
    var excludes = false
    var apps: [String] = []
    /// The words in the place of the rule, if there is none.
    var otherwise = "no rule matches"

    init(_ path: String, _ rule: Rule?, _ apps: [String] = []) {
        self.path = path
        position = rule?.position
        patterns = rule.map(RuleText.patterns)
        excludes = rule?.excludes ?? false
        self.apps = apps
    }

    init(_ path: String, _ component: DynamicComponent?, _ apps: [String] = []) {
        self.path = path
        position = component?.position
        patterns = component.map(DynamicComponentText.patterns)
        excludes = component?.excludes ?? false
        self.apps = apps
    }

    /// A side on Android.
    init(_ path: String, _ android: PlatformComparison.Change.Android) {
        self.init(path, android.decider, android.packages)
        if let condition = android.condition, let filter = patterns { patterns = "\(filter): \(condition)" }
        guard android.decider == nil else { return }
        if android.isByManifest { otherwise = "no intent filter takes it" }
        if !android.hasApps { otherwise = "no statement that Android can use lets an app open links" }
    }

    /// - Parameter path: Of the asset links file.
    init(_ path: String, _ decider: AndroidDecider?, _ apps: [String] = []) {
        switch decider {
        case .filter(let filter):
            self.init(filter.path, nil as DynamicComponent?, apps)
            position = filter.position
            patterns = filter.activity.map { "an intent filter of \($0)" } ?? "an intent filter"
        case .component(let component): self.init(path, component, apps)
        case nil: self.init(path, nil as DynamicComponent?, apps)
        }
    }

    var words: String { patterns.map { (excludes ? "excludes " : "") + VisibleText.escaped($0) } ?? otherwise }

    private var location: String {
        VisibleText.escaped(path) + ":" + (position.map { "\($0.line):\($0.column):" } ?? "")
    }

    func line(_ style: TextStyle) -> String {
        let apps = apps.isEmpty ? "" : "  \(VisibleText.escaped(apps.joined(separator: ", ")))"
        return "    \(style.cyan(location)) \(patterns == nil ? style.dim(words) : words)\(apps)"
    }

    var plain: String { line(TextStyle(isColored: false)).trimmingPrefix { $0 == " " }.description }
}

/// The links that open on one platform only, in every format.
struct PlatformDiffReport {
    let path: String
    let assetLinksPath: String
    /// The manifest that decides; nil if there is none, or more than one.
    let manifestPath: String?
    let style: TextStyle

    func text(_ comparison: PlatformComparison, in format: CommandFailure.Format) -> String {
        switch format {
        case .json: json(comparison)
        case .text: lines(comparison).joined(separator: "\n")
        case .github: DiffCheckReport.github(checks(comparison), title: "link differs")
        case .junit: DiffCheckReport.junit(checks(comparison), none: "no differences", assetLinksPath)
        }
    }

    private func sides(_ change: PlatformComparison.Change) -> [DiffSide] {
        [
            DiffSide(path, change.ios.rule, change.ios.appIDs),
            DiffSide(change.android.isByManifest ? manifestPath ?? assetLinksPath : assetLinksPath, change.android),
        ]
    }

    private func sides(_ rules: (ios: Rule?, android: AndroidDecider?)) -> [DiffSide] {
        [rules.ios.map { DiffSide(path, $0) }, rules.android.map { DiffSide(assetLinksPath, $0) }].compactMap { $0 }
    }

    private func lines(_ comparison: PlatformComparison) -> [String] {
        var lines: [String] = []
        for change in comparison.changes {
            let kind = change.kind == .onlyIOS ? "- only on iOS    " : "+ only on Android"
            let marked = change.kind == .onlyIOS ? style.red(kind) : style.green(kind)
            lines.append("\(marked)  \(style.bold(change.witness))")
            lines += sides(change).map { $0.line(style) }
            if change.more > 0 {
                lines.append("    and \(grouped(change.more)) more of this rule and this filter")
            }
        }
        for rules in comparison.undecided {
            lines.append(style.yellow("? not decided") + "      links that these rules match")
            lines += sides(rules).map { $0.line(style) }
        }
        lines.append("note: \(PlatformComparison.leftOut)")
        let open = comparison.undecided.isEmpty ? "" : ", \(grouped(comparison.undecided.count)) not decided"
        lines.append(
            comparison.isWithoutDifference
                ? "no differences" : "\(counted(comparison.changes.count, "difference"))\(open)")
        return lines
    }

    private func checks(_ comparison: PlatformComparison) -> [DiffCheckReport.Check] {
        comparison.changes.map { change in
            let isIOS = change.kind == .onlyIOS
            let line = isIOS ? change.ios.rule?.position.line : change.android.decider?.position.line
            return DiffCheckReport.Check(
                name: change.witness, message: "\(change.kind.rawValue): \(change.witness)",
                path: isIOS ? path : sides(change)[1].path, line: line,
                details: zip(["iOS", "Android"], sides(change)).map { "\($0): \($1.plain)" }
                    + (change.more > 0 ? ["and \(grouped(change.more)) more of this rule and this filter"] : []))
        }
            + comparison.undecided.map { rules in
                let line = rules.ios?.position.line ?? rules.android?.position.line
                return DiffCheckReport.Check(
                    name: "not decided", message: "not decided whether the platforms agree",
                    path: sides(rules).first?.path ?? path, line: line, details: sides(rules).map(\.plain))
            }
    }

    private func json(_ comparison: PlatformComparison) -> String {
        func location(_ pointer: String?, _ line: Int?) -> JSONOutput {
            guard let line else { return .null }
            return .object(["pointer": .optional(pointer), "line": .number(line)])
        }
        return JSONOutput.object([
            "version": .number(1), "platforms": .boolean(true),
            "changes": .array(comparison.changes.map { .object($0.members) }),
            "undecided": .array(
                comparison.undecided.map { rules in
                    .object([
                        "ios": location(rules.ios?.pointer, rules.ios?.position.line),
                        "android": location(
                            rules.android?.component?.pointer.description, rules.android?.position.line),
                    ])
                }),
            "leftOut": .string(PlatformComparison.leftOut),
        ]).text
    }
}

/// The changes of an asset links file, in every format.
struct AssetLinksDiffReport {
    let oldPath: String
    let newPath: String
    let style: TextStyle

    func text(_ comparison: AssetLinksComparison, in format: CommandFailure.Format) -> String {
        switch format {
        case .json: comparison.json.text
        case .text: lines(comparison).joined(separator: "\n")
        case .github: DiffCheckReport.github(checks(comparison), title: "link changes")
        case .junit: DiffCheckReport.junit(checks(comparison), none: "no link changes", newPath)
        }
    }

    private static func words(_ kind: AssetLinksComparison.AppChange.Kind) -> String {
        switch kind {
        case .added: "app added"
        case .removed: "app removed"
        case .fingerprints: "fingerprints"
        }
    }

    private func sides(_ change: AssetLinksComparison.Change) -> [DiffSide] {
        zip([oldPath, newPath], [change.old, change.new]).map { path, answer in
            var side = DiffSide(path, answer.component, answer.outcome == .open ? [change.package] : [])
            if !answer.hasRules { side.otherwise = "no dynamic rules, so the manifest decides" }
            return side
        }
    }

    private func lines(_ comparison: AssetLinksComparison) -> [String] {
        var lines: [String] = []
        for app in comparison.apps {
            let kind = TerminalWidth.padded(Self.words(app.kind), to: 18)
            let marked =
                switch app.kind {
                case .added: style.green("+ \(kind)")
                case .removed: style.red("- \(kind)")
                case .fingerprints: style.yellow("~ \(kind)")
                }
            lines.append("\(marked)  \(style.bold(VisibleText.escaped(app.package)))")
            lines += app.fingerprintsAdded.map { "    + \($0)" } + app.fingerprintsRemoved.map { "    - \($0)" }
        }
        for change in comparison.changes {
            let kind = TerminalWidth.padded(change.kind.rawValue, to: 18)
            let marked =
                switch change.kind {
                case .opens: style.green("+ \(kind)")
                case .noLongerOpens, .nowExcluded: style.red("- \(kind)")
                case .otherApps, .noLongerExcluded: style.yellow("~ \(kind)")
                }
            lines.append("\(marked)  \(style.bold(change.witness))")
            lines += sides(change).map { $0.line(style) }
        }
        for rules in comparison.undecided {
            lines.append(style.yellow("? not decided") + "         links that these rules match")
            lines += undecided(rules).map { $0.line(style) }
        }
        let count = comparison.apps.count + comparison.changes.count
        let open = comparison.undecided.isEmpty ? "" : ", \(grouped(comparison.undecided.count)) not decided"
        lines.append(comparison.isWithoutChange ? "no link changes" : "\(counted(count, "change"))\(open)")
        return lines
    }

    private func undecided(_ rules: (package: String, old: DynamicComponent?, new: DynamicComponent?)) -> [DiffSide] {
        [
            rules.old.map { DiffSide(oldPath, $0, [rules.package]) },
            rules.new.map { DiffSide(newPath, $0, [rules.package]) },
        ]
        .compactMap { $0 }
    }

    private func checks(_ comparison: AssetLinksComparison) -> [DiffCheckReport.Check] {
        let apps = comparison.apps.map { app in
            DiffCheckReport.Check(
                name: app.package, message: "\(Self.words(app.kind)): \(app.package)",
                path: app.kind == .removed ? oldPath : newPath, line: nil,
                details: app.fingerprintsAdded.map { "added: \($0)" }
                    + app.fingerprintsRemoved.map { "removed: \($0)" })
        }
        let changes = comparison.changes.map { change in
            let isOld = change.new.component == nil && change.old.component != nil
            return DiffCheckReport.Check(
                name: change.witness, message: "\(change.kind.rawValue): \(change.witness)",
                path: isOld ? oldPath : newPath,
                line: (change.new.component ?? change.old.component)?.position.line,
                details: zip(["old", "new"], sides(change)).map { "\($0): \($1.plain)" })
        }
        let open = comparison.undecided.map { rules in
            DiffCheckReport.Check(
                name: "not decided", message: "not decided whether links of \(rules.package) change",
                path: rules.new == nil ? oldPath : newPath, line: (rules.new ?? rules.old)?.position.line,
                details: undecided(rules).map(\.plain))
        }
        return apps + changes + open
    }
}
