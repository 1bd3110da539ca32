internal import Diagnostics

/// The codes about the tools' own files.
enum ConfigurationDescriptions {
    static let all = ownFiles + cases

    private static let ownFiles: [RuleDescription] = [
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
            "unsupported-config-value", .error, subject: .serverConfiguration,
            summary: "a value of 'server.json' asks for what this version cannot do",
            reason: """
                The key is there for later versions, and this one takes only its default. The server does not start \
                without something that was asked for.
                """, basis: [.lint],
            bad: """
                { "gzip": ⟦true⟧ }

                """,
            good: """
                { "gzip": false }

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
    ]

    private static let cases: [RuleDescription] = [
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
        RuleDescription(
            "case-failed", .error, subject: .testRun, summary: "a case of 'aasa test' does not hold",
            reason: """
                The file decides about the URL otherwise than the case expects, so one of the two is wrong. In the examples \
                it is a file that excludes '/buy/old/*' and opens '/buy/*' in the app 7K3QWZ9PLM.com.shop.app.
                """, basis: [.lint],
            bad: """
                [
                  { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] },
                  ⟦{ "url": "https://shop.example/buy/old/7", "opens": "any" }⟧
                ]

                """,
            good: """
                [
                  { "url": "https://shop.example/buy/7", "opens": ["7K3QWZ9PLM.com.shop.app"] },
                  { "url": "https://shop.example/buy/old/7", "excluded": true }
                ]

                """),
        RuleDescription(
            "no-cases", .warning, subject: .testRun, summary: "the list for 'aasa test' is empty",
            reason: "No case has failed because there is none: that a test passes should mean something.",
            basis: [.lint],
            bad: """
                []

                """,
            good: """
                [
                  { "url": "https://shop.example/buy/7", "opens": "any" }
                ]

                """),
    ]
}
