internal import Android
internal import URLPatterns

/// The path patterns of Android's rules for the path pattern of one of Apple's.
///
/// For an inclusion they match nothing else, for an exclusion everything that it does; which of the candidates do is found
/// by walking the automata of all of them.
struct PathTranslation {
    /// The patterns; nil if every path matches.
    private(set) var patterns: [String]? = []
    /// Patterns whose paths have to be excluded before the others open too much.
    private(set) var guards: [String] = []
    private(set) var reason: String?

    /// - Parameters:
    ///   - elements: The pattern as it is compared.
    ///   - expansion: The patterns without variables that it stands for.
    init(
        _ elements: [PatternElement], _ comparison: Comparison, _ expansion: PatternExpansion, excludes: Bool,
        _ variables: PatternVariables, _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        reason = expansion.reason
        var candidates: [PatternTokens] = []
        var seen = Set<PatternTokens>()
        for pattern in expansion.patterns {
            guard let own = Self.candidates(pattern) else {
                patterns = nil
                return
            }
            candidates += own.filter { seen.insert($0).inserted }
        }
        guard let wanted = PartPattern(elements, comparison, isPath: true, variables, budget) else {
            tooLarge(excludes)
            return
        }
        if excludes {
            widen(wanted, candidates, limits, budget)
        } else {
            narrow(wanted, candidates, limits, budget)
        }
    }

    private mutating func tooLarge(_ excludes: Bool) {
        reason = reason ?? "its pattern is too large"
        patterns = excludes ? nil : []
    }

    /// The patterns that together may say what one of Apple's says: with and without a slash at the end, without the tail
    /// `/*`, and with a last segment that is not empty; nil if every path matches.
    private static func candidates(_ pattern: PatternTokens) -> [PatternTokens]? {
        let start = PatternTokens.Token.character("/")
        var core = Array(pattern.tokens.drop { $0.isSlash })
        while core.last?.isSlash == true { core.removeLast() }
        if !core.isEmpty, core.allSatisfy({ $0 == .run }) { return nil }
        if core.isEmpty { return [PatternTokens([start])] }
        var forms = [[start] + core]
        if core.count > 2, core.suffix(2) == [start, .run] {
            var parent = Array(core.dropLast(2))
            while parent.last?.isSlash == true { parent.removeLast() }
            forms.insert([start] + parent, at: 0)
        }
        let filled = forms.filter { $0.suffix(2) == [start, .run] }.map { Array($0.dropLast()) + [.any, .run] }
        return (forms + forms.map { $0 + [start] } + filled).map(PatternTokens.init)
    }

    private func regions(
        _ wanted: PartPattern, _ patterns: [PatternTokens], _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) -> [Set<Int>]? {
        let all = [wanted] + patterns.map { PartPattern(AndroidPattern($0.text), budget) }
        let product = ProductAutomaton(all, .path, .ordinary, budget)
        let found = URLSpaceWalk.regions(PathReader(product), prefix: [UInt8(ascii: "/")], limits, budget)
        // Number 0 is the pattern that is wanted, and the others follow.
        return found.isComplete ? found.regions.map { Set($0.satisfied.map(Int.init)) } : nil
    }

    private mutating func narrow(
        _ wanted: PartPattern, _ candidates: [PatternTokens], _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        let guards = candidates.map(Self.withoutLastSlash)
        let written = guards.compactMap { $0 }
        guard let regions = self.regions(wanted, candidates + written, limits, budget) else {
            tooLarge(false)
            return
        }
        var next = candidates.count + 1
        let guardNumbers = guards.map { pattern -> Int? in
            guard pattern != nil else { return nil }
            next += 1
            return next - 1
        }
        var kept: [Int] = []
        var used: [Int] = []
        for index in candidates.indices {
            let wrong = regions.filter { $0.contains(index + 1) && !$0.contains(0) }
            if wrong.isEmpty {
                kept.append(index + 1)
            } else if let number = guardNumbers[index], wrong.allSatisfy({ $0.contains(number) }) {
                kept.append(index + 1)
                used.append(number)
            }
        }
        let hits = regions.filter { $0.contains(0) }
        func covers(_ numbers: [Int]) -> Int {
            hits.count { hit in numbers.contains(where: hit.contains) && !used.contains(where: hit.contains) }
        }
        let most = covers(kept)
        if most < hits.count { reason = reason ?? Self.starReason(candidates) }
        for number in kept.reversed() where kept.count > 1 {
            let fewer = kept.filter { $0 != number }
            if covers(fewer) == most { kept = fewer }
        }
        let needed = Set(kept.compactMap { guardNumbers[$0 - 1] })
        self.guards = used.filter(needed.contains).map { (candidates + written)[$0 - 1].text }
        if !self.guards.isEmpty { reason = reason ?? "a '?' at the end of the path also takes a '/' on Android" }
        patterns = kept.map { candidates[$0 - 1].text }
    }

    /// The paths that the wildcards at the end of a pattern take wrongly: those whose last slash is no part of what Apple
    /// compares.
    private static func withoutLastSlash(_ pattern: PatternTokens) -> PatternTokens? {
        var tokens = pattern.tokens
        if tokens.last == .run { tokens.removeLast() }
        guard tokens.last == .any else { return nil }
        tokens[tokens.count - 1] = .character("/")
        return PatternTokens(tokens)
    }

    private mutating func widen(
        _ wanted: PartPattern, _ candidates: [PatternTokens], _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        var own = candidates
        let shorter = candidates.count <= 6 ? Self.beginnings(candidates) : candidates.compactMap(\.cutAtFirstRun)
        guard let regions = self.regions(wanted, own + shorter, limits, budget) else {
            tooLarge(true)
            return
        }
        let hits = regions.filter { $0.contains(0) }
        func covers(_ numbers: [Int]) -> Bool { hits.allSatisfy { hit in numbers.contains(where: hit.contains) } }
        var kept = Array(own.indices.map { $0 + 1 })
        if !covers(kept) {
            reason = reason ?? Self.starReason(candidates)
            let first = own.count + 1
            let all = Array(first..<first + shorter.count)
            own += shorter
            if let one = all.first(where: { covers(kept + [$0]) }) {
                kept.append(one)
            } else if covers(kept + all) {
                kept += all
            } else {
                patterns = nil
                return
            }
        }
        // What takes too much goes first, and then what was added last.
        let isWide = Set(regions.filter { !$0.contains(0) }.joined())
        for number in kept.filter(isWide.contains).reversed() + kept.filter({ !isWide.contains($0) }).reversed() {
            let fewer = kept.filter { $0 != number }
            if covers(fewer), !fewer.isEmpty { kept = fewer }
        }
        let wide = kept.filter(isWide.contains)
        if !wide.isEmpty {
            let hasEnd = wide.contains { Self.withoutLastSlash(own[$0 - 1]) != nil }
            reason =
                reason ?? (hasEnd ? "a '?' at the end of the path also takes a '/' on Android" : Self.starReason(own))
        }
        patterns = kept.map { own[$0 - 1].text }
    }

    /// The beginnings of patterns with a `*` behind them, the longest first.
    private static func beginnings(_ patterns: [PatternTokens]) -> [PatternTokens] {
        var seen = Set<PatternTokens>()
        let all = patterns.flatMap { pattern in
            (1..<max(2, pattern.tokens.count)).map { PatternTokens(Array(pattern.tokens.prefix($0)) + [.run]).ordered }
        }
        return all.filter { seen.insert($0).inserted }.sorted { $0.tokens.count > $1.tokens.count }
    }

    private static func starReason(_ patterns: [PatternTokens]) -> String {
        let stops = patterns.contains { $0.tokens.last?.isSlash == false && AndroidPattern($0.text).readingsDiffer }
        return stops
            ? "on Android a '*' ends at the first occurrence of what follows it"
            : "no pattern on Android matches the same paths"
    }
}
