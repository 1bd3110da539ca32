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
    private(set) var side = PlaneSide()
    private let groups: [Group]
    private let matcher: ReferenceMatcher

    /// - Parameter app: The only app that is looked at; nil for all.
    init(
        _ document: AssociationDocument, app: String?, _ patterns: inout PlanePatterns, _ budget: ComparisonBudget
    ) {
        let variables = document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        let parsers = PatternParsers(variables)
        matcher = ReferenceMatcher(document, parsers)
        let details = (document.appLinks?.details ?? []).filter(\.canDecide)
        rules = details.flatMap(\.rules)

        var ranges: [Range<Int>] = []
        var entries: [[UInt8]: [Int]] = [:]
        var order: [String] = []
        for (index, detail) in details.enumerated() {
            let first = ranges.last?.upperBound ?? 0
            ranges.append(first..<first + detail.rules.count)
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
                groups.append(Group(apps: [(id, position)], rules: own.flatMap { Array(ranges[$0]) }))
            }
        }
        self.groups = groups

        var reader = AppleRuleReader(parsers, budget)
        let asked = Set(groups.flatMap(\.rules))
        var known: [Int: PlaneRule] = [:]
        for number in asked.sorted() {
            known[number] = reader.rule(rules[number], number, &patterns)
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

/// Makes conditions of Apple's rules.
struct AppleRuleReader {
    private let parsers: PatternParsers
    private let budget: ComparisonBudget
    private let variables = PatternVariables()

    init(_ parsers: PatternParsers, _ budget: ComparisonBudget) {
        self.parsers = parsers
        self.budget = budget
    }

    /// The conditions of a rule; nil if a pattern is too large.
    mutating func rule(_ rule: Rule, _ number: Int, _ patterns: inout PlanePatterns) -> PlaneRule? {
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        var result = PlaneRule(excludes: rule.excludes, number: number)
        let path = elements(rule.path, comparison)
        let rest = path.first == .byte(UInt8(ascii: "/")) ? path.dropFirst() : path[...]
        if rest.isEmpty || !rest.allSatisfy({ $0 == .anyRun }) {
            guard let number = self.number(rule.path, path, .path, comparison, &patterns) else { return nil }
            result.path = number
        }
        if rule.fragment != "*" {
            let fragment = elements(rule.fragment, comparison)
            guard let number = self.number(rule.fragment, fragment, .fragment, comparison, &patterns) else {
                return nil
            }
            result.fragment = number
        }
        switch rule.query {
        case .void: break
        case .text("*"): break
        case .text(let text):
            guard let number = self.number(text, elements(text, comparison), .query, comparison, &patterns) else {
                return nil
            }
            result.queries = [patterns.number(.text(number))]
        case .items(let written):
            var items: [PlaneQuery.Item] = []
            for item in written where item.value != "*" {
                let name = comparison.foldName(Array(item.name.utf8))
                guard
                    let name = self.number(
                        String(text: name), name.map(PatternElement.byte), .name, comparison,
                        &patterns),
                    let value = self.number(
                        item.value, elements(item.value, comparison), .query, comparison, &patterns)
                else { return nil }
                items.append(PlaneQuery.Item(name: name, value: value))
            }
            if !items.isEmpty { result.queries = [patterns.number(.items(items))] }
        }
        return result
    }

    private func elements(_ text: String, _ comparison: Comparison) -> [PatternElement] {
        parsers.parser(comparison).parse(text)
    }

    private func number(
        _ text: String, _ elements: [PatternElement], _ part: PlanePatterns.Part, _ comparison: Comparison,
        _ patterns: inout PlanePatterns
    ) -> Int? {
        let key = PlanePatterns.Key(part: part, view: .apple(comparison), text: Array(text.utf8))
        return patterns.number(key) {
            var pattern = PlanePattern(elements, comparison, isPath: part == .path, variables, budget)
            if part == .name { pattern?.names = [Array(text.utf8)] }
            if part == .query { pattern?.names = Self.names(in: elements) }
            return pattern
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
