internal import AppSiteAssociation

/// Automata of several patterns side by side, whatever the way they compare.
///
/// A *slot* is one automaton; its states have consecutive numbers.
struct JointAutomaton {
    private(set) var slots: [Slot] = []
    private(set) var labels: [PatternAutomaton.Label] = []
    private(set) var owners: [Int32] = []
    private(set) var accepting: [Bool] = []
    /// States from which every text is accepted, whatever follows.
    private(set) var isUniversal: [Bool] = []
    private(set) var firstEdges: [Int32] = [0]
    private(set) var edgeLabels: [Int32] = []
    private(set) var edgeTargets: [Int32] = []
    private var labelNumbers: [PatternAutomaton.Label: Int32] = [:]
    /// How many states more may be added.
    private var room: Int
    private let isPath: Bool
    private let variables: PatternVariables
    private let work: ComparisonBudget

    static let anyLabel: Int32 = 0

    struct Slot {
        let view: Int
        let starts: [Int32]
        let elements: [PatternElement]
    }

    init(isPath: Bool, limit: Int, _ variables: PatternVariables, _ work: ComparisonBudget) {
        self.isPath = isPath
        self.variables = variables
        self.work = work
        room = min(limit, Int(Int32.max / 2))
        _ = number(of: .any)
    }

    /// Adds a pattern; nil if it is too large.
    mutating func add(_ elements: [PatternElement], _ comparison: Comparison) -> Int? {
        guard !work.isSpent else { return nil }
        var budget = PatternAutomaton.Budget()
        budget.states = min(budget.states, room)
        budget.edges = min(budget.edges, room * 4)
        var rest = WorkBudget(work.rest)
        let made =
            isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: budget,
                work: &rest)
            : PatternAutomaton(
                elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: budget, work: &rest)
        work.spend(work.rest - rest.left)
        guard let automaton = made, automaton.stateCount <= room else { return nil }
        room -= max(automaton.stateCount, automaton.edgeCount / 4)
        let first = Int32(owners.count)
        let slot = Int32(slots.count)
        for state in 0..<automaton.stateCount {
            owners.append(slot)
            accepting.append(automaton.isAccepting(state))
            for edge in automaton.edges(from: state) {
                edgeLabels.append(number(of: edge.label))
                edgeTargets.append(first + Int32(edge.target))
            }
            firstEdges.append(Int32(edgeTargets.count))
        }
        slots.append(
            Slot(
                view: URLSymbol.view(comparison), starts: automaton.starts.map { first + Int32($0) }, elements: elements
            ))
        addUniversal(from: Int(first), startCount: automaton.starts.count)
        return Int(slot)
    }

    private mutating func number(of label: PatternAutomaton.Label) -> Int32 {
        if let known = labelNumbers[label] { return known }
        labels.append(label)
        labelNumbers[label] = Int32(labels.count - 1)
        return Int32(labels.count - 1)
    }

    func edges(from state: Int32) -> Range<Int> { Int(firstEdges[Int(state)])..<Int(firstEdges[Int(state) + 1]) }

    /// Finds the universal states of the last slot: accepting ones from which edges for all symbols lead to such states
    /// again. In a path a state after slashes only never ends a text, so it need not accept.
    private mutating func addUniversal(from first: Int, startCount: Int) {
        let slash = PatternAutomaton.Label.symbol(PatternSymbol.slash)
        var isBehindSlash = [Bool](repeating: isPath, count: owners.count - first)
        for start in 0..<startCount { isBehindSlash[start] = false }
        for edge in Int(firstEdges[first])..<edgeTargets.count where labels[Int(edgeLabels[edge])] != slash {
            isBehindSlash[Int(edgeTargets[edge]) - first] = false
        }
        for state in first..<owners.count { isUniversal.append(accepting[state] || isBehindSlash[state - first]) }
        for _ in 0..<8 {
            var isStable = true
            for state in first..<owners.count where isUniversal[state] {
                var takesSlash = false
                var takesOthers = false
                for edge in edges(from: Int32(state)) where isUniversal[Int(edgeTargets[edge])] {
                    switch labels[Int(edgeLabels[edge])] {
                    case .any:
                        takesSlash = true
                        takesOthers = true
                    case .anyExcept(PatternSymbol.slash): takesOthers = true
                    case slash: takesSlash = true
                    default: break
                    }
                }
                if !takesSlash || !takesOthers {
                    isUniversal[state] = false
                    isStable = false
                }
            }
            if isStable { return }
        }
        for state in first..<owners.count { isUniversal[state] = false }
    }
}

/// Where the patterns of an automaton are after a text.
struct JointState: Hashable {
    /// The states that are reached, ascending.
    var live: [Int32]
    /// What else the text has decided, ascending (see the walks).
    var decided: [Int32] = []
    var ending: Ending = []

    /// What the end of the text means for what may follow.
    struct Ending: OptionSet, Hashable {
        let rawValue: UInt8

        /// A percent sign that begins no escape.
        static let percent = Ending(rawValue: 1)
        /// Such a sign and a digit.
        static let percentDigit = Ending(rawValue: 2)
        /// An escaped byte that belongs to no character.
        static let strayByte = Ending(rawValue: 4)
        /// A slash of the path.
        static let slash = Ending(rawValue: 8)
        /// A slash of the path, escaped or not.
        static let decodedSlash = Ending(rawValue: 16)
        /// Nothing but slashes, escaped or not, or nothing at all.
        static let nothing = Ending(rawValue: 32)
        /// Within the value of an item.
        static let value = Ending(rawValue: 64)

        /// The end after another symbol, as far as escapes go; nil if the symbol cannot follow.
        func following(_ kind: URLSymbol.Kind) -> Ending? {
            if kind.contains(.strayTail), contains(.strayByte) { return nil }
            if kind.contains(.hexDigit) {
                if contains(.percentDigit) { return nil }
                return contains(.percent) ? .percentDigit : []
            }
            if kind.contains(.percent) { return .percent }
            return kind.contains(.strayByte) ? .strayByte : []
        }
    }
}
