internal import Diagnostics
internal import JSONSyntax

/// An entry needs apps.
enum MissingAppIDRule: FileRule {
    static let description = RuleDescription(
        "missing-app-id", .error, summary: "an entry of 'details' has no app",
        reason: """
            An entry says which apps open which links. Without 'appIDs' (or 'appID') the system ignores it \
            (recorded with swcutil).
            """, basis: [.recorded], fix: .displayOnly,
        bad: ExampleFile.details(#"⟦{ "components": [{ "/": "/buy/*" }] }⟧"#),
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        // A key one level too high is reported itself.
        let hasAppsAbove = context.appLinks?.isMisplaced("appID", "appIDs") ?? false
        for entry in context.entries {
            let object = entry.object
            if entry.key == nil, DetailsEntry.isBetaDictionary(object) {
                reportBetaDictionary(object, context.source, &diagnostics)
                continue
            }
            guard !hasAppsAbove, !entry.hasSingleApp, !object.isMeant("appIDs"), !object.isMisplaced("apps") else {
                continue
            }
            let hasPaths = object.isMeant("paths") && !object.isMeant("components")
            diagnostics.report(
                description, object.range, object.pointer,
                "the entry has neither 'appIDs' nor 'appID': it opens nothing",
                fix: hasPaths
                    ? insert("appID", #""ABCDE12345.com.example.app""#, object, context.source)
                    : insert("appIDs", #"["ABCDE12345.com.example.app"]"#, object, context.source))
        }
    }

    private static func insert(_ key: String, _ value: String, _ object: SchemaObject, _ source: SourceText) -> FixIt {
        FixIt(
            "insert \(quoted(key)) with your app \(key == "appID" ? "ID" : "IDs")", .displayOnly,
            JSONEdits.insert(first: key, value, in: object.node, source: source))
    }

    private static func reportBetaDictionary(
        _ object: SchemaObject, _ source: SourceText, _ diagnostics: inout DiagnosticCollector
    ) {
        diagnostics.report(
            description, object.range, object.pointer,
            "the entry is a dictionary from app ID to rules, as in the betas of iOS 9: in an array it opens nothing",
            fix: FixIt("move each app ID into its entry, as 'appID'", .suggested, betaDictionaryEdits(object, source)))
    }

    /// Makes entries of the dictionary, with a list of `paths` in each.
    private static func betaDictionaryEdits(_ object: SchemaObject, _ source: SourceText) -> [TextEdit] {
        var edits = DetailsAsDictionaryRule.edits(object.node, in: "", "", source)
        for member in object.members {
            let entry = SchemaObject(.entry, member.value, object.pointer.member(member.key))
            for rule in entry?.members ?? [] {
                guard rule.meaning == .misspelt(of: "paths", isCertain: true) || rule.key == "paths" else { continue }
                if rule.key != "paths" { edits.append(JSONEdits.rename(rule.member, to: "paths")) }
                if rule.value.string != nil { edits += JSONEdits.wrap(rule.value.range, in: "[", "]") }
            }
        }
        return edits.sorted { $0.range.start < $1.range.start }
    }
}
