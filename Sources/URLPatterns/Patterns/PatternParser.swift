internal import BoundedText

/// Reads patterns (matching.md, sections 3 and 5).
package struct PatternParser {
    private let comparison: Comparison
    /// The elements of the file's variables, made once: thousands of patterns may name them.
    private let variables: [[UInt8]: PatternElement]

    /// - Parameters:
    ///   - variables: What `$(name)` stands for.
    ///   - comparison: How the pattern will be compared; its text is folded accordingly.
    package init(variables: SubstitutionVariables, comparison: Comparison) {
        self.init(variables: Self.values(of: variables, comparison), comparison: comparison)
    }

    private init(variables: [[UInt8]: PatternElement], comparison: Comparison) {
        self.comparison = comparison
        self.variables = variables
    }

    /// The same parser for another comparison that folds alike.
    fileprivate func with(_ comparison: Comparison) -> PatternParser {
        PatternParser(variables: variables, comparison: comparison)
    }

    private static func values(
        of variables: SubstitutionVariables, _ comparison: Comparison
    ) -> [[UInt8]: PatternElement] {
        Dictionary(
            variables.variables.map { variable in
                // Values that are the same here, as 'de' and 'DE' without regard to case, count once.
                var seen = Set<[UInt8]>()
                let values =
                    variable.elements.map { [$0] }
                    ?? variable.values.map { comparison.fold(Array($0.utf8)) }
                    .filter { seen.insert($0).inserted }.map(plain)
                return (Array(variable.name.utf8), PatternElement.oneOf(values))
            }, uniquingKeysWith: { _, later in later })
    }

    package func parse(_ pattern: String) -> [PatternElement] {
        var elements: [PatternElement] = []
        for piece in Self.pieces(Array(pattern.utf8)) {
            switch piece {
            case .text(let text): elements += Self.plain(comparison.fold(Array(text)))
            case .variable(let name): elements.append(variable(name))
            }
        }
        return elements
    }

    /// A piece of a pattern as it is written.
    package enum Piece: Equatable, Sendable {
        case text(ArraySlice<UInt8>)
        /// The name between `$(` and `)`.
        case variable(ArraySlice<UInt8>)
    }

    /// Cuts a pattern at its variables. `$(` without a `)`, or with `$` or `(` before it, is plain text.
    package static func pieces(_ pattern: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var textStart = 0
        var offset = 0
        while offset < pattern.count {
            guard pattern[offset] == UInt8(ascii: "$"), let end = variableEnd(pattern, offset) else {
                offset += 1
                continue
            }
            if textStart < offset { pieces.append(.text(pattern[textStart..<offset])) }
            pieces.append(.variable(pattern[(offset + 2)..<(end - 1)]))
            offset = end
            textStart = end
        }
        if textStart < pattern.count { pieces.append(.text(pattern[textStart...])) }
        return pieces
    }

    /// Where a variable that begins with the `$` at `start` ends; nil if none does.
    private static func variableEnd(_ pattern: [UInt8], _ start: Int) -> Int? {
        guard start + 1 < pattern.count, pattern[start + 1] == UInt8(ascii: "(") else { return nil }
        var offset = start + 2
        while offset < pattern.count {
            switch pattern[offset] {
            case UInt8(ascii: ")"): return offset + 1
            case UInt8(ascii: "$"), UInt8(ascii: "("): return nil
            default: offset += 1
            }
        }
        return nil
    }

    /// A text that has been folded.
    private static func plain(_ text: [UInt8]) -> [PatternElement] {
        text.map { byte in
            switch byte {
            case UInt8(ascii: "*"): .anyRun
            case UInt8(ascii: "?"): .anyCharacter
            default: .byte(byte)
            }
        }
    }

    private func variable(_ name: ArraySlice<UInt8>) -> PatternElement {
        let name = Array(name)
        let own = variables[name]
        let builtIn = BuiltInVariable(rawValue: String(text: name))
            .map { $0.element(caseSensitive: comparison.caseSensitive) }
        let meaning = OpenDecisions.ownVariablesReplaceBuiltInOnes ? own ?? builtIn : builtIn ?? own
        return meaning ?? OpenDecisions.meaningOfAnUndefinedVariable
    }
}

/// A parser for each way to compare, over the variables of one file.
package struct PatternParsers: Sendable {
    private let parsers: [Comparison: PatternParser]

    package init(_ variables: SubstitutionVariables) {
        let isASCII = variables.variables.allSatisfy { $0.values.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } }
        var parsers: [Comparison: PatternParser] = [:]
        for caseSensitive in [true, false] {
            let encoded = Comparison(caseSensitive: caseSensitive, percentEncoded: true)
            let decoded = Comparison(caseSensitive: caseSensitive, percentEncoded: false)
            let parser = PatternParser(variables: variables, comparison: encoded)
            parsers[encoded] = parser
            parsers[decoded] =
                caseSensitive || isASCII
                ? parser.with(decoded) : PatternParser(variables: variables, comparison: decoded)
        }
        self.parsers = parsers
    }

    package func parser(_ comparison: Comparison) -> PatternParser {
        parsers[comparison] ?? PatternParser(variables: SubstitutionVariables(), comparison: comparison)
    }
}

/// `substitutionVariables`: names that stand for one of several values in a pattern.
///
/// Names are compared byte by byte. A file's variable takes the place of a built-in one of its name.
public struct SubstitutionVariables: Sendable {
    /// The file's own variables, in its order.
    public let variables: [SubstitutionVariable]

    public init(_ variables: [SubstitutionVariable] = []) {
        self.variables = variables
    }
}

/// A variable of a file.
public struct SubstitutionVariable: Sendable {
    public let name: String
    /// The texts that `$(name)` may stand for; `*` and `?` in them are wildcards.
    public let values: [String]

    /// The elements that it stands for if no text can say them; nil if its values do.
    package let elements: [PatternElement]?

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
        elements = nil
    }

    package init(name: String, elements: [PatternElement]) {
        self.name = name
        values = []
        self.elements = elements
    }
}
