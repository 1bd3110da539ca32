internal import AppSiteAssociation

/// The kinds of names and values that patterns tell apart.
struct ValueKinds {
    private let patterns: ComparedPatterns
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var known: [Int: Bool] = [:]
    private var knownKinds: [[Int]: TextRegions] = [:]

    init(_ patterns: ComparedPatterns, _ limits: ComparisonLimits, _ budget: ComparisonBudget) {
        self.patterns = patterns
        self.limits = limits
        self.budget = budget
    }

    /// Whether a pattern matches the value of an item that is missing.
    mutating func isMetByNothing(_ number: Int) -> Bool {
        if let known = known[number] { return known }
        let pattern = patterns[number]
        let result = Self.takesNothing(pattern.elements, budget)
        known[number] = result
        return result
    }

    /// Whether a pattern takes the empty text.
    private static func takesNothing(_ elements: [PatternElement], _ budget: ComparisonBudget) -> Bool {
        elements.allSatisfy { element in
            budget.spend(1)
            switch element {
            case .anyRun, .segmentRun: return true
            case .oneOf(let values):
                return values.contains { value in
                    budget.spend(1)
                    return takesNothing(value, budget)
                }
            case .byte, .anyCharacter, .segmentCharacter, .character: return false
            }
        }
    }

    /// The kinds of values, with the numbers of the patterns that match.
    mutating func kinds(_ numbers: [Int]) -> TextRegions {
        if let known = knownKinds[numbers] { return known }
        let found = kinds(numbers.map { (patterns[$0].elements, patterns[$0].comparison) }, without: .itemEnd)
        let result = TextRegions(
            regions: found.regions.map { region in
                TextRegion(matched: region.matched.map { Int32(numbers[Int($0)]) }, text: region.text)
            }, isComplete: found.isComplete)
        knownKinds[numbers] = result
        return result
    }

    /// The kinds of texts, with the places of the patterns that match.
    func kinds(
        _ patterns: [(elements: [PatternElement], comparison: Comparison)], without excluded: URLSymbol.Kind
    ) -> TextRegions {
        var joint = JointAutomaton(isPath: false, limit: limits.automata, self.patterns.variables, budget)
        var added: [Int32] = []
        for (index, pattern) in patterns.enumerated()
        where joint.add(pattern.elements, pattern.comparison) != nil {
            added.append(Int32(index))
        }
        let stepper = JointStepper(joint, URLAlphabet(joint, .query(hasItems: true)), budget)
        let found = TextWalk.regions(
            PartReader(stepper, isPath: false, excluded: excluded), limits, budget)
        return TextRegions(
            regions: found.regions.map { TextRegion(matched: $0.matched.map { added[Int($0)] }, text: $0.text) },
            isComplete: found.isComplete && added.count == patterns.count)
    }
}
