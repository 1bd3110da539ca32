internal import Diagnostics
internal import JSONSyntax

/// `components` win over `paths`.
enum IgnoredPathsRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "ignored-paths", .warning, summary: "no system reads these 'paths'",
            reason: """
                Where an entry has 'components', iOS 13 and newer ignore its 'paths' (Apple, "Supporting associated \
                domains"). Older systems read them, but only in an entry with 'appID'.
                """, basis: [.apple], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        ⟦"paths"⟧: ["/buy/*"],
                        "components": [{ "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      {
                        "appID": "7K3QWZ9PLM.com.shop.app",
                        "paths": ["/buy/*"],
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        let isNew = file.isOnly(for: SystemVersion(13))
        for entry in file.entries where isNew || !entry.hasSingleApp {
            let level = entry.level
            guard let member = level.member("paths"), level["components"]?.array != nil else { continue }
            findings.report(
                "ignored-paths", member.keyRange, level.pointer.member("paths"),
                isNew
                    ? "'paths' is ignored: iOS 13 and newer take the 'components' beside it"
                    : "'paths' is ignored: iOS 13 and newer take 'components', older systems need 'appID'",
                fixIts: [
                    FixIt(
                        title: "delete 'paths'", applicability: .suggested,
                        edits: [JSONEdits.delete(member: member, in: level.object, source: file.source)])
                ])
        }
    }
}
