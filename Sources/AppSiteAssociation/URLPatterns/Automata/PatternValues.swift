/// The values of a variable in terms of symbols, made once however often patterns name the variable.
final class PatternValues: Sendable {
    /// The values that are plain texts, none of them empty.
    let plain: [[UInt32]]
    /// The values with wildcards, the empty ones, and in a path those with a slash at an end: slashes at the ends of a value
    /// may be the ends of a path, where they do not count.
    let other: [[PatternPiece]]
    /// The plain values as a tree: their beginnings are shared.
    let branches: [Branch]
    /// How many nodes the tree has, without the root and without the end that all values share.
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

/// What patterns of one file name, so that each variable is looked at once.
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

    func values(_ alternatives: [[PatternElement]], percentEncoded: Bool, isPath: Bool) -> PatternValues {
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
