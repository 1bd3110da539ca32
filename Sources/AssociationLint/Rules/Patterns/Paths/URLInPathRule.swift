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
            let path = path(behind: origin, in: place.anatomy)
            let isEmpty = path.isEmpty
            let tail = path.upperBound..<place.anatomy.pattern.upperBound
            var parts = [(range: origin, text: "")]
            if isEmpty {
                parts = [(origin.lowerBound..<tail.upperBound, "/")]
            } else if !tail.isEmpty {
                parts.append((tail, ""))
            }
            findings.report(
                "url-in-path", place.range, place.pointer,
                "pattern \(quoted(place.string.text)) is a URL: only the path is compared with it, so it never matches",
                fixIts: [
                    FixIt(
                        title: "write \(quoted(isEmpty ? "/" : place.anatomy.string(path)))", applicability: .suggested,
                        edits: place.edits(parts, in: file.source))
                ])
        }
    }

    /// The path of a URL, without query and fragment.
    private static func path(behind origin: Range<Int>, in anatomy: PatternAnatomy) -> Range<Int> {
        let rest = origin.upperBound..<anatomy.pattern.upperBound
        // The host ends at a `?` too.
        guard anatomy.bytes[rest].first == UInt8(ascii: "/") else { return rest.lowerBound..<rest.lowerBound }
        let hash = anatomy.bytes[rest].firstIndex(of: UInt8(ascii: "#")) ?? rest.upperBound
        let end = PathCut.queryStart(anatomy.bytes, rest.lowerBound..<hash) ?? hash
        return rest.lowerBound..<WhiteSpace.start(of: end, in: anatomy.bytes, notBefore: rest.lowerBound)
    }
}
