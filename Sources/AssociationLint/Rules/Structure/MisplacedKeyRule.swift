internal import Diagnostics
internal import JSONSyntax

/// Keys have a meaning on their own level only.
enum MisplacedKeyRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "misplaced-key", .error, summary: "a key stands where the system does not look for it",
            reason: """
                The system ignores keys that it does not expect in an object, also if it knows them elsewhere \
                (recorded with swcutil): patterns belong in a component, components into an entry of 'details', \
                entries into 'applinks'.
                """, basis: [.recorded], fix: .displayOnly,
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }], ⟦"exclude"⟧: true }
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
        for level in file.levels where level.hasForeignKeys {
            var catchAll: [String]?
            for member in level.members where member.meaning == .misplaced {
                // Looking for patterns takes a while in a large object.
                let notes = catchAll ?? file.catchAllNotes(level)
                catchAll = notes
                findings.report(
                    "misplaced-key", member.member.keyRange, level.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored \(level.place): it belongs in \(home(of: member.key))",
                    notes: notes, fixIts: [fixIt(member.member, in: level, file)])
            }
        }
    }

    private static func home(of key: String) -> String {
        switch key {
        case "details", "substitutionVariables": "'applinks'"
        case "apps": "a service"
        case "defaults": "'applinks' or an entry of 'details'"
        case "appID", "appIDs", "paths", "components": "an entry of 'details'"
        default: "a component"
        }
    }

    private static func fixIt(_ member: JSONMember, in level: LevelObject, _ file: FileOutline) -> FixIt {
        let key = member.key.text
        if let meant = meant(key, on: level.level), level.member(meant) == nil {
            let edit = JSONEdits.rename(member, to: meant)
            return FixIt(title: "write \(quoted(meant))", applicability: .displayOnly, edits: [edit])
        }
        if let (opening, closing) = cover(key, in: level) {
            let edits = JSONEdits.wrap(member.range, in: opening, closing)
            return FixIt(title: "put it into \(home(of: key))", applicability: .displayOnly, edits: edits)
        }
        return FixIt(title: "move it into \(home(of: key))", applicability: .displayOnly, edits: [])
    }

    /// The key of this level that has the same use.
    private static func meant(_ key: String, on level: Level) -> String? {
        switch (level, key) {
        case (.service, "appIDs"), (.service, "appID"): "apps"
        case (.entry, "apps"): "appIDs"
        case (.component, "paths"): "/"
        default: nil
        }
    }

    /// What makes the right place around a member, if there is none in the file.
    private static func cover(_ key: String, in level: LevelObject) -> (String, String)? {
        switch level.level {
        case .root where Level.appLinks.keys.contains(key) && level.member("applinks") == nil:
            return (#""applinks": { "#, " }")
        case .appLinks where Level.entry.keys.contains(key) && level.member("details") == nil:
            let app = key.utf8.starts(with: "appID".utf8) ? "" : #""appIDs": ["ABCDE12345.com.example.app"], "#
            return (#""details": [{ "# + app, " }]")
        case .entry where Level.component.keys.contains(key) && !level.isMeant("components"):
            return (#""components": [{ "#, " }]")
        default: return nil
        }
    }
}
