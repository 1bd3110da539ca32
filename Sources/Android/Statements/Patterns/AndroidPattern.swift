package import URLPatterns

/// A pattern of a dynamic rule, for a whole part of a URL (android.md, section 2).
///
/// It is over UTF-16 units, as on Android: `?` takes one of them.
package struct AndroidPattern: Sendable {
    package let text: String
    /// The pattern as it is compared by backtracking.
    let units: [UInt16]
    /// The same as it is compared without.
    let steps: [Step]
    /// Whether there is a text that one reading takes and the other does not.
    package let readingsDiffer: Bool

    /// A step of a comparison without backtracking.
    package enum Step: Equatable, Sendable {
        case unit(UInt16)
        case any
        /// To the first occurrence of a unit, and over it.
        case skip(to: UInt16)
        /// All that is left.
        case rest
    }

    static let star = UInt16(UInt8(ascii: "*"))
    static let questionMark = UInt16(UInt8(ascii: "?"))

    package init(_ text: String) {
        let units = Array(text.utf16)
        let steps = Self.steps(units)
        self.text = text
        self.units = units
        self.steps = steps
        readingsDiffer = Self.readingsDiffer(units, steps)
    }

    private static func steps(_ units: [UInt16]) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            let unit = units[index]
            index += 1
            guard unit == star else {
                steps.append(unit == questionMark ? .any : .unit(unit))
                continue
            }
            guard index < units.count else {
                steps.append(.rest)
                break
            }
            let next = units[index]
            index += 1
            let isBeforeWildcard = next == star || next == questionMark
            steps.append(.skip(to: isBeforeWildcard ? AndroidDecisions.characterSoughtBeforeWildcard : next))
            if next == star { steps.append(AndroidDecisions.secondStarIsLiteral ? .unit(star) : .rest) }
        }
        return steps
    }

    /// Whether the pattern covers the whole text; nil if to find out takes more than is left.
    package func matches(
        _ text: [UInt16], reading: WildcardReading = AndroidDecisions.reading, _ budget: inout WorkBudget
    ) -> Bool? {
        matches(text[...], reading: reading, &budget)
    }

    /// Whether the pattern covers the whole text; nil if to find out takes more than is left.
    package func matches(_ text: ArraySlice<UInt16>, reading: WildcardReading, _ budget: inout WorkBudget) -> Bool? {
        if budget.isSpent { return nil }
        switch reading {
        case .android:
            budget.spend(4 + steps.count + text.count)
            return matchesAtOnce(text)
        case .backtracking: return matchesByBacktracking(text, &budget)
        }
    }

    private func matchesAtOnce(_ text: ArraySlice<UInt16>) -> Bool {
        var rest = text
        for step in steps {
            switch step {
            case .unit(let unit):
                guard rest.popFirst() == unit else { return false }
            case .any:
                guard rest.popFirst() != nil else { return false }
            case .skip(let unit):
                guard let found = rest.firstIndex(of: unit) else { return false }
                rest = rest[(found + 1)...]
            case .rest: return true
            }
        }
        return rest.isEmpty
    }

    /// Makes every `*` as long as it has to be; no earlier one is looked at again, for that cannot help.
    private func matchesByBacktracking(_ text: ArraySlice<UInt16>, _ budget: inout WorkBudget) -> Bool? {
        var (next, offset) = (0, text.startIndex)
        var lastStar: (next: Int, offset: Int)?
        while offset < text.endIndex {
            budget.spend(2)
            if budget.isSpent { return nil }
            if next < units.count, units[next] == Self.star {
                next += 1
                lastStar = (next, offset)
            } else if next < units.count, units[next] == Self.questionMark || units[next] == text[offset] {
                next += 1
                offset += 1
            } else if let star = lastStar {
                (next, offset) = (star.next, star.offset + 1)
                lastStar = (next, offset)
            } else {
                return false
            }
        }
        return units[next...].allSatisfy { $0 == Self.star }
    }
}
