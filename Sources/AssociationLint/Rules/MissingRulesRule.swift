internal import Diagnostics

/// An entry needs rules.
enum MissingRulesRule: FileRule {
    static let description = RuleDescription(
        "missing-rules", .warning, summary: "an entry of 'details' has no rules",
        reason: """
            Without 'components' (or 'paths') an entry says nothing about links. Nothing suggests that the \
            system treats it as matching all links.
            """, basis: [.inferred], fix: .displayOnly,
        bad: ExampleFile.details(#"⟦{ "appIDs": ["7K3QWZ9PLM.com.shop.app"] }⟧"#),
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        // A key one level too high is reported itself.
        guard context.appLinks?.isMisplaced("components", "paths") != true else { return }
        for entry in context.entries {
            let object = entry.object
            guard entry.key != nil || !DetailsEntry.isBetaDictionary(object), !object.isMeant("components"),
                !object.isMeant("paths"), !object.isMisplaced("/", "?", "#")
            else { continue }
            let isLegacy = entry.key != nil || context.minimumIOS.map { $0 < SystemVersion(13) } ?? false
            let (key, value) = isLegacy ? ("paths", #"["/path/*"]"#) : ("components", #"[{ "/": "/path/*" }]"#)
            diagnostics.report(
                description, object.range, object.pointer,
                "the entry has neither 'components' nor 'paths': it opens nothing",
                fix: FixIt(
                    "insert \(quoted(key)) with your patterns", .displayOnly,
                    JSONEdits.insert(last: key, value, in: object.node, source: context.source)))
        }
    }
}
