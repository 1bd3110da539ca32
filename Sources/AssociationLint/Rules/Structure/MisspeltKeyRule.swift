internal import Diagnostics
internal import JSONSyntax

/// Keys are compared letter by letter.
enum MisspeltKeyRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "misspelt-key", .error, summary: "a key is close to one that the system reads here",
            reason: """
                Keys are compared letter by letter, capitals included (recorded with swcutil). A key that is written \
                in another way is ignored without a word.
                """, basis: [.recorded], fix: .automatic,
            bad: """
                {
                  "applinks": {
                    "details": [
                      { ⟦"appIds"⟧: ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
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

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for level in file.levels where level.hasForeignKeys { check(level, file, &findings) }
    }

    private static func check(_ level: LevelObject, _ file: FileOutline, _ findings: inout Findings) {
        var spellings: [String: Int] = [:]
        for member in level.members {
            if case .misspelt(let meant, _) = member.meaning { spellings[meant, default: 0] += 1 }
        }
        guard !spellings.isEmpty else { return }
        let present = Dictionary(
            level.level.keys.compactMap { key in level.member(key).map { (key, $0) } }, uniquingKeysWith: { $1 })
        let catchAll = file.catchAllNotes(level)
        let hasEqualKeys = level.members.count != level.object.members.count
        for member in level.members {
            guard case .misspelt(let meant, let isCertain) = member.meaning else { continue }
            let place = present[meant].map {
                file.source.place(of: $0.keyRange.start, from: member.member.keyRange.start)
            }
            // Two keys that would become one, or one of two equal ones: nobody can know which is meant.
            let isSafe = isCertain && spellings[meant] == 1 && !hasEqualKeys
            findings.report(
                "misspelt-key", member.member.keyRange, level.pointer.member(member.key),
                "\(quoted(member.key)) is ignored: the system reads \(quoted(meant))",
                notes: (place.map { ["\(quoted(meant)) is in \($0)"] } ?? []) + catchAll,
                fixIts: [
                    place == nil
                        ? FixIt(
                            title: "write \(quoted(meant))", applicability: isSafe ? .automatic : .suggested,
                            edits: [JSONEdits.rename(member.member, to: meant)])
                        : FixIt(
                            title: "delete \(quoted(member.key))", applicability: .suggested,
                            edits: [
                                JSONEdits.delete(member: member.member, in: level.object, source: file.source)
                            ])
                ])
        }
    }
}
