/// What the plain loop decides about a URL, found without saying why other rules do not match, and within a budget.
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
