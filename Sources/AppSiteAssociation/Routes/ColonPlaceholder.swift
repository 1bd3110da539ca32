internal import Diagnostics

/// A parameter as routers of other kinds write it, `/order/:id`: in a route that is plain text.
enum ColonPlaceholder {
    /// The finding about a route with such parameters; nil if it has none.
    ///
    /// - Parameter route: The route in the bytes of its file.
    static func finding(in route: ArraySlice<UInt8>) -> Diagnostic? {
        let edits = places(in: route).map { place in
            TextEdit(
                range: SourceRange(start: place.lowerBound, end: place.upperBound),
                replacement: capture(route[place]))
        }
        guard let first = edits.first else { return nil }
        let text = String(decoding: route[first.range.start..<first.range.end], as: UTF8.self)
        return Diagnostic(
            code: DiagnosticCode(rawValue: "router-placeholder"), severity: .warning,
            message: "\(quoted(text)) is plain text in a route; a capture is written \(quoted(first.replacement))",
            range: first.range,
            fixIts: [
                FixIt(
                    title: edits.count == 1 ? "write \(quoted(first.replacement))" : "write captures in { }",
                    applicability: .suggested, edits: edits)
            ])
    }

    /// `:name`, `:name?`, `:name(\d+)` after a slash, in the path.
    private static func places(in route: ArraySlice<UInt8>) -> [Range<Int>] {
        let path = route.prefix { $0 > 0x20 }
        var places: [Range<Int>] = []
        var offset = path.startIndex
        while let colon = path[offset...].firstIndex(of: UInt8(ascii: ":")) {
            var end = colon + 1
            while end < path.endIndex, isInName(path[end]) { end += 1 }
            offset = end
            let isAfterSlash = colon > path.startIndex && path[colon - 1] == UInt8(ascii: "/")
            guard isAfterSlash, end > colon + 1, isStart(path[colon + 1]) else { continue }
            if end < path.endIndex, path[end] == UInt8(ascii: "("),
                let close = path[end...].prefix(while: { $0 != UInt8(ascii: "/") }).firstIndex(of: UInt8(ascii: ")"))
            {
                end = close + 1
            }
            if end < path.endIndex, "?*+".utf8.contains(path[end]) { end += 1 }
            places.append(colon..<end)
            offset = end
        }
        return places
    }

    /// The capture that a parameter is meant to be.
    private static func capture(_ parameter: ArraySlice<UInt8>) -> String {
        let name = parameter.dropFirst().prefix(while: isInName)
        let takesAll = parameter.last == UInt8(ascii: "*") || parameter.last == UInt8(ascii: "+")
        return "{\(String(decoding: name, as: UTF8.self))\(takesAll ? ":*" : "")}"
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        isStart(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static func isStart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
