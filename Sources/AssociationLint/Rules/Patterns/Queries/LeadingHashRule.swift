internal import Diagnostics

/// `#` in front of a fragment pattern.
enum LeadingHashRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "leading-hash-in-fragment", .error, summary: "a fragment pattern begins with '#'",
            reason: """
                The fragment of a URL begins behind its '#', and the key '#' is compared with that. With a '#' of its own the \
                pattern never matches.
                """,
            basis: [.apple], fix: .automatic,
            bad: PatternExample.components(##"{ "/": "/help", "#": "⟦#⟧contact" }"##),
            good: PatternExample.components(##"{ "/": "/help", "#": "contact" }"##))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .fragment {
            let hash = UInt8(ascii: "#")
            let pattern = place.anatomy.bytes[place.anatomy.pattern]
            guard pattern.first == hash else { continue }
            let hashes = pattern.startIndex..<(pattern.firstIndex { $0 != hash } ?? pattern.endIndex)
            findings.report(
                "leading-hash-in-fragment", place.part(hashes, in: file.source), place.pointer,
                "a fragment begins behind its '#': with one of its own the pattern never matches",
                fixIts: [fixIt(place, hashes, file.source)])
        }
    }

    private static func fixIt(_ place: PatternPlace, _ hashes: Range<Int>, _ source: SourceText) -> FixIt {
        let anatomy = place.anatomy
        // What becomes the beginning must not be a hash or white space again.
        var end = hashes.lowerBound
        while end < anatomy.pattern.upperBound {
            let next =
                anatomy.bytes[end] == UInt8(ascii: "#") ? end + 1 : WhiteSpace.end(from: end, in: anatomy.bytes)
            guard next > end else { break }
            end = min(next, anatomy.pattern.upperBound)
        }
        return FixIt(
            title: "delete \(quoted(anatomy.string(hashes)))",
            applicability: end < anatomy.pattern.upperBound ? .automatic : .suggested,
            edits: [place.edit(hashes.lowerBound..<end, "", in: source)])
    }
}
