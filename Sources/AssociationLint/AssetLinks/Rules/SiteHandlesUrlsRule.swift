internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A site that is to handle the links of another.
enum SiteHandlesUrlsRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "site-handles-urls", .warning, "a statement about a site has 'handle_all_urls'",
        """
        Only apps handle links, so the statement has no effect. For the other site to share passwords it is \
        'delegate_permission/common.get_login_creds'.
        """,
        bad: """
            [
              { "relation": [⟦"delegate_permission/common.handle_all_urls"⟧],
                "target": { "namespace": "web", "site": "https://shop.example" } }
            ]

            """,
        good: """
            [
              { "relation": ["delegate_permission/common.get_login_creds"],
                "target": { "namespace": "web", "site": "https://shop.example" } }
            ]

            """)

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        guard case .web = statement.statement.target, let relation = statement.relation else { return }
        for (index, node) in (relation.node.array ?? []).enumerated()
        where node.string?.text == AssetLinksStatement.handleAllURLs {
            diagnostics.report(
                description, node.range, relation.pointer.element(index),
                "a site cannot handle links: 'handle_all_urls' has no effect for a 'web' target",
                advice: "name an app as the target, or delete the relation")
        }
    }
}
