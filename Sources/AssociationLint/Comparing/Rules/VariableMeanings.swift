internal import AppSiteAssociation

/// What the variables of a file stand for, as texts to be compared.
struct VariableMeanings {
    let parsers: PatternParsers
    private let own: [[UInt8]: SubstitutionVariable]
    private var known: [Use: [UInt8]] = [:]

    private struct Use: Hashable {
        let name: [UInt8]
        let comparison: Comparison
    }

    init(_ variables: SubstitutionVariables) {
        parsers = PatternParsers(variables)
        own = Dictionary(
            variables.variables.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { _, later in later })
    }

    mutating func meaning(of name: [UInt8], _ comparison: Comparison) -> [UInt8] {
        let use = Use(name: name, comparison: comparison)
        if let known = known[use] { return known }
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
        known[use] = meaning
        return meaning
    }
}
