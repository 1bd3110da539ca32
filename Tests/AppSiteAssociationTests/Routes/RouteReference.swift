/// Matches routes by trying everything: the definition of what captures take, slow and obvious.
struct RouteReference {
    /// A character as it stands in a URL, and as it is compared.
    struct Character: Equatable {
        let raw: String
        let value: Swift.Character
    }

    private enum Symbol: Equatable {
        case literal(Swift.Character)
        case any, run, segmentCharacter, segmentRun, digit
    }

    private struct Token {
        let symbol: Symbol
        /// The name of the capture in which it stands.
        let capture: String?
    }

    private let tokens: [Token]
    private let names: [String]
    private let isPath: Bool
    private let ignoresCase: Bool

    /// - Parameter parts: As `RandomRoutes` makes them.
    init(_ parts: [String], isPath: Bool, ignoresCase: Bool = false) {
        self.isPath = isPath
        self.ignoresCase = ignoresCase
        names = parts.indices.filter { parts[$0].first == "{" }.map { "c\($0)" }
        tokens = parts.enumerated().flatMap { index, part -> [Token] in
            guard part.first == "{" else { return Self.symbols(part).map { Token(symbol: $0, capture: nil) } }
            let symbols: [Symbol] =
                part == "{}"
                ? isPath ? [.segmentCharacter, .segmentRun] : [.any, .run]
                : Self.symbols(String(part.dropFirst(2).dropLast()))
            return symbols.map { Token(symbol: $0, capture: "c\(index)") }
        }
    }

    private static func symbols(_ pattern: String) -> [Symbol] {
        if pattern.hasPrefix("$(digit)") { return [.digit] + symbols(String(pattern.dropFirst(8))) }
        guard let first = pattern.first else { return [] }
        let symbol: Symbol = first == "*" ? .run : first == "?" ? .any : .literal(first)
        return [symbol] + symbols(String(pattern.dropFirst()))
    }

    /// The raw text of each capture; nil if the pattern does not cover the whole text.
    func captures(_ text: [Character]) -> [String: String]? {
        let empty = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        guard isPath else { return captures(units(tokens), text[...]).map { empty.merging($0) { $1 } } }
        func isSlash(_ token: Token) -> Bool { token.symbol == .literal("/") }
        func trimmed<Element>(_ list: some Collection<Element>, _ isSlash: (Element) -> Bool) -> [Element] {
            Array(list.drop(while: isSlash).reversed().drop(while: isSlash).reversed())
        }
        let text = trimmed(text) { $0.value == "/" }
        let main = trimmed(tokens, isSlash)
        var found = captures(units(main), text[...])
        if found == nil, main.last?.symbol == .run, main.count > 1, isSlash(main[main.count - 2]) {
            found = captures(units(trimmed(main.dropLast(), isSlash)), text[...])
        }
        return found.map { empty.merging($0) { $1 } }
    }

    /// A capture is one unit, and so is each token outside.
    private func units(_ tokens: [Token]) -> [[Token]] {
        tokens.reduce(into: []) { units, token in
            if let capture = token.capture, units.last?.last?.capture == capture {
                units[units.count - 1].append(token)
            } else {
                units.append([token])
            }
        }
    }

    private func captures(_ units: [[Token]], _ text: ArraySlice<Character>) -> [String: String]? {
        guard let unit = units.first else { return text.isEmpty ? [:] : nil }
        for end in text.startIndex...text.endIndex where covers(unit.map(\.symbol), text[..<end]) {
            guard var rest = captures(Array(units.dropFirst()), text[end...]) else { continue }
            if let capture = unit.first?.capture { rest[capture] = text[..<end].map(\.raw).joined() }
            return rest
        }
        return nil
    }

    private func covers(_ symbols: [Symbol], _ text: ArraySlice<Character>) -> Bool {
        guard let symbol = symbols.first else { return text.isEmpty }
        let rest = Array(symbols.dropFirst())
        if symbol == .run || symbol == .segmentRun {
            for end in text.startIndex...text.endIndex {
                if covers(rest, text[end...]) { return true }
                if end < text.endIndex, symbol == .segmentRun, text[end].value == "/" { return false }
            }
            return false
        }
        guard let first = text.first else { return false }
        let isTaken =
            switch symbol {
            case .literal(let own):
                own == first.value || ignoresCase && own.lowercased() == first.value.lowercased()
            case .segmentCharacter: first.value != "/"
            case .digit: ("0"..."9").contains(first.value)
            case .any, .run, .segmentRun: true
            }
        return isTaken && covers(rest, text.dropFirst())
    }
}
