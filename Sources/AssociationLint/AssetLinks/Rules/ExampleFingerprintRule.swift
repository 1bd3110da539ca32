internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A fingerprint that cannot be that of an app.
enum ExampleFingerprintRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "example-fingerprint", .warning, "a fingerprint is an example or a placeholder",
        """
        It is the one in Google's documentation, or typed in a pattern like 'AA:BB:CC:…' or '01:23:45:…'. No app is signed \
        with such a key, so the app that is named handles no links.
        """, basis: [.lint],
        bad: AssetLinksRules.apps(("\"com.shop.app\"", ["⟦\"\(KnownSigningKeys.documentationExample)\"⟧"])))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for fingerprint in file.statements.flatMap(\.fingerprints) where KnownSigningKeys.isExample(fingerprint.text) {
            let isDocumented = fingerprint.text == KnownSigningKeys.documentationExample
            diagnostics.report(
                description, fingerprint.node.range, fingerprint.pointer,
                isDocumented
                    ? "this is the fingerprint of Google's documentation, not of an app"
                    : "this fingerprint is a placeholder, not that of an app",
                advice: "write the SHA-256 fingerprint of the key with which the app is signed")
        }
    }
}
