internal import Diagnostics
internal import URLPatterns

/// A path pattern that begins with a host.
enum HostInPathRule: PatternRule {
    static let description = RuleDescription(
        "host-in-path", .warning, summary: "a path pattern starts with what looks like a host name",
        reason: """
            The system compares only the path of a URL, which begins after the host. '/shop.example/buy/*' matches \
            'https://HOST/shop.example/buy/1', so the site would need a folder with the name of a host; few sites \
            have one.
            """,
        basis: [.apple, .lint], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/⟦github.com⟧/shop/*" }"#),
        good: ExampleFile.components(#"{ "/": "/shop/*" }"#, #"{ "/": "/com.shop.app/*" }"#, #"{ "/": "/a.html" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath, let host = host(pattern.parsed) else { return }
        let parsed = pattern.parsed
        let start = parsed.examined.lowerBound
        diagnostics.report(
            description, pattern, at: host,
            "path pattern \(quoted(parsed.string(parsed.body))) starts with a host name",
            notes: [
                "only paths are compared: it matches below a folder \(quoted(parsed.string(host))) of the site"
            ],
            fix: FixIt(
                "write \(quoted(parsed.string(host.upperBound..<parsed.body.upperBound)))", .suggested,
                pattern.edit(start..<host.upperBound, "")))
    }

    /// The first segment, if it is the name of a host and another segment follows.
    static func host(_ parsed: ParsedPattern) -> Range<Int>? {
        guard parsed.present.contains(UInt8(ascii: ".")), parsed.origin == nil else { return nil }
        return URLInPath.host(parsed.bytes, parsed.examined)
    }
}
