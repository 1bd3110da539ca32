internal import Diagnostics

/// The rules about the cases of `aasa test`.
enum CaseRules {
    static let all: [RuleDescription] = [.invalidCase, .caseFailed, .noCases]
}

extension RuleDescription {
    static let invalidCase = RuleDescription(
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

            """)
    static let caseFailed = RuleDescription(
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

            """)
    static let noCases = RuleDescription(
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

            """)
}
