/// An element of a pattern in terms of symbols.
enum PatternPiece {
    case label(PatternAutomaton.Label)
    case anyRun
    /// A run without a slash.
    case segmentRun
    /// A variable: values that the trie can take, and the others.
    case oneOf(plain: [[UInt32]], other: [[PatternPiece]])

    var isRun: Bool { if case .anyRun = self { true } else { false } }

    static func pieces(of elements: [PatternElement], percentEncoded: Bool, isPath: Bool) -> [PatternPiece] {
        var pieces: [PatternPiece] = []
        var run: [UInt8] = []
        func flush() {
            guard !run.isEmpty else { return }
            pieces += PatternSymbol.symbols(of: run, percentEncoded: percentEncoded).map { .label(.symbol($0)) }
            run.removeAll()
        }
        for element in elements {
            if case .byte(let byte) = element {
                run.append(byte)
                continue
            }
            flush()
            switch element {
            case .byte: break
            case .anyCharacter:
                pieces.append(
                    .label(OpenDecisions.questionMarkMatchesSlash ? .any : .anyExcept(PatternSymbol.slash)))
            case .anyRun: pieces.append(.anyRun)
            case .segmentCharacter: pieces.append(.label(.anyExcept(PatternSymbol.slash)))
            case .segmentRun: pieces.append(.segmentRun)
            case .character(let set): pieces.append(.label(.set(set)))
            case .oneOf(let alternatives):
                pieces.append(oneOf(alternatives, percentEncoded: percentEncoded, isPath: isPath))
            }
        }
        flush()
        return pieces
    }

    private static func oneOf(
        _ alternatives: [[PatternElement]], percentEncoded: Bool, isPath: Bool
    ) -> PatternPiece {
        var plain: [[UInt32]] = []
        var other: [[PatternPiece]] = []
        for alternative in alternatives {
            let bytes = alternative.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
            let isPlain = bytes.count == alternative.count && !bytes.isEmpty
            // Slashes at the ends of a value may be the ends of a path, where they do not count.
            if isPlain, !isPath || bytes.first != UInt8(ascii: "/") && bytes.last != UInt8(ascii: "/") {
                plain.append(PatternSymbol.symbols(of: bytes, percentEncoded: percentEncoded))
            } else {
                other.append(pieces(of: alternative, percentEncoded: percentEncoded, isPath: isPath))
            }
        }
        return .oneOf(plain: plain, other: other)
    }
}
