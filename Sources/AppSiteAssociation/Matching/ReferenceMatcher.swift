/// Decides URLs by the plain loop: the rules of each entry from top to bottom, the first that matches decides.
///
/// This is the definition that the router's index has to agree with.
package struct ReferenceMatcher: Sendable {
    let entries: [Entry]
    /// The app IDs in the order of their first appearance in the file.
    package let apps: [String]

    struct Entry: Sendable {
        let apps: [Int]
        let rules: [RuleMatcher]
        /// How the paths begin that each of the rules matches.
        let heads: [PathHead]
    }

    package init(_ document: AssociationDocument) {
        self.init(document, PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables()))
    }

    /// - Parameter parsers: Those of the document's variables.
    package init(_ document: AssociationDocument, _ parsers: PatternParsers) {
        let details = document.appLinks?.details ?? []
        apps = details.appIDs
        let numbers = Dictionary(uniqueKeysWithValues: apps.enumerated().map { (Array($1.utf8), $0) })
        entries = details.map { detail in
            let apps = detail.appIDs.compactMap { numbers[Array($0.value.utf8)] }
            let rules = detail.canDecide ? detail.rules.map { RuleMatcher($0, parsers) } : []
            return Entry(apps: apps, rules: rules, heads: rules.map { PathHead($0.beginning, $0.comparison) })
        }
    }

    /// Decides a URL whose host is the document's domain.
    package func decide(_ url: WebURL) -> ReferenceDecision {
        var deciding: [Int: Rule] = [:]
        var trace: [RuleEvaluation] = []
        for entry in entries {
            for matcher in entry.rules {
                let rule = matcher.rule
                let open = entry.apps.filter { deciding[$0] == nil }
                if open.isEmpty { break }
                let failure = matcher.failure(url)
                trace.append(RuleEvaluation(rule: rule, failure: failure))
                if failure == nil { for app in open { deciding[app] = rule } }
                if failure == nil, rule.excludes, !OpenDecisions.exclusionsStopTheirAppsOnly {
                    for app in apps.indices where deciding[app] == nil { deciding[app] = rule }
                }
            }
        }
        let decided = deciding.sorted { $0.key < $1.key }
        let positive = decided.filter { !$0.value.excludes }
        return ReferenceDecision(
            outcome: !positive.isEmpty ? .open : decided.isEmpty ? .noMatch : .excluded,
            appIDs: positive.map { apps[$0.key] },
            rule: positive.first?.value ?? decided.first?.value,
            trace: trace)
    }
}

/// What the plain loop decides about a URL, and how it came to it.
package struct ReferenceDecision: Sendable {
    package let outcome: Outcome
    /// The apps that open the URL, in the order of their first appearance in the file.
    package let appIDs: [String]
    /// The rule that decided for the first of them; when no app opens, for the first app that is excluded.
    package let rule: Rule?
    /// All rules that were tried, in file order.
    package let trace: [RuleEvaluation]
}

/// One rule that was tried for a URL.
public struct RuleEvaluation: Sendable {
    public let rule: Rule
    /// What did not match; nil if the rule matches.
    public let failure: RuleFailure?
}

/// What happens to a URL (matching.md, section 4).
public enum Outcome: String, Sendable {
    /// At least one app opens it.
    case open
    /// No app opens it, and at least one is excluded from it.
    case excluded
    /// No rule matches it for any app.
    case noMatch
}

/// The first part of a URL that a rule does not match.
public struct RuleFailure: Equatable, Sendable {
    /// A part of a URL that patterns are about.
    public enum Part: String, Sendable {
        case path, query, fragment
    }

    public let part: Part
    /// The pattern as the file writes it, without the `NOT ` of a legacy path; `name=pattern` for an item of the query.
    public let pattern: String
    /// The text in the URL; for an item of the query `name=value`, or nothing if it is missing.
    public let value: String

    init(part: Part, pattern: String, value: [UInt8]) {
        self.part = part
        self.pattern = pattern
        self.value = String(decoding: value, as: UTF8.self)
    }
}
