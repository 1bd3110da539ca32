internal import Diagnostics

/// White space at the beginning or the end of an app ID.
enum WhitespaceInAppID: AppIDCheck {
    static let description = RuleDescription(
        "whitespace-in-app-id", .error, summary: "an app ID begins or ends with white space",
        reason: """
            The system compares app IDs letter by letter with those of the installed apps, and none has white space. So no app \
            is meant.
            """,
        basis: [.inferred], fix: .automatic, bad: AppIDExample.file(#"⟦"7K3QWZ9PLM.com.shop.app "⟧"#),
        good: AppIDExample.good)

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        let gaps = [0..<id.content.lowerBound, id.content.upperBound..<id.bytes.count].filter { !$0.isEmpty }
        guard !gaps.isEmpty else { return false }
        let source = findings.source
        findings.report(
            "whitespace-in-app-id", id.place.range, id.place.pointer,
            "app ID \(quoted(id.place.text)) has white space at an end: no app has this ID",
            fixIts: [
                // A trimmed key may become equal to another one.
                FixIt(
                    title: "delete the white space", applicability: id.place.isKey ? .suggested : .automatic,
                    edits: gaps.map { TextEdit(range: id.part($0, in: source), replacement: "") })
            ])
        // What is also wrong with it is not a consequence of trimming.
        if !PlaceholderAppID.report(id, &findings) { _ = InvalidAppID.report(id, &findings) }
        return true
    }
}
