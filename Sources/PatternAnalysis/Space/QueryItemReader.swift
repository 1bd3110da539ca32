internal import URLPatterns

/// A condition of a rule on the query.
enum QueryCondition {
    /// Apple's: a pattern for the whole text.
    case text(Int)
    /// Apple's: patterns for the values of items with some names; a missing item has the empty value.
    case items([Item])
    /// Android's: a pattern that some whole item has to match.
    case entry(Int)

    struct Item {
        let name: Int
        let value: Int
    }

    /// The condition with other numbers for its patterns; nil if one gets none.
    func renumbered(_ number: (Int) -> Int?) -> QueryCondition? {
        switch self {
        case .text(let pattern): return number(pattern).map(QueryCondition.text)
        case .entry(let pattern): return number(pattern).map(QueryCondition.entry)
        case .items(let items):
            var numbered: [Item] = []
            for item in items {
                guard let name = number(item.name), let value = number(item.value) else { return nil }
                numbered.append(Item(name: name, value: value))
            }
            return .items(numbered)
        }
    }
}

/// Reads a query that is not absent, item by item.
struct QueryItemReader: TextReader {
    let product: ProductAutomaton
    private let conditions: [QueryCondition]
    private let space: URLSpace
    private let items: [(condition: Int, item: QueryCondition.Item, isNeeded: Bool)]
    /// The patterns for whole items.
    private let entries: Set<Int>
    /// The patterns that are read from the beginning of an item.
    private let itemStart: ActiveStates
    /// Whether items matter of which no pattern says the name.
    private let hasOtherNames: Bool
    private let hasTexts: Bool
    /// The names that patterns write.
    private let writtenNames: [[UInt8]]
    let start: State

    struct State: Hashable {
        var texts: ActiveStates
        /// The patterns for the current item, its name or its value.
        var item: ActiveStates
        var status = Status()
        /// The items of conditions, whose name the current item has.
        var named: [Int32] = []
        /// The part of the name so far that distinguishes states.
        var distinguishedName: [UInt8] = []
        var position = Position.start
        var ending: TextEnding = []
        var hasSemicolon = false
        var hasSeparator = false
        /// The name so far, and the names before; not part of what makes two states equal.
        var name: [UInt8] = []
        var otherNames: [[UInt8]] = []

        static func == (left: State, right: State) -> Bool {
            left.position == right.position && left.texts == right.texts && left.item == right.item
                && left.status == right.status && left.named == right.named && left.ending == right.ending
                && left.distinguishedName == right.distinguishedName
                && left.hasSemicolon == right.hasSemicolon && left.hasSeparator == right.hasSeparator
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(texts)
            hasher.combine(item)
            hasher.combine(status)
            hasher.combine(named)
            hasher.combine(distinguishedName)
            hasher.combine(position)
        }
    }

    /// The decisions of the items so far, each list ascending.
    struct Status: Hashable {
        /// Conditions on items that are not satisfied.
        var failed: [Int32] = []
        /// Items of others that have been seen and may not be missing.
        var seen: [Int32] = []
        /// Conditions that some item satisfies.
        var satisfied: [Int32] = []
        /// The names of the items so far, of those that patterns write.
        var names: [Int32] = []
    }

    enum Position: Hashable {
        case start, name, value
    }

    init(_ product: ProductAutomaton, _ conditions: [QueryCondition]) {
        self.product = product
        self.conditions = conditions
        space = product.alphabet.space
        var items: [(condition: Int, item: QueryCondition.Item, isNeeded: Bool)] = []
        var (texts, entries) = (Set<Int>(), Set<Int>())
        for (index, condition) in conditions.enumerated() {
            switch condition {
            case .text(let number): texts.insert(number)
            case .entry(let number): entries.insert(number)
            case .items(let own): items += own.map { (index, $0, !product.takesNothing($0.value)) }
            }
        }
        self.items = items
        self.entries = entries
        hasTexts = !texts.isEmpty
        hasOtherNames = hasTexts || entries.contains { product.automata[$0].takesAnyName }
        writtenNames = Array(Set(product.automata.flatMap { $0.pattern.names }))
            .sorted { $0.lexicographicallyPrecedes($1) }
        itemStart = product.start(of: entries.union(items.map(\.item.name)).sorted())
        start = State(texts: product.start(of: texts.sorted()), item: itemStart)
    }

    func cost(_ state: State) -> Int { 8 + (state.texts.count + state.item.count) * 2 + state.status.names.count }

    func choices(_ state: State) -> [Int] { product.choices(state.texts, state.item) }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        guard let status = ended(state) else { return }
        if state.hasSemicolon, !state.hasSeparator { return }
        let texts = Set(product.accepted(state.texts))
        let (failed, seen, satisfied) = (Set(status.failed), Set(status.seen), Set(status.satisfied))
        var missing = Set<Int>()
        for (index, item) in items.enumerated() where item.isNeeded && !seen.contains(Int32(index)) {
            missing.insert(item.condition)
        }
        let result = conditions.indices.filter { index in
            switch conditions[index] {
            case .text(let number): texts.contains(Int32(number))
            case .entry: satisfied.contains(Int32(index))
            case .items: !failed.contains(Int32(index)) && !missing.contains(index)
            }
        }
        end(result.map(Int32.init), [])
    }

    /// The items of conditions that have the name that ends here.
    private func named(_ state: State) -> [Int32] {
        let accepted = Set(product.accepted(state.item))
        return items.indices.filter { accepted.contains(Int32(items[$0].item.name)) }.map(Int32.init)
    }

    /// The status after the current item, if it may end here.
    private func ended(_ state: State) -> Status? {
        if space == .ordinary, state.position != .value { return nil }
        var status = state.status
        let accepted = Set(product.accepted(state.item))
        // A name without a `=` has the empty value.
        for number in state.position == .value ? state.named : named(state) {
            let item = items[Int(number)]
            let isMatch = state.position == .value ? accepted.contains(Int32(item.item.value)) : !item.isNeeded
            if !isMatch {
                Self.insert(Int32(item.condition), into: &status.failed)
            } else if item.isNeeded {
                Self.insert(number, into: &status.seen)
            }
        }
        for (index, condition) in conditions.enumerated() {
            if case .entry(let number) = condition, accepted.contains(Int32(number)) {
                Self.insert(Int32(index), into: &status.satisfied)
            }
        }
        forget(&status)
        return status
    }

    /// Drops what is of no importance because a condition has failed.
    private func forget(_ status: inout Status) {
        let failed = status.failed
        status.seen.removeAll { failed.contains(Int32(items[Int($0)].condition)) }
    }

    private static func insert(_ number: Int32, into list: inout [Int32]) {
        let index = list.firstIndex { $0 >= number } ?? list.endIndex
        if index == list.endIndex || list[index] != number { list.insert(number, at: index) }
    }

    func next(_ state: State, _ index: Int) -> State? {
        let symbol = product.symbols[index]
        var next = state
        guard let ending = state.ending.following(symbol.kind) else { return nil }
        next.ending = ending
        next.texts = product.step(state.texts, index)
        if symbol.is("&"), !symbol.isEscaped {
            guard let status = ended(state) else { return nil }
            // An item that decides nothing is not needed.
            var (old, new) = (state.status, status)
            (old.names, new.names) = ([], [])
            if !hasTexts, old == new, !(space == .android && state.hasSemicolon && !state.hasSeparator) { return nil }
            next.status = status
            next.item = itemStart
            next.named = []
            next.position = .start
            next.hasSeparator = space == .android
            return next
        }
        if space == .android, symbol.is(";") { next.hasSemicolon = true }
        if space != .android, state.position != .value {
            if symbol.is("="), !symbol.isEscaped { return valued(state, next, index) }
            next.position = .name
            next.item = product.step(state.item, index)
            return space == .ordinary ? ordinaryName(state, next, symbol) : next
        }
        next.position = .value
        next.item = product.step(state.item, index)
        if next.item.count == 0, state.item.count == 0, next.texts.count == 0, state.texts.count == 0 { return nil }
        fail(&next)
        return next
    }

    /// Decides against conditions of which a value cannot match any more.
    private func fail(_ state: inout State) {
        guard !state.named.isEmpty else { return }
        let open = Set(state.item.map(\.number))
        for number in state.named where !open.contains(Int32(items[Int(number)].item.value)) {
            Self.insert(Int32(items[Int(number)].condition), into: &state.status.failed)
        }
        let failed = state.status.failed
        state.named.removeAll { failed.contains(Int32(items[Int($0)].condition)) }
        forget(&state.status)
    }

    /// The state within a name of an ordinary URL.
    private func ordinaryName(_ state: State, _ named: State, _ symbol: URLSymbol) -> State? {
        if symbol.is("=") || named.item.count == 0 && !hasOtherNames { return nil }
        var next = named
        next.name = state.name + symbol.raw
        let isDistinguished = next.name.count == 1 || writtenNames.contains { $0.starts(with: next.name) }
        next.distinguishedName =
            isDistinguished && next.item.count + next.texts.count > 0 ? next.name : Self.anyName
        return next
    }

    /// The state at the beginning of a value.
    private func valued(_ state: State, _ unnamed: State, _ index: Int) -> State? {
        var next = unnamed
        if space == .ordinary {
            guard state.position == .name else { return nil }
            if let number = writtenNames.firstIndex(of: state.name) {
                if state.status.names.contains(Int32(number)) { return nil }
                Self.insert(Int32(number), into: &next.status.names)
            } else {
                if state.otherNames.contains(state.name) { return nil }
                next.otherNames.append(state.name)
            }
        }
        next.named = named(state)
        let open = product.step(state.item.keeping { entries.contains(Int($0)) }, index)
        let values = Set(next.named.map { items[Int($0)].item.value })
        next.item = ActiveStates((Array(open) + product.start(of: values)).sorted { $0.number < $1.number })
        next.name = []
        next.distinguishedName = []
        next.position = .value
        if space == .ordinary, !hasTexts, next.item.count == 0, next.named.isEmpty { return nil }
        return next
    }

    /// Names that only the patterns about them distinguish.
    private static let anyName: [UInt8] = [0]
}

extension LazyDFA {
    /// Whether a pattern for whole items has a wildcard before its `=`.
    fileprivate var takesAnyName: Bool {
        guard pattern.view == .android else { return false }
        let end = UInt32(UInt8(ascii: "="))
        var state = 0
        for _ in 0..<pattern.automaton.stateCount {
            let edges = pattern.automaton.edges(from: state)
            guard edges.count == 1, let edge = edges.first, case .symbol(let symbol) = edge.label else { return true }
            if symbol == end { return false }
            state = edge.target
        }
        return true
    }
}
