/// The pieces of a part of a route with marks around its captures.
struct RouteTokens {
    private enum Token {
        case piece(PatternPiece)
        case begin(Int)
        case end
    }

    private let percentEncoded: Bool
    private var tokens: [Token] = []

    init(percentEncoded: Bool) {
        self.percentEncoded = percentEncoded
    }

    /// - Parameter capture: The number of the capture that the elements are; nil for text.
    mutating func append(_ elements: [PatternElement], capture: Int?) {
        if let capture { tokens.append(.begin(capture)) }
        tokens += pieces(elements).map(Token.piece)
        if capture != nil { tokens.append(.end) }
    }

    private func pieces(_ elements: [PatternElement]) -> [PatternPiece] {
        // The variables of the system have no slashes, so there is nothing special about paths here.
        func plain(_ elements: ArraySlice<PatternElement>) -> [PatternPiece] {
            PatternPiece.pieces(
                of: Array(elements), percentEncoded: percentEncoded, isPath: false, variables: PatternVariables())
        }
        var pieces: [PatternPiece] = []
        var start = 0
        for (index, element) in elements.enumerated() {
            guard let words = Self.words.first(where: { $0.element == element }) else { continue }
            pieces += plain(elements[start..<index])
            pieces.append(percentEncoded ? words.encoded : words.decoded)
            start = index + 1
        }
        return pieces + plain(elements[start...])
    }

    /// The variables that stand for words, made once: a route may name them as often as it likes.
    private static let words: [(element: PatternElement, encoded: PatternPiece, decoded: PatternPiece)] = {
        let variables: [BuiltInVariable] = [.region, .lang]
        return variables.flatMap { [$0.element(caseSensitive: true), $0.element(caseSensitive: false)] }.flatMap {
            element in
            let pieces = [true, false].map {
                PatternPiece.pieces(
                    of: [element], percentEncoded: $0, isPath: false, variables: PatternVariables())
            }
            return zip(pieces[0], pieces[1]).map { (element, $0, $1) }
        }
    }()

    /// Drops the slashes at both ends, which do not count in a path, also inside captures.
    mutating func trimSlashes() {
        _ = drop(from: Array(tokens.indices), where: Self.isSlash)
        _ = drop(from: tokens.indices.reversed(), where: Self.isSlash)
    }

    /// What is left without slashes and one star at the end; nil if that is not how it ends (``PathReach``).
    var withoutTail: RouteTokens? {
        var result = self
        let places = Array(tokens.indices.reversed())
        guard result.drop(from: places, atMost: 1, where: Self.isStar) == 1 else { return nil }
        guard result.drop(from: result.tokens.indices.reversed(), where: Self.isSlash) > 0 else { return nil }
        return result
    }

    /// Removes pieces, passing over marks, until one is not to be dropped; returns how many there were.
    private mutating func drop(
        from places: [Int], atMost limit: Int = .max, where isDropped: (PatternPiece) -> Bool
    ) -> Int {
        var dropped = Set<Int>()
        for place in places where dropped.count < limit {
            guard case .piece(let piece) = tokens[place] else { continue }
            guard isDropped(piece) else { break }
            dropped.insert(place)
        }
        tokens = tokens.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
        return dropped.count
    }

    private static func isSlash(_ piece: PatternPiece) -> Bool {
        if case .label(.symbol(PatternSymbol.slash)) = piece { true } else { false }
    }

    private static func isStar(_ piece: PatternPiece) -> Bool { piece.isRun }

    /// Each capture as a whole, and each piece outside of captures.
    var units: [(capture: Int?, pieces: [PatternPiece])] {
        var units: [(capture: Int?, pieces: [PatternPiece])] = []
        var isInside = false
        for token in tokens {
            switch token {
            case .begin(let capture):
                units.append((capture, []))
                isInside = true
            case .end: isInside = false
            case .piece(let piece):
                if isInside { units[units.count - 1].pieces.append(piece) } else { units.append((nil, [piece])) }
            }
        }
        return units
    }
}
