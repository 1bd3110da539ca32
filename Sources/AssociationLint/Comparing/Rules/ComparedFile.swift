internal import AppSiteAssociation

/// A file as the comparison sees it: its rules in file order, with numbers for their patterns.
struct ComparedFile {
    struct Entry {
        let apps: [[UInt8]]
        /// Its rules, as places in ``ComparedFile/rules``.
        let rules: Range<Int>
    }

    private(set) var entries: [Entry] = []
    private(set) var rules: [Rule] = []
    private(set) var conditions: [RuleCondition] = []
    /// The entry of each rule.
    private(set) var entryOfRule: [Int] = []
    /// The rules of an entry of the file begin here.
    private var firstRules: [Int: Int] = [:]

    /// - Parameter parsers: Those of the document's variables.
    init(
        _ document: AssociationDocument, _ parsers: PatternParsers, _ patterns: inout ComparedPatterns,
        _ queries: inout ComparedQueries
    ) {
        let links = document.appLinks
        var variables = VariableMeanings(links?.substitutionVariables ?? SubstitutionVariables(), parsers)
        for detail in links?.details ?? [] where OpenDecisions.canDecide(detail) {
            let first = rules.count
            firstRules[detail.index] = first
            for rule in detail.rules {
                let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
                rules.append(rule)
                entryOfRule.append(entries.count)
                conditions.append(
                    RuleCondition(
                        path: patterns.number(rule.path, comparison, isPath: true, &variables),
                        query: queries.number(rule.query, comparison, &patterns, &variables),
                        fragment: patterns.number(rule.fragment, comparison, isPath: false, &variables),
                        excludes: rule.excludes))
            }
            entries.append(Entry(apps: detail.appIDs.map { Array($0.value.utf8) }, rules: first..<rules.count))
        }
    }

    /// The place of a rule that the reference matcher has named.
    func place(of rule: Rule) -> Int? {
        guard let first = firstRules[rule.detail] else { return nil }
        let range = entries[entryOfRule[first]].rules
        // Components that are no objects leave gaps, so the place is not simply the rule's own number.
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if rules[middle].component < rule.component { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && rules[low].component == rule.component ? low : nil
    }
}
