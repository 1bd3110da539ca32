internal import Diagnostics
internal import JSONSyntax

/// An empty list is read as what it is.
enum EmptyListRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "empty-list", .warning, summary: "a list that should have something in it is empty",
            reason: """
                The system takes an empty list at its word: no entry, no app, no rule (recorded with swcutil); \
                'components' that are empty match nothing, and the 'paths' beside them are not read.
                """, basis: [.recorded, .inferred],
            bad: """
                {
                  "applinks": {
                    "details": ⟦[]⟧
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        if let links = file.appLinks { check("details", in: links, "no link opens an app", &findings) }
        for entry in file.entries {
            check("appIDs", in: entry.level, "the entry is for no app", &findings)
            check("components", in: entry.level, "the entry opens nothing", &findings)
            let isRead = entry.level["components"]?.array == nil
            check("paths", in: entry.level, isRead ? "the entry opens nothing" : "it says nothing", &findings)
        }
        for service in file.services { check("apps", in: service, "no app takes part in the service", &findings) }
        for variable in file.variables where variable.member.value.array?.isEmpty == true {
            findings.report(
                "empty-list", variable.member.value.range, variable.pointer,
                "the variable \(quoted(variable.name)) has no values: a pattern with it matches nothing")
        }
    }

    private static func check(_ key: String, in level: LevelObject, _ effect: String, _ findings: inout Findings) {
        guard let node = level[key], node.array?.isEmpty == true else { return }
        findings.report("empty-list", node.range, level.pointer.member(key), "\(quoted(key)) is empty: \(effect)")
    }
}
