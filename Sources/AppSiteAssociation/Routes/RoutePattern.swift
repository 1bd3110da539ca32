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

    /// What the captures take from a URL; nil if the route does not match it, or if it is not a web URL.
    public func captures(in url: String) -> RouteCaptures? { captures(in: url.utf8) }

    /// What the captures take from a URL that is at hand as bytes; nil if the route does not match it.
    public func captures(in url: some Collection<UInt8>) -> RouteCaptures? {
        WebURL(url).flatMap { matcher.captures(in: $0) }
    }

    package func captures(in url: WebURL) -> RouteCaptures? { matcher.captures(in: url) }

    /// Whether both are written alike, byte by byte.
    public static func == (a: RoutePattern, b: RoutePattern) -> Bool {
        a.description.utf8.elementsEqual(b.description.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(description.utf8))
    }
}

/// What the captures of a route took from a URL.
public struct RouteCaptures: Hashable, Sendable {
    /// The names of the captures, in the order of ``RoutePattern/captureNames``.
    public let names: [String]
    /// What each of them took, in bytes as written in the URL.
    private let texts: [[UInt8]]

    /// - Parameter texts: As many as there are names.
    init(names: [String], texts: [[UInt8]]) {
        self.names = names
        self.texts = texts
    }

    /// What a capture took, percent-decoded; nil if the route has no capture of this name.
    ///
    /// An escape that is none, or is not part of a character in UTF-8, stays as it is; so does `+`.
    public subscript(name: String) -> String? {
        text(name).map(EscapedText.decoded)
    }

    /// What a capture took as written in the URL; nil if the route has no capture of this name.
    public func raw(_ name: String) -> String? {
        text(name).map { String(decoding: $0, as: UTF8.self) }
    }

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
