package import URLPatterns

// The texts that a pattern of a manifest matches, as an automaton whose symbols are UTF-16 units.
extension TextPattern {
    /// The largest automaton that is made.
    static let maxStates = 20_000
    static let maxEdges = 100_000

    /// All texts that the pattern matches; nil if only a build tells, if the automaton is too large, or if it takes a set of
    /// characters beyond ASCII.
    ///
    /// A pattern that gives nothing back has a deterministic one: after a run nothing can follow that the run would take.
    package func automaton() -> PatternAutomaton? {
        guard length < Self.maxStates else { return nil }
        var builder = ManifestAutomatonBuilder()
        switch self {
        case .unresolved: return nil
        case .exact(let units):
            builder.accept(builder.literal(units, from: builder.state()))
        case .prefix(let units):
            let end = builder.literal(units, from: builder.state())
            builder.add(.every, from: end, to: end)
            builder.accept(end)
        case .suffix(let units):
            let start = builder.state()
            builder.add(.every, from: start, to: start)
            builder.accept(builder.literal(units, from: start))
        case .glob(let glob):
            guard glob.addStates(to: &builder) else { return nil }
        case .advanced(let pattern?):
            guard pattern.addStates(to: &builder) else { return nil }
        case .advanced(nil):
            let start = builder.state()
            if !ManifestDecisions.malformedPatternMatchesNothing {
                builder.add(.every, from: start, to: start)
                builder.accept(start)
            }
        }
        return builder.automaton
    }
}

/// A set of UTF-16 units that an edge takes: some of ASCII, and either all or none of the others; or a single unit.
struct UnitSet: Equatable {
    private enum Kind: Equatable {
        case one(UInt16)
        /// A bit for each ASCII character.
        case several(low: UInt64, high: UInt64, others: Bool)
    }

    private let kind: Kind

    static let every = UnitSet(kind: .several(low: .max, high: .max, others: true))

    static func one(_ unit: UInt16) -> UnitSet { UnitSet(kind: .one(unit)) }

    private init(kind: Kind) { self.kind = kind }

    /// - Returns: Nil if it divides the characters beyond ASCII.
    init?(_ ranges: [ClosedRange<UInt16>], isInverted: Bool) {
        guard ranges.allSatisfy({ $0.upperBound < 0x80 }) else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        for range in ranges {
            for unit in range { if unit < 64 { low |= 1 << UInt64(unit) } else { high |= 1 << UInt64(unit - 64) } }
        }
        kind =
            isInverted ? .several(low: ~low, high: ~high, others: true) : .several(low: low, high: high, others: false)
    }

    private func contains(_ unit: UInt16) -> Bool {
        switch kind {
        case .one(let own): own == unit
        case .several(let low, let high, let others):
            unit >= 0x80 ? others : (unit < 64 ? low >> UInt64(unit) : high >> UInt64(unit - 64)) & 1 == 1
        }
    }

    private var isEmpty: Bool { kind == .several(low: 0, high: 0, others: false) }

    /// The units that are not in another set; nil if that cannot be said with one label.
    func subtracting(_ other: UnitSet) -> UnitSet? {
        let nothing = UnitSet(kind: .several(low: 0, high: 0, others: false))
        switch (kind, other.kind) {
        case (.one(let unit), _): return other.contains(unit) ? nothing : self
        case (.several(_, _, let others), .one(let unit)) where unit >= 0x80: return others ? nil : self
        case (.several(let low, let high, let others), .one(let unit)):
            return UnitSet(
                kind: .several(
                    low: unit < 64 ? low & ~(1 << UInt64(unit)) : low,
                    high: unit < 64 ? high : high & ~(1 << UInt64(unit - 64)), others: others))
        case (.several(let low, let high, let others), .several(let otherLow, let otherHigh, let otherOthers)):
            return UnitSet(
                kind: .several(low: low & ~otherLow, high: high & ~otherHigh, others: others && !otherOthers))
        }
    }

    /// Nil if it is empty.
    fileprivate var label: PatternAutomaton.Label? {
        guard !isEmpty else { return nil }
        switch kind {
        case .one(let unit): return .symbol(UInt32(unit))
        case .several(let low, let high, let others):
            // Those that the label lists: what it takes, or what it does not.
            let (low, high) = others ? (~low, ~high) : (low, high)
            let first = UInt32(low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount)
            switch (low.nonzeroBitCount + high.nonzeroBitCount, others) {
            case (0, true): return .any
            case (1, true): return .anyExcept(first)
            case (_, true): return .anyExceptSet(ByteSet(ascii: low, high))
            case (1, false): return .symbol(first)
            case (_, false): return .set(ByteSet(ascii: low, high))
            }
        }
    }
}

/// Puts an automaton together; state 0 is the start.
struct ManifestAutomatonBuilder {
    private var states: [[PatternAutomaton.Edge]] = []
    private var accepting: [Bool] = []
    private(set) var edgeCount = 0

    mutating func state() -> Int {
        states.append([])
        accepting.append(false)
        return states.count - 1
    }

    mutating func accept(_ state: Int, _ isAccepting: Bool = true) { accepting[state] = isAccepting }

    mutating func add(_ units: UnitSet, from state: Int, to target: Int) {
        guard let label = units.label else { return }
        edgeCount += 1
        states[state].append(PatternAutomaton.Edge(label: label, target: target))
    }

    /// - Returns: The state after the text.
    mutating func literal(_ units: [UInt16], from state: Int) -> Int {
        var last = state
        for unit in units {
            let next = self.state()
            add(.one(unit), from: last, to: next)
            last = next
        }
        return last
    }

    var automaton: PatternAutomaton {
        PatternAutomaton(percentEncoded: false, states: states, accepting: accepting)
    }
}

/// The units with which a pattern goes on from a point, and the states that they lead to.
typealias UnitEdges = [(units: UnitSet, target: Int)]

extension [(units: UnitSet, target: Int)] {
    /// The edges for the units that are not in a set; nil if that cannot be said.
    func subtracting(_ other: UnitSet) -> UnitEdges? {
        var result: UnitEdges = []
        for edge in self {
            guard let units = edge.units.subtracting(other) else { return nil }
            result.append((units, edge.target))
        }
        return result
    }
}
