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
        var (asked, queries) = (ComparedPatterns(), ComparedQueries())
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
    let queries: ComparedQueries
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
        switch condition.query.map({ queries[$0] }) {
        case nil: break
        case .text(let pattern)?:
            guard let text = self.number(of: pattern, .query, &table) else { return nil }
            result.queries = [table.number(.text(text))]
        case .items(let items)?:
            var asked: [QueryCondition.Item] = []
            for item in items {
                guard let name = self.number(.name, item.name, item.pattern, &table),
                    let value = self.number(of: item.value, .query, &table)
                else { return nil }
                asked.append(QueryCondition.Item(name: name, value: value))
            }
            result.queries = [table.number(.items(asked))]
        }
        return result
    }

    private func number(of pattern: Int, _ part: PatternTable.Part, _ table: inout PatternTable) -> Int? {
        number(part, Array(String(pattern).utf8), patterns[pattern], &table)
    }

    private func number(
        _ part: PatternTable.Part, _ key: [UInt8], _ pattern: ComparedPatterns.Pattern, _ table: inout PatternTable
    ) -> Int? {
        table.number(PatternTable.Key(part: part, view: .apple(pattern.comparison), text: key)) {
            var made = PartPattern(
                pattern.elements, pattern.comparison, isPath: part == .path, patterns.variables, budget)
            if part == .name { made?.names = [key] }
            if part == .query { made?.names = Self.names(in: pattern.elements) }
            return made
        }
    }

    /// The names of items that a pattern for a whole query writes.
    private static func names(in elements: [PatternElement]) -> [[UInt8]] {
        let runs = elements.split { if case .byte = $0 { false } else { true } }
        return runs.flatMap { run -> [[UInt8]] in
            let bytes = run.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
            return bytes.split(separator: UInt8(ascii: "&")).compactMap { item in
                item.firstIndex(of: UInt8(ascii: "=")).map { Array(item[..<$0]) }
            }
        }
    }
}
