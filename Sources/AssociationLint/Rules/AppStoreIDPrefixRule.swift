internal import Diagnostics
internal import URLPatterns

/// An App Store ID in the place of a Team ID.
enum AppStoreIDPrefixRule: AppIDRule {
    static let description = RuleDescription(
        "app-store-id-prefix", .warning, summary: "an app ID starts with what looks like an App Store ID",
        reason: """
            The App Store identifies apps by numbers of up to ten digits, which are often mistaken for the Team ID. A Team ID \
            has ten uppercase letters and digits; only one in 300,000 has only digits.
            """,
        basis: [.lint], fix: .displayOnly, bad: ExampleFile.appID(#""⟦6448924682⟧.com.shop.app""#),
        good: ExampleFile.goodAppID)

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        let prefix = id.bytes[id.prefix]
        guard let bundle = id.bundle, prefix.count == 10, prefix.allSatisfy(\.isDigit),
            !ExampleAppIDRule.isExample(prefix)
        else { return false }
        diagnostics.report(
            description, id.part(id.prefix, in: diagnostics.source), id.pointer,
            "\(quoted(id.string(id.prefix))) looks like an App Store ID, not a Team ID",
            fix: id.withTeamID(bundle: id.isBundleID(bundle) ? id.string(bundle) : nil, isReplaced: true))
        return true
    }
}
