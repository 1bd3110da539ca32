internal import Diagnostics
internal import JSONSyntax

/// An app should be in a list once.
enum DuplicateAppIDRule: FileRule {
    static let description = RuleDescription(
        "duplicate-app-id", .warning, summary: "an app is listed twice",
        reason: "The system treats a list of app IDs as a set: a repetition has no effect.", basis: [.lint],
        fix: .automatic,
        bad: ExampleFile.service(
            #"["7K3QWZ9PLM.com.shop.app", ⟦"7K3QWZ9PLM.com.shop.app"⟧]"#),
        good: ExampleFile.service(
            #"["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.admin"]"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries { check("appIDs", in: entry.object, context.source, &diagnostics) }
        for service in context.services { check("apps", in: service, context.source, &diagnostics) }
    }

    private static func check(
        _ key: String, in object: SchemaObject, _ source: SourceText, _ diagnostics: inout DiagnosticCollector
    ) {
        guard let apps = object[key]?.array, apps.count > 1 else { return }
        var known: [[UInt8]: SourceRange] = [:]
        for (index, node) in apps.enumerated() {
            guard let app = node.string?.text else { continue }
            guard let first = known[Array(app.utf8)] else {
                known[Array(app.utf8)] = node.range
                continue
            }
            diagnostics.report(
                description, node.range, object.pointer.member(key).element(index), "\(quoted(app)) is listed twice",
                label: "has no effect", labels: [Diagnostic.Label(first, "already listed here")],
                fix: FixIt(
                    "remove the duplicate", .automatic, JSONEdits.delete(element: index, in: apps, source: source)))
        }
    }
}
