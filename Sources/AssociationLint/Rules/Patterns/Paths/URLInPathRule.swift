internal import Diagnostics
internal import JSONSyntax

/// A URL where only its path belongs.
enum URLInPathRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "url-in-path", .error, summary: "a path pattern begins with a scheme or a host name",
            reason: """
                The system compares the path of a URL only; scheme and host are those of the domain that the file was \
                fetched for. A path never begins with 'https://', so the pattern matches nothing.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(#"{ "/": ⟦"https://shop.example/buy/*"⟧ }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard let origin = place.anatomy.origin else { continue }
            let rest = origin.upperBound..<place.anatomy.pattern.upperBound
            let isPath = place.anatomy.text[rest].first == UInt8(ascii: "/")
            let slash = isPath ? "" : "/"
            findings.report(
                "url-in-path", place.range, place.pointer,
                "pattern \(quoted(place.string.text)) is a URL: only the path is compared with it, so it never matches",
                fixIts: [
                    FixIt(
                        title: "write \(quoted(slash + place.anatomy.string(rest)))", applicability: .suggested,
                        edits: [place.edit(origin, slash, in: file.source)])
                ])
        }
    }
}
