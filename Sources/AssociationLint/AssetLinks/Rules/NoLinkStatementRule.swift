internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A file that names apps, but lets none of them handle links.
enum NoLinkStatementRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "no-link-statement", .note, "no statement about an app has 'handle_all_urls'",
        """
        Links open an app only with the relation 'delegate_permission/common.handle_all_urls'. Without it the file is right \
        if it is only for something else, such as passkeys and passwords.
        """,
        bad: AssetLinksRules.apps(
            ("\"com.shop.app\"", ["\"\(AssetLinksRules.fingerprint)\""]),
            relation: #"⟦"delegate_permission/common.get_login_creds"⟧"#
        ).replacing("[⟦", with: "⟦[").replacing("⟧]", with: "]⟧"))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        // Another list may have one.
        guard !file.document.hasInclude else { return }
        let apps = file.statements.filter { !$0.fingerprints.isEmpty && !$0.statement.relations.isEmpty }
        let usable = apps.filter { if case .androidApp = $0.statement.target { true } else { false } }
        guard let first = usable.first, let relation = first.relation,
            !usable.contains(where: { $0.statement.relations.contains(AssetLinksStatement.handleAllURLs) })
        else { return }
        diagnostics.report(
            description, relation.node.range, relation.pointer, "no statement lets an app handle links",
            advice: "add '\(AssetLinksStatement.handleAllURLs)' if links should open the app")
    }
}
