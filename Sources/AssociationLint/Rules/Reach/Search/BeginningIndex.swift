internal import AppSiteAssociation

/// Rules by a beginning that the paths of each have, so that those that might cover another rule are found quickly.
struct BeginningIndex {
    /// What shows at a glance that a rule does not cover another.
    struct Candidate {
        let number: Int
        let minimumLength: Int
        let required: SymbolMask
    }

    private var rules: [UInt64: [Candidate]] = [:]
    /// For each length whether there is a beginning of it.
    private var hasLength: [Bool] = []

    var isEmpty: Bool { rules.isEmpty }

    /// - Parameter number: larger than all before.
    mutating func insert(_ number: Int, _ shape: RuleShape) {
        let beginning = shape.path.knownBeginning
        var hash = Self.seed
        for token in beginning { hash = Self.hash(hash, token) }
        rules[hash, default: []].append(
            Candidate(number: number, minimumLength: shape.path.minimumLength, required: shape.required))
        let missing = beginning.count + 1 - hasLength.count
        if missing > 0 { hasLength += repeatElement(false, count: missing) }
        hasLength[beginning.count] = true
    }

    /// The rules, each list ascending, of which some beginning of a text is theirs; by chance there are others too.
    func candidates(for text: [UInt32], _ budget: inout WorkBudget) -> [[Candidate]] {
        budget.spend(min(hasLength.count, text.count))
        var result: [[Candidate]] = []
        var hash = Self.seed
        for length in 0..<min(hasLength.count, text.count + 1) {
            if hasLength[length], let found = rules[hash] { result.append(found) }
            if length < text.count { hash = Self.hash(hash, text[length]) }
        }
        return result
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func hash(_ hash: UInt64, _ token: UInt32) -> UInt64 {
        let mixed = (hash ^ UInt64(token)) &* 0x0000_0100_0000_01B3
        return mixed ^ mixed >> 29
    }
}
