internal import URLPatterns

/// A part of a route, ready to be compared.
///
/// The positions from which the rest of the pattern can match are found from the end to the beginning; then each unit, from left to
/// right, takes as little as it can. So no position is tried twice, and the time is the length of the pattern times the length of
/// the text.
struct CapturingPattern: Sendable {
    /// A piece that takes as little as it can as a whole: a capture, or a piece outside of captures.
    private struct Unit: Sendable {
        /// The number of the capture.
        let capture: Int?
        let pieces: [PatternPiece]
        /// Whether it takes exactly one symbol and captures nothing.
        let isPlain: Bool

        init(capture: Int?, pieces: [PatternPiece]) {
            self.capture = capture
            self.pieces = pieces
            if capture == nil, pieces.count == 1, case .label = pieces[0] { isPlain = true } else { isPlain = false }
        }
    }

    /// The elements of the whole pattern, without regard to captures.
    let elements: [PatternElement]
    let pieces: [RoutePiece]
    let isPath: Bool
    let comparison: Comparison
    /// Whether nothing but stars is written, so that every text will do.
    let takesAll: Bool
    /// A text for each form of the pattern, in which what is free is a symbol that no pattern writes.
    let samples: [[UInt32]]
    /// The beginning of each text that the pattern covers, as written in a URL; empty if it may be spelled in many
    /// ways.
    private let beginning: [UInt8]
    /// The pattern, and for a path that ends in `/*` what is left without that tail.
    private let forms: [[Unit]]

    /// - Parameters:
    ///   - pieces: What the route writes.
    ///   - firstCapture: The number of the first capture among them.
    init(_ pieces: [RoutePiece], _ comparison: Comparison, isPath: Bool, firstCapture: Int) {
        let parser = Self.parsers.parser(comparison)
        self.pieces = pieces
        self.isPath = isPath
        self.comparison = comparison
        var units = RouteUnits(percentEncoded: comparison.percentEncoded)
        var elements: [PatternElement] = []
        var capture = firstCapture
        for piece in pieces {
            let own = piece.elements(parser, isPath: isPath)
            elements += own
            units.append(own, capture: piece.name == nil ? nil : capture)
            if piece.name != nil { capture += 1 }
        }
        self.elements = elements
        if isPath { units.trimSlashes() }
        let parent = isPath ? units.withoutTail : nil
        let forms = ([units] + (parent.map { [$0] } ?? [])).map(\.units)
        let written = forms.first.map { $0.flatMap(\.pieces) } ?? []
        takesAll = !written.isEmpty && written.allSatisfy(\.isRun)
        samples = forms.map { Self.sample($0.flatMap(\.pieces), comparison) }
        beginning = Self.beginning(forms.map { $0.flatMap(\.pieces) }, comparison)
        self.forms = forms.map { $0.map { Unit(capture: $0.capture, pieces: $0.pieces) } }
    }

    private static func beginning(_ forms: [[PatternPiece]], _ comparison: Comparison) -> [UInt8] {
        guard comparison.percentEncoded, comparison.caseSensitive, var common = forms.first.map(literal) else {
            return []
        }
        for form in forms.dropFirst() {
            common = zip(common, literal(form)).prefix { $0 == $1 }.map(\.0)
        }
        return common
    }

    private static func literal(_ pieces: [PatternPiece]) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in pieces {
            guard case .label(.symbol(let symbol)) = piece else { break }
            bytes.append(UInt8(truncatingIfNeeded: symbol))
        }
        return bytes
    }

    private static func sample(_ pieces: [PatternPiece], _ comparison: Comparison) -> [UInt32] {
        let free: UInt32 = comparison.percentEncoded ? 0xFF : PatternSymbol.strayByte + 0xFF
        return pieces.flatMap { piece -> [UInt32] in
            switch piece {
            case .label(.symbol(let symbol)): [symbol]
            case .label(.set(let set)): set.bytes.first.map { [UInt32($0)] } ?? []
            case .label, .anyRun, .segmentRun: [free]
            case .oneOf(let values): values.plain.first ?? []
            }
        }
    }

    private static let parsers = PatternParsers(SubstitutionVariables())

    /// The texts that the captures take, by number; nil if the pattern does not cover the whole text.
    func captures(_ raw: [UInt8]) -> [(capture: Int, text: [UInt8])]? {
        // Most routes are not for a link, and that is seen here.
        guard (isPath ? raw.drop { $0 == UInt8(ascii: "/") } : raw[...]).starts(with: beginning) else { return nil }
        let whole = PreparedText(raw, comparison)
        let text = isPath ? whole.withoutSlashesAtEnds : whole
        for form in forms {
            if let ranges = Self.ranges(form, text.symbols) {
                return ranges.map { ($0.capture, text.raw($0.range)) }
            }
        }
        return nil
    }

    /// Whether the pattern covers a text that is prepared for its comparison, a path without the slashes at its ends.
    func matches(_ symbols: [UInt32]) -> Bool {
        forms.contains { Self.ranges($0, symbols) != nil }
    }

    /// Whether the pattern may cover such a text, as far as can be seen at its beginning.
    func mayMatch(_ symbols: [UInt32]) -> Bool {
        forms.contains { Self.beginsPlainly($0, symbols) }
    }

    private static func ranges(_ units: [Unit], _ text: [UInt32]) -> [(capture: Int, range: Range<Int>)]? {
        guard beginsPlainly(units, text) else { return nil }
        // The positions after each unit from which the rest can match, the last unit first.
        var open: [PositionSet] = []
        var reach = SymbolReach(text, isBackward: true)
        for unit in units.reversed() {
            if !unit.isPlain { open.append(reach.positions) }
            reach.advance(unit.pieces)
            if reach.positions.isEmpty { return nil }
        }
        guard reach.positions.contains(text.count) else { return nil }

        var ranges: [(capture: Int, range: Range<Int>)] = []
        var position = 0
        for unit in units {
            if unit.isPlain {
                position += 1
                continue
            }
            var reach = SymbolReach(text, from: position)
            reach.advance(unit.pieces)
            guard let next = open.popLast(),
                let end = reach.positions.positions.first(where: { next.contains(text.count - $0) })
            else { return nil }
            if let capture = unit.capture { ranges.append((capture, position..<end)) }
            position = end
        }
        return ranges
    }

    /// Whether the text begins as the pattern does, up to the first unit that is not one symbol.
    private static func beginsPlainly(_ units: [Unit], _ text: [UInt32]) -> Bool {
        for (position, unit) in units.enumerated() {
            guard unit.isPlain, case .label(let label) = unit.pieces.first else { return true }
            guard position < text.count, label.contains(text[position]) else { return false }
        }
        return units.count == text.count
    }
}

/// The pieces of a part of a route: each capture as a whole, and each piece outside of captures.
struct RouteUnits {
    private let percentEncoded: Bool
    private(set) var units: [(capture: Int?, pieces: [PatternPiece])] = []

    init(percentEncoded: Bool) {
        self.percentEncoded = percentEncoded
    }

    /// - Parameter capture: The number of the capture that the elements are; nil for text.
    mutating func append(_ elements: [PatternElement], capture: Int?) {
        let pieces = pieces(elements)
        units += capture == nil ? pieces.map { (nil, [$0]) } : [(capture, pieces)]
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
        for unit in units.indices {
            let slashes = units[unit].pieces.prefix(while: Self.isSlash).count
            units[unit].pieces.removeFirst(slashes)
            if !units[unit].pieces.isEmpty { break }
        }
        _ = dropLast(where: Self.isSlash)
    }

    /// The units without slashes and one star at the end; nil if that is not how it ends (``PathReach``).
    var withoutTail: RouteUnits? {
        var result = self
        guard result.dropLast(1, where: \.isRun) == 1, result.dropLast(where: Self.isSlash) > 0 else { return nil }
        return result
    }

    /// Removes pieces from the end on, also inside captures, until one is not to be dropped; returns how many there were.
    private mutating func dropLast(_ limit: Int = .max, where isDropped: (PatternPiece) -> Bool) -> Int {
        var count = 0
        for unit in units.indices.reversed() {
            let dropped = units[unit].pieces.reversed().prefix(limit - count).prefix(while: isDropped).count
            units[unit].pieces.removeLast(dropped)
            count += dropped
            if !units[unit].pieces.isEmpty { break }
        }
        units.removeAll { $0.capture == nil && $0.pieces.isEmpty }
        return count
    }

    private static func isSlash(_ piece: PatternPiece) -> Bool {
        if case .label(.symbol(PatternSymbol.slash)) = piece { true } else { false }
    }
}
