internal import Diagnostics

/// The ID of an app in the App Store where its Team ID belongs.
enum AppStoreIDPrefix: AppIDCheck {
    static let description = RuleDescription(
        "app-store-id-prefix", .warning, summary: "an app ID begins with what looks like an App Store ID",
        reason: """
            The App Store numbers apps with up to ten digits, and such a number is often taken for the Team ID. A Team ID \
            has ten uppercase letters and digits; that all of them are digits happens once in 300,000 times.
            """,
        basis: [.lint], fix: .displayOnly, bad: AppIDExample.file(#""⟦6448924682⟧.com.shop.app""#),
        good: AppIDExample.good)

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        let prefix = id.bytes[id.prefix]
        guard let bundle = id.bundle, prefix.count == 10, prefix.allSatisfy(\.isDigit),
            !ExampleAppID.isExample(prefix)
        else { return false }
        findings.report(
            "app-store-id-prefix", id.part(id.prefix, in: findings.source), id.place.pointer,
            "\(quoted(id.string(id.prefix))) looks like an App Store ID, not a Team ID",
            fixIts: [id.withTeamID(bundle: id.isBundleID(bundle) ? id.string(bundle) : nil, isReplaced: true)])
        return true
    }
}
