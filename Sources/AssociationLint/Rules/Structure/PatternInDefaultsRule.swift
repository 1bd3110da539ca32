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
                rarely meant. 'paths' know no defaults.
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
        if let defaults = file.defaults {
            check(defaults, isForPaths: !file.entries.isEmpty && file.entries.allSatisfy(hasOnlyPaths), &findings)
        }
        for entry in file.entries {
            if let defaults = entry.defaults { check(defaults, isForPaths: hasOnlyPaths(entry), &findings) }
        }
    }

    private static func check(_ level: LevelObject, isForPaths: Bool, _ findings: inout Findings) {
        for key in ["/", "?", "#", "exclude"] {
            guard let member = level.member(key) else { continue }
            let effect =
                isForPaths
                ? "has no effect on 'paths', only on 'components'"
                : key == "exclude"
                    ? "decides about every component without its own" : "constrains every component without its own"
            findings.report(
                "pattern-in-defaults", member.keyRange, level.pointer.member(key),
                "\(quoted(key)) in 'defaults' \(effect)",
                notes: isForPaths ? [] : ["write it in the components that it is meant for"])
        }
    }

    /// Whether defaults have nothing to reach in an entry.
    private static func hasOnlyPaths(_ entry: EntryOutline) -> Bool {
        entry.level["components"]?.array == nil && entry.level.member("paths") != nil
    }
}
