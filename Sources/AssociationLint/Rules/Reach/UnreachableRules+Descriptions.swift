internal import Diagnostics

extension UnreachableRules {
    static let descriptions = [
        RuleDescription(
            "dead-exclude", .error,
            summary: "an exclusion lies behind a rule that opens all of its URLs",
            reason: """
                The rules of an entry are asked from top to bottom, and the first that matches decides. Behind a rule that \
                matches the same URLs an exclusion is never asked, so its links open in the app all the same. Exceptions \
                belong in front of the rule that they are exceptions from.
                """,
            basis: [.apple], fix: .suggested,
            bad: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/help/*"},
                    ⟦{"/": "/help/forum/*", "exclude": true}⟧,
                    {"/": "/buy/*"}
                  ]
                }]}}
                """,
            good: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/help/forum/*", "exclude": true},
                    {"/": "/help/*"},
                    {"/": "/buy/*"}
                  ]
                }]}}
                """),
        RuleDescription(
            "blocked-include", .error,
            summary: "a rule lies behind an exclusion of all of its URLs",
            reason: """
                The rules of an entry are asked from top to bottom, and the first that matches decides. Behind an exclusion \
                that matches the same URLs a rule is never asked, so its links never open in the app.
                """,
            basis: [.apple], fix: .suggested,
            bad: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/help/*", "exclude": true},
                    ⟦{"/": "/help/app/*"}⟧,
                    {"/": "/buy/*"}
                  ]
                }]}}
                """,
            good: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/help/app/*"},
                    {"/": "/help/*", "exclude": true},
                    {"/": "/buy/*"}
                  ]
                }]}}
                """),
        RuleDescription(
            "unreachable-rule", .warning,
            summary: "an earlier rule decides the same for all URLs of a rule",
            reason: """
                The rules of an entry are asked from top to bottom, and the first that matches decides. A rule is never \
                asked if one before it matches all of its URLs; if both say the same, it can go.
                """,
            basis: [.apple], fix: .suggested,
            bad: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/buy/*"},
                    ⟦{"/": "/buy/shoes"}⟧
                  ]
                }]}}
                """,
            good: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/buy/*"},
                    {"/": "/sell/shoes"}
                  ]
                }]}}
                """),
        RuleDescription(
            "trailing-exclude", .warning,
            summary: "an exclusion has no rule behind it that would open its URLs",
            reason: """
                A URL that no rule matches does not open in the app. So an exclusion matters only in front of a rule that \
                would open its URLs; at the end of an app's rules it changes nothing.
                """,
            basis: [.apple], fix: .suggested,
            bad: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/buy/*"},
                    ⟦{"/": "/help/*", "exclude": true}⟧
                  ]
                }]}}
                """,
            good: """
                {"applinks": {"details": [{
                  "appIDs": ["A1B2C3D4E5.com.apple.example"],
                  "components": [
                    {"/": "/buy/*"}
                  ]
                }]}}
                """),
        UndecidedRules.description,
    ]
}
