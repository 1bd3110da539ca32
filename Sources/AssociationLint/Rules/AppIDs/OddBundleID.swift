internal import Diagnostics

/// A bundle ID with a character that none has.
enum OddBundleID: AppIDCheck {
    static let description = RuleDescription(
        "odd-bundle-id", .warning, summary: "a bundle ID has other characters than letters, digits, '-' and '.'",
        reason: """
            Apple's documentation allows letters, digits, '-' and '.' in a bundle ID. One with other characters is hardly \
            that of an app.
            """,
        basis: [.apple], bad: AppIDExample.file(#""7K3QWZ9PLM.⟦com.shop.my_app⟧""#), good: AppIDExample.good)

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        guard let bundle = id.bundle,
            !id.bytes[bundle].allSatisfy({ $0.isInBundleID || $0 == UInt8(ascii: ".") })
        else { return false }
        findings.report(
            "odd-bundle-id", id.part(bundle, in: findings.source), id.place.pointer,
            "bundle ID \(quoted(id.string(bundle))) has other characters than letters, digits, '-' and '.'")
        return true
    }
}
