package import Android
internal import AppSiteAssociation
internal import BoundedText
package import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Which apps may handle links, and which links, when an asset links file replaces another.
///
/// Apps are compared by package and fingerprints. Of an app that is in both files the dynamic rules are compared, as
/// ``LinkComparison`` compares rules: for every URL the outcome, with a URL for each pair of rules that both files' matchers
/// have confirmed. Without dynamic rules everything opens that the manifest takes.
package struct AssetLinksComparison: Sendable {
    /// A change of an app, without its rules.
    package struct AppChange: Sendable {
        package enum Kind: String, Sendable {
            case added, removed, fingerprints
        }

        package let package: String
        package let kind: Kind
        package var fingerprintsAdded: [String] = []
        package var fingerprintsRemoved: [String] = []
    }

    /// A change of links of an app.
    package struct Change: Sendable {
        package let package: String
        package let kind: LinkChange.Kind
        /// A shortest URL for which the pair of rules decides.
        package let witness: String
        package let old: Answer
        package let new: Answer
    }

    /// The decision of one of the files about the witness.
    package struct Answer: Sendable {
        package let outcome: AndroidOutcome
        package let component: DynamicComponent?
        /// Whether the file has dynamic rules for the app at all.
        package let hasRules: Bool
    }

    /// The changes of apps, in the order of the new file, removed apps at the end.
    package private(set) var apps: [AppChange] = []
    /// The changes of links, in the order of the new file.
    package private(set) var changes: [Change] = []
    /// Rules of which it is not known whether links change, because the search became too large.
    package private(set) var undecided: [(package: String, old: DynamicComponent?, new: DynamicComponent?)] = []

    /// - Parameter host: The host of the witnesses.
    package init(
        old: AssetLinksDocument, new: AssetLinksDocument, host: String = "example.com",
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        let budget = ComparisonBudget(limits.work)
        let before = Dictionary(old.apps.map { ($0.package, $0) }, uniquingKeysWith: { first, _ in first })
        for app in new.apps {
            guard let known = before[app.package] else {
                apps.append(AppChange(package: app.package, kind: .added, fingerprintsAdded: app.fingerprints))
                continue
            }
            let added = app.fingerprints.filter { !known.fingerprints.contains($0) }
            let removed = known.fingerprints.filter { !app.fingerprints.contains($0) }
            if !added.isEmpty || !removed.isEmpty {
                apps.append(
                    AppChange(
                        package: app.package, kind: .fingerprints, fingerprintsAdded: added,
                        fingerprintsRemoved: removed))
            }
            compare(app.package, known.components, app.components, host, limits, budget)
        }
        let after = Set(new.apps.map(\.package))
        for app in old.apps where !after.contains(app.package) {
            apps.append(AppChange(package: app.package, kind: .removed, fingerprintsRemoved: app.fingerprints))
        }
    }

    /// Whether every link is known to do what it did, and for the same apps.
    package var isWithoutChange: Bool { apps.isEmpty && changes.isEmpty && undecided.isEmpty }

    private struct Pair: Hashable, Comparable {
        let old: Int?
        let new: Int?

        static func < (left: Pair, right: Pair) -> Bool {
            (left.new ?? .max, left.old ?? .max) < (right.new ?? .max, right.old ?? .max)
        }
    }

    private mutating func compare(
        _ package: String, _ old: [DynamicComponent]?, _ new: [DynamicComponent]?, _ host: String,
        _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        guard old != nil || new != nil else { return }
        var patterns = PatternTable()
        let before = AndroidSide(
            [ComparedAndroidApp(package, components: old ?? [])], host: host, &patterns, budget)
        let after = AndroidSide(
            [ComparedAndroidApp(package, components: new ?? [])], host: host, &patterns, budget)
        var search = URLSpaceSearch(patterns, before.side, after.side, .android, limits, budget)
        var found: [Pair: Change] = [:]
        var unknown = Set<Pair>()
        let open = search.run { kind in
            let (left, right) = (kind.left.first ?? nil, kind.right.first ?? nil)
            guard Self.kind(Self.outcome(left, old != nil), Self.outcome(right, new != nil)) != nil else { return }
            let pair = Pair(old: left?.number, new: right?.number)
            let witness = "https://\(host)" + String(text: kind.text)
            if let known = found[pair], known.witness.utf8.count <= witness.utf8.count { return }
            guard let oldAnswer = Self.answer(before, witness, old != nil, budget),
                let newAnswer = Self.answer(after, witness, new != nil, budget),
                let actual = Self.kind(oldAnswer.outcome, newAnswer.outcome)
            else {
                unknown.insert(pair)
                return
            }
            found[pair] = Change(package: package, kind: actual, witness: witness, old: oldAnswer, new: newAnswer)
        }
        for rule in open.left { unknown.insert(Pair(old: rule, new: nil)) }
        for rule in open.right { unknown.insert(Pair(old: nil, new: rule)) }
        changes += found.sorted { $0.key < $1.key }.map(\.value)
        undecided += unknown.filter { found[$0] == nil }.sorted().map { pair in
            (
                package, pair.old.flatMap { before.deciders[$0].component },
                pair.new.flatMap { after.deciders[$0].component }
            )
        }
    }

    private static func outcome(_ rule: ComparedRule?, _ hasRules: Bool) -> AndroidOutcome {
        guard hasRules else { return .open }
        return rule.map { $0.excludes ? .excluded : .open } ?? .noMatch
    }

    private static func answer(
        _ side: AndroidSide, _ url: String, _ hasRules: Bool, _ budget: ComparisonBudget
    ) -> Answer? {
        guard hasRules else { return Answer(outcome: .open, component: nil, hasRules: false) }
        guard let decision = side.decide(url, budget) else { return nil }
        return Answer(outcome: decision.outcome, component: decision.decider?.component, hasRules: true)
    }

    private static func kind(_ old: AndroidOutcome, _ new: AndroidOutcome) -> LinkChange.Kind? {
        // Both platforms call them the same; none is unknown.
        guard let old = Outcome(rawValue: old.rawValue), let new = Outcome(rawValue: new.rawValue) else { return nil }
        return LinkChange.Kind(old: old, new: new, isSameApps: true)
    }
}

extension AssetLinksComparison {
    /// The object that `aasa diff` writes.
    package var json: JSONOutput {
        .object([
            "version": .number(1),
            "apps": .array(
                apps.map { app in
                    .object([
                        "package": .string(app.package), "kind": .string(app.kind.rawValue),
                        "fingerprintsAdded": .array(app.fingerprintsAdded.map(JSONOutput.string)),
                        "fingerprintsRemoved": .array(app.fingerprintsRemoved.map(JSONOutput.string)),
                    ])
                }),
            "changes": .array(changes.map { .object(Self.members($0)) }),
            "undecided": .array(
                undecided.map { rules in
                    .object([
                        "package": .string(rules.package), "old": Self.location(rules.old),
                        "new": Self.location(rules.new),
                    ])
                }),
        ])
    }

    private static func members(_ change: Change) -> [String: JSONOutput] {
        var members: [String: JSONOutput] = [
            "package": .string(change.package), "kind": .string(change.kind.rawValue),
            "witness": .string(change.witness), "old": json(change.old), "new": json(change.new),
        ]
        if !change.old.hasRules { members["oldRules"] = .boolean(false) }
        if !change.new.hasRules { members["newRules"] = .boolean(false) }
        return members
    }

    private static func json(_ answer: Answer) -> JSONOutput {
        .object([
            "outcome": .string(answer.outcome.rawValue), "pointer": .optional(answer.component?.pointer.description),
            "line": answer.component.map { .number($0.position.line) } ?? .null,
        ])
    }

    private static func location(_ component: DynamicComponent?) -> JSONOutput {
        guard let component else { return .null }
        return .object([
            "pointer": .string(component.pointer.description), "line": .number(component.position.line),
        ])
    }
}
