internal import Diagnostics

/// A bundle ID with a character that is not allowed.
enum OddBundleIDRule: AppIDRule {
    static let description = RuleDescription(
        "odd-bundle-id", .warning, summary: "a bundle ID has characters other than letters, digits, '-' and '.'",
        reason: """
            Apple's documentation allows letters, digits, '-' and '.' in a bundle ID. One with other characters is \
            unlikely to be real.
            """,
        basis: [.apple], bad: ExampleFile.appID(#""7K3QWZ9PLM.⟦com.shop.my_app⟧""#), good: ExampleFile.goodAppID)

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        guard let bundle = id.bundle,
            !id.bytes[bundle].allSatisfy({ $0.isInBundleID || $0 == UInt8(ascii: ".") })
        else { return false }
        diagnostics.report(
            description, id.part(bundle, in: diagnostics.source), id.pointer,
            "bundle ID \(quoted(id.string(bundle))) has characters other than letters, digits, '-' and '.'")
        return true
    }
}
