internal import Diagnostics

/// Several slashes in a row inside a path pattern.
enum DoubleSlashInPatternRule: PatternRule {
    static let description = RuleDescription(
        "double-slash-in-pattern", .warning, summary: "a path pattern has '//' inside",
        reason: """
            Slashes inside a path are compared like other characters, so '//' only matches URLs with '//' there, which few \
            links have. Slashes at the start and the end of a path are ignored.
            """,
        basis: [.inferred], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/shop⟦//⟧buy/*" }"#),
        good: ExampleFile.components(#"{ "/": "/shop/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath else { return }
        let runs = runs(pattern.parsed)
        guard let first = runs.first else { return }
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(pattern.parsed.string(first))) matches only URLs with as many slashes there",
            fix: FixIt("write '/'", .suggested, pattern.edits(runs.map { ($0, "/") })))
    }

    private static func runs(_ parsed: ParsedPattern) -> [Range<Int>] {
        let slash = UInt8(ascii: "/")
        let path = parsed.bytes[parsed.examined]
        guard let start = path.firstIndex(where: { $0 != slash }), let last = path.lastIndex(where: { $0 != slash })
        else { return [] }
        return path[start...last].runs(of: slash)
    }
}

extension ArraySlice<UInt8> {
    /// The ranges where a byte occurs twice or more in a row.
    func runs(of byte: UInt8) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = startIndex
        while offset < endIndex {
            guard self[offset] == byte else {
                offset += 1
                continue
            }
            let start = offset
            while offset < endIndex, self[offset] == byte { offset += 1 }
            if offset - start > 1 { found.append(start..<offset) }
        }
        return found
    }
}
