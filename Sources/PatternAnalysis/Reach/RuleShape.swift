internal import AppSiteAssociation

/// A rule in one way to compare: its own, or its own without regard to case.
final class RuleShape {
    let comparison: Comparison
    let path: PatternShape
    let query: Query
    let fragment: PatternShape

    enum Query {
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

    private var knownCommonBeginning: [UInt32]?
    /// The symbols that every URL that it matches has in the parts that it constrains.
    let required: SymbolMask
    /// The symbols that some URL has in these parts.
    let sampled: SymbolMask

    init(_ rule: Rule, _ comparison: Comparison, _ parsers: PatternParsers, _ comparer: inout PatternComparer) {
        let parser = parsers.parser(comparison)
        func shape(_ pattern: String, isPath: Bool = false) -> PatternShape {
            PatternShape(pattern, parser, comparison, isPath: isPath, &comparer.table)
        }
        self.comparison = comparison
        path = shape(rule.path, isPath: true)
        fragment = rule.fragment == "*" ? comparer.anyText : shape(rule.fragment)
        switch rule.query {
        case .void: query = .any
        case .text(let text):
            let pattern = shape(text)
            query = pattern.isAny ? .any : .text(pattern)
        case .items(let items):
            let demands = items.map { item in
                Item(name: comparison.foldName(Array(item.name.utf8)), value: shape(item.value))
            }
            let real = demands.filter { !$0.value.isAny }
            query = real.isEmpty ? .any : .items(real)
        }
        var patterns = [path, fragment]
        switch query {
        case .any: break
        case .text(let text): patterns.append(text)
        case .items(let items): patterns += items.map(\.value)
        }
        required = patterns.reduce(SymbolMask()) { $0.union($1.required) }
        sampled = patterns.reduce(SymbolMask()) { $0.union($1.sampled) }
    }

    /// The beginning of every path, exactly as far as it is known.
    func commonBeginning(_ comparer: inout PatternComparer) -> [UInt32] {
        if let known = knownCommonBeginning { return known }
        let beginning = path.commonBeginning(&comparer)
        knownCommonBeginning = beginning
        return beginning
    }

    /// Whether it matches every URL, however paths are compared.
    var isEverything: Bool { path.isAny && isOpen }

    /// Whether it asks for nothing but a path.
    var isOpen: Bool {
        guard !isEmpty, fragment.isAny, case .any = query else { return false }
        return true
    }

    /// Whether it matches no URL, since a variable has no values.
    var isEmpty: Bool {
        if path.isEmpty || fragment.isEmpty { return true }
        return switch query {
        case .any: false
        case .text(let text): text.isEmpty
        case .items(let items): items.contains { $0.value.isEmpty }
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
    fileprivate func commonBeginning(_ comparer: inout PatternComparer) -> [UInt32] {
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
