internal import AppSiteAssociation

extension TokenTable {
    /// Whether one row of tokens covers another, each of whose wildcards only a wildcard covers.
    ///
    /// For a text it is the usual comparison with a pattern. For a pattern it is enough to show that its texts are covered,
    /// but not needed.
    func matches(_ pattern: [UInt32], _ text: [UInt32], _ budget: inout WorkBudget) -> Bool {
        var place = 0
        var offset = 0
        // The last run, and what it has taken so far.
        var run: (place: Int, offset: Int)?
        var steps = 0
        defer { budget.spend(steps) }
        while offset < text.count {
            steps += 1
            if steps & 0xFFFF == 0 {
                budget.spend(steps)
                steps = 0
                if budget.isSpent { return false }
            }
            if place < pattern.count, pattern[place] == PatternToken.anyRun {
                run = (place, offset)
                place += 1
            } else if place < pattern.count, covers(pattern[place], text[offset]) {
                place += 1
                offset += 1
            } else if let last = run {
                run = (last.place, last.offset + 1)
                place = last.place + 1
                offset = last.offset + 1
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == PatternToken.anyRun { place += 1 }
        return place == pattern.count
    }

    private func covers(_ token: UInt32, _ other: UInt32) -> Bool {
        if token == other { return token != PatternToken.anyRun }
        if PatternToken.isSymbol(token) { return false }
        if token == PatternToken.anyCharacter {
            guard PatternToken.isSymbol(other) || PatternToken.isSet(other) else { return false }
            return OpenDecisions.questionMarkMatchesSlash || other != PatternSymbol.slash
        }
        guard PatternToken.isSet(token) else { return false }
        if PatternToken.isSymbol(other) {
            return other < 0x80 && set(token).contains(UInt8(truncatingIfNeeded: other))
        }
        return PatternToken.isSet(other) && set(other).isSubset(of: set(token))
    }
}
