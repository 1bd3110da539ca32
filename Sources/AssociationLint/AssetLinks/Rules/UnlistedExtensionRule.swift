internal import Android
internal import Diagnostics
internal import JSONSyntax

/// An extension of a relation that the statement does not have.
enum UnlistedExtensionRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "unlisted-extension", .warning, "'relation_extensions' has a relation that 'relation' does not list",
        """
        An extension belongs to a relation of its statement. Without that relation nobody reads it.
        """, basis: [.inferred],
        bad: AssetLinksRules.extended("{}").replacing(
            #"  "delegate_permission/common.handle_all_urls": {}"#,
            with: #"  ⟦"delegate_permission/common.get_login_creds"⟧: {}"#),
        good: AssetLinksRules.rules(#"{ "/": "/buy/*" }"#))

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        guard let extensions = statement.extensions else { return }
        for member in extensions.members
        where member.meaning == .known && !statement.statement.relations.contains(member.key) {
            diagnostics.report(
                description, member.member.keyRange, extensions.pointer.member(member.key),
                "'relation' does not list \(quoted(member.key)): its extension is not read",
                advice: "add it to 'relation', or delete it here")
        }
    }
}
