internal import URLPatterns

/// Searches a shortest text that a pattern matches with backtracking and not without.
///
/// It goes through both readings together. Without backtracking there is one state for each text, so the search is exact.
struct LostTextSearch {
    private let units: [UInt16]
    private let steps: [AndroidPattern.Step]
    private let beginning: UInt16?
    /// A state of both readings: the offset in the pattern, and the number of the step, or `lost`.
    private var seen = Set<Pair>()
    private var waiting: [(pair: Pair, unit: UInt16, origin: Int)] = []

    private struct Pair: Hashable {
        var offset: Int
        let step: Int
        /// The end of the text so far.
        let end: End
    }

    private enum End {
        /// The text is empty.
        case nothing
        case character
        /// The first half of a surrogate pair.
        case half
    }

    /// The state without backtracking from which nothing matches any more.
    private static let lost = -1

    init(_ units: [UInt16], _ steps: [AndroidPattern.Step], beginning: UInt16? = nil) {
        self.units = units
        self.steps = steps
        self.beginning = beginning
    }

    /// The text; nil if there is none, or if to find it takes more than is left.
    mutating func run(_ budget: inout WorkBudget) -> [UInt16]? {
        visit(Pair(offset: 0, step: 0, end: .nothing), 0, origin: -1)
        var next = 0
        while next < waiting.count {
            let pair = waiting[next].pair
            if pair.offset == units.count {
                let isText = pair.end != .half && (beginning == nil || pair.end != .nothing)
                if isText, !isEnd(pair.step) { return text(to: next) }
            } else {
                let wanted = units[pair.offset]
                let isStar = wanted == AndroidPattern.star
                let isFree = isStar || wanted == AndroidPattern.questionMark
                for unit in isFree ? choices(at: pair) : [wanted] where isAllowed(unit, after: pair.end) {
                    let end: End = UTF16.isLeadSurrogate(unit) ? .half : .character
                    let target = isStar ? pair.offset : pair.offset + 1
                    visit(Pair(offset: target, step: step(pair.step, unit), end: end), unit, origin: next)
                }
            }
            budget.spend(8)
            if budget.isSpent { return nil }
            next += 1
        }
        return nil
    }

    /// Takes up a state, and those that are reached from it without a text.
    private mutating func visit(_ pair: Pair, _ unit: UInt16, origin: Int) {
        var pair = pair
        while seen.insert(pair).inserted {
            waiting.append((pair, unit, origin))
            guard pair.offset < units.count, units[pair.offset] == AndroidPattern.star else { return }
            pair.offset += 1
        }
    }

    /// Whether the text stays well-formed, and begins as it has to.
    private func isAllowed(_ unit: UInt16, after end: End) -> Bool {
        if end == .nothing, let beginning, unit != beginning { return false }
        return UTF16.isTrailSurrogate(unit) == (end == .half)
    }

    private func isEnd(_ step: Int) -> Bool { step == steps.count || step >= 0 && steps[step] == .rest }

    private func step(_ step: Int, _ unit: UInt16) -> Int {
        guard step >= 0, step < steps.count else { return Self.lost }
        switch steps[step] {
        case .unit(let wanted): return wanted == unit ? step + 1 : Self.lost
        case .any: return step + 1
        case .skip(let wanted): return wanted == unit ? step + 1 : step
        case .rest: return step
        }
    }

    /// Units such that each other one that is allowed leads to the same state as the last of these.
    private func choices(at pair: Pair) -> [UInt16] {
        var choices: [UInt16] = []
        if pair.end == .nothing, let beginning { choices.append(beginning) }
        if pair.step >= 0, pair.step < steps.count {
            switch steps[pair.step] {
            case .unit(let wanted), .skip(let wanted): choices.append(wanted)
            case .any, .rest: break
            }
        }
        let ordinary = pair.end == .half ? Self.trail : Self.letter
        choices.append(choices.contains(ordinary) ? ordinary + 1 : ordinary)
        return choices
    }

    private static let letter = UInt16(UInt8(ascii: "a"))
    /// A second half of a surrogate pair.
    private static let trail: UInt16 = 0xDC00

    private func text(to index: Int) -> [UInt16] {
        var text: [UInt16] = []
        var index = index
        while waiting[index].origin >= 0 {
            text.append(waiting[index].unit)
            index = waiting[index].origin
        }
        return text.reversed()
    }
}
