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
        guard var captures = path.captures(OpenDecisions.comparedPath(url.path)) else { return nil }
        if !query.isEmpty {
            guard let found = queryCaptures(url.query) else { return nil }
            captures += found
        }
        if let fragment {
            guard let found = fragment.captures(url.fragment) else { return nil }
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
