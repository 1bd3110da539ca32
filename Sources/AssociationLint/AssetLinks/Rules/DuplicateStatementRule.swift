internal import Android
internal import Diagnostics

/// A statement that says the same as an earlier one.
enum DuplicateStatementRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "duplicate-statement", .warning, "a statement has the relations and the target of an earlier one",
        """
        It says the same again. It may be a copy in which something was to be changed, or what is left of two files that were \
        put together.
        """, basis: [.lint],
        bad: """
            [
              { "relation": ["delegate_permission/common.get_login_creds"],
                "target": { "namespace": "web", "site": "https://shop.example" } },
              ⟦{ "relation": ["delegate_permission/common.get_login_creds"],
                "target": { "namespace": "web", "site": "https://shop.example" } }⟧
            ]

            """)

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        var seen: [Meaning: AssetLinksStatement] = [:]
        for statement in file.statements.map(\.statement) {
            guard let meaning = Meaning(statement) else { continue }
            guard let first = seen[meaning] else {
                seen[meaning] = statement
                continue
            }
            diagnostics.report(
                description, statement.range, statement.pointer,
                "this statement says the same as the one on line \(first.position.line)",
                labels: [Diagnostic.Label(first.range, "the same relations and target")],
                advice: "delete it, or change what was meant to differ")
        }
    }

    /// The meaning of a statement; the order in lists does not matter.
    private struct Meaning: Hashable {
        let relations: Set<String>
        let target: [String]

        init?(_ statement: AssetLinksStatement) {
            relations = Set(statement.relations)
            guard !relations.isEmpty else { return nil }
            switch statement.target {
            case .androidApp(let package, let fingerprints):
                guard !fingerprints.isEmpty else { return nil }
                target = [package] + Set(fingerprints).sorted()
            case .web(let site): target = [site]
            case .invalid: return nil
            }
        }
    }
}
