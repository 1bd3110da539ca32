/// Makes the states and edges of a ``PatternAutomaton``, piece by piece.
///
/// It carries the *front*: the states in which the automaton may be after the pieces so far. For a path these are the offsets
/// that `PathReach` keeps, each a set of states instead of an offset in one text.
struct AutomatonBuilder {
    struct Edge {
        let source: Int
        let label: PatternAutomaton.Label
        let target: Int
    }

    let percentEncoded: Bool
    private let isPath: Bool
    private let budget: PatternAutomaton.Budget
    private(set) var edges: [Edge] = []
    private(set) var isTooLarge = false
    /// The steps so far that have made neither a state nor an edge.
    private(set) var work = 0
    private let variables: PatternVariables
    /// For each state whether every text that leads to it ends in a slash (only told apart in paths).
    private var slashEnds = [false]

    init(
        percentEncoded: Bool, variables: PatternVariables, budget: PatternAutomaton.Budget, isPath: Bool = false
    ) {
        self.percentEncoded = percentEncoded
        self.variables = variables
        self.budget = budget
        self.isPath = isPath
    }

    var stateCount: Int { slashEnds.count }

    func endsInSlash(_ state: Int) -> Bool { slashEnds[state] }

    /// Adds a pattern for a whole text; returns the states at its end.
    mutating func text(_ elements: [PatternElement]) -> [Int] {
        advance([0], pieces(of: elements))
    }

    /// The pieces of a pattern; none if an automaton of them is too large, which is known before any state is made.
    private mutating func pieces(of elements: [PatternElement]) -> [PatternPiece] {
        let pieces = PatternPiece.pieces(
            of: elements, percentEncoded: percentEncoded, isPath: isPath, variables: variables)
        work += elements.count
        var (states, edges) = (0, 0)
        for piece in pieces {
            switch piece {
            case .label, .anyRun, .segmentRun:
                states += 1
                edges += 1
            case .oneOf(let values):
                states += values.minimumStates
                edges += values.minimumEdges
            }
            if states > budget.states || edges > budget.edges {
                isTooLarge = true
                return []
            }
        }
        return pieces
    }

    /// Takes steps that make nothing.
    private mutating func spend(_ steps: Int) {
        work += steps
        if work > budget.work { isTooLarge = true }
    }

    private mutating func advance(_ front: [Int], _ pieces: [PatternPiece]) -> [Int] {
        var front = front
        var isAfterRun = false
        for piece in pieces where !isTooLarge && !front.isEmpty {
            switch piece {
            case .label: front = step(front, piece)
            // A run after a run takes nothing more.
            case .anyRun: if !isAfterRun { front = step(front, piece) }
            case .segmentRun: front = step(front, piece)
            case .oneOf(let values):
                var next = tree(front, values)
                for pieces in values.other {
                    spend(1 + pieces.count)
                    if isTooLarge { break }
                    next = union(next, advance(front, pieces))
                }
                front = next
            }
            isAfterRun = piece.isRun
        }
        return front
    }

    /// Where a path pattern may be (see `PathReach`).
    private struct PathFront {
        var front: [Int] = []
        var isAfterLeadingSlashes = false
        var trailing: [Int] = []
        var tail: [Int] = []

        /// The states at the end of the path if it ends here.
        var ends: [Int] { isAfterLeadingSlashes ? [0] + front : front }
        var isLost: Bool { front.isEmpty && !isAfterLeadingSlashes && trailing.isEmpty && tail.isEmpty }
    }

    /// Adds a pattern for a path; returns the states at its end, of which those that end in a slash do not count.
    mutating func path(_ elements: [PatternElement], acceptsParent: Bool) -> [Int] {
        var start = PathFront()
        start.isAfterLeadingSlashes = true
        let end = advance(start, pieces(of: elements))
        return end.ends + end.trailing + (acceptsParent && OpenDecisions.canOmitTail(elements) ? end.tail : [])
    }

    private mutating func advance(_ current: PathFront, _ pieces: [PatternPiece]) -> PathFront {
        var current = current
        var isAfterRun = false
        for piece in pieces where !isTooLarge && !current.isLost {
            switch piece {
            case .label(.symbol(PatternSymbol.slash)):
                // Nothing goes on from here, so it does no harm if a state is there twice.
                spend(current.ends.count)
                current.trailing += current.ends
                current.front = step(current.front, piece)
            case .label, .segmentRun: current = PathFront(front: step(current.ends, piece))
            // It takes nothing more, but the tail `/**` is not one that may be left out.
            case .anyRun where isAfterRun: current = PathFront(front: current.front)
            case .anyRun: current = PathFront(front: step(current.ends, piece), tail: current.trailing)
            case .oneOf(let values):
                var next = PathFront(front: tree(current.ends, values))
                for pieces in values.other {
                    spend(1 + pieces.count)
                    if isTooLarge { break }
                    let end = advance(current, pieces)
                    next.front = union(next.front, end.front)
                    next.isAfterLeadingSlashes = next.isAfterLeadingSlashes || end.isAfterLeadingSlashes
                    next.trailing = union(next.trailing, end.trailing)
                    next.tail = union(next.tail, end.tail)
                }
                current = next
            }
            isAfterRun = piece.isRun
        }
        return current
    }

    /// The front after a piece that is not a variable.
    private mutating func step(_ front: [Int], _ piece: PatternPiece) -> [Int] {
        guard !front.isEmpty else { return [] }
        switch piece {
        case .oneOf: return front
        case .label(let label):
            let targets = states(for: label)
            connect(front, label, targets)
            return targets
        case .anyRun: return run(front, .any)
        case .segmentRun: return run(front, .anyExcept(PatternSymbol.slash))
        }
    }

    private mutating func run(_ front: [Int], _ label: PatternAutomaton.Label) -> [Int] {
        let targets = states(for: label)
        connect(front + targets, label, targets)
        return union(front, targets)
    }

    /// New states after a label: in a path one for texts that end in a slash and one for the others.
    private mutating func states(for label: PatternAutomaton.Label) -> [Int] {
        let first = stateCount
        if isPath {
            switch label {
            case .any: slashEnds += [false, true]
            case .set(let set) where set.contains(UInt8(ascii: "/")): slashEnds += [false, true]
            default: slashEnds.append(label == .symbol(PatternSymbol.slash))
            }
        } else {
            slashEnds.append(false)
        }
        if stateCount > budget.states { isTooLarge = true }
        return Array(first..<stateCount)
    }

    private mutating func connect(_ sources: [Int], _ label: PatternAutomaton.Label, _ targets: [Int]) {
        guard edges.count + sources.count * targets.count <= budget.edges, let target = targets.first else {
            isTooLarge = true
            return
        }
        let slash = PatternAutomaton.Label.symbol(PatternSymbol.slash)
        for source in sources {
            guard targets.count == 2 else {
                // No path begins with a slash.
                if !isPath || source != 0 || label != slash {
                    edges.append(Edge(source: source, label: label, target: target))
                }
                continue
            }
            edges.append(Edge(source: source, label: Self.withoutSlash(label), target: target))
            if source != 0 { edges.append(Edge(source: source, label: slash, target: targets[1])) }
        }
    }

    private static func withoutSlash(_ label: PatternAutomaton.Label) -> PatternAutomaton.Label {
        guard case .set(let set) = label else { return .anyExcept(PatternSymbol.slash) }
        return .set(ByteSet(set.bytes.filter { $0 != UInt8(ascii: "/") }))
    }

    /// Adds the plain values of a variable as a tree; returns their end.
    private mutating func tree(_ front: [Int], _ values: PatternValues) -> [Int] {
        guard !front.isEmpty, !values.branches.isEmpty else { return [] }
        guard stateCount + values.minimumStates <= budget.states,
            edges.count + values.minimumEdges <= budget.edges
        else {
            isTooLarge = true
            return []
        }
        // No value ends in a slash.
        let end = states(for: .anyExcept(PatternSymbol.slash))
        // A node has one state, since one symbol leads to it.
        let first = stateCount - 1
        for branch in values.branches where !isTooLarge {
            let label = PatternAutomaton.Label.symbol(branch.symbol)
            let target = branch.target == 0 ? end : states(for: label)
            connect(branch.source == 0 ? front : [first + Int(branch.source)], label, target)
        }
        return end
    }

    private mutating func union(_ a: [Int], _ b: [Int]) -> [Int] {
        if a.isEmpty { return b }
        if b.isEmpty { return a }
        spend(a.count + b.count)
        if b.count <= 8 { return a + b.filter { !a.contains($0) } }
        let known = Set(a)
        return a + b.filter { !known.contains($0) }
    }
}

/// An element of a pattern in terms of symbols.
package enum PatternPiece: Sendable {
    case label(PatternAutomaton.Label)
    case anyRun
    /// A run without a slash.
    case segmentRun
    /// A variable.
    case oneOf(PatternValues)

    package var isRun: Bool { if case .anyRun = self { true } else { false } }

    package static func pieces(
        of elements: [PatternElement], percentEncoded: Bool, isPath: Bool, variables: PatternVariables
    ) -> [PatternPiece] {
        var pieces: [PatternPiece] = []
        pieces.reserveCapacity(elements.count)
        var run: [UInt8] = []
        func flush() {
            guard !run.isEmpty else { return }
            pieces += PatternSymbol.symbols(of: run, percentEncoded: percentEncoded).map { .label(.symbol($0)) }
            run.removeAll()
        }
        for element in elements {
            if case .byte(let byte) = element {
                run.append(byte)
                continue
            }
            flush()
            switch element {
            case .byte: break
            case .anyCharacter:
                pieces.append(
                    .label(OpenDecisions.questionMarkMatchesSlash ? .any : .anyExcept(PatternSymbol.slash)))
            case .anyRun: pieces.append(.anyRun)
            case .segmentCharacter: pieces.append(.label(.anyExcept(PatternSymbol.slash)))
            case .segmentRun: pieces.append(.segmentRun)
            case .character(let set): pieces.append(.label(.set(set)))
            case .oneOf(let alternatives):
                pieces.append(.oneOf(variables.values(alternatives, percentEncoded: percentEncoded, isPath: isPath)))
            }
        }
        flush()
        return pieces
    }
}
