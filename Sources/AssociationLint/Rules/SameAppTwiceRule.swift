internal import Diagnostics

/// An app should be in one entry.
enum SameAppTwiceRule: FileRule {
    static let description = RuleDescription(
        "same-app-twice", .warning, summary: "an app is in two entries",
        reason: """
            iOS 13 and newer use all entries that name an app, from top to bottom. For older systems this is not \
            documented; they may use only one entry per app.
            """, basis: [.inferred],
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }"#,
            #"{ "appIDs": [⟦"7K3QWZ9PLM.com.shop.app"⟧], "components": [{ "/": "/help/*" }] }"#),
        good: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        // What newer systems do is known.
        guard context.entries.count > 1, !context.isOnly(for: SystemVersion(13)) else { return }
        var known: [[UInt8]: (first: SourceRange, latestEntry: Int)] = [:]
        known.reserveCapacity(context.entries.count)
        for id in context.appIDs {
            guard let entry = id.entry else { continue }
            guard let (first, latestEntry) = known[id.bytes] else {
                known[id.bytes] = (id.range, entry)
                continue
            }
            guard latestEntry != entry else { continue }
            known[id.bytes] = (first, entry)
            diagnostics.report(
                description, id.range, id.pointer,
                "\(quoted(id.text)) is in another entry too: only iOS 13 and newer are known to read both, in order",
                labels: [Diagnostic.Label(first, "the first entry with this app")],
                notes: ["put the rules of an app into one entry for older systems"])
        }
    }
}
