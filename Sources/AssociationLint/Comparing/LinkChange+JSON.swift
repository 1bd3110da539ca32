internal import AppSiteAssociation
package import Diagnostics

extension LinkChange {
    /// What `aasa diff` and `aasa doctor` write about a change as JSON.
    package var members: [String: JSONOutput] {
        [
            "kind": .string(kind.rawValue), "witness": .string(witness), "old": Self.json(old), "new": Self.json(new),
        ]
    }

    private static func json(_ answer: Answer) -> JSONOutput {
        .object([
            "outcome": .string(answer.outcome.rawValue), "appIDs": .array(answer.appIDs.map(JSONOutput.string)),
            "pointer": .optional(answer.rule?.pointer),
            "line": answer.rule.map { .number($0.position.line) } ?? .null,
        ])
    }
}
