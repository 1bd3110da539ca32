internal import Diagnostics
internal import JSONSyntax

/// Apple's documentation shows rules that are copied with the rest of the file.
enum AppleSampleRulesRule: FileRule {
    static let description = RuleDescription(
        "apple-sample-rules", .warning, summary: "an entry has sample rules from Apple's documentation",
        reason: """
            Rules like '/help/website/*' or 'articleNumber' with '????' are from the examples of Apple's \
            documentation. In an entry for a real app they were probably copied: the paths of the site are missing, \
            or the samples were not removed.
            """, basis: [.lint],
        bad: ExampleFile.components(
            #"{ "/": "/buy/*" }"#, #"⟦{ "/": "/help/website/*", "exclude": true }⟧"#,
            #"{ "/": "/help/*", "?": { "articleNumber": "????" } }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#, #"{ "/": "/guides/*", "?": { "page": "?*" } }"#))

    /// The paths of Apple's examples; '/help/website/*' only as an exclusion.
    private static let paths: [[UInt8]] = [
        "/wwdc/news/", "/wwdc/news/*", "/videos/wwdc/2010/*", "/videos/wwdc/2015/*", "/videos/wwdc/2016/*",
        "/videos/wwdc/201?/*",
    ].map { Array($0.utf8) }
    private static let excluded = Array("/help/website/*".utf8)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        var reported = Set<Int>()
        for pattern in context.patterns where isSample(pattern) {
            guard let entry = context.entry(around: pattern.range), pattern.owner?.schema != .defaults,
                isForRealApp(entry, context),
                reported.insert(entry.index).inserted
            else { continue }
            let text = quoted(pattern.string.text)
            diagnostics.report(
                description, pattern.owner?.range ?? pattern.range, pattern.owner?.pointer ?? pattern.pointer,
                (pattern.isPath ? text : "'articleNumber' with \(text)")
                    + " is a sample rule from Apple's documentation",
                notes: ["replace the sample rules of this entry with rules for the paths of your site"])
        }
    }

    private static func isSample(_ pattern: FilePattern) -> Bool {
        let text = Array(pattern.parsed.text[pattern.parsed.body])
        // Most patterns are neither so short nor so long.
        switch text.count {
        case 4:
            guard case .queryItem("articleNumber") = pattern.kind else { return false }
            return text.elementsEqual("????".utf8)
        case 15: return pattern.kind == .path && text == excluded && pattern.owner?["exclude"]?.boolean == true
        case 11, 12, 19: return pattern.isPath && paths.contains(text)
        default: return false
        }
    }

    /// An example app is reported itself, and an app of Apple's may own these paths.
    private static func isForRealApp(_ entry: DetailsEntry, _ context: LintContext) -> Bool {
        context.appIDs.contains { id in
            guard id.entry == entry.index, let bundle = id.bundle else { return false }
            return id.mayBeReal && !id.bytes[bundle].starts(with: "com.apple.".utf8)
        }
    }
}
