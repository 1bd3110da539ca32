internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A URL in the place of its path.
enum URLInPathRule: PatternRule {
    static let description = RuleDescription(
        "url-in-path", .error, summary: "a path pattern starts with a scheme or a host name",
        reason: """
            The system compares only the path of a URL; the domain from which the file was fetched determines the \
            host. A path never starts with 'https://', so the pattern matches nothing. A custom scheme opens its app without \
            this file.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": ⟦"https://shop.example/buy/*"⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard let origin = pattern.parsed.origin else { return }
        diagnostics.report(
            description, pattern,
            "pattern \(quoted(pattern.string.text)) is a URL: only the path is compared, so it never matches",
            fix: fix(pattern, origin))
    }

    /// Never a pattern that matches more than the URL was meant for.
    private static func fix(_ pattern: FilePattern, _ origin: Range<Int>) -> FixIt? {
        let parsed = pattern.parsed
        let url = URLText(parsed, origin)
        guard let front = url.front else { return nil }
        let path = front.text + parsed.string(front.range.upperBound..<url.path.upperBound)
        let edit = pattern.edit(front.range, front.text)
        let title = "write \(quoted(path))"
        let tail = url.path.upperBound..<parsed.body.upperBound
        guard !tail.isEmpty else { return FixIt(title, .suggested, edit) }
        // Without its query or fragment the pattern would match more.
        guard let owner = pattern.owner else { return nil }
        var members: [String] = []
        var edits = [edit, pattern.edit(tail, "")]
        for (key, name, part) in [("?", "query", url.query), ("#", "fragment", url.fragment)] {
            guard let part else { continue }
            guard owner[key] == nil else { return nil }
            let text = String(text: parsed.text[part].dropFirst())
            members.append("the \(name) to '\(key)'")
            let value = key == "?" ? QueryText(text, isAndroid: pattern.isAndroid).json : JSONEdits.literal(text)
            guard let value else { return nil }
            edits = owner.adding(key, value, to: edits, in: pattern.source)
        }
        return FixIt("\(title) and move \(members.joined(separator: " and "))", .suggested, edits)
    }
}

/// A URL in the place of a path, cut into its parts.
private struct URLText {
    /// The text before the path, and the text that belongs in its place; nil if that is not clear.
    let front: (range: Range<Int>, text: String)?
    let path: Range<Int>
    /// The query with its `?`.
    let query: Range<Int>?
    /// The fragment with its `#`.
    let fragment: Range<Int>?

    init(_ parsed: ParsedPattern, _ origin: Range<Int>) {
        let bytes = parsed.bytes
        let rest = origin.upperBound..<parsed.body.upperBound
        let hash = bytes[rest].firstIndex(of: UInt8(ascii: "#")) ?? rest.upperBound
        fragment = hash < rest.upperBound ? hash..<rest.upperBound : nil
        // The host ends at a `?` too.
        let isQuery = bytes[rest].first == UInt8(ascii: "?")
        let mark = isQuery ? rest.lowerBound : PathParts.queryStart(bytes, rest.lowerBound..<hash)
        query = mark.map { $0..<hash }
        let end = WhiteSpace.start(of: mark ?? hash, in: bytes, notBefore: rest.lowerBound)
        path = rest.lowerBound..<end
        let hasPath = bytes[path].first == UInt8(ascii: "/")
        if Self.isWeb(bytes[origin]) {
            front = (origin, hasPath ? "" : "/")
        } else {
            // To a scheme of the app's own the host is the first segment; with a wildcard it may be every one.
            let host = Self.host(bytes, origin)
            let isWild = bytes[host].first.map { "*?".utf8.contains($0) } ?? !hasPath
            front = isWild ? nil : (origin.lowerBound..<host.lowerBound, host.isEmpty ? "" : "/")
        }
    }

    /// Whether it begins like a link on the web: `http`, `https`, `http*` or `www.`.
    private static func isWeb(_ origin: ArraySlice<UInt8>) -> Bool {
        ["http", "www."].contains { start in
            origin.prefix(4).lazy.map(\.lowercased).elementsEqual(start.utf8)
        }
    }

    /// The range between `://` and the path.
    private static func host(_ bytes: [UInt8], _ origin: Range<Int>) -> Range<Int> {
        var offset = origin.lowerBound
        while offset < origin.upperBound, !bytes[offset..<origin.upperBound].starts(with: "://".utf8) { offset += 1 }
        return min(offset + 3, origin.upperBound)..<origin.upperBound
    }
}
