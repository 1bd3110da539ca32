internal import Diagnostics

/// The codes about the tools' own files.
enum ConfigurationDescriptions {
    static let all: [RuleDescription] = [
        RuleDescription(
            "unknown-config-key", .error, subject: .lintConfiguration,
            summary: "a key of '.aasa.json' or 'server.json' is unknown",
            reason: "What the tools do not know has no effect, and a setting that has none is not what was meant.",
            basis: [.lint], fix: .suggested,
            bad: """
                { ⟦"severities"⟧: { "odd-team-prefix": "off" } }

                """,
            good: """
                { "severity": { "odd-team-prefix": "off" } }

                """),
        RuleDescription(
            "invalid-config-value", .error, subject: .lintConfiguration,
            summary: "a value of '.aasa.json' or 'server.json' is of a wrong type or out of range",
            reason: "The value cannot be used, and what it was to set would silently keep its default.", basis: [.lint],
            bad: """
                { "minimumIOS": ⟦13⟧ }

                """,
            good: """
                { "minimumIOS": "13.0" }

                """),
        RuleDescription(
            "unused-suppression", .warning, subject: .lintConfiguration,
            summary: "an entry of 'ignore' in '.aasa.json' matches no finding",
            reason: """
                What it was for is mended or has moved. It is told only where a file that the entry is about was checked.
                """, basis: [.lint],
            bad: """
                { "ignore": [⟦{ "code": "missing-rules", "reason": "mended long ago" }⟧] }

                """,
            good: """
                { "ignore": [] }

                """),
        RuleDescription(
            "invalid-case", .error, subject: .testCases, summary: "a case of 'aasa test' cannot be used",
            reason: """
                A case has a 'url', and either 'opens' (a list of app IDs, or "any") or 'excluded' (true). A list with a case that \
                cannot be checked would say that all is well when nobody has looked.
                """, basis: [.lint],
            bad: """
                [
                  ⟦{ "url": "https://shop.example/buy/7" }⟧
                ]

                """,
            good: """
                [
                  { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] }
                ]

                """),
    ]
}
