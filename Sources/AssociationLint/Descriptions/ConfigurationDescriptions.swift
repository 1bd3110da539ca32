internal import Diagnostics

/// The codes about the tools' own files.
enum ConfigurationDescriptions {
    static let all = ownFiles + cases

    private static let ownFiles: [RuleDescription] = [
        RuleDescription(
            "unknown-config-key", .error, subject: .lintConfiguration,
            summary: "'.aasa.json' or 'server.json' has an unknown key",
            reason: "An unknown key has no effect, so a setting with a typo is silently lost.",
            basis: [.lint], fix: .suggested,
            bad: """
                { ⟦"severities"⟧: { "odd-team-prefix": "off" } }

                """,
            good: """
                { "severity": { "odd-team-prefix": "off" } }

                """),
        RuleDescription(
            "invalid-config-value", .error, subject: .lintConfiguration,
            summary: "a value in '.aasa.json' or 'server.json' has the wrong type or is out of range",
            reason: "The value cannot be used; the setting would silently keep its default.", basis: [.lint],
            bad: """
                { "minimumIOS": ⟦13⟧ }

                """,
            good: """
                { "minimumIOS": "13.0" }

                """),
        RuleDescription(
            "unsupported-config-value", .error, subject: .serverConfiguration,
            summary: "a value in 'server.json' is not supported by this version",
            reason: """
                The key is reserved for later versions; this version accepts only its default. The server does not start if \
                the configuration requests a feature that it does not have.
                """, basis: [.lint],
            bad: """
                { "gzip": ⟦true⟧ }

                """,
            good: """
                { "gzip": false }

                """),
        RuleDescription(
            "trusts-everyone", .warning, subject: .serverConfiguration,
            summary: "'trustedProxies' in 'server.json' has every IPv4 or every IPv6 address",
            reason: """
                The server trusts what a trusted proxy reports about a client. If every address is trusted, so is every \
                client, and each can put any address into the access log.
                """, basis: [.lint],
            bad: """
                { "trustedProxies": [⟦"0.0.0.0/0"⟧] }

                """,
            good: """
                { "trustedProxies": ["10.0.0.0/8"] }

                """),
        RuleDescription(
            "unused-suppression", .warning, subject: .lintConfiguration,
            summary: "an entry of 'ignore' in '.aasa.json' matches no finding",
            reason: """
                The finding has been fixed or has moved. Only entries that apply to a checked file are reported.
                """, basis: [.lint],
            bad: """
                { "ignore": [⟦{ "code": "missing-rules", "reason": "fixed long ago" }⟧] }

                """,
            good: """
                { "ignore": [] }

                """),
    ]

    private static let cases: [RuleDescription] = [
        RuleDescription(
            "invalid-case", .error, subject: .testCases, summary: "a case for 'aasa test' is not valid",
            reason: """
                A case has a 'url', and either 'opens' (a list of app IDs, or "any") or 'excluded' (true). Otherwise a case that \
                cannot be checked would silently pass.
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
            "case-failed", .error, subject: .testRun, summary: "a case of 'aasa test' fails",
            reason: """
                The file treats the URL differently from what the case expects, so one of the two is wrong. In the examples \
                the file excludes '/buy/old/*' and opens '/buy/*' in the app 7K3QWZ9PLM.com.shop.app.
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
            reason: "The list has no cases, so nothing was tested.",
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
