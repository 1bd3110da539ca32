internal import Diagnostics
internal import JSONSyntax

/// Services stand at the top of the file.
enum NestedServiceRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "nested-service", .error, summary: "a service is not at the top of the file",
            reason: """
                Services stand beside each other at the top of the file (Apple, "Supporting associated domains"). \
                Inside 'applinks', or anywhere else, the system does not look for them.
                """, basis: [.inferred], fix: .suggested,
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ],
                    ⟦"webcredentials"⟧: {
                      "apps": ["7K3QWZ9PLM.com.shop.app"]
                    }
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  },
                  "webcredentials": {
                    "apps": ["7K3QWZ9PLM.com.shop.app"]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for level in file.levels where level.hasForeignKeys {
            var catchAll: [String]?
            for member in level.members where member.meaning == .nestedService {
                // Looking for patterns takes a while in a large object.
                let notes = catchAll ?? file.catchAllNotes(level)
                catchAll = notes
                findings.report(
                    "nested-service", member.member.keyRange, level.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored in \(level.name): services stand at the top of the file",
                    notes: notes, fixIts: fixIts(member.member, in: level, file))
            }
        }
    }

    private static func fixIts(_ member: JSONMember, in level: LevelObject, _ file: FileOutline) -> [FixIt] {
        guard let top = file.file else { return [] }
        let name = member.key.text
        if top.member(name) == nil {
            let value = MovedText(member, to: top.object, file.source).text
            let edits = [
                JSONEdits.delete(member: member, in: level.object, source: file.source),
                JSONEdits.insert(last: name, value, in: file.root, source: file.source),
            ]
            return [FixIt(title: "move it to the top of the file", applicability: .suggested, edits: edits)]
        }
        if name == "applinks", level.level == .appLinks, level.object.members.count == 1 {
            let inner = member.value.range
            let edits = [
                JSONEdits.replace(SourceRange(start: level.range.start, end: inner.start), with: ""),
                JSONEdits.replace(SourceRange(start: inner.end, end: level.range.end), with: ""),
            ]
            return [FixIt(title: "delete the outer 'applinks'", applicability: .suggested, edits: edits)]
        }
        let edit = JSONEdits.delete(member: member, in: level.object, source: file.source)
        let title = "delete it: there is another \(quoted(name)) at the top of the file"
        return [FixIt(title: title, applicability: .suggested, edits: [edit])]
    }
}
