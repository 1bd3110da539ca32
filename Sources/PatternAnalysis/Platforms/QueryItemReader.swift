internal import URLPatterns

/// A condition of a rule on the query.
enum PlaneQuery {
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
}

/// Reads a query that is not absent, item by item.
struct QueryItemReader: PlaneReader {
    private let tracks: [PlaneTrack]
    private let conditions: [PlaneQuery]
    private let plane: LinkPlane
    private let items: [(condition: Int, item: PlaneQuery.Item, isNeeded: Bool)]
    /// The patterns that are read from the beginning of the query, and from that of an item.
    private let textStart: PlaneFront
    private let itemStart: PlaneFront
    /// Whether items matter of which no pattern says the name.
    private let hasFreeNames: Bool
    private let hasTexts: Bool
    /// The names that patterns write.
    private let writtenNames: [[UInt8]]
    let start: State
    let symbols: [PlaneSymbol]
    let isIncomplete = false

    struct State: Hashable {
        var texts: PlaneFront
        /// The patterns for the current item, its name or its value.
        var item: PlaneFront
        var status = Status()
        /// The items of conditions, whose name the current item has.
        var named: [Int32] = []
        /// The part of the name so far that distinguishes states.
        var toldName: [UInt8] = []
        var position = Position.start
        var hasSemicolon = false
        var hasSeparator = false
        /// The name so far, and the names before; not part of what makes two states equal.
        var name: [UInt8] = []
        var otherNames: [[UInt8]] = []

        static func == (left: State, right: State) -> Bool {
            left.position == right.position && left.texts == right.texts && left.item == right.item
                && left.status == right.status && left.named == right.named && left.toldName == right.toldName
                && left.hasSemicolon == right.hasSemicolon && left.hasSeparator == right.hasSeparator
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(texts)
            hasher.combine(item)
            hasher.combine(status)
            hasher.combine(named)
            hasher.combine(toldName)
            hasher.combine(position)
        }
    }

    /// The decisions of the items so far, each list ascending.
    struct Status: Hashable {
        /// Conditions on items that are not met.
        var failed: [Int32] = []
        /// Items of others that have been seen and may not be missing.
        var seen: [Int32] = []
        /// Conditions that some item meets.
        var met: [Int32] = []
        /// The names of the items so far, of those that patterns write.
        var names: [Int32] = []
    }

    enum Position: Hashable {
        case start, name, value
    }

    init(_ tracks: [PlaneTrack], _ conditions: [PlaneQuery], _ symbols: [PlaneSymbol], _ plane: LinkPlane) {
        self.tracks = tracks
        self.conditions = conditions
        self.symbols = symbols
        self.plane = plane
        var items: [(condition: Int, item: PlaneQuery.Item, isNeeded: Bool)] = []
        var (texts, entries) = (Set<Int>(), Set<Int>())
        for (index, condition) in conditions.enumerated() {
            switch condition {
            case .text(let track): texts.insert(track)
            case .entry(let track): entries.insert(track)
            case .items(let own):
                for item in own {
                    let value = tracks[item.value]
                    items.append((index, item, !value.isAccepting(value.start)))
                }
            }
        }
        self.items = items
        hasTexts = !texts.isEmpty
        hasFreeNames = !texts.isEmpty || entries.contains { tracks[$0].hasFreeName(symbols) }
        writtenNames = Array(Set(tracks.flatMap { $0.pattern.names })).sorted { $0.lexicographicallyPrecedes($1) }
        textStart = PlaneFront(texts.sorted(), tracks)
        itemStart = PlaneFront(entries.union(items.map(\.item.name)).sorted(), tracks)
        start = State(texts: textStart, item: itemStart)
    }

    func cost(_ state: State) -> Int { 8 + (state.texts.count + state.item.count) * 2 + state.status.names.count }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        guard let status = ended(state) else { return }
        if state.hasSemicolon, !state.hasSeparator { return }
        let texts = Set(state.texts.accepted(tracks))
        let (failed, seen, met) = (Set(status.failed), Set(status.seen), Set(status.met))
        var result: [Int32] = []
        for (index, condition) in conditions.enumerated() {
            let isMet: Bool
            switch condition {
            case .text(let track): isMet = texts.contains(Int32(track))
            case .entry: isMet = met.contains(Int32(index))
            case .items:
                isMet =
                    !failed.contains(Int32(index))
                    && items.indices.allSatisfy {
                        items[$0].condition != index || !items[$0].isNeeded || seen.contains(Int32($0))
                    }
            }
            if isMet { result.append(Int32(index)) }
        }
        end(result, [])
    }

    /// The status after the current item, if it may end here.
    private func ended(_ state: State) -> Status? {
        if plane == .ordinary, state.position != .value { return nil }
        var status = state.status
        let accepted = Set(state.item.accepted(tracks))
        for number in state.named {
            let item = items[Int(number)]
            if !accepted.contains(Int32(item.item.value)) {
                Self.insert(Int32(item.condition), into: &status.failed)
            } else if item.isNeeded {
                Self.insert(number, into: &status.seen)
            }
        }
        for (index, condition) in conditions.enumerated() {
            if case .entry(let track) = condition, accepted.contains(Int32(track)) {
                Self.insert(Int32(index), into: &status.met)
            }
        }
        status.seen.removeAll { status.failed.contains(Int32(items[Int($0)].condition)) }
        return status
    }

    private static func insert(_ number: Int32, into list: inout [Int32]) {
        let index = list.firstIndex { $0 >= number } ?? list.endIndex
        if index == list.endIndex || list[index] != number { list.insert(number, at: index) }
    }

    func next(_ state: State, _ index: Int) -> State? {
        let symbol = symbols[index]
        var next = state
        next.texts = state.texts.stepped(index, tracks)
        if symbol.is("&") {
            guard let status = ended(state) else { return nil }
            // An item that decides nothing is not needed.
            var (old, new) = (state.status, status)
            (old.names, new.names) = ([], [])
            if !hasTexts, old == new, !(plane == .every && state.hasSemicolon && !state.hasSeparator) { return nil }
            next.status = status
            next.item = itemStart
            next.named = []
            next.position = .start
            next.hasSeparator = plane == .every
            return next
        }
        if symbol.is(";") { next.hasSemicolon = true }
        if plane == .ordinary, state.position != .value { return named(state, next, index) }
        next.position = .value
        next.item = state.item.stepped(index, tracks)
        if next.item.count == 0, state.item.count == 0, next.texts.count == 0, state.texts.count == 0 { return nil }
        return next
    }

    /// The state within a name, or at its end.
    private func named(_ state: State, _ unnamed: State, _ index: Int) -> State? {
        let symbol = symbols[index]
        var next = unnamed
        guard symbol.is("="), !symbol.isEscaped else {
            if symbol.is("=") { return nil }
            next.position = .name
            next.item = state.item.stepped(index, tracks)
            if next.item.count == 0, !hasFreeNames { return nil }
            next.name = state.name + symbol.raw
            let isTold = next.name.count == 1 || writtenNames.contains { $0.starts(with: next.name) }
            next.toldName = isTold && next.item.count + next.texts.count > 0 ? next.name : Self.anyName
            return next
        }
        guard state.position == .name else { return nil }
        if let number = writtenNames.firstIndex(of: state.name) {
            if state.status.names.contains(Int32(number)) { return nil }
            Self.insert(Int32(number), into: &next.status.names)
        } else {
            if state.otherNames.contains(state.name) { return nil }
            next.otherNames.append(state.name)
        }
        let accepted = Set(state.item.accepted(tracks))
        next.named = items.indices.filter { accepted.contains(Int32(items[$0].item.name)) }.map(Int32.init)
        var front: [(Int32, Int32)] = []
        let entries = Set(conditions.compactMap { if case .entry(let track) = $0 { Int32(track) } else { nil } })
        for (track, current) in state.item.keeping({ entries.contains($0) }).stepped(index, tracks) {
            front.append((track, current))
        }
        for value in Set(next.named.map { items[Int($0)].item.value }) {
            front.append((Int32(value), tracks[value].start))
        }
        next.item = PlaneFront()
        for (track, current) in front.sorted(by: { $0.0 < $1.0 }) { next.item.append(track, current) }
        next.name = []
        next.toldName = []
        next.position = .value
        if !hasTexts, next.item.count == 0, next.named.isEmpty { return nil }
        return next
    }

    /// Names that only the patterns about them distinguish.
    private static let anyName: [UInt8] = [0]
}

extension PlaneTrack {
    /// Whether a pattern for whole items has a wildcard before its `=`.
    func hasFreeName(_ symbols: [PlaneSymbol]) -> Bool {
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
