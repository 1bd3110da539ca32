package import AppSiteAssociation
package import Diagnostics
package import URLPatterns

/// A URL that opens an app and differs in one thing from one that does not; or the exclusion that keeps an app from opening
/// it.
package struct NearMiss: Sendable {
    package typealias Change = URLChange

    package let change: Change
    /// The URL that the router has decided to open; nil for an earlier exclusion.
    package let url: String?
    /// The rule that opens it, or would.
    package let rule: Rule
    /// The rule that comes before it.
    fileprivate var exclusion: Rule?

    /// One clause.
    package var message: String {
        let line = "line \(rule.position.line) (\(RoutingHint.shortened(RuleText.patterns(rule))))"
        return change.message(line, url ?? "line \(exclusion?.position.line ?? 0)")
    }

    /// The JSON object (docs/spec/cli.md, section 1.3).
    package var json: JSONOutput {
        .object([
            "change": .string(change.rawValue), "url": .optional(url), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "message": .string(message),
        ])
    }
}

extension NearMissSearch {
    /// The most near misses of a URL.
    package static let maxMisses = 3

    /// The URLs that one which opens no app could be instead; none if it takes too long to find.
    ///
    /// For a URL that a rule excludes, only a rule before that one counts, as for a hint: what comes later would be excluded
    /// on purpose.
    func misses(for url: String, _ budget: inout WorkBudget) -> [NearMiss] {
        guard let (decision, varied, limit) = start(url, &budget) else { return [] }
        var trial = Trial(router, varied.bytes, limit: limit)
        var misses: [NearMiss] = []
        func attempt(_ change: NearMiss.Change, _ candidates: [[UInt8]]) {
            guard misses.count < Self.maxMisses, let found = trial.open(candidates, &budget) else { return }
            misses.append(NearMiss(change: change, url: found.url, rule: found.rule))
        }
        guard let document = decision.document else {
            attempt(.www, varied.hosts)
            return misses
        }
        let details = document.appLinks?.details ?? []
        let rules = details.lazy.filter(\.canDecide).flatMap(\.rules).prefix(Self.maxRules)
        attempt(
            .letterCase, varied.letterCases(like: rules.map(\.path), &budget) + varied.queryCases(like: rules, &budget))
        attempt(.trailingSegment, varied.withOneSegmentLess + varied.paths(ofFixed: rules, &budget))
        attempt(.withoutQuery, varied.withoutQuery)
        attempt(.withoutFragment, varied.withoutFragment)
        attempt(.percentEncoding, varied.percentEncodings)
        if misses.count < Self.maxMisses, let exclusion = decision.rule, exclusion.excludes,
            let rule = inclusion(after: exclusion, WebURL(varied.bytes), document, &budget)
        {
            misses.append(NearMiss(change: .earlierExclude, url: nil, rule: rule, exclusion: exclusion))
        }
        return misses
    }

    /// The first rule after an exclusion, for one of its apps, that would open the URL.
    private func inclusion(
        after exclusion: Rule, _ url: WebURL?, _ document: AssociationDocument, _ budget: inout WorkBudget
    ) -> Rule? {
        guard let url else { return nil }
        let details = document.appLinks?.details ?? []
        let apps = Set(details.first { $0.index == exclusion.detail }?.appIDs.map(\.value) ?? [])
        let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        let candidates = details.lazy.filter { $0.canDecide && $0.appIDs.contains { apps.contains($0.value) } }
            .flatMap(\.rules).filter { !$0.excludes && $0.position.offset > exclusion.position.offset }
        for rule in candidates.prefix(Self.maxRules) {
            budget.spend(RuleMatcher.parsingCost(rule))
            guard !budget.isSpent, let isMatch = RuleMatcher(rule, parsers).matches(url, &budget) else { return nil }
            if isMatch { return rule }
        }
        return nil
    }
}

extension VariedURL {
    /// The URL with the letters of its query as in the pattern of each rule.
    func queryCases(like rules: some Sequence<Rule>, _ budget: inout WorkBudget) -> [[UInt8]] {
        let query = Array(bytes[parts.query])
        guard !query.isEmpty else { return [] }
        var found: [[UInt8]] = []
        for rule in rules {
            budget.spend(100)
            if budget.isSpent { break }
            let path = Self.aligned(Array(bytes[parts.path]), to: Array(rule.path.utf8), &budget)
            let aligned: [UInt8]? =
                switch rule.query {
                case .text(let text): Self.aligned(query, to: Array(text.utf8), &budget)
                case .items(let items): Self.aligned(query, items, &budget)
                case .void: nil
                }
            guard let aligned, aligned != query else { continue }
            found.append(
                Array(bytes[..<parts.path.lowerBound]) + (path ?? Array(bytes[parts.path])) + [UInt8(ascii: "?")]
                    + aligned + bytes[parts.query.upperBound...])
        }
        return found
    }

    /// A query with the names and values of items as they are in a rule.
    private static func aligned(
        _ query: [UInt8], _ items: [QueryItemPattern], _ budget: inout WorkBudget
    ) -> [UInt8] {
        let pairs = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
            let mark = pair.firstIndex(of: UInt8(ascii: "="))
            let name = Array(pair[..<(mark ?? pair.endIndex)])
            let value = mark.map { Array(pair[pair.index(after: $0)...]) }
            budget.spend(20 + pair.count)
            let item = items.first { Self.lowercased(Array($0.name.utf8)) == Self.lowercased(name) }
            guard !budget.isSpent, let item else { return Array(pair) }
            let aligned = value.map { Self.aligned($0, to: Array(item.value.utf8), &budget) ?? $0 }
            return Array(item.name.utf8) + (aligned.map { [UInt8(ascii: "=")] + $0 } ?? [])
        }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }

    /// The URL with the path that a rule without wildcards has, where more follows it.
    func paths(ofFixed rules: some Sequence<Rule>, _ budget: inout WorkBudget) -> [[UInt8]] {
        let path = bytes[parts.path]
        var found: [[UInt8]] = []
        for rule in rules where !rule.excludes {
            budget.spend(4 + rule.path.utf8.count)
            if budget.isSpent { break }
            guard !rule.path.utf8.contains(where: { "*?$".utf8.contains($0) }) else { continue }
            let fixed = Array(rule.path.utf8)
            guard path.count > fixed.count, path.starts(with: fixed), fixed.last != UInt8(ascii: "/"),
                path[path.startIndex + fixed.count] == UInt8(ascii: "/")
            else { continue }
            found.append(replacing(parts.path, with: fixed))
        }
        return found
    }
}
