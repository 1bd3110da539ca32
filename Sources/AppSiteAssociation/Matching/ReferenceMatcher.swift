internal import BoundedText
package import Diagnostics
package import URLPatterns

/// Decides URLs by the plain loop: the rules of each entry from top to bottom, the first that matches decides.
///
/// This is the definition that the router's index has to agree with.
package struct ReferenceMatcher: Sendable {
    let entries: [Entry]
    /// The app IDs in the order of their first appearance in the file.
    package let apps: [String]
    private let parsers: PatternParsers

    struct Entry: Sendable {
        let apps: [Int]
        let rules: [Candidate]
    }

    /// A rule of an entry; a class, for there are thousands, and each is looked at for each URL.
    final class Candidate: Sendable {
        let rule: Rule
        /// Nil if the patterns of the file are too long, defaults counted for each rule, for all of them to be kept parsed.
        let matcher: RuleMatcher?
        /// The beginning of the paths that the rule matches.
        let head: PathHead

        init(_ rule: Rule, _ matcher: RuleMatcher?) {
            self.rule = rule
            self.matcher = matcher
            head = matcher.map { PathHead($0.beginning, $0.comparison) } ?? .anything
        }
    }

    package init(_ document: AssociationDocument) {
        self.init(document, PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables()))
    }

    /// - Parameter parsers: Those of the document's variables.
    package init(_ document: AssociationDocument, _ parsers: PatternParsers) {
        let details = document.appLinks?.details ?? []
        let apps = details.appIDs
        let numbers = Dictionary(uniqueKeysWithValues: apps.enumerated().map { (Array($1.utf8), $0) })
        var allowance = ParsingAllowance(textLength: document.source.bytes.count)
        self.apps = apps
        self.parsers = parsers
        entries = details.map { detail in
            let apps = detail.appIDs.compactMap { numbers[Array($0.value.utf8)] }
            let rules = detail.canDecide ? detail.rules : []
            return Entry(
                apps: apps,
                rules: rules.map { rule in
                    Candidate(rule, allowance.take(rule) ? RuleMatcher(rule, parsers) : nil)
                })
        }
    }

    /// The matcher of a rule, which is made if it is not kept; nil if that takes more than is left.
    func matcher(_ candidate: Candidate, _ budget: inout WorkBudget) -> RuleMatcher? {
        if let matcher = candidate.matcher { return matcher }
        budget.spend(RuleMatcher.parsingCost(candidate.rule))
        return budget.isSpent ? nil : RuleMatcher(candidate.rule, parsers)
    }

    /// Decides a URL whose host is the document's domain, whatever it takes: for files that are one's own.
    package func decide(_ url: WebURL) -> ReferenceDecision {
        var budget = WorkBudget.unlimited
        return decide(url, explaining: &budget)
    }

    /// Decides a URL whose host is the document's domain and keeps every rule that was tried, within a budget.
    package func decide(_ url: WebURL, explaining budget: inout WorkBudget) -> ReferenceDecision {
        var paths = PreparedPaths(url)
        var decided = DecidedApps(count: apps.count)
        var trace: [RuleEvaluation] = []
        budget.spend(20 + apps.count)
        for entry in entries {
            budget.spend(entry.apps.count)
            guard decided.lacksAny(of: entry.apps) else { continue }
            for candidate in entry.rules {
                guard var evaluation = matcher(candidate, &budget)?.evaluation(&paths, &budget) else {
                    return ReferenceDecision(
                        outcome: .notDecided, appIDs: [], rule: nil, trace: trace, isComplete: false)
                }
                guard evaluation.failure == nil else {
                    trace.append(evaluation)
                    continue
                }
                evaluation.appIDs = decided.decide(entry.apps, by: candidate).map { self.apps[$0] }
                trace.append(evaluation)
                break
            }
        }
        let result = decided.result(apps)
        return ReferenceDecision(
            outcome: result.outcome, appIDs: result.appIDs, rule: result.rule, trace: trace, isComplete: true)
    }
}

/// By which rule each app is decided.
struct DecidedApps {
    private var deciding: [ReferenceMatcher.Candidate?]

    init(count: Int) {
        deciding = [ReferenceMatcher.Candidate?](repeating: nil, count: count)
    }

    /// Whether one of some apps is not decided by any rule.
    func lacksAny(of apps: [Int]) -> Bool { apps.contains { deciding[$0] == nil } }

    /// A rule decides those of its apps that are not decided; they are returned.
    @discardableResult
    mutating func decide(_ apps: [Int], by candidate: ReferenceMatcher.Candidate) -> [Int] {
        let stopsAll = candidate.rule.excludes && !OpenDecisions.exclusionsStopTheirAppsOnly
        var decided: [Int] = []
        for app in stopsAll ? Array(deciding.indices) : apps where deciding[app] == nil {
            deciding[app] = candidate
            decided.append(app)
        }
        return decided
    }

    /// The outcome, the apps that open the URL, and the rule that decided for the first of them, or that excludes the first.
    func result(_ apps: [String]) -> (outcome: Outcome, appIDs: [String], rule: Rule?) {
        var open: [String] = []
        var firstOpen: Rule?
        var first: Rule?
        for (app, candidate) in zip(apps, deciding) {
            guard let rule = candidate?.rule else { continue }
            first = first ?? rule
            if rule.excludes { continue }
            firstOpen = firstOpen ?? rule
            open.append(app)
        }
        let outcome: Outcome = !open.isEmpty ? .open : first == nil ? .noMatch : .excluded
        return (outcome, open, firstOpen ?? first)
    }
}

/// The size of a file's patterns that are parsed and kept, in bytes.
///
/// Defaults count for each rule that has them, so a file of 100 KB can have gigabytes of patterns.
package struct ParsingAllowance: Sendable {
    private var rest: Int

    /// - Parameter textLength: The length of the file in bytes, to which what is kept stays in proportion.
    package init(textLength: Int) {
        rest = 1 << 19
        rest += 4 * textLength
    }

    /// Whether the patterns of a rule may be parsed and kept.
    package mutating func take(_ rule: Rule) -> Bool {
        guard rule.patternLength <= rest else { return false }
        rest -= rule.patternLength
        return true
    }
}

extension RuleMatcher {
    /// The cost of parsing the patterns of a rule, in units of a ``WorkBudget``.
    package static func parsingCost(_ rule: Rule) -> Int { 200 + 8 * rule.patternLength }
}

/// The decision of the plain loop about a URL, and how it came to it.
package struct ReferenceDecision: Sendable {
    package let outcome: Outcome
    /// The apps that open the URL, in the order of their first appearance in the file.
    package let appIDs: [String]
    /// The rule that decided for the first of them; when no app opens, for the first app that is excluded.
    package let rule: Rule?
    /// All rules that were tried, in file order.
    package let trace: [RuleEvaluation]
    /// Whether nothing was left undecided because the budget was spent.
    package let isComplete: Bool
}

/// One rule that was tried for a URL.
public struct RuleEvaluation: Sendable {
    public let rule: Rule
    /// The part of the URL that did not match; nil if the rule matches.
    public let failure: RuleFailure?
    /// The apps for which the rule decides: those of its entry that no earlier one has decided; empty if it does not match.
    public internal(set) var appIDs: [String] = []

    init(rule: Rule, failure: RuleFailure?) {
        self.rule = rule
        self.failure = failure
    }
}

/// The fate of a URL (matching.md, sections 4 and 8).
public enum Outcome: String, Sendable {
    /// At least one app opens it.
    case open
    /// No app opens it, and at least one is excluded from it.
    case excluded
    /// No rule matches it for any app.
    case noMatch
    /// To decide it would take more steps than are spent on a URL: file and URL are too large together (section 8).
    case notDecided
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
        self.value = String(text: value)
    }
}

/// The decision of the plain loop about a URL, found without saying why other rules do not match, and within a budget.
package struct QuickDecision: Sendable {
    package let outcome: Outcome
    /// The apps that open the URL, in the order of their first appearance in the file.
    package let appIDs: [String]
    /// The rules that match first in their entries, in file order; of entries all of whose apps were decided before, none.
    package let matched: [Rule]
    /// The rule that decided for the first of the apps; when no app opens, for the first app that is excluded.
    package let rule: Rule?

    package init(outcome: Outcome, appIDs: [String], matched: [Rule], rule: Rule?) {
        self.outcome = outcome
        self.appIDs = appIDs
        self.matched = matched
        self.rule = rule
    }
}

extension ReferenceMatcher {
    /// Decides a URL whose host is the document's domain, as ``decide(_:)`` does; nil if that takes more than is left.
    package func decide(_ url: WebURL, _ budget: inout WorkBudget) -> QuickDecision? {
        var paths = PreparedPaths(url)
        let heads = paths.heads
        var decided = DecidedApps(count: apps.count)
        var matched: [Rule] = []
        budget.spend(20 + apps.count)
        for entry in entries where !entry.rules.isEmpty {
            budget.spend(entry.apps.count)
            guard decided.lacksAny(of: entry.apps) else { continue }
            for candidate in entry.rules {
                budget.spend(1)
                guard candidate.head.begins(heads) else { continue }
                guard let isMatch = matcher(candidate, &budget)?.matches(&paths, &budget) else { return nil }
                guard isMatch else { continue }
                matched.append(candidate.rule)
                decided.decide(entry.apps, by: candidate)
                break
            }
            if budget.isSpent { return nil }
        }
        let result = decided.result(apps)
        return QuickDecision(outcome: result.outcome, appIDs: result.appIDs, matched: matched, rule: result.rule)
    }

    /// Whether a rule of the document matches a URL, by its index among those of entries that can decide; nil if that takes
    /// more than is left.
    package func matches(_ index: Int, _ url: WebURL, _ budget: inout WorkBudget) -> Bool? {
        var index = index
        for entry in entries {
            guard index >= entry.rules.count else {
                var paths = PreparedPaths(url)
                return matcher(entry.rules[index], &budget)?.matches(&paths, &budget)
            }
            index -= entry.rules.count
        }
        return false
    }
}

/// A URL's path without the slashes at its ends, prepared for each way to compare when it is first needed.
struct PreparedPaths {
    let url: WebURL
    private var known: [[UInt8]?] = [nil, nil, nil, nil]

    init(_ url: WebURL) {
        self.url = url
    }

    /// The first bytes of the path, for each way to compare.
    var heads: [UInt64] {
        mutating get {
            [(true, true), (false, true), (true, false), (false, false)].map {
                PathHead.word(path(Comparison(caseSensitive: $0.0, percentEncoded: $0.1)))
            }
        }
    }

    mutating func path(_ comparison: Comparison) -> [UInt8] {
        let view = PathHead.view(comparison)
        if let path = known[view] { return path }
        let slash = UInt8(ascii: "/")
        let path = comparison.prepare(OpenDecisions.comparedPath(url.path))
        let trimmed = Array(path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed())
        known[view] = trimmed
        return trimmed
    }
}

/// The first bytes that a path must have for a rule, as a number: it rules out most paths at once.
struct PathHead: Sendable {
    private let word: UInt64
    private let mask: UInt64
    private let view: Int

    init(_ beginning: [UInt8], _ comparison: Comparison) {
        word = Self.word(beginning)
        mask = Self.word([UInt8](repeating: 0xFF, count: min(beginning.count, 8)))
        view = Self.view(comparison)
    }

    /// The beginning that every path has.
    static let anything = PathHead([], Comparison(caseSensitive: true, percentEncoded: true))

    /// Whether a path may begin so; `heads` are its first bytes for each way to compare.
    func begins(_ heads: [UInt64]) -> Bool { heads[view] & mask == word }

    static func view(_ comparison: Comparison) -> Int {
        (comparison.caseSensitive ? 0 : 1) + (comparison.percentEncoded ? 0 : 2)
    }

    static func word(_ text: [UInt8]) -> UInt64 {
        text.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }
}

extension RuleDescription {
    /// A URL for which the budget is spent.
    package static let urlNotDecided = RuleDescription(
        "url-not-decided", .error, subject: .link, summary: "file and URL are too large together to be decided",
        reason: """
            Comparing the URL with the rules would take too many steps. This happens with a long URL and patterns \
            that use variables with many values many times, or thousands of rules with long patterns. A few kilobytes \
            of a file can ask for hours of work, so 'aasa route', 'aasa test', 'aasa doctor' and the server's admin \
            listener spend a bounded number of steps on a URL. Beyond that they report that it is not decided, rather \
            than an answer that may be wrong.
            """, basis: [.apple],
        bad: #"{ "/": "/$(word)*$(word)*$(word)*$(word)*$(word)*" } with 7,000 values of "word""#,
        good: #"{ "/": "/$(word)/*" }"#,
        advice: """
            Use fewer variables and wildcards in a pattern, and variables with fewer values. A shorter URL of the same kind may \
            be decided.
            """)
}
