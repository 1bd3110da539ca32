internal import Diagnostics

/// An application identifier prefix of an unusual form.
enum OddTeamPrefix: AppIDCheck {
    static let description = RuleDescription(
        "odd-team-prefix", .warning, summary: "an application identifier prefix is not ten capitals and digits",
        reason: """
            The prefixes that Apple gives out have ten characters, capitals and digits. App IDs are compared letter by \
            letter, so one in small letters is no app's. There are real prefixes of other forms, hence only a warning.
            """,
        basis: [.inferred], fix: .suggested, bad: AppIDExample.file(#""⟦7k3qwz9plm⟧.com.shop.app""#),
        good: AppIDExample.good)

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        let prefix = id.bytes[id.prefix]
        guard prefix.count != 10 || !prefix.allSatisfy(\.isInTeamPrefix) else { return false }
        let isInSmallLetters = prefix.count == 10 && prefix.allSatisfy { $0.isLetter || $0.isDigit }
        let range = id.part(id.prefix, in: findings.source)
        let capitals = id.string(id.prefix).uppercased()
        findings.report(
            "odd-team-prefix", range, id.place.pointer,
            "prefix \(quoted(id.string(id.prefix))) is not ten capitals and digits, as application identifier prefixes are",
            notes: isInSmallLetters || !isInBundleID(id)
                ? [] : ["if this is the bundle ID, its application identifier prefix is missing"],
            fixIts: isInSmallLetters
                ? [
                    FixIt(
                        title: "write \(quoted(capitals))", applicability: .suggested,
                        edits: [TextEdit(range: range, replacement: capitals)])
                ] : [])
        return true
    }

    /// Whether the prefix is rather the first part of a bundle ID, as in `Com.shop.app`.
    private static func isInBundleID(_ id: AppID) -> Bool {
        guard let bundle = id.bundle, id.isBundleID(id.content), let first = id.bytes[id.prefix].first, first.isLetter
        else { return false }
        if InvalidAppID.isTopLevelDomain(id.bytes[id.prefix].map(\.lowercased)) { return true }
        // What is behind the dot may be a whole bundle ID, and this a prefix with a slip.
        let next = id.bytes[bundle].prefix { $0 != UInt8(ascii: ".") }
        return !id.bytes[id.prefix].allSatisfy(\.isInTeamPrefix)
            && !InvalidAppID.isTopLevelDomain(next.map(\.lowercased))
    }
}
