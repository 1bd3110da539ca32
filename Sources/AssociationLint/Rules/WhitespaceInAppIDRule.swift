internal import Diagnostics

/// White space at the beginning or the end of an app ID.
enum WhitespaceInAppIDRule: AppIDRule {
    static let description = RuleDescription(
        "whitespace-in-app-id", .error, summary: "an app ID starts or ends with white space",
        reason: """
            The system compares app IDs letter by letter with those of the installed apps, which never have white space. So \
            no app matches.
            """,
        basis: [.inferred], fix: .automatic, bad: ExampleFile.appID(#"⟦"7K3QWZ9PLM.com.shop.app "⟧"#),
        good: ExampleFile.goodAppID)

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        let gaps = [0..<id.content.lowerBound, id.content.upperBound..<id.bytes.count].filter { !$0.isEmpty }
        guard !gaps.isEmpty else { return false }
        let source = diagnostics.source
        diagnostics.report(
            description, id.range, id.pointer,
            "app ID \(quoted(id.text)) starts or ends with white space: no app has this ID",
            fix:  // A trimmed key may become equal to another one.
                FixIt(
                    "delete the white space", id.isKey ? .suggested : .automatic,
                    gaps.map { TextEdit(range: id.part($0, in: source), replacement: "") }))
        // What is also wrong with it is not a consequence of trimming.
        if !PlaceholderAppIDRule.check(id, &diagnostics) { _ = InvalidAppIDRule.check(id, &diagnostics) }
        return true
    }
}
