internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Reads a part of a route: patterns and captures.
struct RoutePieceReader {
    private let text: [UInt8]
    private let part: RuleFailure.Part
    private let percentEncoded: Bool

    init(_ text: [UInt8], _ part: RuleFailure.Part, percentEncoded: Bool) {
        self.text = text
        self.part = part
        self.percentEncoded = percentEncoded
    }

    /// - Parameters:
    ///   - what: How messages call the part.
    ///   - names: The names of the captures so far.
    func read(
        _ range: Range<Int>, what: String, names: inout Set<String>
    ) throws(RoutePatternError) -> [RoutePiece] {
        guard !range.isEmpty else {
            throw RoutePatternError(
                .emptyPattern, (range.lowerBound - 1)..<range.upperBound,
                "\(what) is empty; expected a pattern: * matches everything, ?* one or more characters, {name} captures them"
            )
        }
        var pieces: [RoutePiece] = []
        var start = range.lowerBound
        var offset = start
        func flush() throws(RoutePatternError) {
            guard start < offset else { return }
            try check(start..<offset)
            pieces.append(.text(string(start..<offset)))
        }
        while offset < range.upperBound {
            switch text[offset] {
            case UInt8(ascii: "{"):
                try flush()
                let end = try captureEnd(offset, range.upperBound)
                pieces.append(try capture((offset + 1)..<end, &names))
                offset = end + 1
                start = offset
            case UInt8(ascii: "}"):
                throw RoutePatternError(
                    .invalidCapture, offset..<(offset + 1),
                    "'}' has no '{' before it; braces only enclose captures, and ? matches any character")
            default: offset += 1
            }
        }
        try flush()
        return pieces
    }

    /// Where the `}` is for the `{` at an offset.
    private func captureEnd(_ start: Int, _ limit: Int) throws(RoutePatternError) -> Int {
        var offset = start + 1
        while offset < limit, text[offset] != UInt8(ascii: "}") {
            guard text[offset] != UInt8(ascii: "{") else {
                throw RoutePatternError(
                    .invalidCapture, offset..<(offset + 1), "'{' inside a capture; expected '}' before it")
            }
            offset += 1
        }
        guard offset < limit else {
            throw RoutePatternError(
                .invalidCapture, start..<limit,
                "\(shown(start..<limit)) has no '}'; expected a capture like {name} or {name:*}, without spaces")
        }
        return offset
    }

    /// - Parameter range: What is between the braces.
    private func capture(
        _ range: Range<Int>, _ names: inout Set<String>
    ) throws(RoutePatternError) -> RoutePiece {
        let colon = text[range].firstIndex(of: UInt8(ascii: ":"))
        let nameRange = range.lowerBound..<(colon ?? range.upperBound)
        let braces = (range.lowerBound - 1)..<(range.upperBound + 1)
        let name = string(nameRange)
        guard Self.isName(text[nameRange]) else {
            let what = nameRange.isEmpty ? "the capture has no name" : "\(quoted(name)) is not a name"
            let hint =
                name.utf8.contains(UInt8(ascii: "*"))
                ? "write a name and the pattern after it, as in {rest:*}"
                : "expected letters, digits, '_' and '-', a letter or '_' first"
            throw RoutePatternError(.invalidName, braces, "\(what); \(hint)")
        }
        guard names.insert(name).inserted else {
            throw RoutePatternError(
                .repeatedName, nameRange,
                "the name \(quoted(name)) is already used; each capture needs a name of its own")
        }
        guard let colon else { return .capture(name: name, pattern: nil) }
        let pattern = (colon + 1)..<range.upperBound
        guard !pattern.isEmpty else {
            throw RoutePatternError(
                .emptyPattern, braces,
                "the pattern of \(quoted(name)) is empty; write {\(name)} for one or more characters, or {\(name):*}")
        }
        try check(pattern)
        return .capture(name: name, pattern: string(pattern))
    }

    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, !first.isDigit, first != UInt8(ascii: "-") else { return false }
        return text.allSatisfy { $0.isWord || $0 == UInt8(ascii: "-") }
    }

    /// Whether the name of a query item can be one.
    func checkName(_ range: Range<Int>) throws(RoutePatternError) {
        if let brace = text[range].firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            throw RoutePatternError(
                .invalidCapture, brace..<(brace + 1),
                "a capture cannot be in the name of an item; write it after '='")
        }
        try checkCharacters(range)
    }

    /// Whether a pattern can match, and whether its variables are known.
    private func check(_ range: Range<Int>) throws(RoutePatternError) {
        try checkCharacters(range)
        for piece in PatternParser.pieces(Array(text[range])) {
            switch piece {
            case .variable(let name):
                let name = (range.lowerBound + name.startIndex)..<(range.lowerBound + name.endIndex)
                try checkVariable(name)
            case .text(let slice):
                let marks = slice.indices.filter { slice[$0...].starts(with: "$(".utf8) }
                guard let mark = marks.first.map({ range.lowerBound + $0 }) else { continue }
                throw RoutePatternError(
                    .unknownVariable, mark..<(mark + 2), "'$(' has no ')' after it; expected a variable like $(digit)")
            }
        }
        if part == .path { try checkPath(range) }
    }

    private func checkVariable(_ name: Range<Int>) throws(RoutePatternError) {
        guard BuiltInVariable(rawValue: string(name)) == nil else { return }
        let known = BuiltInVariable.allCases.map(\.rawValue)
        let near = Spelling.closest(to: String(string(name).prefix(40)), among: known)
        let hint =
            near.map { "did you mean $(\($0))?" } ?? "known are \(known.map { "$(\($0))" }.joined(separator: ", "))"
        let whole = (name.lowerBound - 2)..<(name.upperBound + 1)
        throw RoutePatternError(.unknownVariable, whole, "unknown variable \(shown(whole)); \(hint)")
    }

    /// Whether a query or a fragment was meant: in a path `?` takes any character.
    private func checkPath(_ range: Range<Int>) throws(RoutePatternError) {
        for mark in range where text[mark] == UInt8(ascii: "?") {
            let name = text[(mark + 1)..<range.upperBound].prefix { $0.isWord || "-.[]".utf8.contains($0) }
            guard !name.isEmpty, name.endIndex < range.upperBound, text[name.endIndex] == UInt8(ascii: "=") else {
                continue
            }
            throw RoutePatternError(
                .misplacedPart, mark..<range.upperBound,
                "a path cannot contain a query: '?' matches any character there; write a space before '?'")
        }
    }

    /// Whether all characters can be in this part of a URL.
    private func checkCharacters(_ range: Range<Int>) throws(RoutePatternError) {
        guard percentEncoded else { return }
        if let mark = text[range].firstIndex(of: UInt8(ascii: "#")), part != .fragment {
            throw RoutePatternError(
                .misplacedPart, mark..<range.upperBound,
                "a \(part.rawValue) cannot contain a fragment: no URL has '#' there; write a space before '#'")
        }
        // A control character is as little in a URL as one beyond ASCII is.
        guard let first = text[range].firstIndex(where: { !(0x20..<0x7F).contains($0) }) else { return }
        let character = text[first..<range.upperBound]
        let scalar = BoundedText.scalars(of: character).first.map { String($0) } ?? ""
        throw RoutePatternError(
            .unmatchable, first..<(first + scalar.utf8.count),
            "\(quoted(scalar)) never occurs in a URL, because URLs are compared with their escapes; "
                + "write \(Self.escaped(scalar)), or add percentEncoded:false")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { ($0 < 0x10 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined()
    }

    private func string(_ range: Range<Int>) -> String { String(text: text[range]) }
    private func shown(_ range: Range<Int>) -> String { quoted(string(range)) }
}
