internal import AppSiteAssociation
package import Diagnostics
package import PatternAnalysis

/// The rules about an association file that is converted for Android.
package enum ConversionRules {
    static let all: [RuleDescription] = [.notExpressible]

    /// The links that the result of a conversion does not open, one finding for each pair of rules.
    package static func findings(_ conversion: ComponentConversion) -> [Diagnostic] {
        conversion.differences.compactMap { difference in
            guard let rule = difference.rule else { return nil }
            return Diagnostic(
                .notExpressible, "on Android '\(difference.witness)' does not open the app", range: rule.range,
                pointer: rule.pointer, notes: [difference.reason])
        }
            + conversion.undecided.map { rule in
                Diagnostic(
                    .notExpressible, "it is not decided whether every link of this rule opens the app on Android",
                    range: rule.range, pointer: rule.pointer, notes: ["the comparison became too large"])
            }
    }

    /// The findings about a file, for the first of its apps.
    package static func report(_ bytes: [UInt8]) -> FileReport {
        let source = SourceText(bytes, path: "apple-app-site-association")
        guard let document = try? AssociationDocument(bytes),
            let app = document.appLinks?.details.flatMap(\.appIDs).first
        else { return FileReport(source, []) }
        return FileReport(source, findings(ComponentConversion(document, app: app.value)))
    }
}

extension RuleDescription {
    static let notExpressible = RuleDescription(
        "not-expressible", .warning, subject: .convertedFile,
        summary: "a link that opens the app on iOS cannot be opened by a dynamic rule on Android",
        reason: """
            Android's dynamic rules cannot say everything that an association file can: a '*' ends at the first occurrence \
            of what follows it, case always counts, and nothing asks for the whole query or for the absence of an item. \
            'aasa android components' leaves such links in the browser.
            """, basis: [.google],
        bad: ExampleFile.components(#"⟦{ "/": "/shop/*/buy" }⟧"#), good: ExampleFile.components(#"{ "/": "/shop/*" }"#))
}
