import AppSiteAssociation
import AssociationLint
import Diagnostics

/// One object, on one line.
enum DiffJSONReport {
    static func text(_ comparison: LinkComparison) -> String {
        JSONOutput.object([
            "version": .number(1),
            "changes": .array(comparison.changes.map(json)),
            "undecided": .array(comparison.undecided.map(json)),
            "services": .array(comparison.services.map(json)),
        ]).text
    }

    private static func json(_ change: LinkChange) -> JSONOutput {
        .object([
            "kind": .string(change.kind.rawValue), "witness": .string(change.witness),
            "old": json(change.old), "new": json(change.new),
        ])
    }

    private static func json(_ answer: LinkChange.Answer) -> JSONOutput {
        .object([
            "outcome": .string(answer.outcome.rawValue), "appIDs": .array(answer.appIDs.map(JSONOutput.string)),
            "pointer": .optional(answer.rule?.pointer),
            "line": answer.rule.map { .number($0.position.line) } ?? .null,
        ])
    }

    private static func json(_ undecided: UndecidedLinks) -> JSONOutput {
        func place(_ rule: Rule?) -> JSONOutput {
            rule.map { .object(["pointer": .string($0.pointer), "line": .number($0.position.line)]) } ?? .null
        }
        return .object(["old": place(undecided.old), "new": place(undecided.new)])
    }

    private static func json(_ service: ServiceChange) -> JSONOutput {
        .object([
            "service": .string(service.service), "added": .array(service.added.map(JSONOutput.string)),
            "removed": .array(service.removed.map(JSONOutput.string)),
        ])
    }
}
