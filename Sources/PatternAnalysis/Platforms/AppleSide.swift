internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// The rules of an association file as one side of a comparison.
struct AppleSide {
    /// Apps that the same entries name, so that the same rules decide about them.
    private struct Group {
        var apps: [(id: String, position: Int)]
        /// The numbers of the rules, in file order.
        let rules: [Int]
    }

    /// A decision of the reference matcher.
    struct Answer {
        let outcome: Outcome
        let appIDs: [String]
        let rule: Rule?
    }

    let rules: [Rule]
    private(set) var side = ComparedSide()
    private let groups: [Group]
    private let matcher: ReferenceMatcher

    /// - Parameter app: The only app that is looked at; nil for all.
    init(
        _ document: AssociationDocument, app: String?, _ patterns: inout PatternTable, _ budget: ComparisonBudget
    ) {
        let variables = document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        let parsers = PatternParsers(variables)
        matcher = ReferenceMatcher(document, parsers)
        var (asked, queries) = (ComparedPatterns(), ComparedQueries())
        let file = ComparedFile(document, parsers, &asked, &queries)
        rules = file.rules

        var entries: [[UInt8]: [Int]] = [:]
        var order: [String] = []
        for (index, detail) in (document.appLinks?.details ?? []).filter(\.canDecide).enumerated() {
            for located in detail.appIDs where app.map({ $0.utf8.elementsEqual(located.value.utf8) }) ?? true {
                let key = Array(located.value.utf8)
                if entries[key] == nil { order.append(located.value) }
                if entries[key]?.last != index { entries[key, default: []].append(index) }
            }
        }
        var groups: [Group] = []
        var numbers: [[Int]: Int] = [:]
        for (position, id) in order.enumerated() {
            let own = entries[Array(id.utf8)] ?? []
            if let number = numbers[own] {
                groups[number].apps.append((id, position))
            } else {
                numbers[own] = groups.count
                groups.append(Group(apps: [(id, position)], rules: own.flatMap { Array(file.entries[$0].rules) }))
            }
        }
        self.groups = groups

        let reader = AppleRuleReader(patterns: asked, queries: queries, budget: budget)
        var known: [Int: ComparedRule] = [:]
        for number in Set(groups.flatMap(\.rules)).sorted() {
            known[number] = reader.rule(file.conditions[number], number, &patterns)
            if known[number] == nil { side.leftOut.append(number) }
        }
        side.programs = groups.map { $0.rules.compactMap { known[$0] } }
    }

    /// The decision of the reference matcher about a URL; nil if it takes too much.
    func decide(_ url: WebURL, _ budget: ComparisonBudget) -> Answer? {
        var rest = WorkBudget(budget.rest)
        defer { budget.spend(budget.rest - rest.left) }
        var open: [(id: String, position: Int)] = []
        var (firstOpen, firstExcluded): (Rule?, Rule?)
        for group in groups {
            for number in group.rules {
                rest.spend(20)
                guard let isMatch = matcher.matches(number, url, &rest) else { return nil }
                guard isMatch else { continue }
                if rules[number].excludes {
                    firstExcluded = firstExcluded ?? rules[number]
                } else {
                    firstOpen = firstOpen ?? rules[number]
                    open += group.apps
                }
                break
            }
        }
        let ids = open.sorted { $0.position < $1.position }.map(\.id)
        let outcome: Outcome = firstOpen != nil ? .open : firstExcluded != nil ? .excluded : .noMatch
        return Answer(outcome: outcome, appIDs: ids, rule: firstOpen ?? firstExcluded)
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
