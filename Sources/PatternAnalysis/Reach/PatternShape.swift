internal import AppSiteAssociation
internal import URLPatterns

/// A pattern, with quick facts about its texts.
final class PatternShape {
    /// Only made where tokens do not do: it takes longer than all the rest.
    private(set) lazy var elements = parser.parse(pattern)
    private let pattern: String
    private let parser: PatternParser
    let percentEncoded: Bool
    let isPath: Bool
    /// The pattern; of a path without the slashes at its ends. Never two runs in a row.
    let tokens: [UInt32]
    /// The path without its tail `/*`, if it has one.
    let parent: [UInt32]?
    /// Whether it matches nothing, whatever else it says: a variable in it has no values.
    let isEmpty: Bool
    /// Whether it is `*`.
    var isAny: Bool { tokens == [PatternToken.anyRun] }
    /// Whether it matches every text, if need be without a tail.
    var isEverything: Bool { isAny || parent == [PatternToken.anyRun] }
    let hasVariables: Bool
    let hasWildcards: Bool
    /// Whether its tokens say everything: no variable touches what is special about slashes in a path.
    let isSimple: Bool
    /// A text that the pattern covers: an unnamed symbol for each wildcard, the first value for a variable.
    let sample: [UInt32]?
    /// The symbols that every text has.
    let required: SymbolMask
    /// The symbols that the sample has.
    let sampled: SymbolMask
    /// No text is shorter.
    let minimumLength: Int

    /// The pattern with a run for each variable, which covers more.
    private(set) lazy var relaxedTokens = tokens.map(Self.relaxed)

    func relaxedParent(_ tails: Tails) -> [UInt32]? { parent(tails)?.map(Self.relaxed) }

    private static func relaxed(_ token: UInt32) -> UInt32 {
        PatternToken.isVariable(token) ? PatternToken.anyRun : token
    }
    private var automata: [Bool: PatternAutomaton?] = [:]
    /// The longest beginning that all texts have, once it was asked for.
    var knownCommonBeginning: [UInt32]?

    init(
        _ pattern: String, _ parser: PatternParser, _ comparison: Comparison, isPath: Bool, _ table: inout TokenTable
    ) {
        let percentEncoded = comparison.percentEncoded
        self.pattern = pattern
        self.parser = parser
        self.percentEncoded = percentEncoded
        self.isPath = isPath
        var tokens: [UInt32] = []
        if let plain = Self.plain(pattern, comparison) {
            tokens = plain
            isEmpty = false
        } else {
            isEmpty = !Self.append(parser.parse(pattern), percentEncoded, &tokens, &table)
        }
        if isPath { Self.trim(&tokens) }
        let parent = isPath ? Self.parent(of: tokens) : nil
        Self.collapseRuns(&tokens)
        self.tokens = tokens
        self.parent = parent

        hasVariables = tokens.contains(where: PatternToken.isVariable)
        hasWildcards = tokens.contains { !PatternToken.isSymbol($0) }
        isSimple =
            !hasVariables
            || tokens.allSatisfy { token in
                !PatternToken.isVariable(token) || !isPath || table.variable(token).isPlain
            }
        let shortest = parent ?? tokens
        sample = isEmpty || !isSimple ? nil : Self.sample(of: shortest, percentEncoded, table)
        sampled = sample.map { SymbolMask($0) } ?? .full
        let skipped = isSimple ? nil : PatternSymbol.slash
        required = SymbolMask(shortest.lazy.filter { PatternToken.isSymbol($0) && $0 != skipped })
        minimumLength = shortest.reduce(0) { length, token in
            if token == PatternToken.anyRun || token == skipped { return length }
            guard PatternToken.isVariable(token) else { return length + 1 }
            let variable = table.variable(token)
            return variable.isPlain || !isPath ? length + variable.minimumLength : length
        }
    }

    /// Whether it is known from a recording that the tail may be left out: only where it is the one wildcard.
    var hasRecordedParent: Bool { Self.isLiteral(parent) }

    /// Whether it may have a tail `/*`.
    var hasTail: Bool { !isSimple || parent != nil }

    /// Whether it matches some paths only by a decision (`OpenDecisions`): its tail follows wildcards or variables.
    var hasOpenTail: Bool { !isSimple || parent != nil && !hasRecordedParent }

    /// The path without its tail, if that counts.
    func parent(_ tails: Tails) -> [UInt32]? { tails == .decided || hasRecordedParent ? parent : nil }

    var isLiteral: Bool { !hasWildcards && parent == nil }

    /// A second text, of a path that also covers its parent: one with a tail.
    func tailSample(_ table: TokenTable) -> [UInt32]? {
        parent == nil || !isSimple || isEmpty ? nil : Self.sample(of: tokens, percentEncoded, table)
    }

    /// The automaton, made once; nil if it is too large.
    func automaton(
        acceptsParent: Bool, _ variables: PatternVariables, _ budget: inout WorkBudget
    ) -> PatternAutomaton? {
        let acceptsParent = acceptsParent && (parent != nil || !isSimple)
        if let known = automata[acceptsParent] { return known }
        if budget.isSpent { return nil }
        let automaton =
            isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: percentEncoded, acceptsParent: acceptsParent, variables: variables,
                work: &budget)
            : PatternAutomaton(elements, percentEncoded: percentEncoded, variables: variables, work: &budget)
        automata[acceptsParent] = automaton
        return automaton
    }

    /// A symbol that no pattern names; it takes the place of `?` and `*` in samples.
    static func unnamedSymbol(percentEncoded: Bool) -> UInt32 {
        percentEncoded ? 0xFF : PatternSymbol.strayByte + 0xFF
    }

    static func isLiteral(_ tokens: [UInt32]?) -> Bool { tokens?.allSatisfy(PatternToken.isSymbol) ?? false }

    /// The tokens of a pattern without variables; nil for another.
    private static func plain(_ pattern: String, _ comparison: Comparison) -> [UInt32]? {
        let bytes = Array(pattern.utf8)
        guard !bytes.contains(UInt8(ascii: "$")) else { return nil }
        let folded = comparison.fold(bytes)
        var tokens = PatternSymbol.symbols(of: folded, percentEncoded: comparison.percentEncoded)
        for index in tokens.indices {
            if tokens[index] == UInt32(UInt8(ascii: "*")) { tokens[index] = PatternToken.anyRun }
            if tokens[index] == UInt32(UInt8(ascii: "?")) { tokens[index] = PatternToken.anyCharacter }
        }
        return tokens
    }

    /// False if a variable has no values.
    private static func append(
        _ elements: [PatternElement], _ percentEncoded: Bool, _ tokens: inout [UInt32], _ table: inout TokenTable
    ) -> Bool {
        tokens.reserveCapacity(elements.count)
        var pending: [UInt8] = []
        func flush(_ tokens: inout [UInt32]) {
            guard !pending.isEmpty else { return }
            tokens += PatternSymbol.symbols(of: pending, percentEncoded: percentEncoded)
            pending.removeAll()
        }
        for element in elements {
            if case .byte(let byte) = element, byte >= 0x80, !percentEncoded {
                pending.append(byte)
                continue
            }
            flush(&tokens)
            switch element {
            case .byte(let byte): tokens.append(UInt32(byte))
            case .anyCharacter: tokens.append(PatternToken.anyCharacter)
            case .anyRun: tokens.append(PatternToken.anyRun)
            // No token says it, so it is treated as a variable with wildcards.
            case .segmentCharacter, .segmentRun:
                tokens.append(table.token([[element]], percentEncoded: percentEncoded))
            case .character(let set): tokens.append(table.token(set))
            case .oneOf(let alternatives):
                if alternatives.isEmpty { return false }
                tokens.append(table.token(alternatives, percentEncoded: percentEncoded))
            }
        }
        flush(&tokens)
        return true
    }

    private static func trim(_ tokens: inout [UInt32]) {
        let leading = tokens.prefix { $0 == PatternSymbol.slash }.count
        tokens.removeFirst(leading)
        while tokens.last == PatternSymbol.slash { tokens.removeLast() }
    }

    private static func parent(of tokens: [UInt32]) -> [UInt32]? {
        guard tokens.last == PatternToken.anyRun, tokens.dropLast().last == PatternSymbol.slash else { return nil }
        var left = Array(tokens.dropLast())
        while left.last == PatternSymbol.slash { left.removeLast() }
        guard OpenDecisions.tailIsOptionalBehindWildcards || isLiteral(left) else { return nil }
        collapseRuns(&left)
        return left
    }

    private static func collapseRuns(_ tokens: inout [UInt32]) {
        let run = PatternToken.anyRun
        guard tokens.indices.dropFirst().contains(where: { tokens[$0] == run && tokens[$0 - 1] == run }) else { return }
        var result: [UInt32] = []
        for token in tokens where token != run || result.last != run { result.append(token) }
        tokens = result
    }

    /// The length that the values in a sample may have: one can be as long as the file, and thousands of patterns can
    /// name its variable.
    private static let longestSample = 512

    private static func sample(of tokens: [UInt32], _ percentEncoded: Bool, _ table: TokenTable) -> [UInt32]? {
        if isLiteral(tokens) { return tokens }
        var text: [UInt32] = []
        var room = longestSample
        for token in tokens {
            if PatternToken.isVariable(token) {
                let variable = table.variable(token)
                guard variable.isPlain, variable.sample.count <= room else { return nil }
                room -= variable.sample.count
                text += variable.sample
            } else if PatternToken.isSet(token) {
                guard let byte = table.set(token).bytes.first else { return nil }
                text.append(UInt32(byte))
            } else {
                text.append(PatternToken.isSymbol(token) ? token : unnamedSymbol(percentEncoded: percentEncoded))
            }
        }
        return text
    }
}

/// Which tails `/*` of paths may be left out.
enum Tails {
    /// All of them, as URLs are decided (`OpenDecisions`).
    case decided
    /// Only those for which a recording shows it.
    case recorded
}

/// A set of symbols, of which some share a place.
struct SymbolMask {
    private var words: (UInt64, UInt64) = (0, 0)

    init() {}

    init(_ symbols: some Sequence<UInt32>) {
        for symbol in symbols {
            let bit: UInt64 = 1 << UInt64(symbol & 63)
            if symbol & 64 == 0 { words.0 |= bit } else { words.1 |= bit }
        }
    }

    static let full = SymbolMask(0..<128)

    func union(_ other: SymbolMask) -> SymbolMask {
        var result = self
        result.words.0 |= other.words.0
        result.words.1 |= other.words.1
        return result
    }

    /// False means that some symbol is not in the other set.
    func mayBeSubset(of other: SymbolMask) -> Bool {
        words.0 & ~other.words.0 == 0 && words.1 & ~other.words.1 == 0
    }
}
