internal import BoundedText
public import Diagnostics
internal import URLPatterns

/// The routes of a file, one per line.
///
/// Lines without anything, and lines that begin with `#`, are not looked at.
public struct RouteList: Sendable {
    public let source: SourceText
    /// The routes that could be read, in the order of the file.
    public let routes: [ListedRoute]
    /// The findings about the list. With an error among them, it cannot be used.
    public let diagnostics: [Diagnostic]

    /// Reads a list; its path is used for messages only.
    public static func read(_ bytes: [UInt8], path: String) -> RouteList {
        let source = SourceText(bytes, path: path)
        var routes: [ListedRoute] = []
        var diagnostics: [Diagnostic] = []
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for number in 1...max(source.lineCount, 1) {
            let line = source.line(number)
            let text = line.suffix(from: max(line.startIndex, min(start, line.endIndex)))
            guard let range = contents(text) else { continue }
            do throws(RoutePatternError) {
                let route = ListedRoute(
                    pattern: try pattern(bytes[range]), range: SourceRange(range),
                    placeholder: ColonPlaceholder.finding(in: bytes[range]))
                routes.append(route)
                if let finding = route.placeholder { diagnostics.append(finding) }
            } catch {
                let start = range.lowerBound + error.offset
                diagnostics.append(
                    Diagnostic(
                        .invalidRoute, error.message, range: SourceRange(start: start, end: start + error.length)))
            }
        }
        let unreachable = unreachable(routes, source)
        return RouteList(
            source: source, routes: routes,
            diagnostics: (diagnostics + unreachable).sorted { $0.range.start < $1.range.start })
    }

    /// A line without the white space around it; nil if there is no route in it.
    private static func contents(_ line: ArraySlice<UInt8>) -> Range<Int>? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = line.firstIndex(where: { !isSpace($0) }), line[first] != UInt8(ascii: "#"),
            let last = line.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return first..<(last + 1)
    }

    private static func pattern(_ line: ArraySlice<UInt8>) throws(RoutePatternError) -> RoutePattern {
        if let offset = firstStrayByte(line) {
            throw RoutePatternError(
                .unmatchable, offset..<(offset + 1), "the line is not UTF-8; save the file as UTF-8")
        }
        return try RoutePattern(String(text: line))
    }

    private static func firstStrayByte(_ line: ArraySlice<UInt8>) -> Int? {
        line.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = UTF8Scalars.length(bytes, at: offset)
                if length == 1, bytes[offset] >= 0x80 { return offset }
                offset += length
            }
            return nil
        }
    }

    /// The findings about routes that an earlier one covers; they are compared as long as that is quick.
    private static func unreachable(_ routes: [ListedRoute], _ source: SourceText) -> [Diagnostic] {
        var budget = WorkBudget()
        var diagnostics: [Diagnostic] = []
        for (index, route) in routes.enumerated() where !budget.isSpent {
            let cover = routes[..<index].first { $0.pattern.covers(route.pattern, budget: &budget) }
            guard let cover else { continue }
            let line = source.position(at: cover.range.start).line
            diagnostics.append(
                Diagnostic(
                    .unreachableRoute,
                    "\(quoted(cover.pattern.description)) in line \(line) matches every URL of this route; "
                        + "put this one before it, or remove it",
                    range: route.range))
        }
        return diagnostics
    }
}

extension SourceRange {
    fileprivate init(_ range: Range<Int>) {
        self.init(start: range.lowerBound, end: range.upperBound)
    }
}

/// A route of a file, and where it is.
public struct ListedRoute: Sendable {
    public let pattern: RoutePattern
    /// Its line, without the white space around it.
    public let range: SourceRange
    /// The finding if a parameter is written as routers of other kinds do, `:id`.
    package let placeholder: Diagnostic?
}

/// A parameter as routers of other kinds write it, `/order/:id`: in a route that is plain text.
enum ColonPlaceholder {
    /// The finding about a route with such parameters; nil if it has none.
    ///
    /// - Parameter route: The route in the bytes of its file.
    static func finding(in route: ArraySlice<UInt8>) -> Diagnostic? {
        let edits = parameters(in: route).map { parameter in
            TextEdit(
                range: SourceRange(start: parameter.lowerBound, end: parameter.upperBound),
                replacement: capture(route[parameter]))
        }
        guard let first = edits.first else { return nil }
        let text = String(text: route[first.range.start..<first.range.end])
        return Diagnostic(
            .routerPlaceholder,
            "\(quoted(text)) is plain text in a route; a capture is written \(quoted(first.replacement))",
            range: first.range,
            fixIts: [
                FixIt(
                    edits.count == 1 ? "write \(quoted(first.replacement))" : "write captures in { }", .suggested, edits
                )
            ])
    }

    /// `:name`, `:name?`, `:name(\d+)` after a slash, in the path.
    private static func parameters(in route: ArraySlice<UInt8>) -> [Range<Int>] {
        let path = route.prefix { $0 > 0x20 }
        var parameters: [Range<Int>] = []
        var offset = path.startIndex
        while let colon = path[offset...].firstIndex(of: UInt8(ascii: ":")) {
            var end = colon + 1
            while end < path.endIndex, isInName(path[end]) { end += 1 }
            offset = end
            let isAfterSlash = colon > path.startIndex && path[colon - 1] == UInt8(ascii: "/")
            guard isAfterSlash, end > colon + 1, path[colon + 1].isWord, !path[colon + 1].isDigit else { continue }
            if end < path.endIndex, path[end] == UInt8(ascii: "("),
                let close = path[end...].prefix(while: { $0 != UInt8(ascii: "/") }).firstIndex(of: UInt8(ascii: ")"))
            {
                end = close + 1
            }
            if end < path.endIndex, "?*+".utf8.contains(path[end]) { end += 1 }
            parameters.append(colon..<end)
            offset = end
        }
        return parameters
    }

    /// The capture that a parameter is meant to be.
    private static func capture(_ parameter: ArraySlice<UInt8>) -> String {
        let name = parameter.dropFirst().prefix(while: isInName)
        let takesAll = parameter.last == UInt8(ascii: "*") || parameter.last == UInt8(ascii: "+")
        return "{\(String(text: name))\(takesAll ? ":*" : "")}"
    }

    private static func isInName(_ byte: UInt8) -> Bool { byte.isWord || byte == UInt8(ascii: "-") }
}

extension RuleDescription {
    package static let invalidRoute = RuleDescription(
        "invalid-route", .error, subject: .routeList, summary: "a line in a list of routes is not a route",
        reason: """
            A route is a path pattern, in the syntax of the association file and with captures like {product}, \
            followed by optional columns for the query ('?q={term}'), the fragment ('#{section}') and the comparison \
            ('caseSensitive:false'). Routes can use the system's variables, such as $(digit) and $(alpha), but no others.
            """, basis: [.lint],
        bad: """
            # shop
            /buy/{product}
            /order/⟦$(digits)⟧

            """,
        good: """
            # shop
            /buy/{product}
            /order/$(digit)*

            """)

    package static let unreachableRoute = RuleDescription(
        "unreachable-route", .warning, subject: .routeList,
        summary: "an earlier route matches all URLs of this one",
        reason: "The first route that matches a URL handles it, so a route after a more general one never runs.",
        basis: [.lint],
        bad: "/buy/{product}\n⟦/buy/new⟧\n",
        good: "/buy/new\n/buy/{product}\n")

    /// A parameter as web frameworks write it, in a file as in a list of routes.
    package static let routerPlaceholder = RuleDescription(
        "router-placeholder", .warning, summary: "a pattern has a placeholder like ':name' or '{name}'",
        reason: """
            ':name', '{name}', '<name>' and '[name]' are parameters in the routers of web frameworks. The system knows \
            only '*', '?' and '$(…)': anything else is plain text that a URL must contain. Where no URL can, as \
            with '{name}' in a path, that is reported as 'unencoded-character'. In a list of an app's routes captures are \
            written '{name}', and ':name' is plain text there too.
            """,
        basis: [.lint], fix: .suggested,
        bad: """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                    "components": [
                      { "/": "/buy/⟦:item⟧" }
                    ]
                  }
                ]
              }
            }

            """,
        good: """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                    "components": [
                      { "/": "/buy/*" }
                    ]
                  }
                ]
              }
            }

            """)
}
