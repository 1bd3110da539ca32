internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// What messages call a rule.
struct RuleName {
    private let rule: Rule
    /// The conditions that every URL meets, as they are written in place of a path: `query '*'`, `fragment '*'`.
    private let openConditions: String?

    /// The name of a rule whose entry is not at hand.
    init(_ rule: Rule) {
        self.rule = rule
        openConditions = nil
    }

    /// - Parameter entry: The entry that the rule is in.
    init(_ rule: Rule, in entry: ReachEntry) {
        self.rule = rule
        guard !rule.isLegacyPath, rule.path == "*", let component = entry.lintEntry.component(rule.component),
            component["/"] == nil
        else {
            openConditions = nil
            return
        }
        let open = [("?", "query"), ("#", "fragment")].filter { component[$0.0]?.string?.text == "*" }
        openConditions = open.isEmpty ? nil : open.map { "\($0.1) '*'" }.joined(separator: " and ")
    }

    /// What the rule matches, without what it leaves open: `'/x' with query 'a=b'`.
    var text: String {
        let conditions = conditions
        if rule.path == "*", !conditions.isEmpty { return conditions }
        return openConditions ?? path + (conditions.isEmpty ? "" : " with \(conditions)")
    }

    /// The same as the subject of a sentence: `rule '/x' with query 'a=b'`, `rule with query 'a=b'`.
    var subject: String {
        let hasNoPath = openConditions != nil || rule.path == "*" && !conditions.isEmpty
        return (hasNoPath ? "rule with " : "rule ") + text
    }

    /// The same for a rule that is moved or deleted: an exclusion in `paths` with its `NOT `.
    var written: String { exclusion ?? subject }

    /// The same without the word "rule".
    var bare: String { exclusion ?? text }

    private var exclusion: String? { rule.isLegacyPath && rule.excludes ? quoted("NOT " + rule.path) : nil }

    private var path: String { rule.path.isEmpty ? "the empty path" : quoted(rule.path) }

    private var conditions: String {
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
        return conditions.joined(separator: " and ")
    }
}
