internal import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns

/// An app ID that was left over from a template.
enum PlaceholderAppIDRule: AppIDRule {
    static let description = RuleDescription(
        "placeholder-app-id", .error, summary: "an app ID is a placeholder from a template",
        reason: """
            Brackets, '$', words like 'TEAM_ID' or 'BUNDLE_ID' in uppercase and prefixes that start with 'YOUR' come from \
            templates that were not filled in. No app has such an ID, so no link opens.
            """,
        basis: [.lint], fix: .displayOnly, bad: ExampleFile.appID(#"⟦"TEAM_ID.com.shop.app"⟧"#),
        good: ExampleFile.goodAppID)

    private static let marks = ByteSet("<>{}[$".utf8)
    private static let words: [[UInt8]] = [
        "TEAM_ID", "TEAMID", "DEVELOPMENT_TEAM", "BUNDLE_ID", "BUNDLE_IDENTIFIER", "APP_ID_PREFIX", "REPLACE", "TODO",
        "XXXX",
    ].map { Array($0.utf8) }
    private static let beginnings = ByteSet(words.compactMap(\.first))

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        guard isPlaceholder(id) else { return false }
        // The bundle ID may be filled in already.
        let bundle = (afterVariable(id) ?? id.bundle).flatMap {
            id.isBundleID($0) && !hasWord(id.bytes[$0]) ? id.string($0) : nil
        }
        diagnostics.report(
            description, id.range, id.pointer, "app ID \(id.quotedText) is a placeholder: no app has this ID",
            fix: id.withTeamID(bundle: bundle, isReplaced: true))
        return true
    }

    /// The range after a build variable of Xcode that has the prefix and its dot, such as `$(AppIdentifierPrefix)`.
    private static func afterVariable(_ id: AppID) -> Range<Int>? {
        let text = id.bytes[id.content]
        guard text.starts(with: "$".utf8),
            let end = text.firstIndex(where: { $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "}") })
        else { return nil }
        let name = text[..<end].dropFirst(2)
        guard name.elementsEqual("AppIdentifierPrefix".utf8) || name.elementsEqual("TeamIdentifierPrefix".utf8) else {
            return nil
        }
        return end + 1..<text.endIndex
    }

    static func isPlaceholder(_ id: AppID) -> Bool {
        let text = id.bytes[id.content]
        return isTemplate(text) || id.bytes[id.prefix].starts(with: "YOUR".utf8)
    }

    /// Whether a text has a character or a word of templates.
    static func isTemplate(_ text: ArraySlice<UInt8>) -> Bool { text.contains(where: marks.contains) || hasWord(text) }

    private static func hasWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { start in
            beginnings.contains(text[start]) && words.contains { text[start...].starts(with: $0) }
        }
    }
}
