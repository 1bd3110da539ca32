internal import AppSiteAssociation

extension PatternComparer {
    /// Whether each URL that `narrow` matches is one that `wide` matches. No, if that cannot be proved.
    ///
    /// `narrow` is folded if `wide` has no regard to case. The other way round what has letters is not compared.
    mutating func covers(_ wide: RuleShape, _ narrow: RuleShape) -> Cover {
        let demandsCase = wide.comparison.caseSensitive && !narrow.comparison.caseSensitive
        guard coversQuery(wide.query, narrow.query, demandsCase) else { return .no }
        guard covers(wide.fragment, narrow.fragment, demandsCase).isProved else { return .no }
        return covers(wide.path, narrow.path, demandsCase)
    }

    private mutating func covers(_ wide: PatternShape, _ narrow: PatternShape, _ demandsCase: Bool) -> Cover {
        if demandsCase, !wide.isAny, narrow.hasLetters(table) { return .no }
        return covers(wide, narrow)
    }

    private mutating func coversQuery(
        _ wide: RuleShape.Query, _ narrow: RuleShape.Query, _ demandsCase: Bool
    ) -> Bool {
        switch (wide, narrow) {
        case (.any, _): return true
        case (.text(let wide), .any): return covers(wide, anyText).isProved
        case (.text(let wide), .text(let narrow)): return covers(wide, narrow, demandsCase).isProved
        case (.items(let wide), .any): return wide.allSatisfy { covers($0.value, anyText).isProved }
        case (.items(let wide), .items(let narrow)):
            return wide.allSatisfy { item in
                // A name may stand there in capitals too; then each of its patterns must match.
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

extension RuleShape.Item {
    fileprivate var hasLettersInName: Bool {
        let symbols = PatternSymbol.symbols(of: name, percentEncoded: value.percentEncoded)
        return symbols.contains { PatternSymbol.hasCase($0, percentEncoded: value.percentEncoded) }
    }
}
