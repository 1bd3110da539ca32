internal import Diagnostics
internal import JSONSyntax

/// Up to iOS 12 `applinks` needs `"apps": []`.
enum LegacyAppsRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "missing-apps", .warning, summary: #"'applinks' has 'paths' but no '"apps": []'"#,
            reason: """
                Up to iOS 12, 'applinks' must have the key 'apps' with an empty array, or the file is refused (Apple, \
                "Support Universal Links"); newer systems do not need it. 'paths' are what these systems read.
                """, basis: [.apple], fix: .automatic,
            bad: """
                {
                  ⟦"applinks"⟧: {
                    "details": [
                      { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                    ]
                  }
                }

                """),
        RuleDescription(
            "apps-not-empty", .warning, summary: "'apps' of 'applinks' is not empty",
            reason: """
                In 'applinks' the list 'apps' has no meaning; it has to be empty for iOS 12 and older, and newer systems \
                do not read it (Apple, "Support Universal Links"). Apps are named in the entries of 'details'.
                """, basis: [.apple], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "apps": ⟦["7K3QWZ9PLM.com.shop.app"]⟧,
                    "details": [
                      { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                    ]
                  }
                }

                """),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard let links = file.appLinks else { return }
        if let member = links.member("apps"), let array = member.value.array, !array.isEmpty {
            findings.report(
                "apps-not-empty", member.value.range, links.pointer.member("apps"),
                "'apps' of 'applinks' must be empty: no system reads apps there, and iOS 12 expects '[]'",
                fixIts: [fixIt(member, array, in: links)])
        }
        guard !file.isOnly(for: SystemVersion(13)), let key = links.keyRange, !links.isMeant("apps"),
            file.entries.contains(where: hasPathsInUse)
        else { return }
        findings.report(
            "missing-apps", key, links.pointer,
            #"'applinks' has 'paths' but no '"apps": []': iOS 12 and older refuse the file"#,
            fixIts: [
                FixIt(
                    title: #"insert '"apps": []'"#, applicability: .automatic,
                    edits: [JSONEdits.insert(first: "apps", "[]", in: links.node, source: file.source)])
            ])
    }

    private static func fixIt(_ member: JSONMember, _ apps: [JSONNode], in links: LevelObject) -> FixIt {
        guard isDetails(apps, in: links) else {
            let edit = JSONEdits.replace(member.value, with: "[]")
            return FixIt(title: "write '[]'", applicability: .suggested, edits: [edit])
        }
        return FixIt(
            title: "name it 'details', which is the list of entries", applicability: .suggested,
            edits: [JSONEdits.rename(member, to: "details")])
    }

    /// Whether the list has the entries that belong in `details`.
    static func isDetails(_ apps: [JSONNode]?, in links: LevelObject) -> Bool {
        guard let apps, !apps.isEmpty, !links.isMeant("details") else { return false }
        return apps.allSatisfy { $0.object.map(EntryOutline.isEntry) ?? false }
    }

    private static func hasPathsInUse(_ entry: EntryOutline) -> Bool {
        entry.level.member("paths") != nil && (entry.hasSingleApp || entry.level["components"]?.array == nil)
    }
}
