internal import BoundedText
internal import URLPatterns

/// A pattern without variables, in characters: what both platforms can say.
struct PatternTokens: Hashable {
    enum Token: Hashable {
        case character(Unicode.Scalar)
        /// `?`: one character.
        case any
        /// `*`: any run of characters.
        case run

        var isSlash: Bool { self == .character("/") }
    }

    var tokens: [Token]

    init(_ tokens: [Token]) { self.tokens = tokens }

    /// Whether every text matches.
    var isEverything: Bool { !tokens.isEmpty && tokens.allSatisfy { $0 == .run } }

    var isEmpty: Bool { tokens.isEmpty }

    /// The same with every `*` behind the `?` beside it, and one `*` for several: on Android a `*` before another wildcard
    /// means something else.
    var ordered: PatternTokens {
        var result: [Token] = []
        var anyCount = 0
        var hasRun = false
        func flush() {
            result += [Token](repeating: .any, count: anyCount) + (hasRun ? [.run] : [])
            (anyCount, hasRun) = (0, false)
        }
        for token in tokens {
            switch token {
            case .any: anyCount += 1
            case .run: hasRun = true
            case .character:
                flush()
                result.append(token)
            }
        }
        flush()
        return PatternTokens(result)
    }

    /// The pattern as Android's rules write it.
    var text: String {
        var text = ""
        for token in tokens {
            switch token {
            case .character(let scalar): text.unicodeScalars.append(scalar)
            case .any: text.append("?")
            case .run: text.append("*")
            }
        }
        return text
    }

    /// The tokens before the first `*` that is not the last token, and a `*`; nil if there is none.
    var cutAtFirstRun: PatternTokens? {
        guard let index = tokens.firstIndex(of: .run), index < tokens.count - 1 else { return nil }
        return PatternTokens(Array(tokens[...index]))
    }
}

/// The patterns without variables that an Apple pattern stands for.
struct PatternExpansion {
    private(set) var patterns: [PatternTokens] = [PatternTokens([])]
    /// The reason why the patterns do not say the same; nil if they do.
    private(set) var reason: String?

    /// The number of patterns that one may become.
    static let limit = 256

    private let comparison: Comparison
    private let excludes: Bool

    /// - Parameters:
    ///   - elements: The pattern as it is compared with regard to case.
    ///   - excludes: Whether the patterns may match more than they should; else they may match less.
    init(_ elements: [PatternElement], _ comparison: Comparison, excludes: Bool) {
        self.comparison = comparison
        self.excludes = excludes
        read(elements)
        var seen = Set<PatternTokens>()
        patterns = patterns.map(\.ordered).filter { seen.insert($0).inserted }
    }

    private mutating func note(_ reason: String) { self.reason = self.reason ?? reason }

    private mutating func read(_ elements: [PatternElement]) {
        var bytes: [UInt8] = []
        for element in elements {
            if case .byte(let byte) = element {
                bytes.append(byte)
                continue
            }
            append([literal(bytes)])
            bytes = []
            switch element {
            case .byte: break
            case .anyCharacter, .segmentCharacter: append([[.any]])
            case .anyRun, .segmentRun: append([[.run]])
            case .character(let set):
                append(set.bytes.map { token(Unicode.Scalar($0)) }) { [[.any]] }
            case .oneOf(let values):
                append(values.count > Self.limit ? nil : values.map { value($0) }) { Self.wide(values) }
            }
        }
        append([literal(bytes)])
    }

    /// A value of a variable; nil if no text is one.
    private mutating func value(_ elements: [PatternElement]) -> [PatternTokens.Token]? {
        var result: [PatternTokens.Token] = []
        var bytes: [UInt8] = []
        for element in elements + [.anyRun] {
            if case .byte(let byte) = element {
                bytes.append(byte)
                continue
            }
            guard let literal = literal(bytes) else { return nil }
            result += literal
            bytes = []
            result.append(element == .anyCharacter ? .any : .run)
        }
        return Array(result.dropLast())
    }

    /// Patterns that match at least all values.
    private static func wide(_ values: [[PatternElement]]) -> [[PatternTokens.Token]] {
        let lengths = Set(
            values.map { value -> Int in
                let isPlain = value.allSatisfy { element in
                    if case .byte(let byte) = element { byte < 0x80 && byte != UInt8(ascii: "%") } else { false }
                }
                return isPlain ? value.count : -1
            })
        if lengths.contains(-1) || lengths.count > 4 { return [[.run]] }
        return lengths.sorted().map { [PatternTokens.Token](repeating: .any, count: $0) }
    }

    /// Appends each of some texts, of which nil is one that nothing matches, to each pattern.
    ///
    /// - Parameters:
    ///   - choices: Nil if there are too many.
    ///   - wide: Stands for the choices where there are too many.
    private mutating func append(
        _ choices: [[PatternTokens.Token]?]?, orElse wide: () -> [[PatternTokens.Token]] = { [[.run]] }
    ) {
        var own = choices.map { $0.compactMap { $0 } }
        if let count = own?.count, count * max(1, patterns.count) > Self.limit { own = nil }
        if own == nil {
            note("its variables stand for more than \(Self.limit) patterns")
            guard excludes else {
                patterns = []
                return
            }
            own = wide()
            if (own?.count ?? 0) * patterns.count > Self.limit { own = [[.run]] }
        }
        patterns = patterns.flatMap { pattern in (own ?? []).map { PatternTokens(pattern.tokens + $0) } }
    }

    /// The characters of a text; nil if no URL has it.
    private mutating func literal(_ bytes: [UInt8]) -> [PatternTokens.Token]? {
        guard comparison.percentEncoded else {
            var result: [PatternTokens.Token] = []
            for scalar in BoundedText.scalars(of: bytes) { result += token(scalar) }
            return result
        }
        var result: [PatternTokens.Token] = []
        var index = 0
        while index < bytes.count {
            if let symbol = URLSymbol.escape(in: bytes, at: index), let scalar = symbol.scalar {
                let isWildcard = symbol.is("*") || symbol.is("?")
                if isWildcard || URLAlphabet.isPlain(scalar) {
                    // Decoded it is no longer told apart from the character itself.
                    let escape = String(text: symbol.raw)
                    note("'\(escape)' is \(isWildcard ? "a wildcard" : "'\(scalar)'") when it is decoded")
                    guard excludes else { return nil }
                }
                result += isWildcard ? [.any] : token(scalar)
                index += symbol.raw.count
            } else if bytes[index] < 0x80, bytes[index] != UInt8(ascii: "%") {
                result += token(Unicode.Scalar(bytes[index]))
                index += 1
            } else {
                // An encoded URL has no other character, and an escape that is none occurs in no ordinary one.
                return nil
            }
        }
        return result
    }

    /// A character; where case does not matter and more may match, any one for a letter.
    private mutating func token(_ scalar: Unicode.Scalar) -> [PatternTokens.Token] {
        // Where bytes are compared, only ASCII letters fold.
        let folds = !comparison.caseSensitive && (scalar.isASCII || !comparison.percentEncoded)
        let text = String(Character(scalar))
        guard folds, text.lowercased() != text || text.uppercased() != text else { return [.character(scalar)] }
        note("Android always compares with regard to case")
        guard excludes else { return [.character(scalar)] }
        return [PatternTokens.Token](repeating: .any, count: text.utf16.count)
    }
}
