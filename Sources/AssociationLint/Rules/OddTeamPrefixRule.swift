internal import Diagnostics
internal import URLPatterns

/// An application identifier prefix of an unusual form.
enum OddTeamPrefixRule: AppIDRule {
    static let description = RuleDescription(
        "odd-team-prefix", .warning, summary: "the prefix of an app ID does not look like a Team ID",
        reason: """
            Team IDs have ten uppercase letters and digits. App IDs are compared letter by letter, so one in \
            lowercase belongs to no app. Some older prefixes look different, so this is only a warning.
            """,
        basis: [.inferred], fix: .suggested, bad: ExampleFile.appID(#""⟦7k3qwz9plm⟧.com.shop.app""#),
        good: ExampleFile.goodAppID)

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        let prefix = id.bytes[id.prefix]
        guard prefix.count != 10 || !prefix.allSatisfy(\.isInTeamPrefix) else { return false }
        let isLowercased = prefix.count == 10 && prefix.allSatisfy { $0.isLetter || $0.isDigit }
        let range = id.part(id.prefix, in: diagnostics.source)
        let uppercased = id.string(id.prefix).uppercased()
        diagnostics.report(
            description, range, id.pointer,
            "\(quoted(id.string(id.prefix))) does not look like a Team ID, which has ten uppercase letters and digits",
            notes: isLowercased || !isInBundleID(id)
                ? [] : ["if this is the bundle ID, its Team ID is missing"],
            fix: isLowercased
                ? .writing(uppercased, at: range, title: "write \(quoted(uppercased))") : nil)
        return true
    }

    /// Whether the prefix looks like the first part of a bundle ID, as in `Com.shop.app`.
    private static func isInBundleID(_ id: AppID) -> Bool {
        guard let bundle = id.bundle, id.isBundleID(id.content), let first = id.bytes[id.prefix].first, first.isLetter
        else { return false }
        if InvalidAppIDRule.isTopLevelDomain(id.bytes[id.prefix].map(\.lowercased)) { return true }
        // The text after the dot may be a whole bundle ID, and this a prefix with a typo.
        let next = id.bytes[bundle].prefix { $0 != UInt8(ascii: ".") }
        return !id.bytes[id.prefix].allSatisfy(\.isInTeamPrefix)
            && !InvalidAppIDRule.isTopLevelDomain(next.map(\.lowercased))
    }
}
