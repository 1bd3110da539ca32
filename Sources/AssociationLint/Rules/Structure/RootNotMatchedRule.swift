internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// To iOS 9 `*` is every path but that of the root.
enum RootNotMatchedRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "root-not-matched", .warning, summary: "iOS 9 does not open the root of the site for '*'",
            reason: """
                Two reports of iOS 9 say that 'paths' of ["*"] did not open the root of the site, 'https://shop.example/', \
                and that '"/"' beside it did. Newer systems open it. Reported only with '--minimum-ios' below 10.
                """, basis: [.inferred], fix: .suggested,
            bad: PatternExample.paths(#"[⟦"*"⟧]"#), good: PatternExample.paths(#"["/", "*"]"#), minimumIOS: "9.0")
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard let oldest = file.minimumIOS, oldest < SystemVersion(10) else { return }
        for entry in file.entries where entry.hasSingleApp {
            let paths = entry.level["paths"]?.array ?? []
            let texts = paths.map { $0.string?.text }
            guard let index = texts.firstIndex(of: "*"), !texts.contains("/"), !texts.contains("NOT /") else {
                continue
            }
            findings.report(
                "root-not-matched", paths[index].range, entry.level.pointer.member("paths").element(index),
                "'*' does not open the root of the site on iOS 9",
                fixIts: [
                    FixIt(
                        title: #"insert '"/"' before it"#, applicability: .suggested,
                        edits: [JSONEdits.insert(element: #""/""#, before: index, in: paths, source: file.source)])
                ])
        }
    }
}
