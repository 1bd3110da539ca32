internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Rules that are too large to be compared with others.
enum TooLargeToDecideRule: LintRule {
    static let description = RuleDescription(
        "too-large-to-decide", .warning,
        summary: "patterns are too large to find out whether earlier rules decide all URLs of a rule",
        reason: """
            Patterns are compared with each other as automata, within a fixed amount of time and memory. Variables with \
            thousands of values, used many times in one pattern, or many wildcards together can exceed it. The system \
            may still read the rule as written, but its effect is not known. Each file has at most one such \
            finding, at the first of these rules.
            """,
        basis: [.lint],
        bad: """
            {"applinks": {
              "substitutionVariables": {"end": ["*-a", "*-b"]},
              "details": [{
                "appIDs": ["A1B2C3D4E5.com.apple.example"],
                "components": [
                  {"/": "/$(end)????????????????????"},
                  ⟦{"/": "/x$(end)????????????????????"}⟧
                ]
              }]
            }}
            """,
        good: """
            {"applinks": {
              "substitutionVariables": {"end": ["*-a", "*-b"]},
              "details": [{
                "appIDs": ["A1B2C3D4E5.com.apple.example"],
                "components": [
                  {"/": "/$(end)/?*"},
                  {"/": "/$(end)"}
                ]
              }]
            }}
            """)

    /// - Parameters:
    ///   - rule: The first of these rules.
    ///   - others: How many more there are.
    static func report(
        _ rule: Rule, in entry: ReachEntry, others: Int, _ diagnostics: inout DiagnosticCollector
    ) {
        let rest = counted(others, "more rule", "more rules")
        diagnostics.report(
            description, rule.range, entry.pointer(of: rule),
            "\(entry.name(of: rule).subject) is too large to compare with the rules before it",
            notes: others == 0 ? [] : ["\(rest) could not be compared with all others either"])
    }

    /// Reports that the legacy paths of an entry cannot be compared with its components.
    static func report(paths: SourceRange, _ pointer: JSONPointer, _ diagnostics: inout DiagnosticCollector) {
        diagnostics.report(
            description, paths, pointer, "'paths' and the 'components' beside them are too large to compare")
    }
}
