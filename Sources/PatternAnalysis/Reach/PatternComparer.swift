internal import AppSiteAssociation
internal import URLPatterns

/// Compares the patterns of a file, each with each.
struct PatternComparer {
    var table: TokenTable
    /// For comparing tokens.
    var budget = WorkBudget()
    /// For automata.
    var automataBudget = WorkBudget()
    /// The facts about the variables that automata have found.
    let variables = PatternVariables()
    /// Whether something was left undecided, since it would take too much; callers reset it.
    var hasGivenUp = false
    /// `*`, for what a rule does not constrain.
    let anyText: PatternShape

    init() {
        var table = TokenTable()
        let comparison = Comparison(caseSensitive: true, percentEncoded: true)
        let parser = PatternParser(variables: SubstitutionVariables(), comparison: comparison)
        anyText = PatternShape("*", parser, comparison, isPath: false, &table)
        self.table = table
    }

    /// Whether each text of `narrow` is one of `wide`. Both are compared in the same way. No, if that cannot be proved.
    mutating func covers(_ wide: PatternShape, _ narrow: PatternShape) -> ContainmentProof {
        if wide.isAny { return .proved }
        budget.spend(4 + wide.tokens.count / 8)
        if wide.isEmpty || narrow.isEmpty { return .unproved }
        if budget.isSpent {
            hasGivenUp = true
            return .unproved
        }
        if narrow.isAny, !wide.hasVariables, !wide.isEverything { return .unproved }
        if isSame(wide, narrow) { return .proved }
        if let sample = narrow.sample {
            if !wide.required.mayBeSubset(of: narrow.sampled) || wide.minimumLength > sample.count { return .unproved }
        }
        let proof = covers(wide, narrow, .decided)
        guard proof.isProved, wide.hasOpenTail else { return proof }
        return covers(wide, narrow, .recorded).isProved ? proof : .provedByOpenTail
    }

    private mutating func covers(_ wide: PatternShape, _ narrow: PatternShape, _ tails: Tails) -> ContainmentProof {
        if wide.isSimple, let sample = narrow.sample {
            if let quick = quickly(wide, narrow, sample, tails) { return quick }
        }
        return exactly(wide, narrow, tails)
    }

    /// Whether the patterns are the same: then one is covered whatever is not known of the other.
    private func isSame(_ wide: PatternShape, _ narrow: PatternShape) -> Bool {
        guard wide.tokens == narrow.tokens else { return false }
        return wide.isSimple ? narrow.parent == nil || wide.parent != nil : wide.elements == narrow.elements
    }

    /// An answer without automata, if there is one.
    private mutating func quickly(
        _ wide: PatternShape, _ narrow: PatternShape, _ sample: [UInt32], _ tails: Tails
    ) -> ContainmentProof? {
        let (wideParent, narrowParent) = (wide.parent(tails), narrow.parent(tails))
        let coversMain = matches(wide.tokens, narrow.tokens)
        if coversMain || matches(wideParent, narrow.tokens) {
            let proof = coversMain ? ContainmentProof.proved : .provedByParent
            guard let narrowParent else { return proof }
            if matches(wideParent, narrowParent) || matches(wide.tokens, narrowParent) { return proof }
        }
        if !wide.hasVariables, narrow.isLiteral { return .unproved }
        // Where the wider one has a variable, a run instead of it covers even more.
        let pattern = wide.hasVariables ? wide.relaxedTokens : wide.tokens
        let parent = wide.hasVariables ? wide.relaxedParent(tails) : wideParent
        let shortest = narrow.parent == nil || narrowParent != nil ? sample : nil
        for text in [shortest, narrow.tailSample(table)].compactMap({ $0 }) {
            if !matches(pattern, text), !matches(parent, text) { return .unproved }
        }
        return nil
    }

    private mutating func matches(_ pattern: [UInt32]?, _ text: [UInt32]) -> Bool {
        guard let pattern else { return false }
        return table.matches(pattern, text, &budget)
    }

    private mutating func exactly(
        _ wide: PatternShape, _ narrow: PatternShape, _ tails: Tails
    ) -> ContainmentProof {
        let coversParent = tails == .decided || wide.hasRecordedParent
        let hasParent = tails == .decided || narrow.hasRecordedParent
        guard let outer = automaton(of: wide, acceptsParent: coversParent),
            let inner = automaton(of: narrow, acceptsParent: hasParent), !automataBudget.isSpent
        else {
            hasGivenUp = true
            return .unproved
        }
        switch Containment.decide(outer, covers: inner, budget: &automataBudget) {
        case .proved: break
        case .refuted: return .unproved
        case .unknown:
            hasGivenUp = true
            return .unproved
        }
        guard coversParent, wide.hasTail,
            let outerMain = automaton(of: wide, acceptsParent: false),
            let innerMain = automaton(of: narrow, acceptsParent: false)
        else { return .proved }
        return Containment.decide(outerMain, covers: innerMain, budget: &automataBudget) == .refuted
            ? .provedByParent : .proved
    }

    /// The automaton of a pattern; nil if it is too large, or too much has been made.
    mutating func automaton(of pattern: PatternShape, acceptsParent: Bool) -> PatternAutomaton? {
        pattern.automaton(acceptsParent: acceptsParent, variables, &automataBudget)
    }
}

extension PatternComparer {
    /// Whether each URL that `narrow` matches is one that `wide` matches. No, if that cannot be proved.
    ///
    /// `narrow` is folded if `wide` has no regard to case. The other way round what has letters is not compared.
    mutating func covers(_ wide: RuleShape, _ narrow: RuleShape) -> ContainmentProof {
        let demandsCase = wide.comparison.caseSensitive && !narrow.comparison.caseSensitive
        guard coversQuery(wide.query, narrow.query, demandsCase) else { return .unproved }
        guard covers(wide.fragment, narrow.fragment, demandsCase).isProved else { return .unproved }
        return covers(wide.path, narrow.path, demandsCase)
    }

    private mutating func covers(_ wide: PatternShape, _ narrow: PatternShape, _ demandsCase: Bool) -> ContainmentProof
    {
        if demandsCase, !wide.isAny, narrow.hasLetters(table) { return .unproved }
        return covers(wide, narrow)
    }

    private mutating func coversQuery(
        _ wide: QueryShape, _ narrow: QueryShape, _ demandsCase: Bool
    ) -> Bool {
        if wide === narrow { return true }
        switch (wide.condition, narrow.condition) {
        case (.any, _): return true
        case (.text(let wide), .any): return covers(wide, anyText).isProved
        case (.text(let wide), .text(let narrow)): return covers(wide, narrow, demandsCase).isProved
        case (.items(let wide), .any): return wide.allSatisfy { covers($0.value, anyText).isProved }
        case (.items(let wide), .items(let narrow)):
            return wide.allSatisfy { item in
                // A name may be in uppercase too; then each of its patterns must match.
                let demands = narrow.filter { $0.name == item.name }
                budget.spend(narrow.count)
                if demands.isEmpty { return covers(item.value, anyText).isProved }
                if demandsCase, item.hasLettersInName { return false }
                return demands.contains { covers(item.value, $0.value, demandsCase).isProved }
            }
        // A text and a dictionary are not compared.
        case (.text, .items), (.items, .text): return false
        }
    }
}

extension QueryShape.Item {
    fileprivate var hasLettersInName: Bool {
        let symbols = PatternSymbol.symbols(of: name, percentEncoded: value.percentEncoded)
        return symbols.contains { PatternSymbol.hasCase($0, percentEncoded: value.percentEncoded) }
    }
}

/// Whether one pattern contains another: each text of the one is a text of the other.
package enum ContainmentProof {
    case unproved
    case proved
    /// Only because `/x/*` also matches `/x`.
    case provedByParent
    /// Only because `/*/*` also matches `/x`: that a tail may be left out after a wildcard is a decision.
    case provedByOpenTail

    var isProved: Bool { self != .unproved }
}
