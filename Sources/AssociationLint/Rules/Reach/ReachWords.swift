internal import AppSiteAssociation
internal import Diagnostics

/// How messages speak of rules.
enum ReachWords {
    /// What a rule matches, written like a URL, without what it leaves free.
    static func pattern(of rule: Rule) -> String {
        var text = ""
        switch rule.query {
        case .void: break
        case .text(let query): if query != "*" { text += "?" + query }
        case .items(let items):
            // Messages show the beginning only.
            let shown = items.prefix(60).map { "\($0.name)=\($0.value)" }
            if !items.isEmpty { text += "?" + shown.joined(separator: "&") }
        }
        if rule.fragment != "*" { text += "#" + rule.fragment }
        return rule.path == "*" && !text.isEmpty ? text : rule.path + text
    }

    /// Where a rule stands, as seen from another.
    static func place(of rule: Rule, from other: Rule) -> String {
        let position = rule.position
        let line = "line \(position.line)"
        return position.line == other.position.line ? line + ", column \(position.column)," : line
    }
}
