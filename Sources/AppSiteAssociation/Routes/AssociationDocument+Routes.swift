internal import Diagnostics
internal import URLPatterns

extension AssociationDocument {
    /// A file that opens in one app what the routes match: one entry, and in it a component for each route, with its index.
    ///
    /// - Parameter excluded: A path pattern that is excluded before them, as the component -1.
    package init(routes: [RoutePattern], app: String, excluding excluded: String? = nil) {
        let first = excluded.map { [Rule(path: $0, excludes: true, index: -1)] } ?? []
        let rules = first + routes.enumerated().map { Rule($1, index: $0) }
        let links = AppLinks([Detail(app: app, rules: rules)], RouteText.variables)
        self.init(appLinks: links, source: SourceText([], path: "routes"))
    }

    /// The part of the file that is about one app.
    package func only(app: String) -> AssociationDocument {
        let links = appLinks.map { links in
            let details = links.details.compactMap { detail -> Detail? in
                // Not by canonical equivalence.
                let named = detail.appIDs.filter { $0.value.utf8.elementsEqual(app.utf8) }
                return named.isEmpty ? nil : Detail(detail, appIDs: named)
            }
            return AppLinks(details, links.substitutionVariables)
        }
        return AssociationDocument(appLinks: links, source: source)
    }
}

extension Rule {
    fileprivate init(_ route: RoutePattern, index: Int) {
        let items = route.query.map {
            QueryItemPattern(name: $0.name, value: RouteText.pattern($0.value, isPath: false))
        }
        self.init(
            path: RouteText.pattern(route.path, isPath: true), query: items.isEmpty ? .void : .items(items),
            fragment: route.fragment.map { RouteText.pattern($0, isPath: false) } ?? "*",
            caseSensitive: route.caseSensitive, percentEncoded: route.percentEncoded, index: index)
    }
}

/// The pieces of a route as a pattern of a file, with variables for what no file can say.
private enum RouteText {
    private static let segment = "{segment}"
    private static let nothing = "{}"

    static let variables = SubstitutionVariables([
        SubstitutionVariable(name: segment, elements: [.segmentCharacter, .segmentRun]),
        SubstitutionVariable(name: nothing, values: [""]),
    ])

    static func pattern(_ pieces: [RoutePiece], isPath: Bool) -> String {
        var result = ""
        var last = ""
        for piece in pieces {
            let text =
                switch piece {
                case .text(let text): text
                case .capture(_, let pattern?): pattern
                case .capture(_, nil): isPath ? "$(\(segment))" : "?*"
                }
            // The end of a piece and the beginning of the next make no variable together.
            if canBeginVariable(last) { result += "$(\(nothing))" }
            result += text
            last = text
        }
        return result
    }

    private static func canBeginVariable(_ text: String) -> Bool {
        guard case .text(let rest) = PatternParser.pieces(Array(text.utf8)).last else { return false }
        return rest.contains(UInt8(ascii: "$"))
    }
}
