internal import AppSiteAssociation

/// What the variables of a file stand for, as texts to be compared.
struct VariableMeanings {
    let parsers: PatternParsers
    private let own: [[UInt8]: SubstitutionVariable]
    private var known: [Use: Int] = [:]

    private struct Use: Hashable {
        let name: [UInt8]
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
        } else if BuiltInVariable(rawValue: String(decoding: name, as: UTF8.self)) != nil {
            ComparedPatterns.append(1, name + [comparison.caseSensitive ? 1 : 0], to: &meaning)
        }
        return meaning
    }
}
