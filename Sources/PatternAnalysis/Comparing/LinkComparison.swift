package import AppSiteAssociation
package import Diagnostics
internal import URLPatterns

/// Which links change when a file replaces another.
///
/// It compares meaning: for every URL the outcome and the set of apps. The URLs are cut into regions by the patterns of
/// both files; of each region in which the answers differ a shortest URL is found by walking the automata of the patterns,
/// and both matchers have to confirm it before it counts.
package struct LinkComparison: Sendable {
    /// One for each pair of rules, in the order of the rules of the new file, those without such a rule at the end.
    package let changes: [LinkChange]
    /// The links that the limits leave open, in the same order.
    package let undecided: [UndecidedLinks]
    /// Changes of the services that have no URLs, which are no changes of links.
    package let services: [ServiceChange]
    /// The work that the comparison has taken, in the units of its limits.
    package let work: Int

    /// - Parameter host: The host of the witnesses.
    package init(
        old: AssociationDocument, new: AssociationDocument, host: String = "example.com",
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        var search = ChangeSearch(old: old, new: new, host: host, limits: limits)
        search.run()
        changes = search.sortedChanges
        undecided = search.sortedUndecided
        work = search.work
        services = ServiceChange.changes(from: old, to: new)
    }

    /// Whether every link is known to do what it did.
    package var isWithoutChange: Bool { changes.isEmpty && undecided.isEmpty }

    /// The JSON object (docs/spec/cli.md, section 1.5).
    ///
    /// - Parameter fileErrors: The number of errors of each file that change which links it opens.
    package func json(fileErrors: (old: Int, new: Int)) -> JSONOutput {
        var members: [String: JSONOutput] = [
            "version": .number(1), "changes": .array(changes.map { .object($0.members) }),
            "undecided": .array(undecided.map(\.json)), "services": .array(services.map(\.json)),
        ]
        if fileErrors.old + fileErrors.new > 0 {
            members["fileErrors"] = .object(["old": .number(fileErrors.old), "new": .number(fileErrors.new)])
        }
        return .object(members)
    }
}

/// A change of what links do when one file replaces another: what becomes of the URLs for which a pair of rules decides.
package struct LinkChange: Sendable {
    /// The kind of a change in what becomes of the URLs.
    ///
    /// Where a file opens URLs and the other does not, the new outcome names the change; `excluded` and `noMatch` both leave
    /// a link in the browser, but only the first keeps later rules of the app away from it.
    package enum Kind: String, Sendable, CaseIterable {
        /// No app opened them, now one does.
        case opens
        /// An app opened them, now no rule matches.
        case noLongerOpens = "no longer opens"
        /// Apps open them before and after, but not the same.
        case otherApps = "other apps"
        /// An app opened them or no rule matched, now they are excluded.
        case nowExcluded = "now excluded"
        /// They were excluded, now no rule matches.
        case noLongerExcluded = "no longer excluded"

        /// Nil if nothing changes.
        init?(old: Outcome, new: Outcome, isSameApps: Bool) {
            switch (old, new) {
            case (.notDecided, _), (_, .notDecided): return nil
            case (.open, .open):
                if isSameApps { return nil }
                self = .otherApps
            case (.excluded, .excluded), (.noMatch, .noMatch): return nil
            case (_, .open): self = .opens
            case (_, .excluded): self = .nowExcluded
            case (.open, .noMatch): self = .noLongerOpens
            case (.excluded, .noMatch): self = .noLongerExcluded
            }
        }
    }

    /// The decision of a file about the witness.
    package struct Answer: Sendable {
        package let outcome: Outcome
        /// The apps that open it, in file order.
        package let appIDs: [String]
        /// The rule for the first app whose answer differs; if it has none, the one that decides for the file's first app.
        package let rule: Rule?
    }

    package let kind: Kind
    /// A shortest URL for which the pair of rules decides.
    package let witness: String
    package let old: Answer
    package let new: Answer
}

extension LinkChange {
    /// The members that `aasa diff` and `aasa doctor` write about a change as JSON.
    package var members: [String: JSONOutput] {
        [
            "kind": .string(kind.rawValue), "witness": .string(witness), "old": old.json, "new": new.json,
        ]
    }
}

extension LinkChange.Answer {
    var json: JSONOutput {
        .object([
            "outcome": .string(outcome.rawValue), "appIDs": .array(appIDs.map(JSONOutput.string)),
            "pointer": .optional(rule?.pointer), "line": rule.map { .number($0.position.line) } ?? .null,
        ])
    }
}

/// Apps that came or went in a service that has no URLs.
package struct ServiceChange: Sendable, Equatable {
    /// `webcredentials`, `activitycontinuation` or `appclips`.
    package let service: String
    /// In the order of the new file.
    package let added: [String]
    /// In the order of the old file.
    package let removed: [String]

    /// The changes from a file to another, in the order of the services' names.
    package static func changes(from old: AssociationDocument, to new: AssociationDocument) -> [ServiceChange] {
        let services: [(String, KeyPath<AssociationDocument, ServiceApps?>)] = [
            ("activitycontinuation", \.activityContinuation), ("appclips", \.appClips),
            ("webcredentials", \.webCredentials),
        ]
        return services.compactMap { name, service in
            let before = old[keyPath: service]?.apps.map(\.value) ?? []
            let after = new[keyPath: service]?.apps.map(\.value) ?? []
            let change = ServiceChange(
                service: name, added: difference(after, without: before), removed: difference(before, without: after))
            return change.added.isEmpty && change.removed.isEmpty ? nil : change
        }
    }

    fileprivate var json: JSONOutput {
        .object([
            "service": .string(service), "added": .array(added.map(JSONOutput.string)),
            "removed": .array(removed.map(JSONOutput.string)),
        ])
    }

    private static func difference(_ apps: [String], without others: [String]) -> [String] {
        // App IDs are compared byte by byte.
        var seen = Set(others.map { Array($0.utf8) })
        return apps.filter { seen.insert(Array($0.utf8)).inserted }
    }
}

/// Rules about which nothing is known, because the search for changes became too large.
package struct UndecidedLinks: Sendable {
    /// The rule; nil if it is of the other file.
    package let old: Rule?
    package let new: Rule?

    fileprivate var json: JSONOutput {
        func location(_ rule: Rule?) -> JSONOutput {
            rule.map { .object(["pointer": .string($0.pointer), "line": .number($0.position.line)]) } ?? .null
        }
        return .object(["old": location(old), "new": location(new)])
    }
}

/// The work and memory that a comparison of two files may take.
package struct ComparisonLimits: Sendable {
    /// The states of one walk over a joint automaton.
    package var states = 50_000
    /// The states of the automata that are joined.
    package var automata = 300_000
    /// The numbers that the states and kinds of texts of one search may keep together.
    package var held = 4_000_000
    /// Everything together, in steps of about ten nanoseconds.
    package var work = 80_000_000

    package init() {}
}

/// The rest of the work that a comparison may take.
final class ComparisonBudget {
    private(set) var rest: Int

    init(_ work: Int) { rest = work }

    var isSpent: Bool { rest <= 0 }

    /// Takes some of it; what is too much only ends it.
    func spend(_ work: Int) { rest = work < rest ? rest - work : 0 }

    /// Lends all of it, and takes what was spent.
    func lend<Result>(_ body: (inout WorkBudget) -> Result) -> Result {
        var lent = WorkBudget(rest)
        defer { spend(rest - lent.left) }
        return body(&lent)
    }
}
