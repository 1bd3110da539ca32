internal import URLPatterns

/// Texts of a part of a URL that the same patterns match, and the shortest of them.
struct PlaneRegion {
    /// The conditions that are met, ascending.
    let met: [Int32]
    /// The text as it stands in a URL, with the `?` or `#` before it; empty if the part is absent.
    let text: [UInt8]
}

/// The kinds of texts of a part.
struct PlaneRegions {
    /// The shortest first.
    var regions: [PlaneRegion] = []
    /// Whether there are no others.
    var isComplete = true

    static let nothing = PlaneRegions(regions: [PlaneRegion(met: [], text: [])])
}

/// The states of several patterns after a text: those of them that may still match.
struct PlaneFront: Hashable, Sequence {
    /// The numbers of patterns, ascending, each followed by its state.
    private(set) var numbers: [Int32] = []

    init() {}

    init(_ tracks: some Sequence<Int>, _ all: [PlaneTrack]) {
        for track in tracks { append(Int32(track), all[track].start) }
    }

    mutating func append(_ track: Int32, _ state: Int32) {
        guard state >= 0 else { return }
        numbers.append(track)
        numbers.append(state)
    }

    var count: Int { numbers.count / 2 }

    /// Each pattern with its state.
    func makeIterator() -> Iterator { Iterator(numbers: numbers) }

    struct Iterator: IteratorProtocol {
        let numbers: [Int32]
        private var index = 0

        init(numbers: [Int32]) { self.numbers = numbers }

        mutating func next() -> (track: Int32, state: Int32)? {
            guard index < numbers.count else { return nil }
            index += 2
            return (numbers[index - 2], numbers[index - 1])
        }
    }

    func stepped(_ symbol: Int, _ tracks: [PlaneTrack]) -> PlaneFront {
        var next = PlaneFront()
        next.numbers.reserveCapacity(numbers.count)
        for (track, state) in self { next.append(track, tracks[Int(track)].step(state, symbol)) }
        return next
    }

    func keeping(_ isIncluded: (Int32) -> Bool) -> PlaneFront {
        var kept = PlaneFront()
        for (track, state) in self where isIncluded(track) { kept.append(track, state) }
        return kept
    }

    /// The patterns that match the text so far.
    func accepted(_ tracks: [PlaneTrack]) -> [Int32] {
        var result: [Int32] = []
        for (track, state) in self where tracks[Int(track)].isAccepting(state) { result.append(track) }
        return result
    }
}

/// A way to read the texts of a part, symbol by symbol.
protocol PlaneReader {
    associatedtype State: Hashable
    var start: State { get }
    var symbols: [PlaneSymbol] { get }
    /// The work that it takes to look at a state.
    func cost(_ state: State) -> Int
    /// Calls for each text that ends at the state, with what follows what was read.
    mutating func ends(_ state: State, _ end: (_ met: [Int32], _ suffix: [UInt8]) -> Void)
    mutating func next(_ state: State, _ symbol: Int) -> State?
    /// Whether it has left out texts that should have been looked at.
    var isIncomplete: Bool { get }
}

/// Looks for all kinds of texts, the shortest first.
enum PlaneWalk {
    /// - Parameters:
    ///   - prefix: The character that stands before a text.
    ///   - reserve: The part of the budget that it leaves to others.
    static func regions<Reader: PlaneReader>(
        _ reader: Reader, prefix: [UInt8], _ limits: ComparisonLimits, _ budget: ComparisonBudget,
        reserve: Int = 0
    ) -> PlaneRegions {
        var reader = reader
        var states = [reader.start]
        var numbers = [reader.start: 0]
        var origins: [(state: Int, symbol: Int)] = [(-1, -1)]
        var lengths = [0]
        var isDone = [false]
        // The states that wait, by the length of their texts.
        var waiting: [[Int]] = [[0]]
        var found: [[Int32]: [UInt8]] = [:]
        var isComplete = true
        var held = 0
        let symbols = reader.symbols

        func text(_ state: Int) -> [UInt8] {
            var pieces: [[UInt8]] = []
            var state = state
            while origins[state].state >= 0 {
                pieces.append(symbols[origins[state].symbol].raw)
                state = origins[state].state
            }
            return prefix + pieces.reversed().joined()
        }

        var length = 0
        search: while length < waiting.count {
            var index = 0
            while index < waiting[length].count {
                let number = waiting[length][index]
                index += 1
                guard !isDone[number] else { continue }
                isDone[number] = true
                let state = states[number]
                reader.ends(state) { met, suffix in
                    if let known = found[met], known.count <= prefix.count + length + suffix.count { return }
                    found[met] = text(number) + suffix
                    budget.spend(length + met.count * 4)
                }
                for symbol in symbols.indices {
                    guard let next = reader.next(state, symbol) else { continue }
                    budget.spend(60)
                    let nextLength = length + symbols[symbol].raw.count
                    if let known = numbers[next] {
                        guard nextLength < lengths[known], !isDone[known] else { continue }
                        lengths[known] = nextLength
                        states[known] = next
                        origins[known] = (number, symbol)
                        add(known, nextLength, to: &waiting)
                    } else if states.count < limits.states, held < limits.held {
                        held += reader.cost(next)
                        numbers[next] = states.count
                        lengths.append(nextLength)
                        origins.append((number, symbol))
                        isDone.append(false)
                        add(states.count, nextLength, to: &waiting)
                        states.append(next)
                    } else {
                        isComplete = false
                    }
                }
                budget.spend(reader.cost(state) * symbols.count * 2)
                if budget.rest <= reserve {
                    isComplete = false
                    break search
                }
            }
            waiting[length] = []
            length += 1
        }
        let regions = found.map { PlaneRegion(met: $0.key, text: $0.value) }
            .sorted { ($0.text.count, $0.met) < ($1.text.count, $1.met) }
        return PlaneRegions(regions: regions, isComplete: isComplete && !reader.isIncomplete)
    }

    private static func add(_ state: Int, _ length: Int, to waiting: inout [[Int]]) {
        while waiting.count <= length { waiting.append([]) }
        waiting[length].append(state)
    }
}

private func < (left: (Int, [Int32]), right: (Int, [Int32])) -> Bool {
    left.0 == right.0 ? left.1.lexicographicallyPrecedes(right.1) : left.0 < right.0
}

/// Reads a path without its first slash.
struct PathReader: PlaneReader {
    private let tracks: [PlaneTrack]
    private let plane: LinkPlane
    private let slash: Int
    /// Drops the patterns that do not matter any more.
    private let prune: (PlaneFront) -> PlaneFront
    let start: State
    let symbols: [PlaneSymbol]
    let isIncomplete = false

    struct State: Hashable {
        var front: PlaneFront
        var segment: Segment
    }

    /// The part of a segment that has been read.
    enum Segment: Hashable {
        /// Nothing of the path at all.
        case none
        /// Nothing behind a slash, which may be escaped.
        case empty
        case dot, dots
        case some
    }

    init(
        _ tracks: [PlaneTrack], _ symbols: [PlaneSymbol], _ plane: LinkPlane,
        prune: @escaping (PlaneFront) -> PlaneFront
    ) {
        self.tracks = tracks
        self.symbols = symbols
        self.plane = plane
        self.prune = prune
        slash = symbols.firstIndex { $0.is("/") && !$0.isEscaped } ?? -1
        var front = PlaneFront()
        for (index, track) in tracks.enumerated() {
            front.append(Int32(index), track.pattern.view == .android ? track.step(track.start, slash) : track.start)
        }
        start = State(front: prune(front), segment: .none)
    }

    func cost(_ state: State) -> Int { 4 + state.front.count * 2 }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        if plane == .every { return end(state.front.accepted(tracks), []) }
        guard state.segment == .none || state.segment == .some else { return }
        end(state.front.accepted(tracks), [])
        guard state.segment == .some else { return }
        // To Apple's rules a slash at the end is none.
        var matched: [Int32] = []
        for (track, current) in state.front {
            let pattern = tracks[Int(track)]
            let last = pattern.pattern.view == .android ? pattern.step(current, slash) : current
            if pattern.isAccepting(last) { matched.append(track) }
        }
        end(matched, symbols[slash].raw)
    }

    func next(_ state: State, _ symbol: Int) -> State? {
        var segment = Segment.some
        if plane == .ordinary {
            guard let following = Self.following(state.segment, symbols[symbol]) else { return nil }
            segment = following
        }
        let front = state.front.stepped(symbol, tracks)
        // Nothing matches any more, whatever follows; one such text is enough.
        if front.count == 0, state.front.count == 0, state.segment == .some { return nil }
        return State(front: prune(front), segment: segment)
    }

    private static func following(_ segment: Segment, _ symbol: PlaneSymbol) -> Segment? {
        if symbol.is("/") { return segment == .some ? .empty : nil }
        guard symbol.is(".") else { return .some }
        switch segment {
        case .none, .empty: return .dot
        case .dot: return .dots
        case .dots, .some: return .some
        }
    }
}

/// Reads a fragment that is not absent.
struct FragmentReader: PlaneReader {
    private let tracks: [PlaneTrack]
    private let plane: LinkPlane
    let start: State
    let symbols: [PlaneSymbol]
    let isIncomplete = false

    struct State: Hashable {
        var front: PlaneFront
        var isEmpty: Bool
    }

    init(_ tracks: [PlaneTrack], _ symbols: [PlaneSymbol], _ plane: LinkPlane) {
        self.tracks = tracks
        self.symbols = symbols
        self.plane = plane
        start = State(front: PlaneFront(tracks.indices, tracks), isEmpty: true)
    }

    func cost(_ state: State) -> Int { 4 + state.front.count * 2 }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        if plane == .ordinary, state.isEmpty { return }
        end(state.front.accepted(tracks), [])
    }

    func next(_ state: State, _ symbol: Int) -> State? {
        if !state.isEmpty, state.front.count == 0 { return nil }
        return State(front: state.front.stepped(symbol, tracks), isEmpty: false)
    }
}
