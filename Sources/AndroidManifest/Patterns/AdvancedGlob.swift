internal import URLPatterns

/// A `pathAdvancedPattern` (Android, `PATTERN_ADVANCED_GLOB`): characters, `.` for any one, sets such as `[a-z]` and
/// `[^0-9]`, each of them with `*`, `+`, `{n}`, `{n,}` or `{n,m}` behind it; `\` takes the meaning away.
///
/// Each token takes as much as it can, and nothing is given back.
package struct AdvancedGlob: Hashable, Sendable {
    fileprivate enum Token: Hashable {
        case one(UInt16)
        case anyOne
        /// Pairs of the first and last characters.
        case set([ClosedRange<UInt16>], isInverted: Bool)
    }

    private struct Step: Hashable {
        let token: Token
        var least = 1
        var most = 1
    }

    private let steps: [Step]
    /// The number of its tokens and of the ranges in its sets.
    let length: Int

    /// Android reads no pattern that is longer, in tokens and modifiers as it stores them.
    private static let mostStored = 2_048

    /// Nil if it is malformed: a modifier without a token before it, a set or a repetition that is empty or does not end, a
    /// backslash at the end, or more than Android stores.
    package init?(_ pattern: String) {
        var reader = Reader(pattern)
        guard let steps = reader.steps(), reader.stored <= Self.mostStored - 3 else { return nil }
        self.steps = steps
        length = reader.stored
    }

    package func matches(_ text: String) -> Bool {
        var budget = WorkBudget.unlimited
        return matches(Array(text.utf16), &budget) == .yes
    }

    func matches(_ units: [UInt16], _ budget: inout WorkBudget) -> Decision {
        var index = 0
        for step in steps {
            var count = 0
            while count < step.most, index < units.count, step.token.takes(units[index], &budget) {
                count += 1
                index += 1
            }
            if budget.isSpent { return .undecided }
            guard count >= step.least else { return .no }
        }
        return Decision(index == units.count)
    }
}

extension AdvancedGlob.Token {
    fileprivate func takes(_ unit: UInt16, _ budget: inout WorkBudget) -> Bool {
        switch self {
        case .one(let own): return own == unit
        case .anyOne: return true
        case .set(let ranges, let isInverted):
            budget.spend(ranges.count)
            return !budget.isSpent && ranges.contains { $0.contains(unit) } != isInverted
        }
    }
}

extension AdvancedGlob {
    /// Reads a pattern from left to right.
    private struct Reader {
        private let units: [UInt16]
        private var index = 0
        /// The numbers with which Android stores what was read.
        private(set) var stored = 0

        init(_ pattern: String) { units = Array(pattern.utf16) }

        mutating func steps() -> [Step]? {
            var steps: [Step] = []
            var isRepeatable = false
            while index < units.count {
                let unit = units[index]
                index += 1
                switch Unicode.Scalar(unit) {
                case "[":
                    guard let set = set() else { return nil }
                    steps.append(Step(token: set))
                    isRepeatable = true
                case ".":
                    steps.append(Step(token: .anyOne))
                    stored += 1
                    isRepeatable = true
                case "*", "+", "{":
                    guard isRepeatable, let last = steps.indices.last else { return nil }
                    isRepeatable = false
                    stored += 1
                    steps[last].most = .max
                    switch Unicode.Scalar(unit) {
                    case "*": steps[last].least = 0
                    case "+": break
                    default:
                        guard let (least, most) = repetition() else { return nil }
                        (steps[last].least, steps[last].most) = (least, most)
                        stored += 3
                    }
                // Android skips one that ends nothing.
                case "}": break
                case "\\":
                    guard index < units.count else { return nil }
                    steps.append(Step(token: .one(units[index])))
                    index += 1
                    stored += 1
                    isRepeatable = true
                default:
                    steps.append(Step(token: .one(unit)))
                    stored += 1
                    isRepeatable = true
                }
            }
            return steps
        }

        /// A set, from what follows its bracket.
        private mutating func set() -> Token? {
            let isInverted = index < units.count && units[index] == UInt16(ascii: "^")
            if isInverted { index += 1 }
            var ranges: [ClosedRange<UInt16>] = []
            var isEmpty = true
            while index < units.count {
                if units[index] == UInt16(ascii: "]") {
                    index += 1
                    stored += 2
                    return isEmpty ? nil : .set(ranges, isInverted: isInverted)
                }
                guard let first = member() else { return nil }
                isEmpty = false
                stored += 2
                guard index + 1 < units.count, units[index] == UInt16(ascii: "-"),
                    units[index + 1] != UInt16(ascii: "]")
                else {
                    ranges.append(first...first)
                    continue
                }
                index += 1
                guard let last = member() else { return nil }
                // One that is the wrong way round has no characters.
                if first <= last { ranges.append(first...last) }
            }
            return nil
        }

        private mutating func member() -> UInt16? {
            if units[index] == UInt16(ascii: "\\") { index += 1 }
            guard index < units.count else { return nil }
            defer { index += 1 }
            return units[index]
        }

        /// The number of times that a token may come, from what follows the brace.
        private mutating func repetition() -> (Int, Int)? {
            guard let end = units[index...].firstIndex(of: UInt16(ascii: "}")) else { return nil }
            let parts = units[index..<end].split(
                separator: UInt16(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
            index = end + 1
            let numbers = parts.map { Int32(String(decoding: $0, as: UTF16.self)).map(Int.init) }
            guard let first = numbers.first, let least = first else { return nil }
            guard numbers.count > 1 else { return (least, least) }
            guard !parts[1].isEmpty else { return (least, .max) }
            guard let most = numbers[1], least <= most else { return nil }
            return (least, most)
        }
    }
}
