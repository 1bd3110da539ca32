internal import BoundedText
internal import Diagnostics

/// A fragment in a path pattern.
enum FragmentInPathRule: PatternRule {
    static let description = RuleDescription(
        "fragment-in-path", .error, summary: "a path pattern has a '#'",
        reason: """
            The path of a URL ends before its '#', so a pattern with one matches nothing. Apple's documentation has the \
            component key '#' for fragments; the legacy 'paths' cannot match them.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(##"{ "/": "/help⟦#contact⟧" }"##),
        good: ExampleFile.components(##"{ "/": "/help", "#": "contact" }"##))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard let fragment = pattern.parsed.fragment else { return }
        let text = pattern.parsed.string(fragment)
        let value = String(text: text.utf8.drop { $0 == UInt8(ascii: "#") })
        diagnostics.report(
            description, pattern, at: fragment,
            "a path pattern cannot contain a fragment: with \(quoted(text)) it never matches",
            fix: PathSplit.fix(pattern, fragment, key: "#", JSONEdits.literal(value)))
    }
}
