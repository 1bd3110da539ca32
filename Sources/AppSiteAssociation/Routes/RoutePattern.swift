internal import BoundedText
package import URLPatterns

/// A route of an app: a pattern for URLs in the language of the association file, with named captures.
///
/// See <doc:WritingRoutes>.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// The route as one would write it: its columns with one space between them, flags last.
    public let description: String
    /// The host to which the route is bound, in its ASCII form and lower case; nil if it takes every host.
    public let host: String?
    /// The names of the captures: of the path, of the query, and of the fragment, each from left to right.
    public let captureNames: [String]
    package let path: [RoutePiece]
    package let query: [RouteItem]
    /// Nil if every fragment will do.
    package let fragment: [RoutePiece]?
    package let caseSensitive: Bool
    package let percentEncoded: Bool
    let matcher: RouteMatcher

    /// Reads a route, like `/search ?q={term}`.
    ///
    /// - Throws: ``RoutePatternError``, which says what is wrong, where, and what was expected.
    public init(_ text: String) throws(RoutePatternError) {
        let parts = try RouteReader.read(text)
        description = parts.columns.joined(separator: " ")
        host = parts.host
        captureNames = parts.pieces.compactMap(\.name)
        path = parts.path
        query = parts.query
        fragment = parts.fragment
        caseSensitive = parts.caseSensitive
        percentEncoded = parts.percentEncoded
        matcher = RouteMatcher(parts)
    }

    /// The texts that the captures take from a URL; nil if the route does not match it, or if it is not a web URL.
    public func captures(in url: String) -> RouteCaptures? { captures(in: url.utf8) }

    /// The texts that the captures take from a URL at hand as bytes; nil if the route does not match it.
    public func captures(in url: some Collection<UInt8>) -> RouteCaptures? {
        WebURL(url).flatMap { matcher.captures(in: $0) }
    }

    package func captures(in url: WebURL) -> RouteCaptures? { matcher.captures(in: url) }

    /// The texts that the captures take from a path and a query, whatever the host; nil if the route does not match them.
    package func captures(path: [UInt8], query: [UInt8]) -> RouteCaptures? {
        matcher.captures(path: path, query: query, fragment: [])
    }

    /// Whether both are written alike, byte by byte.
    public static func == (a: RoutePattern, b: RoutePattern) -> Bool {
        a.description.utf8.elementsEqual(b.description.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(description.utf8))
    }
}

/// The texts that the captures of a route took from a URL.
public struct RouteCaptures: Hashable, Sendable {
    /// The names of the captures, in the order of ``RoutePattern/captureNames``.
    public let names: [String]
    /// The text of each capture, in bytes as written in the URL.
    private let texts: [[UInt8]]

    /// - Parameter texts: As many as there are names.
    init(names: [String], texts: [[UInt8]]) {
        self.names = names
        self.texts = texts
    }

    /// The text that a capture took, percent-decoded; nil if the route has no capture of this name.
    ///
    /// An escape that is none, or is not part of a character in UTF-8, stays as it is; so does `+`.
    public subscript(name: String) -> String? {
        text(name).map(EscapedText.decoded)
    }

    /// The text that a capture took, as written in the URL; nil if the route has no capture of this name.
    public func raw(_ name: String) -> String? {
        text(name).map { String(text: $0) }
    }

    /// The text that a capture took, in bytes as written in the URL; empty for a number that the route does not have.
    ///
    /// - Parameter index: That of the capture's name in ``names``.
    package func bytes(_ index: Int) -> [UInt8] { texts.indices.contains(index) ? texts[index] : [] }

    private func text(_ name: String) -> [UInt8]? {
        zip(names, texts).first { $0.0 == name }?.1
    }
}

extension RoutePattern {
    /// Whether every URL of another route is one of this.
    ///
    /// The parts are compared one by one, each with a proof, so a yes is always right. It says no where it cannot tell: when
    /// the routes differ in `percentEncoded`, when only this one is `caseSensitive`, or when the patterns are so tangled
    /// that a proof would take too long; but a part that takes everything covers each other.
    public func covers(_ other: RoutePattern) -> Bool {
        var budget = WorkBudget()
        return covers(other, budget: &budget)
    }

    /// Whether every URL of another route is one of this; no if the budget is spent.
    package func covers(_ other: RoutePattern, budget: inout WorkBudget) -> Bool {
        matcher.covers(other.matcher, budget: &budget)
    }
}

extension RouteMatcher {
    fileprivate func covers(_ other: RouteMatcher, budget: inout WorkBudget) -> Bool {
        budget.spend(1)
        if let host, host != other.host { return false }
        guard path.covers(other.path, budget: &budget) else { return false }
        for item in query {
            // Without regard to case a name means several, of which the other may constrain one.
            let own = comparison == other.comparison ? other.query.first { $0.name == item.name } : nil
            guard item.value.covers(own?.value, budget: &budget) else { return false }
        }
        return fragment.map { $0.covers(other.fragment, budget: &budget) } ?? true
    }
}

extension CapturingPattern {
    /// - Parameter other: A pattern for the same part; nil for any text.
    fileprivate func covers(_ other: CapturingPattern?, budget: inout WorkBudget) -> Bool {
        if takesAll { return true }
        guard let other, let narrow = other.compared(as: comparison) else { return false }
        guard narrow.samples.allSatisfy(mayMatch) else { return false }
        budget.spend(elements.count + narrow.samples.reduce(0) { $0 + $1.count })
        guard !budget.isSpent, narrow.samples.allSatisfy(matches) else { return false }
        if elements == narrow.elements { return true }
        guard let outer = automaton(&budget), let inner = narrow.automaton(&budget) else { return false }
        return Containment.decide(outer, covers: inner, budget: &budget) == .proved
    }

    /// The pattern for another comparison, such that it takes what it took and perhaps more; nil if there is none.
    private func compared(as comparison: Comparison) -> CapturingPattern? {
        if comparison == self.comparison { return self }
        guard comparison.percentEncoded == self.comparison.percentEncoded, !comparison.caseSensitive else { return nil }
        return CapturingPattern(pieces, comparison, isPath: isPath, firstCapture: 0)
    }

    private func automaton(_ budget: inout WorkBudget) -> PatternAutomaton? {
        let variables = PatternVariables()
        return isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &budget)
            : PatternAutomaton(
                elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &budget)
    }
}

/// Why a text is not a route.
public struct RoutePatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value {
            case missingPath, invalidHost, misplacedPart, unexpectedColumn, repeatedColumn, invalidFlag, invalidItem
            case repeatedItem, invalidCapture, invalidName, repeatedName, emptyPattern, unknownVariable, unmatchable
        }
        private let value: Value

        /// The route does not begin with a path.
        public static let missingPath = Code(value: .missingPath)
        /// The text before the path is not `https://` and a host.
        public static let invalidHost = Code(value: .invalidHost)
        /// A query or a fragment in the path.
        public static let misplacedPart = Code(value: .misplacedPart)
        /// A column is none that a route can have.
        public static let unexpectedColumn = Code(value: .unexpectedColumn)
        /// A column is there twice.
        public static let repeatedColumn = Code(value: .repeatedColumn)
        /// `caseSensitive` or `percentEncoded` is neither `true` nor `false`.
        public static let invalidFlag = Code(value: .invalidFlag)
        /// A part of the query is not `NAME=PATTERN`.
        public static let invalidItem = Code(value: .invalidItem)
        /// The query names an item twice.
        public static let repeatedItem = Code(value: .repeatedItem)
        /// A `{` or a `}` is not part of a capture.
        public static let invalidCapture = Code(value: .invalidCapture)
        /// The name of a capture is not a name.
        public static let invalidName = Code(value: .invalidName)
        /// Two captures have one name.
        public static let repeatedName = Code(value: .repeatedName)
        /// There is nothing where a pattern is expected.
        public static let emptyPattern = Code(value: .emptyPattern)
        /// A variable is none of those that the system has.
        public static let unknownVariable = Code(value: .unknownVariable)
        /// A character can never be in this part of a URL.
        public static let unmatchable = Code(value: .unmatchable)
    }

    public let code: Code
    /// The fault, the expectation, and the remedy; one clause, without a final period.
    public let message: String
    /// Where in the text, in bytes of UTF-8, counted from 0.
    public let offset: Int
    /// The number of bytes from there that the error is about.
    package let length: Int

    init(_ code: Code, _ range: Range<Int>, _ message: String) {
        self.code = code
        self.message = message
        offset = range.lowerBound
        length = range.count
    }

    /// The message after its column, which is counted from 1.
    public var description: String { "column \(offset + 1): \(message)" }
}

/// Compares URLs with a route, part by part.
struct RouteMatcher: Sendable {
    struct Item: Sendable {
        /// As URLs are compared with it.
        let name: [UInt8]
        let value: CapturingPattern
    }

    let host: String?
    private let names: [String]
    let comparison: Comparison
    let path: CapturingPattern
    let query: [Item]
    let fragment: CapturingPattern?

    init(_ parts: RouteParts) {
        let comparison = parts.comparison
        host = parts.host
        names = parts.pieces.compactMap(\.name)
        self.comparison = comparison
        var count = 0
        func pattern(_ pieces: [RoutePiece], isPath: Bool = false) -> CapturingPattern {
            defer { count += pieces.count { $0.name != nil } }
            return CapturingPattern(pieces, comparison, isPath: isPath, firstCapture: count)
        }
        path = pattern(parts.path, isPath: true)
        query = parts.query.map { item in
            Item(name: comparison.foldName(Array(item.name.utf8)), value: pattern(item.value))
        }
        fragment = parts.fragment.map { pattern($0) }
    }

    func captures(in url: WebURL) -> RouteCaptures? {
        if let host, !url.isHost(host) { return nil }
        return captures(path: url.path, query: url.query, fragment: url.fragment)
    }

    func captures(path text: [UInt8], query items: [UInt8], fragment rest: [UInt8]) -> RouteCaptures? {
        guard var captures = path.captures(OpenDecisions.comparedPath(text)) else { return nil }
        if !query.isEmpty {
            guard let found = queryCaptures(items) else { return nil }
            captures += found
        }
        if let fragment {
            guard let found = fragment.captures(rest) else { return nil }
            captures += found
        }
        var texts = [[UInt8]](repeating: [], count: names.count)
        for (capture, text) in captures where texts.indices.contains(capture) { texts[capture] = text }
        return RouteCaptures(names: names, texts: texts)
    }

    /// Every item of a name must match; the first one is captured (matching.md, section 3).
    private func queryCaptures(_ text: [UInt8]) -> [(capture: Int, text: [UInt8])]? {
        let items = QueryItems.split(text).map { (name: comparison.prepareName($0.name), value: $0.value) }
        var captures: [(capture: Int, text: [UInt8])] = []
        for wanted in query {
            let values = items.filter { $0.name == wanted.name }.map(\.value)
            for (index, value) in (values.isEmpty ? [[]] : values).enumerated() {
                guard let found = wanted.value.captures(value) else { return nil }
                if index == 0 { captures += found }
            }
        }
        return captures
    }
}
