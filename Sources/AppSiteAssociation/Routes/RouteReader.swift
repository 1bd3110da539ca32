internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Reads a route: its columns, from left to right.
struct RouteReader {
    private let text: [UInt8]
    private var parts = RouteParts()
    private var query: Range<Int>?
    private var fragment: Range<Int>?
    private var flags = Set<String>()
    /// The names of the captures so far.
    private var names = Set<String>()

    static func read(_ text: String) throws(RoutePatternError) -> RouteParts {
        var reader = RouteReader(text: Array(text.utf8))
        try reader.read()
        return reader.parts
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func read() throws(RoutePatternError) {
        let columns = Self.columns(text)
        guard let first = columns.first else {
            throw RoutePatternError(.missingPath, 0..<0, "the route is empty; expected a path like /buy/{product}")
        }
        // Errors are reported from left to right, but this one says what can be in a path.
        parts.percentEncoded = !columns.contains { string($0) == "percentEncoded:false" }
        let path = try readHost(first)
        try readPath(path)
        for column in columns.dropFirst() { try classify(column) }
        if let query { try readQuery(query) }
        if let fragment {
            parts.fragment = try readPieces(fragment.dropFirst(), .fragment, what: "the pattern after '#'")
        }
        parts.columns = [(parts.host.map { "https://\($0)" } ?? "") + string(path)]
        parts.columns += [query, fragment].compactMap { $0.map(string) }
        if !parts.caseSensitive { parts.columns.append("caseSensitive:false") }
        if !parts.percentEncoded { parts.columns.append("percentEncoded:false") }
    }

    /// The columns of a line: the ranges between white space.
    private static func columns(_ text: [UInt8]) -> [Range<Int>] {
        text.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { $0.startIndex..<$0.endIndex }
    }

    private mutating func classify(_ column: Range<Int>) throws(RoutePatternError) {
        switch text[column.lowerBound] {
        case UInt8(ascii: "?"):
            guard query == nil else { throw repeated(column, "'?'; put all items into one, as in ?q={term}&page=*") }
            query = column
        case UInt8(ascii: "#"):
            guard fragment == nil else { throw repeated(column, "'#'; a fragment has one pattern") }
            fragment = column
        case UInt8(ascii: "/"):
            throw RoutePatternError(
                .unexpectedColumn, column,
                "\(shown(column)) is a second path; write it as a separate route")
        default: try readFlag(column)
        }
    }

    private mutating func readFlag(_ column: Range<Int>) throws(RoutePatternError) {
        let words = string(column).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        let known = ["caseSensitive", "percentEncoded"]
        guard words.count == 2, known.contains(words[0]) else {
            let near = Spelling.closest(to: String(words[0].prefix(40)), among: known)
            let hint =
                near.map { "did you mean '\($0):false'?" }
                ?? "expected ?NAME=PATTERN, #PATTERN, caseSensitive:false or percentEncoded:false"
            throw RoutePatternError(.unexpectedColumn, column, "unknown column \(shown(column)); \(hint)")
        }
        guard flags.insert(words[0]).inserted else { throw repeated(column, "'\(words[0])'; remove one of them") }
        guard words[1] == "true" || words[1] == "false" else {
            throw RoutePatternError(
                .invalidFlag, column,
                "'\(words[0])' is \(quoted(words[1])); expected \(words[0]):true or \(words[0]):false")
        }
        if words[0] == "caseSensitive" { parts.caseSensitive = words[1] == "true" }
        if words[0] == "percentEncoded" { parts.percentEncoded = words[1] == "true" }
    }

    /// Reads `https://HOST` before a path; returns where the path is.
    private mutating func readHost(_ column: Range<Int>) throws(RoutePatternError) -> Range<Int> {
        guard let scheme = scheme(column) else { return column }
        guard scheme.name == "https" else {
            throw RoutePatternError(
                .invalidHost, column.lowerBound..<scheme.end,
                "a route cannot begin with '\(scheme.name)://'; expected https://, which covers http, too")
        }
        let end = text[scheme.end..<column.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? column.upperBound
        let host = scheme.end..<end
        guard let ascii = HostName(string(host))?.ascii else {
            throw RoutePatternError(
                .invalidHost, host,
                "\(shown(host)) is not a host; expected a name like shop.example.com, without port and wildcards")
        }
        guard end < column.upperBound else {
            throw RoutePatternError(
                .missingPath, column,
                "the route has no path; write https://\(ascii)/ for its first page, or https://\(ascii)/* for all pages"
            )
        }
        parts.host = ascii
        return end..<column.upperBound
    }

    /// The scheme before `://`, in lowercase, and where that ends.
    private func scheme(_ column: Range<Int>) -> (name: String, end: Int)? {
        let letters = text[column].prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        guard !letters.isEmpty, text[letters.endIndex..<column.upperBound].starts(with: "://".utf8) else { return nil }
        return (String(text: letters.map(CaseFolding.ascii)), letters.endIndex + 3)
    }

    private mutating func readPath(_ path: Range<Int>) throws(RoutePatternError) {
        let first = text[path.lowerBound]
        guard first != UInt8(ascii: "?"), first != UInt8(ascii: "#") else {
            throw RoutePatternError(
                .missingPath, path,
                "the route has no path before \(shown(path)); write /* for all paths, and a space after it")
        }
        parts.path = try readPieces(path, .path, what: "the path")
    }

    private mutating func readQuery(_ column: Range<Int>) throws(RoutePatternError) {
        let items = itemRanges(column.dropFirst())
        var names = Set<[UInt8]>()
        for item in items {
            let mark = text[item].firstIndex(of: UInt8(ascii: "="))
            guard let mark, mark > item.lowerBound else {
                throw RoutePatternError(
                    .invalidItem, item.isEmpty ? column : item,
                    "\(item.isEmpty ? "an item of the query is empty" : "\(shown(item)) is not an item of a query"); "
                        + "expected NAME=PATTERN as in ?q={term}&page=*")
            }
            let name = item.lowerBound..<mark
            try RoutePieceReader(text, .query, percentEncoded: parts.percentEncoded).checkName(name)
            guard names.insert(parts.comparison.foldName(Array(text[name]))).inserted else {
                throw RoutePatternError(
                    .repeatedItem, name,
                    "the query has \(shown(name)) twice; all items with the same name have one pattern")
            }
            let pattern = (mark + 1)..<item.upperBound
            let value = try readPieces(pattern, .query, what: "the pattern of \(shown(name))")
            parts.query.append(RouteItem(name: string(name), value: value))
        }
    }

    /// The ranges between `&`, but for those in captures.
    private func itemRanges(_ range: Range<Int>) -> [Range<Int>] {
        var items: [Range<Int>] = []
        var start = range.lowerBound
        var isInside = false
        for offset in range {
            switch text[offset] {
            case UInt8(ascii: "{"): isInside = true
            case UInt8(ascii: "}"): isInside = false
            case UInt8(ascii: "&") where !isInside:
                items.append(start..<offset)
                start = offset + 1
            default: break
            }
        }
        return items + [start..<range.upperBound]
    }

    private mutating func readPieces(
        _ range: Range<Int>, _ part: RuleFailure.Part, what: String
    ) throws(RoutePatternError) -> [RoutePiece] {
        let reader = RoutePieceReader(text, part, percentEncoded: parts.percentEncoded)
        return try reader.read(range, what: what, names: &names)
    }

    private func repeated(_ column: Range<Int>, _ rest: String) -> RoutePatternError {
        RoutePatternError(.repeatedColumn, column, "the route has two columns for \(rest)")
    }

    private func string(_ range: Range<Int>) -> String { String(text: text[range]) }
    private func shown(_ range: Range<Int>) -> String { quoted(string(range)) }
}

/// A route as it is written, cut into its parts.
struct RouteParts: Sendable {
    /// In its ASCII form and lower case.
    var host: String?
    var path: [RoutePiece] = []
    var query: [RouteItem] = []
    var fragment: [RoutePiece]?
    var caseSensitive = true
    var percentEncoded = true
    /// The columns, as ``RoutePattern/description`` has them.
    var columns: [String] = []

    var comparison: Comparison { Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded) }

    /// All pieces, in the order in which captures are numbered.
    var pieces: [RoutePiece] { path + query.flatMap(\.value) + (fragment ?? []) }
}

/// The condition of a route on the query items of a name.
package struct RouteItem: Equatable, Sendable {
    /// The name as it is written.
    package let name: String
    package let value: [RoutePiece]

    package init(name: String, value: [RoutePiece]) {
        self.name = name
        self.value = value
    }
}

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

    /// The elements of the pattern that the piece becomes.
    func elements(_ parser: PatternParser, isPath: Bool) -> [PatternElement] {
        switch self {
        case .text(let text): parser.parse(text)
        case .capture(_, let pattern?): parser.parse(pattern)
        case .capture: isPath ? [.segmentCharacter, .segmentRun] : [.anyCharacter, .anyRun]
        }
    }
}
