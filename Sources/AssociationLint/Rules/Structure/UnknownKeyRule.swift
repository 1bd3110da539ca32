internal import Diagnostics
internal import JSONSyntax

/// The system ignores what it does not know.
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

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for level in file.levels where level.hasForeignKeys {
            // A file without any service has one finding for that, not one for each key.
            if level.level == .root, findings.isBlamed(level.range) { continue }
            // Entries in the form of the betas are reported themselves.
            if EntryOutline.isBetaDictionary(level) { continue }
            for member in level.members where member.meaning == .unknown {
                findings.report(
                    "unknown-key", member.member.keyRange, level.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored: there is no such key \(level.place)")
            }
        }
    }
}
