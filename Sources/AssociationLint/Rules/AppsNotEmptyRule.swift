internal import Diagnostics
internal import JSONSyntax

/// `apps` of `applinks` has no meaning.
enum AppsNotEmptyRule: FileRule {
    static let description = RuleDescription(
        "apps-not-empty", .warning, summary: "'apps' of 'applinks' is not empty",
        reason: """
            In 'applinks' the list 'apps' has no meaning. It must be empty for iOS 12 and older; newer systems \
            do not read it (Apple, "Support Universal Links"). The apps are named in the entries of 'details': an app \
            that is only named here has to be moved there.
            """, basis: [.apple], fix: .suggested,
        bad: ExampleFile.details(
            #"{ "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }"#,
            with: #""apps": ⟦["7K3QWZ9PLM.com.shop.app"]⟧"#),
        good: ExampleFile.details(#"{ "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }"#, with: #""apps": []"#)
    )

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let links = context.appLinks, let member = links.member("apps"), let apps = member.value.array,
            !apps.isEmpty
        else { return }
        let fixIt = fixIt(member, apps, in: links, context)
        diagnostics.report(
            description, member.value.range, links.pointer.member("apps"),
            "'apps' of 'applinks' must be empty: no system reads apps there, and iOS 12 expects '[]'",
            advice: fixIt == nil ? "name these apps in entries of 'details', and write '[]' here" : nil,
            fix: fixIt)
    }

    private static func fixIt(
        _ member: JSONMember, _ apps: [JSONNode], in links: SchemaObject, _ context: LintContext
    ) -> FixIt? {
        if isDetails(apps, in: links) {
            return FixIt(
                "rename it to 'details', which is the list of entries", .suggested,
                JSONEdits.rename(member, to: "details"))
        }
        let edit = JSONEdits.replace(member.value, with: "[]")
        let known = Set(context.appIDs.lazy.filter { $0.entry != nil }.map(\.text))
        let missing = apps.filter { app in app.string.map { !known.contains($0.text) } ?? false }
        if missing.isEmpty { return FixIt("write '[]'", .suggested, edit) }
        // An app that is named nowhere else may be meant for the one entry that has none.
        let open = context.entries.filter { entry in
            !entry.hasSingleApp && !["appIDs", "apps"].contains(where: entry.object.isMeant)
        }
        guard missing.count == apps.count, open.count == 1, let entry = open.first, entry.key == nil,
            entry.object.isMeant("paths") || entry.object.isMeant("components")
        else { return nil }
        let texts = missing.map { context.source.text($0.range) }
        let isSingle = texts.count == 1 && !entry.object.isMeant("components")
        let insertion = JSONEdits.insert(
            first: isSingle ? "appID" : "appIDs", isSingle ? texts[0] : "[\(texts.joined(separator: ", "))]",
            in: entry.object.node, source: context.source)
        return FixIt(
            "move \(texts.count == 1 ? "it" : "them") to the entry of 'details'", .suggested,
            [edit, insertion].sorted { $0.range.start < $1.range.start })
    }

    /// Whether the list has the entries that belong in `details`.
    static func isDetails(_ apps: [JSONNode]?, in links: SchemaObject) -> Bool {
        guard let apps, !apps.isEmpty, !links.isMeant("details") else { return false }
        return apps.allSatisfy { $0.object.map(DetailsEntry.isEntry) ?? false }
    }
}
