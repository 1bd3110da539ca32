internal import Diagnostics
internal import JSONSyntax

/// Defaults are meant for flags, but take patterns too.
enum PatternInDefaultsRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "pattern-in-defaults", .warning, summary: "'defaults' has a pattern or 'exclude'",
            reason: """
                Any key of a component may stand in 'defaults' (Apple, "applinks.Details.Components"; recorded with \
                swcutil), and counts for each component without it: a pattern there narrows all of them, which is \
                rarely meant.
                """, basis: [.apple, .recorded],
            bad: """
                {
                  "applinks": {
                    "defaults": { ⟦"?"⟧: "ref=*" },
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "defaults": { "caseSensitive": false },
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", "?": "ref=*" }] }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for level in [file.defaults].compactMap({ $0 }) + file.entries.compactMap(\.defaults) {
            for key in ["/", "?", "#", "exclude"] {
                guard let member = level.member(key) else { continue }
                let effect =
                    key == "exclude"
                    ? "decides about every component without its own" : "constrains every component without its own"
                findings.report(
                    "pattern-in-defaults", member.keyRange, level.pointer.member(key),
                    "\(quoted(key)) in 'defaults' \(effect)")
            }
        }
    }
}
