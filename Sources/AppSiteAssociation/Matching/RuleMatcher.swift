/// Compares URLs with one rule, part by part (matching.md, section 3).
///
/// A class, for there are thousands, and each is looked at for each URL.
package final class RuleMatcher: Sendable {
    package let rule: Rule
    let comparison: Comparison
    private let path: [PatternElement]
    private let query: Query
    private let fragment: [PatternElement]
    /// What every path begins with that matches, without slashes at the ends.
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

    /// The first part of the URL that the rule does not match; nil if it matches.
    package func failure(_ url: WebURL) -> RuleFailure? {
        let text = comparison.prepare(OpenDecisions.comparedPath(url.path))
        if !PatternMatcher.matchesPath(path, text, percentEncoded: comparison.percentEncoded) {
            return RuleFailure(part: .path, pattern: rule.path, value: url.path)
        }
        if let failure = queryFailure(url.query) { return failure }
        if !matches(fragment, url.fragment) {
            return RuleFailure(part: .fragment, pattern: rule.fragment, value: url.fragment)
        }
        return nil
    }

    /// Whether the rule matches a URL; nil if to find out takes more than is left.
    func matches(_ paths: inout PreparedPaths, _ budget: inout WorkBudget) -> Bool? {
        budget.spend(4)
        let text = paths.path(comparison)
        guard text.starts(with: beginning) else { return budget.isSpent ? nil : false }
        let url = paths.url
        let length = url.path.count + url.query.count + url.fragment.count
        var cost = 100 + PatternMatcher.cost(path, length: length, limit: budget.left)
        func add(_ pattern: [PatternElement]) {
            cost += PatternMatcher.cost(pattern, length: length, limit: max(budget.left - cost, 0))
        }
        add(fragment)
        switch query {
        case .text(let pattern, _): add(pattern)
        case .items(let items):
            for item in items where cost <= budget.left {
                cost += 20 + length
                add(item.value)
            }
        }
        budget.spend(cost)
        if budget.isSpent { return nil }
        return PatternMatcher.matchesPath(path, text, percentEncoded: comparison.percentEncoded)
            && queryFailure(url.query) == nil && matches(fragment, url.fragment)
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

    private func queryFailure(_ text: [UInt8]) -> RuleFailure? {
        switch query {
        case .text(let pattern, let written):
            return matches(pattern, text) ? nil : RuleFailure(part: .query, pattern: written, value: text)
        case .items(let wanted):
            guard !wanted.isEmpty else { return nil }
            let found = QueryItems.split(text).map { (name: comparison.prepareName($0.name), value: $0.value) }
            for item in wanted {
                let values = found.filter { $0.name == item.name }.map(\.value)
                for value in values.isEmpty ? [[]] : values where !matches(item.value, value) {
                    let name = Array("\(item.written.name)=".utf8)
                    return RuleFailure(
                        part: .query, pattern: "\(item.written.name)=\(item.written.value)",
                        value: values.isEmpty ? [] : name + value)
                }
            }
            return nil
        }
    }

    private func matches(_ pattern: [PatternElement], _ text: [UInt8]) -> Bool {
        PatternMatcher.matches(pattern, comparison.prepare(text), percentEncoded: comparison.percentEncoded)
    }
}

extension RuleMatcher.Item {
    fileprivate init(_ written: QueryItemPattern, _ parser: PatternParser, _ comparison: Comparison) {
        self.written = written
        name = comparison.foldName(Array(written.name.utf8))
        value = parser.parse(written.value)
    }
}
