internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Changes to the list that rules stand in.
struct ReachFixes {
    let source: SourceText
    let entry: ReachEntry

    /// Takes a rule out, with a comma. Nil for the only one: a person decides what becomes of an entry without rules.
    func delete(_ rule: Rule) -> FixIt? {
        let list = entry.list
        guard list.count > 1, list.indices.contains(rule.component) else { return nil }
        let deletion = JSONEdits.delete(element: rule.component, in: list, source: source)
        return FixIt(title: "delete the rule", applicability: .suggested, edits: [deletion])
    }

    /// Moves a rule in front of an earlier one of the same list.
    func move(_ rule: Rule, before earlier: Rule) -> FixIt? {
        guard earlier.detail == rule.detail else { return nil }
        let edits = JSONEdits.move(element: rule.component, before: earlier.component, in: entry.list, source: source)
        guard !edits.isEmpty else { return nil }
        return FixIt(
            title: "move the rule in front of \(ReachWords.name(of: earlier))", applicability: .suggested, edits: edits)
    }
}
