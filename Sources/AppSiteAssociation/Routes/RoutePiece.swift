/// A piece of a part of a route.
package enum RoutePiece: Equatable, Sendable {
    /// A pattern in the association's language.
    case text(String)
    /// `{name}` or `{name:pattern}`. Without a pattern it takes one or more characters, in a path none of them `/`.
    case capture(name: String, pattern: String?)

    /// The name of a capture; nil for text.
    var name: String? {
        switch self {
        case .text: nil
        case .capture(let name, _): name
        }
    }

    /// What the piece takes.
    func elements(_ parser: PatternParser, isPath: Bool) -> [PatternElement] {
        switch self {
        case .text(let text): parser.parse(text)
        case .capture(_, let pattern?): parser.parse(pattern)
        case .capture: isPath ? [.segmentCharacter, .segmentRun] : [.anyCharacter, .anyRun]
        }
    }
}
