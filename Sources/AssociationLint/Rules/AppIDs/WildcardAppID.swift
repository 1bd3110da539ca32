internal import Diagnostics

/// A star in a bundle ID.
enum WildcardAppID: AppIDCheck {
    static let description = RuleDescription(
        "wildcard-app-id", .warning, summary: "a bundle ID has a '*'",
        reason: """
            A '*' stands for several apps in provisioning profiles, not in an association file: there it is probably \
            compared as a letter, which no bundle ID has.
            """,
        basis: [.inferred], bad: AppIDExample.file(#""7K3QWZ9PLM.com.shop.⟦*⟧""#), good: AppIDExample.good)

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        guard let bundle = id.bundle, let star = id.bytes[bundle].firstIndex(of: UInt8(ascii: "*")) else {
            return false
        }
        findings.report(
            "wildcard-app-id", id.part(star..<star + 1, in: findings.source), id.place.pointer,
            "'*' in app ID \(id.quotedText) is compared as a letter, it stands for no other apps",
            notes: ["list every app by its own bundle ID"])
        return true
    }
}
