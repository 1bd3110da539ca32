internal import BoundedText
package import URLPatterns

// Where the two readings differ. Without backtracking a pattern never matches more.
extension AndroidPattern {
    /// Whether there is a text that only one reading takes.
    static func readingsDiffer(_ units: [UInt16], _ steps: [Step]) -> Bool {
        StarBeforeWildcard.occurs(in: units) || losingStep(steps) != nil
    }

    /// Whether a `*` is directly before another wildcard: then a text without any `.` is lost.
    package var hasStarBeforeWildcard: Bool { StarBeforeWildcard.occurs(in: units) }

    /// The first star at which a text is lost: with it and those before it not backtracking, and those behind it doing so.
    ///
    /// The answer is the offset of the star in UTF-16 units; nil if no star loses a text, or one is before another wildcard.
    package var losingStar: Int? {
        guard !hasStarBeforeWildcard, let losing = Self.losingStep(steps) else { return nil }
        // Each step is one unit of the pattern, but for the stars, which are two.
        return steps[..<losing].reduce(0) { $0 + ($1.isSkip ? 2 : 1) }
    }

    /// The first star behind whose character a text can go wrong, so that a later place would have been right: where
    /// another character has to follow before the next star, or the end. Otherwise the first place is as good as any.
    private static func losingStep(_ steps: [Step]) -> Int? {
        var last: Int?
        for (index, step) in steps.enumerated() {
            switch step {
            case .skip: last = index
            case .unit: if let last { return last }
            case .rest: return nil
            case .any: break
            }
        }
        return last
    }

    /// A shortest text that matches with backtracking and not without; nil if there is none, or if to find it takes more than
    /// is left.
    ///
    /// - Parameter beginning: What the text has to begin with.
    package func lostText(beginningWith beginning: UInt16? = nil, _ budget: inout WorkBudget) -> String? {
        guard readingsDiffer else { return nil }
        var search = LostTextSearch(units, steps, beginning: beginning)
        return search.run(&budget).map { String(units: $0) }
    }
}

extension AndroidPattern.Step {
    fileprivate var isSkip: Bool { if case .skip = self { true } else { false } }
}

/// The pairs `**` and `*?` of a pattern, which do not mean what they look like.
private enum StarBeforeWildcard {
    static func occurs(in units: [UInt16]) -> Bool {
        zip(units, units.dropFirst()).contains { pair in
            pair.0 == AndroidPattern.star && (pair.1 == AndroidPattern.star || pair.1 == AndroidPattern.questionMark)
        }
    }
}
