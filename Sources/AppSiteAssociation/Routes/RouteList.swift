public import Diagnostics

/// The routes of a file, one a line.
///
/// Lines without anything, and lines that begin with `#`, are not looked at.
public struct RouteList: Sendable {
    public let source: SourceText
    /// The routes that could be read, in the order of the file.
    public let routes: [ListedRoute]
    /// What is wrong with the list. With an error in it, it cannot be used.
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
                        code: DiagnosticCode(rawValue: "invalid-route"), severity: .error, message: error.message,
                        range: SourceRange(start: start, end: start + error.length)))
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
        if let place = firstStrayByte(line) {
            throw RoutePatternError(
                .unmatchable, place..<(place + 1), "the line is not UTF-8; write the file in UTF-8, as JSON is")
        }
        return try RoutePattern(String(decoding: line, as: UTF8.self))
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

    /// Of the routes that an earlier one covers; those are compared as long as that is quick.
    private static func unreachable(_ routes: [ListedRoute], _ source: SourceText) -> [Diagnostic] {
        var budget = WorkBudget()
        var diagnostics: [Diagnostic] = []
        for (index, route) in routes.enumerated() where !budget.isSpent {
            let cover = routes[..<index].first { $0.pattern.covers(route.pattern, budget: &budget) }
            guard let cover else { continue }
            let line = source.position(at: cover.range.start).line
            diagnostics.append(
                Diagnostic(
                    code: DiagnosticCode(rawValue: "unreachable-route"), severity: .warning,
                    message: "\(quoted(cover.pattern.description)) in line \(line) takes every URL of this route; "
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
