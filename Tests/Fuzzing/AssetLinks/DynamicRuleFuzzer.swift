import Android
import FuzzingSupport
import URLPatterns

/// Compares the matcher of dynamic rules with a slow one, on random rules and URLs.
package struct DynamicRuleFuzzer {
    private var generator: RandomDynamicRules
    /// The number of decisions that were compared.
    package private(set) var decisions = 0
    /// The number of those that some component decided.
    package private(set) var matches = 0

    package init(seed: UInt64) {
        generator = RandomDynamicRules(seed: seed)
    }

    /// Makes a list and compares decisions about so many URLs; returns the first difference.
    package mutating func round(urls count: Int) -> String? {
        let random = generator.components()
        let components = random.components
        let matcher = DynamicRuleMatcher(components)
        for _ in 0..<count {
            let url = generator.url()
            decisions += 1
            let expected = SlowDynamicRules.firstMatch(random, url)
            if expected != nil { matches += 1 }
            var budget = WorkBudget.unlimited
            let found = AndroidURL(url).flatMap { matcher.decide($0, &budget)?.component?.component }
            if found != expected { return "\(random)\n\(url)\nslow \(expected as Any), ours \(found as Any)" }
        }
        return nil
    }

    /// Compares both readings of a random pattern, and its automata, with slow ones; returns the first difference.
    package mutating func patternRound(texts count: Int) -> String? {
        let text = generator.pattern()
        let pattern = AndroidPattern(text)
        let automata = [WildcardReading.android, .backtracking].map { pattern.automaton(reading: $0) }
        var differed = false
        var budget = WorkBudget.unlimited
        var random = generator.random
        for _ in 0..<count {
            let sample = random.list(of: ["a", "b", "/", ".", "*", "é", "ab", "=", "%61"], upTo: 8).joined()
            let units = Array(sample.utf16)
            let own = SlowDynamicRules.covers(text, units)
            let other = SlowDynamicRules.coversBacktracking(Array(text.utf16)[...], units[...])
            if own != other { differed = true }
            let found = [
                pattern.matches(units, reading: .android, &budget),
                pattern.matches(units, reading: .backtracking, &budget),
            ]
            let accepted = automata.map { $0.acceptsUnits(units) }
            if found != [own, other] || accepted != [own, other] {
                return "'\(text)' and '\(sample)': slow \([own, other]), matcher \(found), automata \(accepted)"
            }
        }
        if differed, !pattern.readingsDiffer { return "'\(text)': the readings differ, and it does not know" }
        guard pattern.readingsDiffer else { return nil }
        guard let lost = pattern.lostText(&budget) else { return "'\(text)': there is no text that is lost" }
        let units = Array(lost.utf16)
        let isLost =
            !SlowDynamicRules.covers(text, units)
            && SlowDynamicRules.coversBacktracking(Array(text.utf16)[...], units[...])
        let hasStar = pattern.hasStarBeforeWildcard || pattern.losingStar != nil
        return isLost && hasStar ? nil : "'\(text)': '\(lost)' is not lost"
    }
}

extension PatternAutomaton {
    fileprivate func acceptsUnits(_ text: [UInt16]) -> Bool {
        var states = Set(starts)
        for unit in text {
            var next = Set<Int>()
            for state in states {
                for edge in edges(from: state) where edge.label.contains(UInt32(unit)) { next.insert(edge.target) }
            }
            states = next
        }
        return states.contains { isAccepting($0) }
    }
}
