internal import Diagnostics

/// Several slashes in a row inside a path pattern.
enum DoubleSlashRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "double-slash-in-pattern", .warning, summary: "a path pattern has '//' inside",
            reason: """
                Inside a path slashes are compared as they are, so '//' matches URLs with '//' there, and hardly any link \
                has it. At the beginning and at the end slashes do not count.
                """,
            basis: [.inferred], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/shop⟦//⟧buy/*" }"#),
            good: PatternExample.components(#"{ "/": "/shop/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.isPath {
            let runs = runs(place.anatomy)
            guard let first = runs.first else { continue }
            findings.report(
                "double-slash-in-pattern", place.part(first, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(first))) matches only URLs with as many slashes there",
                fixIts: [
                    FixIt(
                        title: "write '/'", applicability: .suggested,
                        edits: place.edits(runs.map { ($0, "/") }, in: file.source))
                ])
        }
    }

    private static func runs(_ anatomy: PatternAnatomy) -> [Range<Int>] {
        let slash = UInt8(ascii: "/")
        let path = anatomy.bytes[anatomy.examined]
        guard let start = path.firstIndex(where: { $0 != slash }), let last = path.lastIndex(where: { $0 != slash })
        else { return [] }
        return path[start...last].runs(of: slash)
    }
}

extension ArraySlice<UInt8> {
    /// The places where a byte stands twice or more.
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
