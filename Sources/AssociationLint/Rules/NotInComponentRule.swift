internal import Diagnostics
internal import JSONSyntax

/// `NOT ` where only `exclude` excludes.
enum NotInComponentRule: PatternRule {
    static let description = RuleDescription(
        "not-in-component", .error, summary: "a component's path starts with 'NOT '",
        reason: """
            'NOT ' excludes only in the legacy 'paths'. In a component it is plain text, so the component matches no \
            URL. Use the key 'exclude' instead.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "⟦NOT ⟧/help/*" }"#, #"{ "/": "*" }"#),
        good: ExampleFile.components(#"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.kind == .path, let word = pattern.parsed.exclusion else { return }
        diagnostics.report(
            description, pattern, at: word,
            "\(quoted(pattern.parsed.string(word))) is plain text in a component: use 'exclude'",
            fix: fix(pattern, word))
    }

    private static func fix(_ pattern: FilePattern, _ word: Range<Int>) -> FixIt {
        let cut = pattern.edit(word, "")
        let delete = "delete \(quoted(pattern.parsed.string(word)))"
        let title = delete + #" and write '"exclude": true'"#
        guard let owner = pattern.owner else { return FixIt(title, .suggested, cut) }
        let edits: [TextEdit]
        switch owner["exclude"] {
        case nil: edits = owner.adding("exclude", "true", to: [cut], in: pattern.source)
        case let value? where value.boolean == true:
            return FixIt(delete, .suggested, cut)
        case let value?:
            edits = [cut, JSONEdits.replace(value, with: "true")].sorted { $0.range.start < $1.range.start }
        }
        return FixIt(title, .suggested, edits)
    }
}
