internal import Diagnostics
internal import JSONSyntax

/// Up to iOS 12 `applinks` needs `"apps": []`.
enum MissingAppsRule: FileRule {
    static let description = RuleDescription(
        "missing-apps", .warning, summary: #"'applinks' has 'paths' but no '"apps": []'"#,
        reason: """
            Up to iOS 12, 'applinks' must have the key 'apps' with an empty array, or the file is rejected (Apple, \
            "Support Universal Links"); newer systems do not need it. 'paths' are what these systems read, for the app in \
            'appID'.
            """, basis: [.apple], fix: .automatic,
        bad: ExampleFile.details(#"{ "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }"#)
            .replacing(#""applinks""#, with: #"⟦"applinks"⟧"#),
        good: ExampleFile.details(#"{ "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }"#, with: #""apps": []"#)
    )

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let links = context.appLinks, !context.isOnly(for: SystemVersion(13)), let key = links.keyRange,
            !links.isMeant("apps"), context.entries.contains(where: hasPathsInUse)
        else { return }
        // With 'appIDs' alone (`mixed-generations`) these systems open nothing either way.
        let isRead = context.entries.contains { hasPathsInUse($0) && $0.hasSingleApp }
        diagnostics.report(
            description, key, links.pointer,
            #"'applinks' has 'paths' but no '"apps": []': iOS 12 and older reject the file"#,
            advice: isRead
                ? nil : #"write 'components' in place of 'paths'; or for iOS 12 insert '"apps": []' and write 'appID'"#,
            notes: isRead ? [] : [#"'"apps": []' alone changes nothing: these systems do not know 'appIDs' either"#],
            fix: isRead
                ? FixIt(
                    #"insert '"apps": []'"#, .automatic,
                    JSONEdits.insert(first: "apps", "[]", in: links.node, source: context.source))
                : nil)
    }

    private static func hasPathsInUse(_ entry: DetailsEntry) -> Bool {
        entry.object.member("paths") != nil && (entry.hasSingleApp || entry.object["components"]?.array == nil)
    }
}
