internal import AppSiteAssociation
internal import URLPatterns

/// The sets and variables of a file's patterns, each with its number.
struct TokenTable {
    private(set) var sets: [ByteSet] = []
    private(set) var variables: [TokenVariable] = []
    private var setNumbers: [ByteSet: UInt32] = [:]
    /// By where the values are stored: a parser hands out the same ones each time.
    private var variableNumbers: [StorageKey: UInt32] = [:]

    private struct StorageKey: Hashable {
        let storage: UnsafeRawPointer
        let percentEncoded: Bool
    }

    mutating func token(_ set: ByteSet) -> UInt32 {
        if let known = setNumbers[set] { return known }
        let token = PatternToken.firstSet + UInt32(sets.count)
        setNumbers[set] = token
        sets.append(set)
        return token
    }

    /// - Parameter alternatives: not empty.
    mutating func token(_ alternatives: [[PatternElement]], percentEncoded: Bool) -> UInt32 {
        let address = alternatives.withUnsafeBytes { $0.baseAddress }.map {
            StorageKey(storage: $0, percentEncoded: percentEncoded)
        }
        if let address, let known = variableNumbers[address] { return known }
        let token = PatternToken.firstVariable + UInt32(variables.count)
        if let address { variableNumbers[address] = token }
        variables.append(TokenVariable(alternatives, percentEncoded: percentEncoded))
        return token
    }

    func set(_ token: UInt32) -> ByteSet { sets[Int(token - PatternToken.firstSet)] }
    func variable(_ token: UInt32) -> TokenVariable { variables[Int(token - PatternToken.firstVariable)] }
}

extension TokenTable {
    /// Whether one row of tokens covers another, each of whose wildcards only a wildcard covers.
    ///
    /// For a text it is the usual comparison with a pattern. For a pattern it is enough to show that its texts are covered,
    /// but not needed.
    func matches(_ pattern: [UInt32], _ text: [UInt32], _ budget: inout WorkBudget) -> Bool {
        var position = 0
        var offset = 0
        // The last run, and what it has taken so far.
        var run: (index: Int, offset: Int)?
        var steps = 0
        defer { budget.spend(steps) }
        while offset < text.count {
            steps += 1
            if steps & 0xFFFF == 0 {
                budget.spend(steps)
                steps = 0
                if budget.isSpent { return false }
            }
            if position < pattern.count, pattern[position] == PatternToken.anyRun {
                run = (position, offset)
                position += 1
            } else if position < pattern.count, covers(pattern[position], text[offset]) {
                position += 1
                offset += 1
            } else if let last = run {
                run = (last.index, last.offset + 1)
                position = last.index + 1
                offset = last.offset + 1
            } else {
                return false
            }
        }
        while position < pattern.count, pattern[position] == PatternToken.anyRun { position += 1 }
        return position == pattern.count
    }

    private func covers(_ token: UInt32, _ other: UInt32) -> Bool {
        if token == other { return token != PatternToken.anyRun }
        if PatternToken.isSymbol(token) { return false }
        if token == PatternToken.anyCharacter {
            guard PatternToken.isSymbol(other) || PatternToken.isSet(other) else { return false }
            return OpenDecisions.questionMarkMatchesSlash || other != PatternSymbol.slash
        }
        guard PatternToken.isSet(token) else { return false }
        if PatternToken.isSymbol(other) {
            return other < 0x80 && set(token).contains(UInt8(truncatingIfNeeded: other))
        }
        return PatternToken.isSet(other) && set(other).isSubset(of: set(token))
    }
}

/// A pattern as a row of numbers, quick to compare: symbols (``PatternSymbol``), the wildcards, and numbers for sets of
/// characters and for variables.
enum PatternToken {
    static let anyCharacter: UInt32 = 0x8000_0000
    static let anyRun: UInt32 = 0x8000_0001
    static let firstSet: UInt32 = 0x9000_0000
    static let firstVariable: UInt32 = 0xA000_0000

    static func isSymbol(_ token: UInt32) -> Bool { token < anyCharacter }
    static func isSet(_ token: UInt32) -> Bool { token >= firstSet && token < firstVariable }
    static func isVariable(_ token: UInt32) -> Bool { token >= firstVariable }
}

extension PatternSymbol {
    /// Whether folding can make another symbol of this one, or this one of another.
    static func hasCase(_ symbol: UInt32, percentEncoded: Bool) -> Bool {
        if symbol < 0x80 { return (symbol | 0x20) &- 0x61 < 26 }
        guard OpenDecisions.foldsBeyondASCII(percentEncoded: percentEncoded), let scalar = Unicode.Scalar(symbol) else {
            return false
        }
        let properties = scalar.properties
        return properties.isCased || properties.changesWhenCaseMapped || properties.changesWhenCaseFolded
    }
}

/// The facts about a variable that save looking at its values again.
struct TokenVariable {
    /// Kept so that nothing else takes the place in memory by which it is known.
    let alternatives: [[PatternElement]]
    /// Whether each value is a text that is not empty and has no slashes at its ends: in a path it is the same everywhere.
    let isPlain: Bool
    /// A value, if all are plain.
    let sample: [UInt32]
    /// The length of the shortest value; wildcards count as nothing.
    let minimumLength: Int
    /// The longest beginning that all values have, if all are plain; cut at ``longestBeginning``.
    let commonBeginning: [UInt32]
    /// Whether some values are no longer than that, and others are.
    let endsWithCommonBeginning: Bool
    /// Whether all values are the same text, known whole.
    let isOneText: Bool
    /// Whether folding could change a value.
    let hasLetters: Bool

    init(_ alternatives: [[PatternElement]], percentEncoded: Bool) {
        self.alternatives = alternatives
        let slash = PatternElement.byte(UInt8(ascii: "/"))
        isPlain = alternatives.allSatisfy { value in
            !value.isEmpty && value.first != slash && value.last != slash && value.allSatisfy(\.isByte)
        }
        sample = isPlain ? Self.symbols(alternatives.first ?? [], percentEncoded: percentEncoded) : []
        // A character may have four bytes.
        let shortest = alternatives.lazy.map { $0.count { $0.isByte } }.min() ?? 0
        minimumLength = percentEncoded ? shortest : (shortest + 3) / 4
        let texts = isPlain ? alternatives.map { Self.beginning($0, percentEncoded: percentEncoded) } : []
        let common = texts.dropFirst().reduce(texts.first ?? []) { common, text in
            Array(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        commonBeginning = common
        let isWhole = common.count < Self.longestBeginning
        isOneText = isPlain && isWhole && texts.allSatisfy { $0.count == common.count }
        endsWithCommonBeginning = !isOneText && isWhole && texts.contains { $0.count == common.count }
        hasLetters = alternatives.contains { value in
            Self.symbols(value, percentEncoded: percentEncoded).contains {
                PatternSymbol.hasCase($0, percentEncoded: percentEncoded)
            }
        }
    }

    /// No beginning is looked at any further.
    static let longestBeginning = 256

    private static func beginning(_ value: [PatternElement], percentEncoded: Bool) -> [UInt32] {
        // A character has four bytes at most.
        Array(
            symbols(Array(value.prefix(4 * longestBeginning)), percentEncoded: percentEncoded).prefix(longestBeginning))
    }

    private static func symbols(_ value: [PatternElement], percentEncoded: Bool) -> [UInt32] {
        let bytes = value.compactMap { element -> UInt8? in if case .byte(let byte) = element { byte } else { nil } }
        return PatternSymbol.symbols(of: bytes, percentEncoded: percentEncoded)
    }
}

extension PatternElement {
    fileprivate var isByte: Bool { if case .byte = self { true } else { false } }
}
