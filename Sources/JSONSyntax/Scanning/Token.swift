/// A piece of a JSON text, or of what stands in its place.
struct Token {
    enum Kind {
        case end
        case openBrace, closeBrace, openBracket, closeBracket
        case comma, colon
        case string
        case number
        case `true`, `false`, null
        /// An equals sign, or `=>`.
        case equals
        /// Anything without quotes that is no number and no literal.
        case word
        /// A string whose line ends before it does.
        case unclosedString
        /// An expression of a template, or the mark that begins one.
        case template
        case unexpected
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// Of a string: what is between the quotes. Of an unclosed one: up to the end of the line.
    var content = 0..<0
    /// Of a string: whether the content is the text itself, without any escape.
    var isVerbatim = true

    init(_ kind: Kind, _ start: Int, _ end: Int) {
        self.kind = kind
        self.start = start
        self.end = end
    }

    var range: Range<Int> { start..<end }
}
