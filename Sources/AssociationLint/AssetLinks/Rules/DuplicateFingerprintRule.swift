internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A fingerprint that is in a list twice.
enum DuplicateFingerprintRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "duplicate-fingerprint", .warning, "a fingerprint is in a list twice",
        """
        The second one has no effect. Often another one was meant: that of the key with which Google Play signs the app, of \
        an upload key, or of a debug build.
        """, basis: [.lint], fix: .automatic,
        bad: AssetLinksRules.apps(
            (
                "\"com.shop.app\"",
                ["\"\(AssetLinksRules.fingerprint)\"", "⟦\"\(AssetLinksRules.fingerprint)\"⟧"]
            )))

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        let source = diagnostics.source
        var seen: [String: SourceRange] = [:]
        for fingerprint in statement.fingerprints {
            guard let first = seen[fingerprint.text] else {
                seen[fingerprint.text] = fingerprint.node.range
                continue
            }
            let elements = statement.target?["sha256_cert_fingerprints"]?.array ?? []
            diagnostics.report(
                description, fingerprint.node.range, fingerprint.pointer,
                "this fingerprint is already in the list", labels: [Diagnostic.Label(first, "the same one")],
                fix: FixIt(
                    "delete it", .automatic,
                    JSONEdits.delete(element: fingerprint.index, in: elements, source: source)))
        }
    }
}
