internal import AppSiteAssociation

/// Which labels of an automaton take a symbol, as far as labels tell symbols apart.
struct SymbolHits {
    /// The labels that are sets or exceptions.
    private var wide: [Set<Int32>] = Array(repeating: [], count: 4)
    private var narrow: [[UInt32: Int32]] = Array(repeating: [:], count: 4)
    private let labels: [PatternAutomaton.Label]
    /// Whether any slot has the view.
    private var isUsed = [false, false, false, false]
    private var known: [UInt64: Int32] = [:]
    private var classes: [[Int32]: Int32] = [:]

    init(_ joint: JointAutomaton) {
        labels = joint.labels
        for state in joint.owners.indices {
            let view = joint.slots[Int(joint.owners[state])].view
            isUsed[view] = true
            for edge in joint.edges(from: Int32(state)) {
                let label = joint.edgeLabels[edge]
                switch joint.labels[Int(label)] {
                case .any: break
                case .symbol(let symbol): narrow[view][symbol] = label
                case .set, .anyExcept: wide[view].insert(label)
                }
            }
        }
    }

    /// Appends a number that symbols have in common which no label tells apart.
    mutating func append(_ symbol: UInt32, views: [Int], to key: inout [Int32]) {
        let place = UInt64(symbol) << 8 | UInt64(views[0])
        if let number = known[place] {
            key.append(number)
            return
        }
        var taken: [Int32] = []
        for view in views where isUsed[view] {
            let read = URLSymbol.folded(symbol, view: view)
            if let label = narrow[view][read] { taken.append(label) }
            for label in wide[view].sorted() where labels[Int(label)].contains(read) { taken.append(label) }
            taken.append(-1)
        }
        let next = Int32(classes.count)
        let number = classes[taken, default: next]
        if number == next { classes[taken] = next }
        known[place] = number
        key.append(number)
    }

    /// The characters beyond ASCII that patterns name, and all that fold to one where case does not matter; ascending.
    var characters: [UInt32] {
        var result = Set(narrow[2].keys).union(narrow[3].keys)
        if isUsed[3] {
            for symbol in narrow[3].keys { result.formUnion(CaseFolding.sources[symbol] ?? []) }
            // `$(alpha)` and the like take what folds to an ASCII letter.
            for symbol: UInt32 in [0x17F, 0x212A] where !wide[3].isEmpty { result.insert(symbol) }
        }
        return result.filter { $0 >= 0x80 && $0 < PatternSymbol.strayByte }.sorted()
    }
}
