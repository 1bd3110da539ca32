internal import Diagnostics
internal import JSONSyntax

/// A component without a pattern matches everything, and the ones below it are never asked.
enum EmptyComponentRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "empty-component", .warning, summary: "a component without a pattern is not the last one",
            reason: """
                A pattern that is not there counts as '*', so a component without any matches every URL (Apple, \
                "Supporting associated domains"; recorded with swcutil). As the last one it is a usual way to write \
                "all the rest"; further up it decides about everything below it.
                """, basis: [.apple, .recorded], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [⟦{ "comment": "everything" }⟧, { "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/help/*", "exclude": true }, { "comment": "everything else" }]
                      }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for entry in file.entries {
            let last = (entry.level["components"]?.array?.count ?? 0) - 1
            for component in entry.components where component.index != last {
                let level = component.level
                guard !level.hasForeignKeys, file.isUnlimited(level, in: entry) else { continue }
                findings.report(
                    "empty-component", level.range, level.pointer,
                    "the component has no pattern: it "
                        + (file.isExclusion(level, in: entry) ? "excludes every URL" : "matches every URL"),
                    fixIts: [
                        FixIt(
                            title: #"write '"/": "*"' if that is meant"#, applicability: .suggested,
                            edits: [JSONEdits.insert(first: "/", #""*""#, in: level.node, source: file.source)])
                    ])
            }
        }
    }
}
