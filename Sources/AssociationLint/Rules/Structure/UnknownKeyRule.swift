internal import Diagnostics
internal import JSONSyntax

/// The system ignores what it does not know; a component of which nothing is left matches everything.
enum UnknownKeyRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "unknown-key", .warning, summary: "a key means nothing to the system",
            reason: """
                Keys that the system does not know are ignored (recorded with swcutil). For remarks there is 'comment'.
                """, basis: [.recorded],
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", ⟦"method"⟧: "GET" }] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", "comment": "GET" }] }
                    ]
                  }
                }

                """),
        RuleDescription(
            "accidental-catch-all", .error, summary: "a component has nothing but keys that the system does not know",
            reason: """
                Unknown keys are ignored, and a component without '/', '?' and '#' matches every URL (recorded with \
                swcutil): a slip in the key of the only pattern opens the whole site.
                """, basis: [.recorded], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ ⟦"pattern"⟧: "/buy/*" }] }
                    ]
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

                """),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for entry in file.entries {
            for component in entry.components where component.level.hasForeignKeys {
                catchAll(component.level, in: entry, file, &findings)
            }
        }
        for level in file.levels where level.hasForeignKeys {
            // A file without any service has one finding for that, not one for each key.
            if level.level == .root, findings.isBlamed(level.range) { continue }
            for member in level.members where member.meaning == .unknown {
                findings.report(
                    "unknown-key", member.member.keyRange, level.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored: the system knows no such key \(level.place)")
            }
        }
    }

    private static func catchAll(
        _ component: LevelObject, in entry: EntryOutline, _ file: FileOutline, _ findings: inout Findings
    ) {
        let foreign = component.members.filter { $0.meaning != .known && $0.meaning != .comment }
        // A key that is misspelt or misplaced is blamed itself, with a note.
        guard let first = foreign.first, foreign.allSatisfy({ $0.meaning == .unknown }),
            file.isUnlimited(component, in: entry)
        else { return }
        findings.report(
            "accidental-catch-all", first.member.keyRange, component.pointer.member(first.key),
            "\(quoted(first.key)) is ignored, so the component "
                + (file.isExclusion(component, in: entry) ? "excludes every URL" : "matches every URL"),
            fixIts: meant(by: first.value).map { key in
                let edit = JSONEdits.rename(first.member, to: key)
                return [FixIt(title: "write \(quoted(key))", applicability: .suggested, edits: [edit])]
            } ?? [])
    }

    /// The pattern that a value looks like.
    private static func meant(by value: JSONNode) -> String? {
        if value.object != nil { return "?" }
        guard let text = value.string?.text else { return nil }
        if text.utf8.first == UInt8(ascii: "#") { return "#" }
        let isQuery = text.utf8.first != UInt8(ascii: "/") && text.utf8.contains(UInt8(ascii: "="))
        return isQuery ? "?" : "/"
    }
}
