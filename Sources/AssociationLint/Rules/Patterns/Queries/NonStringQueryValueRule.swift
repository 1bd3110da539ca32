internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// A value in a query dictionary that is no pattern.
enum NonStringQueryValueRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "non-string-query-value", .error, summary: "a value of a query dictionary is not a string",
            reason: """
                Recorded output of Apple's swcutil shows that one value which is no string makes the whole '?' void. Then the \
                rule accepts every query and opens more than it says.
                """,
            basis: [.recorded], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy", "?": { "item": ⟦7⟧ } }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": { "item": "7" } }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        if let defaults = file.defaults { check(defaults, &findings) }
        for entry in file.entries {
            if let defaults = entry.defaults { check(defaults, &findings) }
            for component in entry.components { check(component.level, &findings) }
        }
    }

    private static func check(_ level: LevelObject, _ findings: inout Findings) {
        guard let items = level["?"]?.object, items.members.contains(where: { $0.value.string == nil }) else { return }
        for item in items.distinctMembers where item.value.string == nil {
            let pointer = level.pointer.member("?").member(item.key.text)
            findings.report(
                "non-string-query-value", item.value.range, pointer,
                "the value of \(quoted(item.key.text)) is no string: the whole '?' is void, every query is accepted",
                fixIts: fixIts(item.value))
        }
    }

    private static func fixIts(_ value: JSONNode) -> [FixIt] {
        let text: String
        switch value.value {
        case .number(let number): text = number
        case .boolean(let boolean): text = boolean ? "true" : "false"
        default: return []
        }
        let literal = JSONEdits.literal(text)
        return [
            FixIt(
                title: "write '\(literal)'", applicability: .suggested, edits: [JSONEdits.replace(value, with: literal)]
            )
        ]
    }
}
