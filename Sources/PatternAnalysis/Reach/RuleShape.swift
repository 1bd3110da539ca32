internal import AppSiteAssociation
internal import URLPatterns

/// A rule in one way to compare: its own, or its own without regard to case.
final class RuleShape {
    let comparison: Comparison
    let path: PatternShape
    let query: QueryShape
    let fragment: PatternShape
    /// The symbols that every URL that it matches has in the parts that it constrains.
    let required: SymbolMask
    /// The symbols that some URL has in these parts.
    let sampled: SymbolMask

    init(_ rule: Rule, _ comparison: Comparison, _ shapes: inout ShapeTable, _ comparer: inout PatternComparer) {
        self.comparison = comparison
        path = shapes.pattern(rule.path, comparison, isPath: true, &comparer)
        query = shapes.query(rule.query, comparison, &comparer)
        fragment = shapes.pattern(rule.fragment, comparison, isPath: false, &comparer)
        required = path.required.union(fragment.required).union(query.required)
        sampled = path.sampled.union(fragment.sampled).union(query.sampled)
    }

    /// Whether it matches every URL, however paths are compared.
    var isEverything: Bool { path.isAny && isOpen }

    /// Whether it asks for nothing but a path.
    var isOpen: Bool { !isEmpty && fragment.isAny && query.isAny }

    /// Whether it matches no URL, since a variable has no values.
    var isEmpty: Bool { path.isEmpty || fragment.isEmpty || query.isEmpty }
}

/// The condition of a rule on the query.
final class QueryShape {
    enum Condition {
        /// There is nothing that it does not match.
        case any
        case text(PatternShape)
        /// The items whose values are not free.
        case items([Item])
    }

    struct Item {
        /// As it is compared.
        let name: [UInt8]
        let value: PatternShape
    }

    let condition: Condition
    /// Whether it matches no query, since a variable has no values.
    let isEmpty: Bool
    /// The symbols that every query that it matches has.
    let required: SymbolMask
    /// The symbols that some query has that it matches.
    let sampled: SymbolMask

    init(_ condition: Condition) {
        self.condition = condition
        let patterns =
            switch condition {
            case .any: [PatternShape]()
            case .text(let text): [text]
            case .items(let items): items.map(\.value)
            }
        isEmpty = patterns.contains(where: \.isEmpty)
        required = patterns.reduce(SymbolMask()) { $0.union($1.required) }
        sampled = patterns.reduce(SymbolMask()) { $0.union($1.sampled) }
    }

    var isAny: Bool { if case .any = condition { true } else { false } }
}

/// The shapes of the patterns of a file, each made once: thousands of rules may have theirs from the same defaults.
struct ShapeTable {
    private let parsers: PatternParsers
    private var patterns: [PatternKey: PatternShape] = [:]
    private var queries: [QueryKey: (items: [QueryItemPattern], shape: QueryShape)] = [:]
    private let anyQuery = QueryShape(.any)

    private struct PatternKey: Hashable {
        let text: PatternText
        let comparison: Comparison
        let isPath: Bool
    }

    private struct QueryKey: Hashable {
        let storage: ListStorage
        let comparison: Comparison
    }

    init(_ parsers: PatternParsers) {
        self.parsers = parsers
    }

    fileprivate mutating func pattern(
        _ text: String, _ comparison: Comparison, isPath: Bool, _ comparer: inout PatternComparer
    ) -> PatternShape {
        if !isPath, text == "*" { return comparer.anyText }
        let key = PatternKey(text: PatternText(text), comparison: comparison, isPath: isPath)
        if let known = patterns[key] { return known }
        let shape = PatternShape(text, parsers.parser(comparison), comparison, isPath: isPath, &comparer.table)
        patterns[key] = shape
        return shape
    }

    fileprivate mutating func query(
        _ query: QueryPattern, _ comparison: Comparison, _ comparer: inout PatternComparer
    ) -> QueryShape {
        switch query {
        case .void: return anyQuery
        case .text(let text):
            let pattern = pattern(text, comparison, isPath: false, &comparer)
            return pattern.isAny ? anyQuery : QueryShape(.text(pattern))
        case .items(let items):
            guard let storage = ListStorage(items) else { return anyQuery }
            let key = QueryKey(storage: storage, comparison: comparison)
            if let known = queries[key] { return known.shape }
            var demands: [QueryShape.Item] = []
            for item in items {
                let value = pattern(item.value, comparison, isPath: false, &comparer)
                if value.isAny { continue }
                demands.append(QueryShape.Item(name: comparison.foldName(Array(item.name.utf8)), value: value))
            }
            let shape = demands.isEmpty ? anyQuery : QueryShape(.items(demands))
            queries[key] = (items, shape)
            return shape
        }
    }
}

extension PatternShape {
    /// Whether case could make a difference to what it matches.
    func hasLetters(_ table: TokenTable) -> Bool {
        tokens.contains { token in
            if PatternToken.isSymbol(token) { return PatternSymbol.hasCase(token, percentEncoded: percentEncoded) }
            if PatternToken.isVariable(token) { return table.variable(token).hasLetters }
            return PatternToken.isSet(token)
                && table.set(token).bytes.contains { PatternSymbol.hasCase(UInt32($0), percentEncoded: true) }
        }
    }

    /// The longest beginning that all texts have.
    func commonBeginning(_ comparer: inout PatternComparer) -> [UInt32] {
        if let known = knownCommonBeginning { return known }
        let beginning = longestBeginning(&comparer)
        knownCommonBeginning = beginning
        return beginning
    }

    private func longestBeginning(_ comparer: inout PatternComparer) -> [UInt32] {
        let texts = parent ?? tokens
        var beginning = Array(texts.prefix(while: PatternToken.isSymbol))
        guard beginning.count < texts.count else { return texts }
        if isSimple {
            for token in texts.dropFirst(beginning.count) {
                if PatternToken.isSymbol(token) {
                    beginning.append(token)
                    continue
                }
                guard PatternToken.isVariable(token) else { return beginning }
                let variable = comparer.table.variable(token)
                beginning += variable.commonBeginning
                // What follows the shortest value may go on as the others do.
                if variable.endsWithCommonBeginning { return automatonBeginning(&comparer) ?? beginning }
                guard variable.isOneText, beginning.count < TokenVariable.longestBeginning else { return beginning }
            }
            return beginning
        }
        return automatonBeginning(&comparer) ?? beginning
    }

    private func automatonBeginning(_ comparer: inout PatternComparer) -> [UInt32]? {
        comparer.automaton(of: self, acceptsParent: true)?.commonBeginning(&comparer.automataBudget)
    }

    /// A beginning that all texts have, maybe not the longest one.
    var knownBeginning: ArraySlice<UInt32> {
        let texts = parent ?? tokens
        let literal = texts.prefix(while: PatternToken.isSymbol)
        // The values of a variable may end a path with a slash, which does not count then.
        guard !isSimple else { return literal }
        return literal.prefix(literal.count - literal.reversed().prefix { $0 == PatternSymbol.slash }.count)
    }
}

extension PatternAutomaton {
    /// The longest beginning, up to some length, that all texts have.
    fileprivate func commonBeginning(_ budget: inout WorkBudget) -> [UInt32] {
        var states = Set(starts)
        var text: [UInt32] = []
        while text.count < 256, !states.contains(where: isAccepting), !budget.isSpent {
            var symbol: UInt32?
            var targets = Set<Int>()
            for edge in states.lazy.flatMap({ self.edges(from: $0) }) {
                guard case .symbol(let own) = edge.label, symbol == nil || symbol == own else { return text }
                symbol = own
                targets.insert(edge.target)
                budget.spend(4)
            }
            budget.spend(4 * states.count)
            guard let symbol else { break }
            text.append(symbol)
            states = targets
        }
        return text
    }
}
