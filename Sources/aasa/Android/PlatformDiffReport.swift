import Android
import AppSiteAssociation
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

extension DiffSide {
    init(_ path: String, _ component: DynamicComponent?, _ apps: [String] = []) {
        self.init(
            path: path, position: component?.position, patterns: component.map(DynamicComponentText.patterns),
            excludes: component?.excludes ?? false, apps: apps)
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
        guard case .filter(let filter) = decider else {
            self.init(path, decider?.component, apps)
            return
        }
        let name = filter.activity.map { "an intent filter of \($0)" } ?? "an intent filter"
        self.init(path: filter.path, position: filter.position, patterns: name, apps: apps)
    }
}

extension DiffReport {
    /// The links that open on one platform only.
    ///
    /// - Parameter manifestPath: The manifest that decides; nil if there is none, or more than one.
    init(
        _ comparison: PlatformComparison, _ path: String, assetLinks assetLinksPath: String,
        manifest manifestPath: String?
    ) {
        self.init(
            path: assetLinksPath, title: "link differs", none: "no differences", noun: "difference",
            kindWidth: PlatformComparison.Change.Kind.onlyAndroid.rawValue.count,
            entries: comparison.changes.map { change in
                let isIOS = change.kind == .onlyIOS
                let ios = DiffSide(path, change.ios.rule, change.ios.appIDs)
                let android = DiffSide(
                    change.android.isByManifest ? manifestPath ?? assetLinksPath : assetLinksPath, change.android)
                let more =
                    change.more > 0 ? ["and \(grouped(change.more)) more of this rule and this filter"] : []
                return Entry(
                    mark: isIOS ? .closes : .opens, kind: change.kind.rawValue, subject: change.witness,
                    sides: [ios, android], more: more, location: isIOS ? ios : android,
                    details: ["iOS: \(ios.plain)", "Android: \(android.plain)"] + more)
            },
            undecided: comparison.undecided.map { rules in
                let sides = [rules.ios.map { DiffSide(path, $0) }, rules.android.map { DiffSide(assetLinksPath, $0) }]
                    .compactMap { $0 }
                return Entry(
                    undecided: sides, subject: "not decided", "not decided whether the platforms agree",
                    at: sides.first ?? DiffSide(path: path))
            }, notes: ["note: \(PlatformComparison.leftOut)"])
    }

    /// The apps and links that change when one asset links file replaces another.
    init(_ comparison: AssetLinksComparison, old oldPath: String, new newPath: String) {
        let apps = comparison.apps.map { app in
            let (mark, kind): (Entry.Mark, String) =
                switch app.kind {
                case .added: (.opens, "app added")
                case .removed: (.closes, "app removed")
                case .fingerprints: (.changes, "fingerprints")
                }
            return Entry(
                mark: mark, kind: kind, subject: app.package, sides: [],
                more: app.fingerprintsAdded.map { "+ \($0)" } + app.fingerprintsRemoved.map { "- \($0)" },
                location: DiffSide(path: app.kind == .removed ? oldPath : newPath),
                details: app.fingerprintsAdded.map { "added: \($0)" }
                    + app.fingerprintsRemoved.map { "removed: \($0)" })
        }
        let changes = comparison.changes.map { change in
            let sides = zip([oldPath, newPath], [change.old, change.new]).map { path, answer in
                var side = DiffSide(path, answer.component, answer.outcome == .open ? [change.package] : [])
                if !answer.hasRules { side.otherwise = "no dynamic rules, so the manifest decides" }
                return side
            }
            return Entry(
                mark: Entry.Mark(change.kind), kind: change.kind.rawValue, subject: change.witness, sides: sides,
                location: DiffSide.deciding(sides[0], sides[1]),
                details: zip(["old", "new"], sides).map { "\($0): \($1.plain)" })
        }
        self.init(
            path: newPath, title: "link changes", none: "no link changes", noun: "change",
            kindWidth: LinkChange.Kind.noLongerExcluded.rawValue.count, entries: apps + changes,
            undecided: comparison.undecided.map { rules in
                let sides = [
                    rules.old.map { DiffSide(oldPath, $0, [rules.package]) },
                    rules.new.map { DiffSide(newPath, $0, [rules.package]) },
                ].compactMap { $0 }
                return Entry(
                    undecided: sides, subject: "not decided", "not decided whether links of \(rules.package) change",
                    at: sides.last ?? DiffSide(path: oldPath))
            })
    }
}

extension PlatformComparison {
    /// The JSON object (docs/spec/cli.md, section 1.5).
    var json: JSONOutput {
        func location(_ pointer: String?, _ line: Int?) -> JSONOutput {
            guard let line else { return .null }
            return .object(["pointer": .optional(pointer), "line": .number(line)])
        }
        return .object([
            "version": .number(1), "platforms": .boolean(true),
            "changes": .array(changes.map { .object($0.members) }),
            "undecided": .array(
                undecided.map { rules in
                    .object([
                        "ios": location(rules.ios?.pointer, rules.ios?.position.line),
                        "android": location(
                            rules.android?.component?.pointer.description, rules.android?.position.line),
                    ])
                }),
            "leftOut": .string(Self.leftOut),
        ])
    }
}
