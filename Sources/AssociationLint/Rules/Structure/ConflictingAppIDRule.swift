internal import Diagnostics
internal import JSONSyntax

/// `appIDs` wins over `appID`.
enum ConflictingAppIDRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "conflicting-app-id", .warning, summary: "'appID' is not among the 'appIDs' beside it",
            reason: """
                Where an entry has both, the system takes 'appIDs' and ignores 'appID' (recorded with swcutil). Only \
                iOS 12 and older, which know no 'appIDs', read it.
                """, basis: [.recorded], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        ⟦"appID"⟧: "7K3QWZ9PLM.com.shop.old",
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/buy/*" }]
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
                        "appIDs": ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.old"],
                        "components": [{ "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for entry in file.entries where entry.key == nil {
            let level = entry.level
            guard let member = level.member("appID"), let app = member.value.string?.text,
                let apps = level["appIDs"]?.array,
                !apps.contains(where: { $0.string.map { $0.text.utf8.elementsEqual(app.utf8) } ?? false })
            else { continue }
            findings.report(
                "conflicting-app-id", member.keyRange, level.pointer.member("appID"),
                "\(quoted(app)) is ignored: the system takes 'appIDs', which does not name it",
                fixIts: [
                    FixIt(
                        title: "delete 'appID'", applicability: .suggested,
                        edits: [JSONEdits.delete(member: member, in: level.object, source: file.source)])
                ])
        }
    }
}
