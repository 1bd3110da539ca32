internal import BoundedText
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
    private static let maxStored = 2_048

    /// Nil if it is malformed: a modifier without a token before it, a set or a repetition that is empty or does not end, a
    /// backslash at the end, or more than Android stores.
    package init?(_ pattern: String) {
        var reader = Reader(pattern)
        guard let steps = reader.steps(), reader.stored <= Self.maxStored - 3 else { return nil }
        self.steps = steps
        length = reader.stored
    }

    /// The characters that it names, of ranges the first and the last.
    var units: [UInt16] {
        steps.flatMap { step in
            switch step.token {
            case .one(let unit): [unit]
            case .anyOne: [] as [UInt16]
            case .set(let ranges, _): ranges.flatMap { [$0.lowerBound, $0.upperBound] }
            }
        }
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
    /// Adds a state for each number of times that a token can have come, and their edges.
    ///
    /// - Returns: Whether that was possible.
    func addStates(to builder: inout ManifestAutomatonBuilder) -> Bool {
        // The states of a step, by how often its token has come: as far as that makes a difference.
        let counts = steps.map { $0.most == .max ? $0.least + 1 : max(1, $0.most) }
        guard counts.allSatisfy({ $0 <= TextPattern.maxStates }), counts.reduce(0, +) <= TextPattern.maxStates else {
            return false
        }
        let states = counts.map { count in (0..<count).map { _ in builder.state() } }
        let end = builder.state()
        builder.accept(end)
        var following: UnitEdges = []
        var isEnd = true
        // What is possible from a step depends on what follows, so the last one comes first.
        for (index, step) in steps.enumerated().reversed() {
            guard let units = step.token.units else { return false }
            let next = index + 1 < steps.count ? states[index + 1][0] : end
            guard let rest = following.subtracting(units) else { return false }
            let endsAfter = isEnd
            for (count, state) in states[index].enumerated().reversed() {
                var edges: UnitEdges = []
                if count < step.most {
                    let last = states[index].count - 1
                    let target =
                        step.most == .max
                        ? states[index][min(count + 1, last)]
                        : count + 1 == step.most ? next : states[index][count + 1]
                    edges.append((units, target))
                }
                // A token that comes no time excludes nothing after it.
                if count >= step.least { edges += step.most == 0 ? following : rest }
                for edge in edges { builder.add(edge.units, from: state, to: edge.target) }
                builder.accept(state, count >= step.least && endsAfter)
                guard builder.edgeCount <= TextPattern.maxEdges else { return false }
                if count == 0 { (following, isEnd) = (edges, count >= step.least && endsAfter) }
            }
        }
        return true
    }
}

extension AdvancedGlob.Token {
    /// Nil if it divides the characters beyond ASCII.
    fileprivate var units: UnitSet? {
        switch self {
        case .one(let unit): .one(unit)
        case .anyOne: .every
        case .set(let ranges, let isInverted): UnitSet(ranges, isInverted: isInverted)
        }
    }
}

extension AdvancedGlob {
    /// The texts that the pattern would match if its tokens gave characters back where that helps; nil if it takes a set beyond ASCII.
    ///
    /// - Parameter starsAreAny: Whether a `*` after a character is any text, as in patterns of other kinds.
    func pieces(starsAreAny: Bool) -> [PatternPiece]? {
        var pieces: [PatternPiece] = []
        for step in steps {
            guard let units = step.token.units else { return nil }
            if starsAreAny, case .one = step.token, step.least == 0, step.most == .max {
                pieces += [PatternPiece(units), PatternPiece(.every, 0, .max)]
            } else {
                pieces.append(PatternPiece(units, step.least, step.most))
            }
        }
        return pieces
    }

    /// The reason why a pattern is malformed; nil if it is not.
    static func problem(_ pattern: String) -> String? {
        var reader = Reader(pattern)
        guard reader.steps() != nil else { return reader.problem }
        return reader.stored > maxStored - 3 ? "it is longer than Android stores" : nil
    }
}

extension AdvancedGlob {
    /// Reads a pattern from left to right.
    private struct Reader {
        private let units: [UInt16]
        private var index = 0
        /// The numbers with which Android stores what was read.
        private(set) var stored = 0
        /// The reason why it cannot be read on.
        private(set) var problem = ""

        init(_ pattern: String) { units = Array(pattern.utf16) }

        mutating func steps() -> [Step]? {
            var steps: [Step] = []
            var isRepeatable = false
            while index < units.count {
                let unit = units[index]
                index += 1
                switch Unicode.Scalar(unit) {
                case "[":
                    problem = "a set of characters is empty or does not end with ']'"
                    guard let set = set() else { return nil }
                    steps.append(Step(token: set))
                    isRepeatable = true
                case ".":
                    steps.append(Step(token: .anyOne))
                    stored += 1
                    isRepeatable = true
                case "*", "+", "{":
                    guard isRepeatable, let last = steps.indices.last else {
                        problem = "nothing is before '\(Character(Unicode.Scalar(unit) ?? "*"))' that it could repeat"
                        return nil
                    }
                    isRepeatable = false
                    stored += 1
                    steps[last].most = .max
                    switch Unicode.Scalar(unit) {
                    case "*": steps[last].least = 0
                    case "+": break
                    default:
                        problem = "a number, or two, is expected between '{' and '}'"
                        guard let (least, most) = repetition() else { return nil }
                        (steps[last].least, steps[last].most) = (least, most)
                        stored += 3
                    }
                // Android skips one that ends nothing.
                case "}": break
                case "\\":
                    problem = "nothing follows the '\\' at its end"
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
            let numbers = parts.map { Int32(String(units: $0)).map(Int.init) }
            guard let first = numbers.first, let least = first else { return nil }
            guard numbers.count > 1 else { return (least, least) }
            guard !parts[1].isEmpty else { return (least, .max) }
            guard let most = numbers[1], least <= most else { return nil }
            return (least, most)
        }
    }
}
