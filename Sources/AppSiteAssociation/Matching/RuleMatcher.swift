package import URLPatterns

/// Compares URLs with one rule, part by part (matching.md, section 3).
///
/// A class, for there are thousands, and each is looked at for each URL.
package final class RuleMatcher: Sendable {
    package let rule: Rule
    let comparison: Comparison
    private let path: [PatternElement]
    private let query: Query
    private let fragment: [PatternElement]
    /// The bytes that every path begins with that matches, without slashes at the ends.
    let beginning: [UInt8]

    private enum Query {
        case text([PatternElement], written: String)
        case items([Item])
    }

    fileprivate struct Item {
        let written: QueryItemPattern
        let name: [UInt8]
        let value: [PatternElement]
    }

    package init(_ rule: Rule, _ parsers: PatternParsers) {
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        let parser = parsers.parser(comparison)
        self.rule = rule
        self.comparison = comparison
        path = parser.parse(rule.path)
        beginning = Self.beginning(of: path)
        fragment = parser.parse(rule.fragment)
        query =
            switch rule.query {
            case .text(let text): .text(parser.parse(text), written: text)
            case .items(let items): .items(items.map { Item($0, parser, comparison) })
            case .void: .items([])
            }
    }

    /// A part of a URL that the rule does not match.
    private enum Mismatch {
        case path
        case query(written: String)
        /// An item of the query; without a value if it is missing.
        case item(QueryItemPattern, value: [UInt8]?)
        case fragment
    }

    /// Compares the rule with a URL and says which part of it is the first that does not match; nil if that takes more than
    /// is left.
    package func evaluation(_ url: WebURL, _ budget: inout WorkBudget) -> RuleEvaluation? {
        var paths = PreparedPaths(url)
        budget.spend(8 * url.path.count)
        return evaluation(&paths, &budget)
    }

    /// Whether the rule matches a URL; nil if to find out takes more than is left.
    package func matches(_ url: WebURL, _ budget: inout WorkBudget) -> Bool? {
        var paths = PreparedPaths(url)
        budget.spend(8 * url.path.count)
        return matches(&paths, &budget)
    }

    func evaluation(_ paths: inout PreparedPaths, _ budget: inout WorkBudget) -> RuleEvaluation? {
        let mismatch = mismatch(&paths, &budget)
        if budget.isSpent { return nil }
        let failure = mismatch.map { text(of: $0, in: paths.url) }
        // An evaluation is kept and shown, so its text counts for more than a step.
        budget.spend(Self.costOfEvaluation + 16 * (failure.map { $0.pattern.utf8.count + $0.value.utf8.count } ?? 0))
        return budget.isSpent ? nil : RuleEvaluation(rule: rule, failure: failure)
    }

    private static let costOfEvaluation = 500

    private func text(of mismatch: Mismatch, in url: WebURL) -> RuleFailure {
        switch mismatch {
        case .path: return RuleFailure(part: .path, pattern: rule.path, value: url.path)
        case .query(let written): return RuleFailure(part: .query, pattern: written, value: url.query)
        case .item(let item, let value):
            let name = Array("\(item.name)=".utf8)
            return RuleFailure(
                part: .query, pattern: "\(item.name)=\(item.value)", value: value.map { name + $0 } ?? [])
        case .fragment: return RuleFailure(part: .fragment, pattern: rule.fragment, value: url.fragment)
        }
    }

    /// Whether the rule matches a URL; nil if to find out takes more than is left.
    func matches(_ paths: inout PreparedPaths, _ budget: inout WorkBudget) -> Bool? {
        let mismatch = mismatch(&paths, &budget)
        return budget.isSpent ? nil : mismatch == nil
    }

    /// The first part of the URL that the rule does not match; nil if it matches, and where the budget is spent on the way.
    private func mismatch(_ paths: inout PreparedPaths, _ budget: inout WorkBudget) -> Mismatch? {
        budget.spend(4)
        let text = paths.path(comparison)
        guard begins(text, &budget) else { return .path }
        budget.spend(50)
        guard
            let matchesPath = PatternMatcher.matchesTrimmedPath(
                path, text, percentEncoded: comparison.percentEncoded, &budget)
        else { return nil }
        if !matchesPath { return .path }
        let url = paths.url
        if let mismatch = queryMismatch(url.query, &budget) { return mismatch }
        return matches(fragment, url.fragment, &budget) ? nil : .fragment
    }

    /// Whether a path begins as every path does that the rule matches.
    private func begins(_ path: [UInt8], _ budget: inout WorkBudget) -> Bool {
        guard path.count >= beginning.count else { return false }
        var offset = 0
        while offset < beginning.count, path[offset] == beginning[offset] { offset += 1 }
        budget.spend(offset)
        return offset == beginning.count
    }

    private static func beginning(of path: [PatternElement]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var beginning: [UInt8] = []
        for element in path {
            guard case .byte(let byte) = element else { break }
            if byte != slash || !beginning.isEmpty { beginning.append(byte) }
        }
        // A slash may belong to the end of the path, or to a tail that may be left out.
        while beginning.last == slash { beginning.removeLast() }
        return beginning
    }

    private func queryMismatch(_ text: [UInt8], _ budget: inout WorkBudget) -> Mismatch? {
        switch query {
        case .text(let pattern, let written):
            return matches(pattern, text, &budget) ? nil : .query(written: written)
        case .items(let wanted):
            guard !wanted.isEmpty else { return nil }
            budget.spend(20 + 16 * text.count)
            let found = QueryItems.split(text).map { (name: comparison.prepareName($0.name), value: $0.value) }
            for item in wanted {
                budget.spend(20 + 8 * found.count)
                let values = found.filter { $0.name == item.name }.map(\.value)
                for value in values.isEmpty ? [[]] : values {
                    if budget.isSpent { return nil }
                    if !matches(item.value, value, &budget) {
                        return .item(item.written, value: values.isEmpty ? nil : value)
                    }
                }
            }
            return nil
        }
    }

    /// Whether a pattern matches a part of the URL; where the budget is spent on the way, the answer means nothing.
    private func matches(_ pattern: [PatternElement], _ text: [UInt8], _ budget: inout WorkBudget) -> Bool {
        if pattern.count == 1, pattern[0] == .anyRun { return true }
        budget.spend(20 + 8 * text.count)
        return PatternMatcher.matches(
            pattern, comparison.prepare(text), percentEncoded: comparison.percentEncoded, &budget) ?? false
    }
}

extension RuleMatcher.Item {
    fileprivate init(_ written: QueryItemPattern, _ parser: PatternParser, _ comparison: Comparison) {
        self.written = written
        name = comparison.foldName(Array(written.name.utf8))
        value = parser.parse(written.value)
    }
}
