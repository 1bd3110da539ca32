internal import Android
internal import Diagnostics
internal import JSONSyntax

/// The name of a query item that is not compared as it looks.
enum OddQueryNameRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "odd-query-name", .warning, "a name in '?' has a character with another meaning",
        """
        Android compares 'name=value' as one pattern with whole items of the decoded query. So '*' and '?' in a name are \
        wildcards, an '=' ends the name, and with '&', ';', '#' or '%' hardly any item can match.
        """, basis: [.inferred],
        bad: AssetLinksRules.rules(#"{ "?": { ⟦"item[*]"⟧: "7" } }"#),
        good: AssetLinksRules.rules(#"{ "?": { "item": "7" } }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for component in file.statements.flatMap(\.components) {
            for item in component["?"]?.object?.distinctMembers ?? [] {
                guard let odd = item.key.text.first(where: { "*?=&;#%".contains($0) }) else { continue }
                diagnostics.report(
                    description, item.keyRange, component.pointer.member("?").member(item.key.text),
                    "\(quoted(item.key.text)) has \(quoted(String(odd))), \(effect(odd))",
                    advice: "write the name as it is in the decoded URL")
            }
        }
    }

    private static func effect(_ character: Character) -> String {
        switch character {
        case "*", "?": "which is a wildcard in a name, too"
        case "=": "which ends the name of an item"
        case "&", ";": "at which the query is split"
        case "#": "at which the query of a URL ends"
        default: "but names are compared decoded"
        }
    }
}
