internal import BoundedText

/// All the texts that a pattern covers, as a nondeterministic automaton without empty edges.
///
/// It reads symbols (``PatternSymbol``). State 0 is the only start. It is exact: it accepts what ``PatternMatcher`` matches,
/// and an automaton of a path accepts only texts that neither begin nor end with `/`, since every path is cut to such a
/// text before it is compared.
package struct PatternAutomaton: Sendable {
    /// The symbols that an edge takes.
    package enum Label: Hashable, Sendable {
        case symbol(UInt32)
        /// One of several ASCII characters.
        indirect case set(ByteSet)
        case any
        case anyExcept(UInt32)
        /// Anything but several ASCII characters.
        indirect case anyExceptSet(ByteSet)

        @inlinable
        package func contains(_ symbol: UInt32) -> Bool {
            switch self {
            case .symbol(let own): own == symbol
            case .set(let set): symbol < 0x80 && set.contains(UInt8(truncatingIfNeeded: symbol))
            case .any: true
            case .anyExcept(let own): own != symbol
            case .anyExceptSet(let set): symbol >= 0x80 || !set.contains(UInt8(truncatingIfNeeded: symbol))
            }
        }
    }

    package struct Edge: Sendable {
        package let label: Label
        package let target: Int

        package init(label: Label, target: Int) {
            self.label = label
            self.target = target
        }
    }

    /// The size that an automaton may have; a pattern that needs more is left alone.
    package struct Budget: Sendable {
        package var states = 50_000
        package var edges = 200_000
        /// Steps that make neither.
        package var work = 400_000

        package init() {}
    }

    package let percentEncoded: Bool
    private let accepting: [Bool]
    private let edges: [Edge]
    /// Where the edges of a state begin; the next state's beginning is their end.
    private let firstEdges: [Int]

    /// The automaton of a fragment, a query, or the value of a query item; nil if it becomes too large.
    ///
    /// - Parameters:
    ///   - variables: What is known of the variables of the file.
    ///   - work: Pays for the automaton, and also for one that became too large.
    package init?(
        _ elements: [PatternElement], percentEncoded: Bool, variables: PatternVariables, budget: Budget = Budget(),
        work: inout WorkBudget
    ) {
        var builder = AutomatonBuilder(percentEncoded: percentEncoded, variables: variables, budget: budget)
        let end = builder.text(elements)
        self.init(builder, accepting: end, &work)
    }

    /// The automaton of a path that lost the slashes at its ends; nil if it becomes too large.
    ///
    /// - Parameters:
    ///   - acceptsParent: Whether `x/*` also covers `x`.
    ///   - variables: What is known of the variables of the file.
    ///   - work: Pays for the automaton, and also for one that became too large.
    package init?(
        path elements: [PatternElement], percentEncoded: Bool, acceptsParent: Bool = true,
        variables: PatternVariables, budget: Budget = Budget(), work: inout WorkBudget
    ) {
        var builder = AutomatonBuilder(
            percentEncoded: percentEncoded, variables: variables, budget: budget, isPath: true)
        let end = builder.path(elements, acceptsParent: acceptsParent)
        self.init(builder, accepting: end, &work)
    }

    private init?(_ builder: AutomatonBuilder, accepting ends: [Int], _ work: inout WorkBudget) {
        // What is made takes memory as long as the automaton is kept.
        let made = builder.stateCount + builder.edges.count
        work.spend(builder.work + (builder.isTooLarge ? 4 : 16) * made)
        guard !builder.isTooLarge else { return nil }
        percentEncoded = builder.percentEncoded
        var accepting = [Bool](repeating: false, count: builder.stateCount)
        for state in ends where !builder.endsInSlash(state) { accepting[state] = true }
        self.accepting = accepting

        var firstEdges = [Int](repeating: 0, count: builder.stateCount + 1)
        for edge in builder.edges { firstEdges[edge.source + 1] += 1 }
        for state in 0..<builder.stateCount { firstEdges[state + 1] += firstEdges[state] }
        var slots = firstEdges
        var order = [Int](repeating: 0, count: builder.edges.count)
        for (index, edge) in builder.edges.enumerated() {
            order[slots[edge.source]] = index
            slots[edge.source] += 1
        }
        edges = order.map { Edge(label: builder.edges[$0].label, target: builder.edges[$0].target) }
        self.firstEdges = firstEdges
    }

    /// An automaton whose states and edges are known; state 0 is the start.
    ///
    /// - Parameters:
    ///   - states: The edges from each state.
    ///   - accepting: For each state whether a text may end there.
    package init(percentEncoded: Bool, states: [[Edge]], accepting: [Bool]) {
        self.percentEncoded = percentEncoded
        self.accepting = accepting
        edges = states.flatMap { $0 }
        firstEdges = states.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    }

    package var stateCount: Int { accepting.count }
    package var edgeCount: Int { edges.count }
    package var starts: [Int] { [0] }

    package func isAccepting(_ state: Int) -> Bool { accepting[state] }

    package func edges(from state: Int) -> ArraySlice<Edge> {
        edges[firstEdges[state]..<firstEdges[state + 1]]
    }

    /// Whether the automaton accepts a text that is prepared for its comparison, a path without the slashes at its ends.
    package func accepts(_ text: [UInt8]) -> Bool {
        var states = Set(starts)
        for symbol in PatternSymbol.symbols(of: text, percentEncoded: percentEncoded) {
            var next = Set<Int>()
            for state in states {
                for edge in edges(from: state) where edge.label.contains(symbol) { next.insert(edge.target) }
            }
            states = next
        }
        return states.contains { isAccepting($0) }
    }
}

/// The unit in which an automaton reads: one byte; in a text that was decoded one character.
///
/// A character is a well-formed scalar or a byte that belongs to none (`OpenDecisions.characterLength`). Such a byte is
/// `strayByte` and more, so that it is not a scalar's number.
package enum PatternSymbol {
    package static let strayByte: UInt32 = 0x110000
    package static let slash = UInt32(UInt8(ascii: "/"))

    package static func symbols(of text: [UInt8], percentEncoded: Bool) -> [UInt32] {
        guard !percentEncoded else { return text.map(UInt32.init) }
        var symbols: [UInt32] = []
        symbols.reserveCapacity(text.count)
        text.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = OpenDecisions.characterLength(bytes, at: offset, percentEncoded: false)
                let value = UTF8Scalars.value(bytes, at: offset, length: length)
                symbols.append(length == 1 && value >= 0x80 ? strayByte + value : value)
                offset += length
            }
        }
        return symbols
    }

    /// The bytes of symbols.
    package static func text(of symbols: [UInt32], percentEncoded: Bool) -> [UInt8] {
        var text: [UInt8] = []
        for symbol in symbols {
            if percentEncoded || symbol < 0x80 || symbol >= strayByte {
                text.append(UInt8(truncatingIfNeeded: symbol))
            } else if let scalar = Unicode.Scalar(symbol) {
                text += Array(String(Character(scalar)).utf8)
            }
        }
        return text
    }
}

extension PatternAutomaton {
    /// A shortest text that the automaton accepts, of symbols that are allowed; nil if there is none.
    ///
    /// Where a symbol is free it is the first allowed one of `a`, `b`, the digits and the other letters.
    package func shortestText(_ budget: inout WorkBudget, where isAllowed: (UInt32) -> Bool) -> [UInt32]? {
        budget.spend(stateCount + edgeCount)
        if budget.isSpent { return nil }
        var origin = [(state: Int, symbol: UInt32)?](repeating: nil, count: stateCount)
        var reached = [Bool](repeating: false, count: stateCount)
        var waiting = starts
        for start in starts { reached[start] = true }
        var next = 0
        while next < waiting.count {
            let state = waiting[next]
            next += 1
            if isAccepting(state) {
                var text: [UInt32] = []
                var current = state
                while let step = origin[current] {
                    text.append(step.symbol)
                    current = step.state
                }
                return text.reversed()
            }
            for edge in edges(from: state) where !reached[edge.target] {
                guard let symbol = Self.choice(edge.label, isAllowed) else { continue }
                reached[edge.target] = true
                origin[edge.target] = (state, symbol)
                waiting.append(edge.target)
            }
        }
        return nil
    }

    private static let preferred = Array("ab0123456789cdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.".utf8).map(
        UInt32.init)

    private static func choice(_ label: Label, _ isAllowed: (UInt32) -> Bool) -> UInt32? {
        if case .symbol(let symbol) = label { return isAllowed(symbol) ? symbol : nil }
        return preferred.first { label.contains($0) && isAllowed($0) }
    }
}

/// The values of a variable in terms of symbols, made once however often patterns name the variable.
package final class PatternValues: Sendable {
    /// The values that are plain texts, none of them empty.
    package let plain: [[UInt32]]
    /// The values with wildcards, the empty ones, and in a path those with a slash at an end: slashes at the ends of a value
    /// may be the ends of a path, where they do not count.
    package let other: [[PatternPiece]]
    /// The plain values as a tree: their beginnings are shared.
    let branches: [Branch]
    /// The number of nodes of the tree, without the root and without the end that all values share.
    let nodeCount: Int

    /// A way from a node of the tree to another. Nodes are numbered from 1 as they are reached.
    struct Branch {
        /// The node that it leaves; 0 is the root.
        let source: Int32
        let symbol: UInt32
        /// The node that it leads to; 0 is the end.
        let target: Int32
    }

    init(_ alternatives: [[PatternElement]], percentEncoded: Bool, isPath: Bool) {
        var plain: [[UInt32]] = []
        var other: [[PatternPiece]] = []
        // No value has a variable in it.
        let none = PatternVariables()
        for alternative in alternatives {
            let bytes = alternative.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
            let isPlain = bytes.count == alternative.count && !bytes.isEmpty
            if isPlain, !isPath || bytes.first != UInt8(ascii: "/") && bytes.last != UInt8(ascii: "/") {
                plain.append(PatternSymbol.symbols(of: bytes, percentEncoded: percentEncoded))
            } else {
                other.append(
                    PatternPiece.pieces(
                        of: alternative, percentEncoded: percentEncoded, isPath: isPath, variables: none))
            }
        }
        self.plain = plain
        self.other = other
        (branches, nodeCount) = Self.tree(plain)
    }

    private static func tree(_ values: [[UInt32]]) -> (branches: [Branch], nodeCount: Int) {
        struct Step: Hashable {
            let node: Int32
            let symbol: UInt32
        }
        var branches: [Branch] = []
        var nodes: [Step: Int32] = [:]
        var ending = Set<Step>()
        for value in values {
            var node: Int32 = 0
            for (index, symbol) in value.enumerated() {
                let step = Step(node: node, symbol: symbol)
                if index == value.count - 1 {
                    if ending.insert(step).inserted { branches.append(Branch(source: node, symbol: symbol, target: 0)) }
                } else if let known = nodes[step] {
                    node = known
                } else {
                    let next = Int32(nodes.count + 1)
                    nodes[step] = next
                    branches.append(Branch(source: node, symbol: symbol, target: next))
                    node = next
                }
            }
        }
        return (branches, nodes.count)
    }

    /// The number of states that an automaton needs for the variable at least, in each place where it is named.
    var minimumStates: Int { plain.isEmpty ? 0 : nodeCount + 1 }
    /// The same for its edges.
    var minimumEdges: Int { branches.count }
}

/// The variables that patterns of one file name, so that each is looked at once.
///
/// A parser hands out the same values for a variable each time, so they are known by where they are stored.
package final class PatternVariables {
    private struct Key: Hashable {
        let storage: UnsafeRawPointer
        let percentEncoded: Bool
        let isPath: Bool
    }

    /// The values are kept, so that nothing else takes their place in memory.
    private var known: [Key: (alternatives: [[PatternElement]], values: PatternValues)] = [:]

    package init() {}

    package func values(_ alternatives: [[PatternElement]], percentEncoded: Bool, isPath: Bool) -> PatternValues {
        let storage = alternatives.withUnsafeBytes { $0.baseAddress }
        guard let storage, !alternatives.isEmpty else {
            return PatternValues([], percentEncoded: percentEncoded, isPath: isPath)
        }
        let key = Key(storage: storage, percentEncoded: percentEncoded, isPath: isPath)
        if let known = known[key] { return known.values }
        let values = PatternValues(alternatives, percentEncoded: percentEncoded, isPath: isPath)
        known[key] = (alternatives, values)
        return values
    }
}
