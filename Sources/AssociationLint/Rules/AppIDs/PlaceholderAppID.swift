internal import AppSiteAssociation
internal import Diagnostics

/// An app ID that a template has left.
enum PlaceholderAppID: AppIDCheck {
    static let description = RuleDescription(
        "placeholder-app-id", .error, summary: "an app ID is a placeholder of a template",
        reason: """
            Brackets, '$', words like 'TEAM_ID' or 'BUNDLE_ID' in capitals and prefixes that begin with 'YOUR' come from \
            templates that nobody has filled in. No app has such an ID, so no link is opened.
            """,
        basis: [.lint], fix: .displayOnly, bad: AppIDExample.file(#"⟦"TEAM_ID.com.shop.app"⟧"#),
        good: AppIDExample.good)

    private static let marks = ByteSet("<>{}[$".utf8)
    private static let words: [[UInt8]] = [
        "TEAM_ID", "TEAMID", "DEVELOPMENT_TEAM", "BUNDLE_ID", "BUNDLE_IDENTIFIER", "APP_ID_PREFIX", "REPLACE", "TODO",
        "XXXX",
    ].map { Array($0.utf8) }
    private static let beginnings = ByteSet(words.compactMap(\.first))

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        guard isPlaceholder(id) else { return false }
        // The bundle ID may be filled in already.
        let bundle = id.bundle.flatMap { id.isBundleID($0) && !hasWord(id.bytes[$0]) ? id.string($0) : nil }
        findings.report(
            "placeholder-app-id", id.place.range, id.place.pointer,
            "app ID \(id.quotedText) is a placeholder: no app has this ID",
            fixIts: [id.withTeamID(bundle: bundle, isReplaced: true)])
        return true
    }

    static func isPlaceholder(_ id: AppID) -> Bool {
        let text = id.bytes[id.content]
        return text.contains(where: marks.contains) || id.bytes[id.prefix].starts(with: "YOUR".utf8) || hasWord(text)
    }

    private static func hasWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { start in
            beginnings.contains(text[start]) && words.contains { text[start...].starts(with: $0) }
        }
    }
}
