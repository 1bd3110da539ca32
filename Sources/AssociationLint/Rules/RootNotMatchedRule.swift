internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// On iOS 9 `*` matches every path except the root.
enum RootNotMatchedRule: FileRule {
    static let description = RuleDescription(
        "root-not-matched", .warning, summary: "iOS 9 does not open the root of the site for '*'",
        reason: """
            According to two reports about iOS 9, 'paths' of ["*"] did not open the root of the site, \
            'https://shop.example/', but did with an additional '"/"' (cordova-universal-links-plugin on GitHub, \
            issues 39 and 46, 2016). Newer systems open it. Reported only with '--minimum-ios' below 10.
            """, basis: [.inferred], fix: .suggested,
        bad: ExampleFile.paths(#"[⟦"*"⟧]"#), good: ExampleFile.paths(#"["/", "*"]"#), minimumIOS: "9.0")

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let oldest = context.minimumIOS, oldest < SystemVersion(10) else { return }
        for entry in context.entries where entry.hasSingleApp {
            let paths = entry.object["paths"]?.array ?? []
            let texts = paths.map { $0.string?.text }
            guard let index = texts.firstIndex(of: "*"), !texts.contains("/"), !texts.contains("NOT /") else {
                continue
            }
            diagnostics.report(
                description, paths[index].range, entry.object.pointer.member("paths").element(index),
                "'*' does not open the root of the site on iOS 9",
                fix: FixIt(
                    #"insert '"/"' before it"#, .suggested,
                    JSONEdits.insert(element: #""/""#, before: index, in: paths, source: context.source)))
        }
    }
}
