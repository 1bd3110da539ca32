internal import Diagnostics

/// A `*` in a bundle ID.
enum WildcardAppIDRule: AppIDRule {
    static let description = RuleDescription(
        "wildcard-app-id", .warning, summary: "a bundle ID has a '*'",
        reason: """
            A '*' stands for several apps in a provisioning profile, but not in an association file: there it is probably \
            compared as a character, which no bundle ID contains.
            """,
        basis: [.inferred], bad: ExampleFile.appID(#""7K3QWZ9PLM.com.shop.⟦*⟧""#), good: ExampleFile.goodAppID)

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        guard let bundle = id.bundle, let star = id.bytes[bundle].firstIndex(of: UInt8(ascii: "*")) else {
            return false
        }
        diagnostics.report(
            description, id.part(star..<star + 1, in: diagnostics.source), id.pointer,
            "'*' in app ID \(id.quotedText) is not a wildcard",
            notes: ["list each app with its own bundle ID"])
        return true
    }
}
