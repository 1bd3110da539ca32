internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// The rules that are too large to be compared with others; one finding for all of them.
struct UndecidedRules {
    private var first: (range: SourceRange, pointer: JSONPointer, name: String)?
    private var count = 0

    mutating func add(_ rule: Rule, in entry: ReachEntry) {
        count += 1
        if first == nil { first = (rule.range, entry.pointer(of: rule), ReachWords.name(of: rule)) }
    }

    func report(_ findings: inout Findings) {
        guard let first else { return }
        let others = count - 1
        findings.report(
            Self.description.code.rawValue, first.range, first.pointer,
            "\(first.name) is too large to be compared with the rules before it",
            notes: others == 0
                ? [] : ["\(others) more \(others == 1 ? "rule is" : "rules are") not compared with all others either"])
    }

    static let description = RuleDescription(
        "too-large-to-decide", .warning,
        summary: "whether earlier rules decide all URLs of a rule takes too long to find out",
        reason: """
            Patterns are compared with each other as automata, within a fixed amount of time and memory. Variables with \
            thousands of values, used many times in one pattern, or many wildcards together can exceed it. The system \
            may still take the rule as it is written, but nothing is known about its reach. Each file has one such \
            finding at most, at the first of these rules.
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
}
