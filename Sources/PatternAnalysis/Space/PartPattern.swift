internal import BoundedText
internal import URLPatterns

/// The way in which a pattern sees the text of a URL.
enum PatternView: Hashable {
    /// Apple's rules: as written or decoded, with or without regard to case.
    case apple(Comparison)
    /// Android's dynamic rules: decoded, in UTF-16 units.
    case android

    /// Whether it sees the bytes of escapes.
    var isEncoded: Bool { if case .apple(let comparison) = self { comparison.percentEncoded } else { false } }

    /// The symbols of an automaton that a piece of a URL is to the pattern.
    func inputs(_ symbol: URLSymbol) -> [UInt32] {
        guard case .apple(let comparison) = self else {
            return symbol.scalar.map { String(Character($0)).utf16.map(UInt32.init) } ?? []
        }
        if comparison.caseSensitive { return isEncoded ? symbol.raw.map(UInt32.init) : [symbol.decoded] }
        guard isEncoded else { return [CaseFolding.simple(symbol.decoded)] }
        return symbol.raw.map { UInt32(CaseFolding.ascii($0)) }
    }
}

/// A pattern for a part of a URL, as an automaton, with what it writes.
struct PartPattern {
    let automaton: PatternAutomaton
    let view: PatternView
    /// The characters that it writes as such.
    let characters: [Unicode.Scalar]
    /// The texts that it writes, of which it sees the bytes.
    let encodedTexts: [[UInt8]]
    /// The names of items that it writes, if it is for a query or a part of one.
    var names: [[UInt8]] = []
}

extension PartPattern {
    /// The pattern of a part of a URL as Apple's rules compare it; nil if it is too large.
    init?(
        _ elements: [PatternElement], _ comparison: Comparison, isPath: Bool, _ variables: PatternVariables,
        size: PatternAutomaton.Budget = PatternAutomaton.Budget(), _ budget: ComparisonBudget
    ) {
        let made = budget.lend { work in
            isPath
                ? PatternAutomaton(
                    path: elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: size,
                    work: &work)
                : PatternAutomaton(
                    elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: size,
                    work: &work)
        }
        guard let automaton = made else { return nil }
        self.automaton = automaton
        view = .apple(comparison)
        let texts = Self.texts(elements)
        characters =
            comparison.percentEncoded ? [] : texts.flatMap { BoundedText.scalars(of: $0) }
        encodedTexts = comparison.percentEncoded ? texts.filter { $0.contains(UInt8(ascii: "%")) } : []
    }

    /// The literal texts of a pattern and of the values of its variables.
    private static func texts(_ elements: [PatternElement]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var text: [UInt8] = []
        for element in elements {
            switch element {
            case .byte(let byte):
                text.append(byte)
                continue
            case .oneOf(let values): for value in values { texts += Self.texts(value) }
            case .anyCharacter, .anyRun, .segmentCharacter, .segmentRun, .character: break
            }
            if !text.isEmpty { texts.append(text) }
            text = []
        }
        return text.isEmpty ? texts : texts + [text]
    }
}
