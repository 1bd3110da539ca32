internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// A file as the comparison sees it: its rules in file order, with numbers for their patterns.
struct ComparedFile {
    struct Entry {
        let apps: [[UInt8]]
        /// Its rules, as indices in ``ComparedFile/rules``.
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
        _ queries: inout QueryTable
    ) {
        let links = document.appLinks
        var variables = VariableMeanings(links?.substitutionVariables ?? SubstitutionVariables(), parsers)
        for detail in links?.details ?? [] where detail.canDecide {
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

    /// The index of a rule that the reference matcher has named.
    func index(of rule: Rule) -> Int? {
        guard let first = firstRules[rule.detail] else { return nil }
        let range = entries[entryOfRule[first]].rules
        // Components that are no objects leave gaps, so the index is not simply the rule's own number.
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if rules[middle].component < rule.component { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && rules[low].component == rule.component ? low : nil
    }
}

/// A condition for a URL: numbers of patterns, or nil for parts of which nothing is asked.
struct RuleCondition: Hashable, Comparable {
    let path: Int?
    let query: Int?
    let fragment: Int?
    var excludes: Bool

    static func < (left: RuleCondition, right: RuleCondition) -> Bool {
        (left.path ?? -1, left.query ?? -1, left.fragment ?? -1) < (
            right.path ?? -1, right.query ?? -1, right.fragment ?? -1
        )
    }

    /// Whether the path alone decides.
    var isPathOnly: Bool { query == nil && fragment == nil }
}

/// The distinct patterns of both files, each with a number: patterns of equal meaning that are found equal need one
/// automaton only.
struct ComparedPatterns {
    struct Pattern {
        let elements: [PatternElement]
        let comparison: Comparison
        /// Whether it is the name of an item.
        var isName = false
    }

    private(set) var patterns: [Pattern] = []
    /// The facts about the variables that automata have found.
    let variables = PatternVariables()
    private var numbers: [[UInt8]: Int] = [:]
    private var meanings: [[UInt8]: Int] = [:]

    subscript(number: Int) -> Pattern { patterns[number] }

    /// The number of a pattern; nil if every text matches it.
    mutating func number(_ text: String, _ comparison: Comparison, isPath: Bool, _ file: inout VariableMeanings) -> Int?
    {
        if text == "*" { return nil }
        let use = VariableMeanings.PatternUse(text: PatternText(text), comparison: comparison, isPath: isPath)
        if let known = file.patterns[use] { return known }
        let number = newNumber(text, comparison, isPath: isPath, &file)
        file.patterns[use] = .some(number)
        return number
    }

    private mutating func newNumber(
        _ text: String, _ comparison: Comparison, isPath: Bool, _ file: inout VariableMeanings
    ) -> Int? {
        let elements = file.parsers.parser(comparison).parse(text)
        // A path always begins with a slash, which no pattern has to name.
        let rest = isPath && elements.first == .byte(UInt8(ascii: "/")) ? elements.dropFirst() : elements[...]
        if !rest.isEmpty, rest.allSatisfy({ $0 == .anyRun }) { return nil }

        // The text names the pattern, and where it has variables their meaning: an element may be a long list of values.
        var key: [UInt8] = [comparison.caseSensitive ? 1 : 0, comparison.percentEncoded ? 1 : 0]
        for piece in PatternParser.pieces(Array(text.utf8)) {
            switch piece {
            case .text(let text): Self.append(0, comparison.fold(Array(text)), to: &key)
            case .variable(let name):
                let number = file.number(ofMeaning: Array(name), comparison) { meaning in
                    let next = meanings.count
                    let number = meanings[meaning, default: next]
                    if number == next { meanings[meaning] = next }
                    return number
                }
                Self.append(1, Array(String(number).utf8), to: &key)
            }
        }
        return number(key) { Pattern(elements: elements, comparison: comparison) }
    }

    /// The number of the pattern for the name of an item, which is as the rule compares it.
    fileprivate mutating func number(ofName name: [UInt8], _ comparison: Comparison) -> Int {
        let key: [UInt8] = [comparison.caseSensitive ? 3 : 2, comparison.percentEncoded ? 1 : 0] + name
        return number(key) {
            Pattern(elements: name.map(PatternElement.byte), comparison: comparison, isName: true)
        }
    }

    private mutating func number(_ key: [UInt8], _ make: () -> Pattern) -> Int {
        if let known = numbers[key] { return known }
        patterns.append(make())
        numbers[key] = patterns.count - 1
        return patterns.count - 1
    }

    /// Appends a piece so that no two lists of pieces look alike.
    static func append(_ kind: UInt8, _ piece: [UInt8], to key: inout [UInt8]) {
        key.append(kind)
        withUnsafeBytes(of: UInt64(piece.count)) { key += $0 }
        key += piece
    }
}

extension QueryTable {
    /// The number of the condition of a rule; nil if every query fulfils it.
    fileprivate mutating func number(
        _ query: QueryPattern, _ comparison: Comparison, _ patterns: inout ComparedPatterns,
        _ file: inout VariableMeanings
    ) -> Int? {
        switch query {
        case .void: return nil
        case .text(let text):
            return patterns.number(text, comparison, isPath: false, &file).map { number(.text($0)) }
        case .items(let written):
            guard let storage = ListStorage(written) else { return nil }
            let use = VariableMeanings.QueryUse(storage: storage, comparison: comparison)
            if let known = file.queries[use] { return known.number }
            let number = number(ofItems: written, comparison, &patterns, &file)
            file.queries[use] = (written, number)
            return number
        }
    }

    private mutating func number(
        ofItems written: [QueryItemPattern], _ comparison: Comparison, _ patterns: inout ComparedPatterns,
        _ file: inout VariableMeanings
    ) -> Int? {
        var items: [(key: [UInt8], name: [UInt8], value: Int)] = []
        for one in written {
            guard let value = patterns.number(one.value, comparison, isPath: false, &file) else { continue }
            let name = comparison.foldName(Array(one.name.utf8))
            var key: [UInt8] = []
            ComparedPatterns.append(0, name, to: &key)
            ComparedPatterns.append(1, Array(String(value).utf8), to: &key)
            items.append((key, name, value))
        }
        guard !items.isEmpty else { return nil }
        // The order of the names is of no importance.
        items.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let numbered = items.map { item in
            QueryCondition.Item(name: patterns.number(ofName: item.name, comparison), value: item.value)
        }
        return number(.items(numbered))
    }
}

/// The texts that the variables of a file stand for, to be compared, and the numbers of the file's patterns: thousands of rules
/// may have theirs from the same defaults.
struct VariableMeanings {
    let parsers: PatternParsers
    /// The numbers of patterns that were looked up; nil for those that match every text.
    fileprivate var patterns: [PatternUse: Int?] = [:]
    /// The numbers of conditions on items of the query that were looked up, with the lists, which keeps these.
    fileprivate var queries: [QueryUse: (items: [QueryItemPattern], number: Int?)] = [:]
    private let own: [[UInt8]: SubstitutionVariable]
    private var known: [Use: Int] = [:]

    private struct Use: Hashable {
        let name: [UInt8]
        let comparison: Comparison
    }

    fileprivate struct PatternUse: Hashable {
        let text: PatternText
        let comparison: Comparison
        let isPath: Bool
    }

    fileprivate struct QueryUse: Hashable {
        let storage: ListStorage
        let comparison: Comparison
    }

    init(_ variables: SubstitutionVariables, _ parsers: PatternParsers) {
        self.parsers = parsers
        own = Dictionary(
            variables.variables.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { _, later in later })
    }

    /// The number of what a variable stands for, looked up once.
    mutating func number(
        ofMeaning name: [UInt8], _ comparison: Comparison, _ number: (_ meaning: [UInt8]) -> Int
    ) -> Int {
        let use = Use(name: name, comparison: comparison)
        if let known = known[use] { return known }
        let result = number(meaning(of: name, comparison))
        known[use] = result
        return result
    }

    private func meaning(of name: [UInt8], _ comparison: Comparison) -> [UInt8] {
        var meaning: [UInt8] = []
        if let variable = own[name] {
            // Variables that stand for elements mean the same wherever they have the same name.
            if variable.elements != nil { ComparedPatterns.append(2, name, to: &meaning) }
            for value in variable.values {
                ComparedPatterns.append(0, comparison.fold(Array(value.utf8)), to: &meaning)
            }
        } else if BuiltInVariable(rawValue: String(text: name)) != nil {
            ComparedPatterns.append(1, name + [comparison.caseSensitive ? 1 : 0], to: &meaning)
        }
        return meaning
    }
}
