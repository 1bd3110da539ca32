/// An element of a pattern in terms of symbols.
enum PatternPiece: Sendable {
    case label(PatternAutomaton.Label)
    case anyRun
    /// A run without a slash.
    case segmentRun
    /// A variable.
    case oneOf(PatternValues)

    var isRun: Bool { if case .anyRun = self { true } else { false } }

    static func pieces(
        of elements: [PatternElement], percentEncoded: Bool, isPath: Bool, variables: PatternVariables
    ) -> [PatternPiece] {
        var pieces: [PatternPiece] = []
        pieces.reserveCapacity(elements.count)
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
                pieces.append(.oneOf(variables.values(alternatives, percentEncoded: percentEncoded, isPath: isPath)))
            }
        }
        flush()
        return pieces
    }
}
