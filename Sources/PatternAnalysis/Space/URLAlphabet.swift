internal import URLPatterns

/// The symbols that suffice to write a part of a URL of every kind that patterns tell apart, the nicest first.
final class URLAlphabet {
    let space: URLSpace
    private(set) var symbols: [URLSymbol] = []
    /// The symbols of several bytes, which patterns that see bytes read in several steps.
    let long: [Int32]
    /// Whether texts are made of which a pattern sees the bytes and another one the characters.
    let isMixed: Bool

    /// For each view what its patterns read of each symbol.
    private var inputs: [PatternView: [[UInt32]]] = [:]
    /// For each view the symbols that begin with an input.
    private var starting: [PatternView: [UInt32: [Int32]]] = [:]
    /// Symbols of which any may stand for the others where no pattern tells them apart.
    private let kinds: [[Int32]]
    // Marked by the number of the call instead of being cleared.
    private var marks: [UInt32]
    private var mark: UInt32 = 0

    /// - Parameter spares: The number of further symbols that no pattern tells from another one.
    init(_ patterns: [PartPattern], _ part: URLPart, _ space: URLSpace, spares: Int = 0, _ budget: ComparisonBudget) {
        self.space = space
        var classes = InputClasses.all(patterns, budget)
        let hasEncoded = classes.contains { $0.view.isEncoded }
        isMixed = hasEncoded && classes.contains { !$0.view.isEncoded }
        var candidates =
            space == .apple
            ? AppleSymbols(patterns, classes, part).symbols : Self.candidates(patterns, part, space)
        budget.spend(candidates.count * classes.reduce(40) { $0 + $1.sets.count })
        // Where nothing can be found any more, the first symbols will do.
        if budget.isSpent { candidates = Array(candidates.prefix(Self.printable.count)) }
        // Of symbols that no pattern tells apart one is enough, and some spare ones.
        var counts: [[Int32]: Int] = [:]
        var symbols: [URLSymbol] = []
        for symbol in candidates {
            let role = Self.role(symbol, part, space)
            // Where only characters are seen, it is of no importance to Apple's rules how they are written.
            var key = [role, space == .apple ? 0 : Int32(symbol.raw.count)]
            var isGeneric = role == 0 && !symbol.isEscaped
            for index in classes.indices {
                for input in classes[index].view.inputs(symbol) {
                    let number = classes[index].number(of: input)
                    isGeneric = isGeneric && number == 0
                    key.append(number)
                }
                key.append(-1)
            }
            guard counts[key, default: 0] < (isGeneric ? 1 + spares : 1) else { continue }
            counts[key, default: 0] += 1
            symbols.append(symbol)
        }
        self.symbols = symbols
        long = symbols.indices.filter { symbols[$0].raw.count > 1 }.map(Int32.init)
        let kinds = Dictionary(grouping: symbols.indices.map(Int32.init)) { index in
            let symbol = symbols[Int(index)]
            return Self.role(symbol, part, space) << 1 | (symbol.raw.count > 1 ? 1 : 0)
        }
        self.kinds = kinds.sorted { $0.key < $1.key }.map(\.value)
        marks = [UInt32](repeating: 0, count: symbols.count)
        for view in classes.map(\.view) {
            let inputs = symbols.map(view.inputs)
            self.inputs[view] = inputs
            starting[view] = Dictionary(grouping: symbols.indices.map(Int32.init)) { inputs[Int($0)].first ?? 0 }
        }
    }

    /// The bytes that the patterns of a view read of each symbol.
    func inputs(of view: PatternView) -> [[UInt32]] { inputs[view] ?? [] }

    /// The symbols of which the patterns of a view read an input first.
    func symbols(of view: PatternView, startingWith input: UInt32) -> [Int32] { starting[view]?[input] ?? [] }

    /// The symbols that have to be tried after a text: those that a pattern tells from others, and one of each kind of the
    /// others; the nicest first.
    func choices(_ states: [ActiveStates], _ automata: [LazyDFA], _ budget: ComparisonBudget) -> [Int] {
        mark += 1
        var result: [Int32] = []
        func add(_ symbol: Int32) {
            guard marks[Int(symbol)] != mark else { return }
            marks[Int(symbol)] = mark
            result.append(symbol)
        }
        for (number, state) in states.joined() {
            for symbol in automata[Int(number)].distinguished(state) { add(symbol) }
        }
        for kind in kinds {
            if let symbol = kind.first(where: { marks[Int($0)] != mark }) { add(symbol) }
        }
        budget.spend(states.reduce(result.count) { $0 + $1.count } * 6)
        return result.sorted().map(Int.init)
    }

    /// The meaning of a symbol for the readers of a part, as a number; 0 if it has none.
    private static func role(_ symbol: URLSymbol, _ part: URLPart, _ space: URLSpace) -> Int32 {
        if space == .apple { return Int32(symbol.kind.rawValue) }
        let special: [Unicode.Scalar] =
            switch part {
            case .path: ["/", "."]
            case .query: ["&", "=", ";"]
            case .fragment: []
            }
        return special.first { symbol.is($0) }.map { Int32($0.value) } ?? 0
    }

    private static let printable = Array(
        "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/+,;=:@!$&'()*?".utf8)

    /// Whether a character can stand in a URL as it is.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && printable.contains(UInt8(truncatingIfNeeded: scalar.value))
    }

    /// The symbols of ordinary URLs, and of all those that Android's rules tell apart.
    private static func candidates(_ patterns: [PartPattern], _ part: URLPart, _ space: URLSpace) -> [URLSymbol] {
        var written = Set<Unicode.Scalar>()
        for pattern in patterns { written.formUnion(pattern.characters) }
        var candidates: [URLSymbol] = []
        for byte in Self.printable where Self.isPlain(byte, in: part) {
            candidates.append(URLSymbol(Unicode.Scalar(byte), isEscaped: false))
        }
        let plain = Set(candidates.compactMap(\.scalar))
        if space == .android {
            for scalar in written where scalar.value >= 0x10000 {
                // Others with the same first or second unit.
                for other in [scalar.value ^ 1, scalar.value ^ 0x400] {
                    if let other = Unicode.Scalar(other) { written.insert(other) }
                }
            }
            for byte in 1..<0x7F as Range<UInt8> { written.insert(Unicode.Scalar(byte)) }
        }
        candidates += written.subtracting(plain).sorted().map { URLSymbol($0, isEscaped: true) }
        let escapes = Set(patterns.flatMap(\.encodedTexts).flatMap(URLSymbol.escapes))
        candidates += escapes.sorted { $0.raw.lexicographicallyPrecedes($1.raw) }
        return candidates.filter { isAllowed($0, in: part, space) }
    }

    /// Whether a character can stand in the part as it is.
    private static func isPlain(_ byte: UInt8, in part: URLPart) -> Bool {
        if case .path = part { byte != UInt8(ascii: "?") } else { true }
    }

    private static func isAllowed(_ symbol: URLSymbol, in part: URLPart, _ space: URLSpace) -> Bool {
        guard case .query = part else { return true }
        // The decoded query is split, so that an escaped one separates items as the character itself does.
        if symbol.isEscaped, symbol.is("&") || symbol.is(";") { return false }
        return !(symbol.is(";") && space == .ordinary)
    }
}

/// The inputs that the patterns of a view tell apart.
struct InputClasses {
    let view: PatternView
    /// The inputs that edges name, or except.
    private(set) var named = Set<UInt32>()
    private(set) var sets: [ByteSet] = []
    private var known: [UInt32: Int32] = [:]
    /// The number of each combination of a name and sets; that of none is 0.
    private var numbers: [[UInt32]: Int32] = [[]: 0]

    private init(view: PatternView) { self.view = view }

    static func all(_ patterns: [PartPattern], _ budget: ComparisonBudget) -> [InputClasses] {
        var views: [PatternView] = []
        var classes: [PatternView: InputClasses] = [:]
        for pattern in patterns {
            budget.spend(pattern.automaton.edgeCount)
            if classes[pattern.view] == nil { views.append(pattern.view) }
            classes[pattern.view, default: InputClasses(view: pattern.view)].add(pattern.automaton)
        }
        return views.compactMap { classes[$0] }
    }

    private mutating func add(_ automaton: PatternAutomaton) {
        for state in 0..<automaton.stateCount {
            for edge in automaton.edges(from: state) {
                switch edge.label {
                case .any: break
                case .symbol(let symbol), .anyExcept(let symbol): named.insert(symbol)
                case .set(let set), .anyExceptSet(let set): if !sets.contains(set) { sets.append(set) }
                }
            }
        }
    }

    /// The same number for inputs that no pattern tells apart, 0 for those that none names.
    mutating func number(of input: UInt32) -> Int32 {
        if let known = known[input] { return known }
        var taken = named.contains(input) ? [input] : []
        for (index, set) in sets.enumerated() where input < 0x80 {
            if set.contains(UInt8(truncatingIfNeeded: input)) { taken.append(0x8000_0000 + UInt32(index)) }
        }
        let next = Int32(numbers.count)
        let number = numbers[taken, default: next]
        if number == next { numbers[taken] = next }
        known[input] = number
        return number
    }
}
