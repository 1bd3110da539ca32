internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Changes to the list that rules stand in.
struct ReachFixes {
    let source: SourceText
    let entry: ReachEntry

    /// Takes a rule out, with a comma. Nil for the only one: a person decides what becomes of an entry without rules.
    func delete(_ rule: Rule) -> FixIt? {
        guard entry.list.count > 1 else { return nil }
        return deletion(of: rule.component).map {
            FixIt(title: "delete the rule", applicability: .suggested, edits: [$0])
        }
    }

    /// Moves a rule in front of an earlier one of the same list.
    func move(_ rule: Rule, before earlier: Rule) -> FixIt? {
        let list = entry.list
        guard earlier.detail == rule.detail, earlier.component < rule.component, rule.component < list.count,
            let deletion = deletion(of: rule.component)
        else { return nil }
        let target = list[earlier.component].range
        let own = list[rule.component].range
        // The space between two rules of the list, as its author has it.
        let second = list[max(earlier.component, 1)].range.start
        var space = second
        while space > 0, [0x20, 0x09, 0x0A, 0x0D].contains(source.bytes[space - 1]) { space -= 1 }
        let text = source.bytes[own.start..<own.end] + [UInt8(ascii: ",")] + source.bytes[space..<second]
        let place = SourceRange(start: target.start, end: target.start)
        let insertion = TextEdit(range: place, replacement: String(decoding: text, as: UTF8.self))
        return FixIt(
            title: "move the rule in front of \(ReachWords.name(of: earlier))", applicability: .suggested,
            edits: [insertion, deletion])
    }

    private func deletion(of index: Int) -> TextEdit? {
        let list = entry.list
        guard index < list.count else { return nil }
        var range = list[index].range
        if index > 0 {
            range.start = list[index - 1].range.end
        } else if list.count > 1 {
            range.end = list[1].range.start
        }
        return TextEdit(range: range, replacement: "")
    }
}
