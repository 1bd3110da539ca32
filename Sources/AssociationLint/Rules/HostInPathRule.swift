internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// A path pattern that begins with a host.
enum HostInPathRule: FileRule {
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

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns where pattern.isPath {
            guard let host = host(pattern.parsed) else { continue }
            let parsed = pattern.parsed
            let start = parsed.examined.lowerBound
            diagnostics.report(
                description.code, pattern.part(host, in: context.source), pattern.pointer,
                "path pattern \(quoted(parsed.string(parsed.body))) starts with a host name",
                notes: [
                    "only paths are compared: it matches below a folder \(quoted(parsed.string(host))) of the site"
                ],
                fixIts: [
                    FixIt(
                        title: "write \(quoted(parsed.string(host.upperBound..<parsed.body.upperBound)))",
                        applicability: .suggested,
                        edits: [pattern.edit(start..<host.upperBound, "", in: context.source)])
                ])
        }
    }

    /// The first segment, if it is the name of a host and another segment follows.
    static func host(_ parsed: ParsedPattern) -> Range<Int>? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        guard parsed.present.contains(dot), parsed.origin == nil else { return nil }
        let bytes = parsed.bytes[parsed.examined]
        let start = bytes.first == slash ? bytes.startIndex + 1 : bytes.startIndex
        guard let end = bytes[start...].firstIndex(of: slash), end - start <= 253 else { return nil }
        var labels = bytes[start..<end].split(separator: dot, omittingEmptySubsequences: false)
        if labels.count > 2, labels[0].elementsEqual("*".utf8) { labels.removeFirst() }
        guard labels.count >= 2, let first = labels.first, let last = labels.last,
            labels.allSatisfy(isLabel), domains.contains(String(text: last)),
            // As in the ID of an app, 'com.shop.app', or for a language and a region, 'de.ch'.
            !["com", "net", "org", "io"].contains(String(text: first)),
            labels.contains(where: { $0.count > 2 })
        else { return nil }
        return start..<end
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return !label.isEmpty && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0 == hyphen || $0.isDigit || $0.isLetter && $0 == $0.lowercased }
    }

    /// The usual endings of host names; an ending of files, as in 'main.js', is not among them.
    private static let domains = Set(
        """
        app at au be biz br ca ch cloud cn co com cz de dev dk edu es eu fi fr gg gov gr hk hu ie il in info io it jp kr link \
        me mx net nl no nz org page pt ru se sg shop site store tech tr tv tw ua uk us xyz za
        """.split(separator: " ").map(String.init))
}
