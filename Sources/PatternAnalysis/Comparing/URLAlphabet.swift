internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// The symbols that suffice to write a URL's part of every kind that the patterns of an automaton tell apart: of those that
/// no pattern tells apart the nicest one.
struct URLAlphabet {
    /// A part of a URL, by the symbols that are special in it.
    enum Part {
        /// A path without the slashes at its ends.
        case path
        case query(hasItems: Bool)
        case fragment
    }

    /// The nicest first.
    private(set) var symbols: [URLSymbol] = []
    /// Whether texts are made of which a pattern sees the bytes and another one the characters.
    private(set) var isMixed = false

    private let part: Part
    private var hits: SymbolHits
    private var seen = Set<[Int32]>()
    private let hasEncoded: Bool
    private let hasDecoded: Bool

    init(_ joint: JointAutomaton, _ part: Part) {
        self.part = part
        hits = SymbolHits(joint)
        hasEncoded = joint.slots.contains { URLSymbol.isEncoded(view: $0.view) }
        hasDecoded = joint.slots.contains { !URLSymbol.isEncoded(view: $0.view) }
        isMixed = hasEncoded && hasDecoded

        for byte in Self.printable where isAllowed(byte) { add(raw: [byte], UInt32(byte), kind(of: byte)) }
        guard hasDecoded else { return }
        for byte in Self.printable + Self.others { addEscapes(of: byte) }
        addCharacters(joint)
    }

    private static let printable = Array(
        (#"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/+,;=:@!$&'()*%?[]|{}^`"<>\"# + "#").utf8)
    private static let others: [UInt8] = Array(0...0x20) + Array(0x7F...0xFF)

    /// Whether a character can stand in the part as it is.
    private func isAllowed(_ byte: UInt8) -> Bool {
        switch (byte, part) {
        // Where no pattern sees bytes, %25 says it better.
        case (UInt8(ascii: "%"), _): hasEncoded || !hasDecoded
        case (UInt8(ascii: "?"), .path), (UInt8(ascii: "#"), .path), (UInt8(ascii: "#"), .query): false
        default: true
        }
    }

    private func kind(of byte: UInt8) -> URLSymbol.Kind {
        switch (byte, part) {
        case (UInt8(ascii: "/"), .path): .slash
        case (UInt8(ascii: "&"), .query(hasItems: true)): .itemEnd
        case (UInt8(ascii: "="), .query(hasItems: true)): .nameEnd
        case (UInt8(ascii: "%"), _) where isMixed: .percent
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _) where isMixed: .hexDigit
        case (UInt8(ascii: "A")...UInt8(ascii: "F"), _) where isMixed: .hexDigit
        case (UInt8(ascii: "a")...UInt8(ascii: "f"), _) where isMixed: .hexDigit
        default: []
        }
    }

    private mutating func add(raw: [UInt8], _ decoded: UInt32, _ kind: URLSymbol.Kind) {
        var key: [Int32] = [Int32(kind.rawValue)]
        if hasEncoded { for byte in raw { hits.append(UInt32(byte), views: [0, 1], to: &key) } }
        if hasDecoded { hits.append(decoded, views: [2, 3], to: &key) }
        if seen.insert(key).inserted { symbols.append(URLSymbol(raw: raw, decoded: decoded, kind: kind)) }
    }

    private mutating func addEscapes(of byte: UInt8) {
        // A slash at the end of a path does not count however it is written; only patterns of both kinds tell them apart.
        var isSlash = false
        if case .path = part, byte == UInt8(ascii: "/") { isSlash = true }
        if isSlash, !hasEncoded { return }
        let kind: URLSymbol.Kind =
            isSlash ? .escapedSlash : byte < 0x80 ? [] : byte < 0xC0 ? [.strayByte, .strayTail] : .strayByte
        let decoded = byte < 0x80 ? UInt32(byte) : PatternSymbol.strayByte + UInt32(byte)
        for high in Self.digits(byte >> 4) {
            for low in Self.digits(byte & 15) {
                add(raw: [UInt8(ascii: "%"), high, low], decoded, kind)
            }
        }
    }

    /// A hexadecimal digit in uppercase and in lowercase.
    private static func digits(_ value: UInt8) -> [UInt8] {
        value < 10 ? [0x30 + value] : [0x41 + value - 10, 0x61 + value - 10]
    }

    private mutating func addCharacters(_ joint: JointAutomaton) {
        for scalar in hits.characters { addCharacter(scalar) }
        guard hasEncoded else { return }
        // What is none of them may have two, three or four bytes.
        for scalar: UInt32 in [0xE9, 0x20AC, 0x1F600] { addCharacter(scalar) }
        for slot in joint.slots where URLSymbol.isEncoded(view: slot.view) {
            for text in EscapeRun.runs(in: slot.elements) { addEscapeRun(text) }
        }
    }

    private mutating func addCharacter(_ scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        let bytes = Array(String(Character(scalar)).utf8)
        addCharacter(scalar.value, bytes.map { (Self.digits($0 >> 4)[0], Self.digits($0 & 15)[0]) })
        addCharacter(
            scalar.value, bytes.map { (Self.digits($0 >> 4).last ?? 0x30, Self.digits($0 & 15).last ?? 0x30) })
    }

    private mutating func addCharacter(_ scalar: UInt32, _ digits: [(UInt8, UInt8)]) {
        add(raw: digits.flatMap { [UInt8(ascii: "%"), $0.0, $0.1] }, scalar, [])
    }

    /// Adds the characters of escapes as a pattern writes them.
    private mutating func addEscapeRun(_ text: EscapeRun) {
        // What breaks off within a character is completed.
        let bytes = text.bytes + [0x80, 0x80, 0x80]
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < text.bytes.count {
                let length = UTF8Scalars.length(buffer, at: offset)
                if length > 1 {
                    let value = UTF8Scalars.value(buffer, at: offset, length: length)
                    let digits = (offset..<offset + length).map {
                        $0 < text.digits.count ? text.digits[$0] : (UInt8(ascii: "8"), UInt8(ascii: "0"))
                    }
                    addCharacter(value, digits)
                    addCharacter(value)
                }
                offset += length
            }
        }
    }
}

/// A piece of a URL's text that patterns see as one character, or as the bytes that stand there.
struct URLSymbol {
    /// The text as it is.
    let raw: [UInt8]
    /// The character that it is when it is decoded (``PatternSymbol``).
    let decoded: UInt32
    let kind: Kind

    /// The meaning of a symbol beside what patterns see.
    struct Kind: OptionSet, Hashable {
        let rawValue: UInt8

        /// A slash of a path.
        static let slash = Kind(rawValue: 1)
        /// `&` of a query with items.
        static let itemEnd = Kind(rawValue: 2)
        /// `=` of a query with items.
        static let nameEnd = Kind(rawValue: 4)
        /// A percent sign that begins no escape.
        static let percent = Kind(rawValue: 8)
        /// A digit that must not come second after such a percent sign.
        static let hexDigit = Kind(rawValue: 16)
        /// An escaped byte that belongs to no character.
        static let strayByte = Kind(rawValue: 32)
        /// Such a byte that could complete a character.
        static let strayTail = Kind(rawValue: 64)
        /// A slash of a path that only patterns see which see characters.
        static let escapedSlash = Kind(rawValue: 128)
    }

    /// The way a pattern sees a URL, as a number.
    static func view(_ comparison: Comparison) -> Int {
        (comparison.percentEncoded ? 0 : 2) + (comparison.caseSensitive ? 0 : 1)
    }

    static func isEncoded(view: Int) -> Bool { view < 2 }

    /// The symbol as a pattern reads it.
    static func folded(_ symbol: UInt32, view: Int) -> UInt32 {
        switch view {
        case 1: symbol < 0x80 ? CaseFolding.simple(symbol) : symbol
        case 3: CaseFolding.simple(symbol)
        default: symbol
        }
    }
}

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
                case .set, .anyExcept, .anyExceptSet: wide[view].insert(label)
                }
            }
        }
    }

    /// Appends a number that symbols have in common which no label tells apart.
    mutating func append(_ symbol: UInt32, views: [Int], to key: inout [Int32]) {
        let symbolKey = UInt64(symbol) << 8 | UInt64(views[0])
        if let number = known[symbolKey] {
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
        known[symbolKey] = number
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

/// Escapes that stand side by side in a pattern.
struct EscapeRun {
    private(set) var bytes: [UInt8] = []
    /// The two digits of each, as they are written.
    private(set) var digits: [(UInt8, UInt8)] = []

    /// The runs that have a byte beyond ASCII.
    static func runs(in elements: [PatternElement]) -> [EscapeRun] {
        var runs: [EscapeRun] = []
        var pending: [[PatternElement]] = [elements]
        while let elements = pending.popLast() {
            var run = EscapeRun()
            var index = 0
            while index < elements.count {
                if index + 2 < elements.count, elements[index] == .byte(UInt8(ascii: "%")),
                    case .byte(let high) = elements[index + 1], case .byte(let low) = elements[index + 2],
                    let byte = OpenDecisions.decodedEscape(high, low)
                {
                    run.bytes.append(byte)
                    run.digits.append((high, low))
                    index += 3
                    continue
                }
                if run.bytes.contains(where: { $0 >= 0x80 }) { runs.append(run) }
                run = EscapeRun()
                if case .oneOf(let values) = elements[index] { pending += values }
                index += 1
            }
            if run.bytes.contains(where: { $0 >= 0x80 }) { runs.append(run) }
        }
        return runs
    }
}
