internal import Diagnostics

/// `#` at the start of a fragment pattern.
enum LeadingHashInFragmentRule: PatternRule {
    static let description = RuleDescription(
        "leading-hash-in-fragment", .error, summary: "a fragment pattern starts with '#'",
        reason: """
            The fragment of a URL begins after the '#', and the pattern is compared with the fragment. With a '#' of its own \
            the pattern never matches.
            """,
        basis: [.apple], fix: .automatic,
        bad: ExampleFile.components(##"{ "/": "/help", "#": "⟦#⟧contact" }"##),
        good: ExampleFile.components(##"{ "/": "/help", "#": "contact" }"##))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.kind == .fragment else { return }
        let hash = UInt8(ascii: "#")
        let text = pattern.parsed.bytes[pattern.parsed.body]
        guard text.first == hash else { return }
        let hashes = text.startIndex..<(text.firstIndex { $0 != hash } ?? text.endIndex)
        diagnostics.report(
            description, pattern, at: hashes, "the '#' of a URL is not part of its fragment: the pattern never matches",
            fix: fix(pattern, hashes))
    }

    private static func fix(_ pattern: FilePattern, _ hashes: Range<Int>) -> FixIt {
        let parsed = pattern.parsed
        // What becomes the beginning must not be a hash or white space again.
        var end = hashes.lowerBound
        while end < parsed.body.upperBound {
            let next =
                parsed.bytes[end] == UInt8(ascii: "#") ? end + 1 : WhiteSpace.end(from: end, in: parsed.bytes)
            guard next > end else { break }
            end = min(next, parsed.body.upperBound)
        }
        return FixIt(
            "delete \(quoted(parsed.string(hashes)))", end < parsed.body.upperBound ? .automatic : .suggested,
            pattern.edit(hashes.lowerBound..<end, ""))
    }
}
