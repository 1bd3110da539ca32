internal import AppSiteAssociation

/// The distinct patterns of both files, each with a number: patterns of equal meaning that are found equal need one
/// automaton only.
struct ComparedPatterns {
    struct Pattern {
        let elements: [PatternElement]
        let comparison: Comparison
    }

    private(set) var patterns: [Pattern] = []
    /// What automata have found out about the variables.
    let variables = PatternVariables()
    private var numbers: [[UInt8]: Int] = [:]
    private var meanings: [[UInt8]: Int] = [:]

    subscript(number: Int) -> Pattern { patterns[number] }

    /// The number of a pattern; nil if every text matches it.
    mutating func number(_ text: String, _ comparison: Comparison, isPath: Bool, _ file: inout VariableMeanings) -> Int?
    {
        let elements = file.parsers.parser(comparison).parse(text)
        // A path always begins with a slash, which no pattern has to name.
        let rest = isPath && elements.first == .byte(UInt8(ascii: "/")) ? elements.dropFirst() : elements[...]
        if !rest.isEmpty, rest.allSatisfy({ $0 == .anyRun }) { return nil }

        // The text names the pattern, and where it has variables their meaning: an element may be a long list of values.
        var key: [UInt8] = [comparison.caseSensitive ? 1 : 0, comparison.percentEncoded ? 1 : 0]
        for piece in PatternParser.pieces(Array(text.utf8)) {
            switch piece {
            case .text(let text): Self.append(0, comparison.fold(Array(text)), to: &key)
            case .variable(let name):
                let number = file.number(ofMeaning: Array(name), comparison) { meaning in
                    let next = meanings.count
                    let number = meanings[meaning, default: next]
                    if number == next { meanings[meaning] = next }
                    return number
                }
                Self.append(1, Array(String(number).utf8), to: &key)
            }
        }
        if let known = numbers[key] { return known }
        patterns.append(Pattern(elements: elements, comparison: comparison))
        numbers[key] = patterns.count - 1
        return patterns.count - 1
    }

    /// Appends a piece so that no two lists of pieces look alike.
    static func append(_ kind: UInt8, _ piece: [UInt8], to key: inout [UInt8]) {
        key.append(kind)
        withUnsafeBytes(of: UInt64(piece.count)) { key += $0 }
        key += piece
    }
}
