/// Compares URLs with one rule, part by part (specification, "Patterns").
package struct RuleMatcher: Sendable {
    private let rule: Rule
    private let comparison: Comparison
    private let path: [PatternElement]
    private let query: Query
    private let fragment: [PatternElement]

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

extension Comparison {
    /// The name of a query item as the rule sees it.
    package func prepareName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold
            ? prepare(name) : Comparison(caseSensitive: true, percentEncoded: percentEncoded).prepare(name)
    }

    /// The name of a query item as a rule writes it.
    package func foldName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold ? fold(name) : name
    }
}
