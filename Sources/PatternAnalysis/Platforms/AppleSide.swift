internal import AppSiteAssociation
internal import URLPatterns

/// The rules of an association file as one side of a comparison.
struct AppleSide {
    let rules: [Rule]
    private(set) var side = ComparedSide()
    private let matcher: ReferenceMatcher

    /// - Parameter app: The only app that is looked at; nil for all.
    init(
        _ document: AssociationDocument, app: String?, _ patterns: inout PatternTable, _ budget: ComparisonBudget
    ) {
        let document = app.map { Self.document(document, of: $0) } ?? document
        let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        matcher = ReferenceMatcher(document, parsers)
        var (asked, queries) = (ComparedPatterns(), QueryTable())
        let file = ComparedFile(document, parsers, &asked, &queries)
        rules = file.rules
        let reader = AppleRuleReader(patterns: asked, queries: queries, budget: budget)
        let compared = rules.indices.map { reader.rule(file.conditions[$0], $0, &patterns) }
        side.leftOut = rules.indices.filter { compared[$0] == nil }
        side.programs = AppGroup.groups(new: file).map { group in
            group.new.flatMap { file.entries[$0].rules.compactMap { compared[$0] } }
        }
    }

    /// The document as far as it is about an app.
    private static func document(_ document: AssociationDocument, of app: String) -> AssociationDocument {
        guard let links = document.appLinks else { return document }
        let details = links.details.map { detail in
            Detail(detail, appIDs: detail.appIDs.filter { $0.value.utf8.elementsEqual(app.utf8) })
        }
        return AssociationDocument(
            appLinks: AppLinks(details, links.substitutionVariables), source: document.source)
    }

    /// The decision of the reference matcher about a URL; nil if it takes too much.
    func decide(_ url: WebURL, _ budget: ComparisonBudget) -> QuickDecision? {
        budget.lend { matcher.decide(url, &$0) }
    }
}

/// Makes automata of the conditions of Apple's rules.
private struct AppleRuleReader {
    let patterns: ComparedPatterns
    let queries: QueryTable
    let budget: ComparisonBudget

    /// The conditions of a rule; nil if a pattern is too large.
    func rule(_ condition: RuleCondition, _ number: Int, _ table: inout PatternTable) -> ComparedRule? {
        var result = ComparedRule(excludes: condition.excludes, number: number)
        if let path = condition.path {
            guard let path = self.number(of: path, .path, &table) else { return nil }
            result.path = path
        }
        if let fragment = condition.fragment {
            guard let fragment = self.number(of: fragment, .fragment, &table) else { return nil }
            result.fragment = fragment
        }
        if let query = condition.query {
            guard let asked = queries[query].renumbered({ self.number(of: $0, .query, &table) }) else { return nil }
            result.queries = [table.queries.number(asked)]
        }
        return result
    }

    private func number(of number: Int, _ part: PatternTable.Part, _ table: inout PatternTable) -> Int? {
        let pattern = patterns[number]
        let key = PatternTable.Key(
            part: part, view: .apple(pattern.comparison), text: Array(String(number).utf8))
        return table.number(key) {
            var made = PartPattern(
                pattern.elements, pattern.comparison, isPath: part == .path, patterns.variables, budget)
            if part == .query { made?.names = Self.names(in: pattern) }
            return made
        }
    }

    /// The names of items that a pattern for a name or for a whole query writes.
    private static func names(in pattern: ComparedPatterns.Pattern) -> [[UInt8]] {
        let runs = pattern.elements.split { if case .byte = $0 { false } else { true } }
        return runs.flatMap { run -> [[UInt8]] in
            let bytes = run.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
            if pattern.isName { return [bytes] }
            return bytes.split(separator: UInt8(ascii: "&")).compactMap { item in
                item.firstIndex(of: UInt8(ascii: "=")).map { Array(item[..<$0]) }
            }
        }
    }
}
