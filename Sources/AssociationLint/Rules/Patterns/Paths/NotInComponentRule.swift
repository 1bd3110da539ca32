internal import Diagnostics
internal import JSONSyntax

/// `NOT ` where only `exclude` excludes.
enum NotInComponentRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "not-in-component", .error, summary: "a component's path starts with 'NOT '",
            reason: """
                'NOT ' excludes in the legacy 'paths' only. In a component it is plain text, so the component matches no \
                URL; Apple's documentation has the key 'exclude' for that.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "⟦NOT ⟧/help/*" }"#, #"{ "/": "*" }"#),
            good: PatternExample.components(#"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .path {
            guard let word = place.anatomy.exclusion else { continue }
            findings.report(
                "not-in-component", place.part(word, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(word))) is plain text in a component, only 'exclude' excludes",
                fixIts: [fixIt(place, word, file.source)])
        }
    }

    private static func fixIt(_ place: PatternPlace, _ word: Range<Int>, _ source: SourceText) -> FixIt {
        let cut = place.edit(word, "", in: source)
        let delete = "delete \(quoted(place.anatomy.string(word)))"
        let title = delete + #" and write '"exclude": true'"#
        guard let owner = place.owner else { return FixIt(title: title, applicability: .suggested, edits: [cut]) }
        let edits: [TextEdit]
        switch owner["exclude"] {
        case nil: edits = owner.adding("exclude", "true", to: [cut], in: source)
        case let value? where value.boolean == true:
            return FixIt(title: delete, applicability: .suggested, edits: [cut])
        case let value?:
            edits = [cut, JSONEdits.replace(value, with: "true")].sorted { $0.range.start < $1.range.start }
        }
        return FixIt(title: title, applicability: .suggested, edits: edits)
    }
}
