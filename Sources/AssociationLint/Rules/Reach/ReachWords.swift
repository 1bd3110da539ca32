internal import AppSiteAssociation
internal import Diagnostics

/// How messages speak of rules.
enum ReachWords {
    /// What a rule matches, without what it leaves free: `'/x' with query 'a=b'`.
    static func name(of rule: Rule) -> String {
        var conditions: [String] = []
        switch rule.query {
        case .text(let query) where query != "*": conditions.append("query \(quoted(query))")
        case .items(let items) where !items.isEmpty:
            // Messages show the beginning only.
            let shown = items.prefix(60).map { "\($0.name)=\($0.value)" }
            conditions.append("query \(quoted(shown.joined(separator: "&")))")
        default: break
        }
        if rule.fragment != "*" { conditions.append("fragment \(quoted(rule.fragment))") }
        let rest = conditions.joined(separator: " and ")
        if rule.path == "*", !rest.isEmpty { return rest }
        let path = rule.path.isEmpty ? "the empty path" : quoted(rule.path)
        return rest.isEmpty ? path : "\(path) with \(rest)"
    }

    /// Where a rule stands, as seen from another.
    static func place(of rule: Rule, from other: Rule) -> String {
        let position = rule.position
        let line = "line \(position.line)"
        return position.line == other.position.line ? line + ", column \(position.column)," : line
    }
}
