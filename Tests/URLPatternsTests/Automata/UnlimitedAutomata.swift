import URLPatterns

/// Automata of which nobody counts what they take.
extension PatternAutomaton {
    init?(_ elements: [PatternElement], percentEncoded: Bool, budget: Budget = Budget()) {
        var work = WorkBudget(.max)
        self.init(
            elements, percentEncoded: percentEncoded, variables: PatternVariables(), budget: budget, work: &work)
    }

    init?(path elements: [PatternElement], percentEncoded: Bool, acceptsParent: Bool = true) {
        var work = WorkBudget(.max)
        self.init(
            path: elements, percentEncoded: percentEncoded, acceptsParent: acceptsParent, variables: PatternVariables(),
            work: &work)
    }

    func shortestText(where isAllowed: (UInt32) -> Bool) -> [UInt32]? {
        var work = WorkBudget(.max)
        return shortestText(&work, where: isAllowed)
    }
}
