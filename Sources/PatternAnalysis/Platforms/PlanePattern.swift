internal import BoundedText
internal import URLPatterns

/// The way in which a pattern sees the text of a URL.
enum PlaneView: Hashable {
    /// Apple's rules: as written or decoded, with or without regard to case.
    case apple(Comparison)
    /// Android's dynamic rules: decoded, in UTF-16 units.
    case android

    /// The symbols of an automaton that a piece of a URL is to the pattern.
    func inputs(_ symbol: PlaneSymbol) -> [UInt32] {
        switch self {
        case .android: String(Character(symbol.scalar)).utf16.map(UInt32.init)
        case .apple(let comparison):
            (comparison.percentEncoded ? symbol.raw.map(UInt32.init) : [symbol.scalar.value])
                .map { URLSymbol.folded($0, view: URLSymbol.view(comparison)) }
        }
    }
}

/// A pattern for a part of a URL, as an automaton, with what it writes.
struct PlanePattern {
    let automaton: PatternAutomaton
    let view: PlaneView
    /// The characters that it writes as such.
    let characters: [Unicode.Scalar]
    /// The escaped characters that it writes, of which it sees the bytes.
    let escapes: [PlaneSymbol]
    /// The names of items that it writes, if it is for a query or a part of one.
    var names: [[UInt8]] = []
}

/// A character of a URL as a whole, whatever the number of bytes that it is written with.
struct PlaneSymbol: Hashable {
    let raw: [UInt8]
    let scalar: Unicode.Scalar

    /// A character as it stands in a URL, escaped or not.
    init(_ scalar: Unicode.Scalar, isEscaped: Bool) {
        self.scalar = scalar
        let bytes = Array(String(Character(scalar)).utf8)
        raw = isEscaped ? bytes.flatMap(Self.escape) : bytes
    }

    private init(raw: [UInt8], _ scalar: Unicode.Scalar) {
        self.raw = raw
        self.scalar = scalar
    }

    var isEscaped: Bool { raw.count > 1 }

    /// Whether it is the escape of a character that could stand there by itself.
    var isOfPlainCharacter: Bool { isEscaped && PlaneAlphabet.isPlain(scalar) }

    /// Whether it is a certain ASCII character, escaped or not.
    func `is`(_ character: Unicode.Scalar) -> Bool { scalar == character }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The characters that stand as escapes in a text, each as it is written there; what is no UTF-8 is left out.
    static func escapes(in text: [UInt8]) -> [PlaneSymbol] {
        var symbols: [PlaneSymbol] = []
        var index = 0
        while index < text.count {
            guard let symbol = escape(in: text, at: index) else {
                index += 1
                continue
            }
            symbols.append(symbol)
            index += symbol.raw.count
        }
        return symbols
    }

    /// The escaped character that begins at an offset.
    static func escape(in text: [UInt8], at offset: Int) -> PlaneSymbol? {
        var bytes: [UInt8] = []
        while bytes.count < 4, let byte = escapedByte(in: text, at: offset + 3 * bytes.count) {
            bytes.append(byte)
            // `validating` takes nothing but whole characters.
            if let scalar = String(validText: bytes)?.unicodeScalars.first {
                return PlaneSymbol(raw: Array(text[offset..<offset + 3 * bytes.count]), scalar)
            }
        }
        return nil
    }

    private static func escapedByte(in text: [UInt8], at offset: Int) -> UInt8? {
        guard offset + 2 < text.count, text[offset] == UInt8(ascii: "%") else { return nil }
        return OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
    }
}

extension PlanePattern {
    /// The pattern of a part of a URL as Apple's rules compare it; nil if it is too large.
    init?(
        _ elements: [PatternElement], _ comparison: Comparison, isPath: Bool, _ variables: PatternVariables,
        _ budget: ComparisonBudget
    ) {
        var rest = WorkBudget(budget.rest)
        let made =
            isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &rest)
            : PatternAutomaton(
                elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &rest)
        budget.spend(budget.rest - rest.left)
        guard let automaton = made else { return nil }
        self.automaton = automaton
        view = .apple(comparison)
        let texts = Self.texts(elements)
        characters =
            comparison.percentEncoded ? [] : texts.flatMap { BoundedText.scalars(of: $0) }
        escapes = comparison.percentEncoded ? texts.flatMap(PlaneSymbol.escapes) : []
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
