internal import Diagnostics
internal import JSONSyntax

/// `appIDs` came together with `components`.
enum MixedGenerationsRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "mixed-generations", .warning, summary: "'appIDs' is used with 'paths' only",
            reason: """
                'appIDs' is for iOS 13 and newer, where 'components' take the place of 'paths'; iOS 12 reads 'paths', \
                but knows 'appID' only (Apple, "Supporting associated domains"). So such an entry is good for no \
                system in particular.
                """, basis: [.apple], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], ⟦"paths"⟧: ["NOT /buy/old/*", "/buy/*"] }
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
                        "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for entry in file.entries where !entry.hasSingleApp {
            let level = entry.level
            guard let member = level.member("paths"), level.member("appIDs") != nil, !level.isMeant("components")
            else { continue }
            findings.report(
                "mixed-generations", member.keyRange, level.pointer.member("paths"),
                "'paths' beside 'appIDs': iOS 12 does not know 'appIDs', newer systems prefer 'components'",
                fixIts: fixIts(member))
        }
    }

    private static func fixIts(_ member: JSONMember) -> [FixIt] {
        guard let paths = member.value.array, paths.allSatisfy({ $0.string != nil }) else { return [] }
        var edits = [JSONEdits.rename(member, to: "components")]
        for node in paths {
            edits.append(JSONEdits.replace(node, with: LegacyPath.component(node.string?.text ?? "")))
        }
        return [FixIt(title: "write 'components'", applicability: .suggested, edits: edits)]
    }
}
