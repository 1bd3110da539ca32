internal import Diagnostics

/// Two app IDs of which one is probably mistyped.
enum SimilarAppIDsRule: FileRule {
    static let description = RuleDescription(
        "similar-app-ids", .warning, summary: "two app IDs of a file differ by one letter",
        reason: """
            App IDs are compared letter by letter. If one of the two is a typing error, like 'com.shop.apps' or \
            'com.com.shop.app' for 'com.shop.app', its app opens no links, and nothing reports it. IDs that differ by a \
            digit or a dot, or by a suffix like '.beta', are taken to be meant.
            """,
        basis: [.lint],
        bad: ExampleFile.appID(#""7K3QWZ9PLM.com.shop.app", ⟦"7K3QWZ9PLM.com.shop.apps"⟧"#),
        good: ExampleFile.appID(#""7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.app.beta""#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard context.appIDs.count > 1 else { return }
        var names = SimilarNames(meant: ["."], prefixLabels: 1)
        // White space around an ID is an error of its own.
        for id in context.appIDs where id.mayBeReal && id.content.count == id.bytes.count {
            guard let other = names.add(id.text) else { continue }
            diagnostics.report(
                description, id.range, id.pointer,
                "\(quoted(id.text)) is nearly \(quoted(other)), another app ID of the file",
                advice: "correct the app ID if it is mistyped")
        }
    }
}
