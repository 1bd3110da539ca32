internal import URLPatterns

/// The URLs that are compared.
enum LinkPlane: Sendable {
    /// Those that occur: no empty or dotted segment, items with a name and a value and of different names, a fragment that is
    /// not empty, ASCII that is not escaped but for what patterns write (android.md, section 7).
    case ordinary
    /// All those that Android's rules tell apart.
    case every
}

/// A part of a URL that is read by itself.
enum PlanePart {
    /// A path without its first slash.
    case path, query, fragment
}

/// The symbols that suffice to write a part of a URL of every kind that patterns tell apart, the nicest first.
struct PlaneAlphabet {
    private(set) var symbols: [PlaneSymbol] = []

    init(_ patterns: [PlanePattern], _ part: PlanePart, _ plane: LinkPlane, spares: Int, _ budget: ComparisonBudget) {
        var written = Set<Unicode.Scalar>()
        for pattern in patterns { written.formUnion(pattern.characters) }
        var candidates: [PlaneSymbol] = []
        for byte in Self.printable where Self.isPlain(byte, in: part) {
            candidates.append(PlaneSymbol(Unicode.Scalar(byte), isEscaped: false))
        }
        let plain = Set(candidates.map(\.scalar))
        if plane == .every {
            for scalar in written where scalar.value >= 0x10000 {
                // Others with the same first or second unit.
                for other in [scalar.value ^ 1, scalar.value ^ 0x400] {
                    if let other = Unicode.Scalar(other) { written.insert(other) }
                }
            }
            for byte in 1..<0x7F as Range<UInt8> { written.insert(Unicode.Scalar(byte)) }
        }
        candidates += written.subtracting(plain).sorted().map { PlaneSymbol($0, isEscaped: true) }
        candidates += Set(patterns.flatMap(\.escapes)).sorted { $0.raw.lexicographicallyPrecedes($1.raw) }
        candidates = candidates.filter { Self.isAllowed($0, in: part, plane) }

        let readers = Reader.all(patterns, budget)
        budget.spend(candidates.count * readers.reduce(40) { $0 + $1.sets.count })
        // Where nothing can be found any more, the first symbols will do.
        if budget.isSpent { candidates = Array(candidates.prefix(Self.printable.count)) }
        // Of symbols that no pattern tells apart one is enough, and some spare ones.
        var counts: [Key: Int] = [:]
        for symbol in candidates {
            let key = Key(symbol, part, readers)
            let most = key.isGeneric ? 1 + spares : 1
            guard counts[key, default: 0] < most else { continue }
            counts[key, default: 0] += 1
            symbols.append(symbol)
        }
    }

    /// The inputs that the patterns of a view tell apart.
    private struct Reader {
        let view: PlaneView
        /// The inputs that edges name, or except.
        var named = Set<UInt32>()
        var sets: [ByteSet] = []

        static func all(_ patterns: [PlanePattern], _ budget: ComparisonBudget) -> [Reader] {
            var readers: [PlaneView: Reader] = [:]
            for pattern in patterns {
                budget.spend(pattern.automaton.edgeCount)
                var reader = readers[pattern.view] ?? Reader(view: pattern.view)
                for state in 0..<pattern.automaton.stateCount {
                    for edge in pattern.automaton.edges(from: state) {
                        switch edge.label {
                        case .any: break
                        case .symbol(let symbol), .anyExcept(let symbol): reader.named.insert(symbol)
                        case .set(let set), .anyExceptSet(let set):
                            if !reader.sets.contains(set) { reader.sets.append(set) }
                        }
                    }
                }
                readers[pattern.view] = reader
            }
            return Array(readers.values)
        }

        /// The same numbers for inputs that no pattern tells apart.
        func taken(_ input: UInt32) -> [UInt32] {
            var taken = named.contains(input) ? [input] : []
            for (index, set) in sets.enumerated() where input < 0x80 {
                if set.contains(UInt8(truncatingIfNeeded: input)) { taken.append(0x8000_0000 + UInt32(index)) }
            }
            return taken
        }
    }

    /// The properties that symbols have in common of which one is enough.
    private struct Key: Hashable {
        let role: Unicode.Scalar?
        let length: Int
        let taken: [[UInt32]]
        let isGeneric: Bool

        init(_ symbol: PlaneSymbol, _ part: PlanePart, _ readers: [Reader]) {
            let special: [Unicode.Scalar] =
                switch part {
                case .path: ["/", "."]
                case .query: ["&", "=", ";"]
                case .fragment: []
                }
            role = special.first { symbol.is($0) }
            length = symbol.raw.count
            taken = readers.flatMap { reader in reader.view.inputs(symbol).map { reader.taken($0) } }
            isGeneric = role == nil && !symbol.isEscaped && taken.allSatisfy(\.isEmpty)
        }
    }

    private static let printable = Array(
        "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/+,;=:@!$&'()*?".utf8)

    /// Whether a character can stand in a URL as it is.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && printable.contains(UInt8(truncatingIfNeeded: scalar.value))
    }

    /// Whether a character can stand in the part as it is.
    private static func isPlain(_ byte: UInt8, in part: PlanePart) -> Bool {
        !(byte == UInt8(ascii: "?") && part == .path)
    }

    private static func isAllowed(_ symbol: PlaneSymbol, in part: PlanePart, _ plane: LinkPlane) -> Bool {
        guard part == .query else { return true }
        // The decoded query is split, so that an escaped one separates items as the character itself does.
        if symbol.isEscaped, symbol.is("&") || symbol.is(";") { return false }
        return !(symbol.is(";") && plane == .ordinary)
    }
}
