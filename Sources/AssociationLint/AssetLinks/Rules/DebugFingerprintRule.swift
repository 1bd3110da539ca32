internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A list that has only fingerprints of public debug keys.
enum DebugFingerprintRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "debug-fingerprint", .warning, "all fingerprints of a list are those of public debug or test keys",
        """
        Everybody has the private half of these keys: that of React Native's template and those of Android's source. Anybody \
        can sign an app with them that handles the site's links, and the released app, which is signed with another key, \
        handles none. Beside the fingerprint of the released app they do for tests.
        """, basis: [.lint],
        bad: AssetLinksRules.apps(("\"com.shop.app\"", ["⟦\"\(KnownSigningKeys.publicKeys[0].fingerprint)\"⟧"])))

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        let keys = statement.fingerprints.map { KnownSigningKeys.publicKey($0.text) }
        guard let first = statement.fingerprints.first, let key = keys.first ?? nil, keys.allSatisfy({ $0 != nil })
        else { return }
        diagnostics.report(
            description, first.node.range, first.pointer,
            "this is the fingerprint of \(key.name), and there is none of a released app",
            advice: "add the fingerprint of the key with which the released app is signed")
    }
}
