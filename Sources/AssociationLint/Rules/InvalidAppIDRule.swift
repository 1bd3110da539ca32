internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// An app ID without one of its two parts.
enum InvalidAppIDRule: AppIDRule {
    static let description = RuleDescription(
        "invalid-app-id", .error, summary: "an app ID is missing its Team ID or its bundle ID",
        reason: """
            According to Apple's documentation, an app ID is an application identifier prefix, a dot and a bundle ID. A bundle \
            ID alone is not the ID of an app, so no link opens. The prefix is the Team ID, or an older one that the developer \
            account shows next to the app. A prefix has no spaces, commas, colons or slashes, and is never all lowercase.
            """,
        basis: [.apple], fix: .displayOnly, bad: ExampleFile.appID(#"⟦"com.shop.app"⟧"#), good: ExampleFile.goodAppID)

    private static let topLevelDomains: Set<[UInt8]> = Set(["com", "net", "org", "app", "dev"].map { Array($0.utf8) })

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        guard let (problem, fixIt) = problem(id) else { return false }
        diagnostics.report(description, id.range, id.pointer, problem, fix: fixIt)
        return true
    }

    /// The fault of an app ID, and a fix; nil if it may be valid.
    static func problem(_ id: AppID) -> (String, FixIt)? {
        guard !id.content.isEmpty else { return ("app ID '' is empty: no app has this ID", id.withTeamID()) }
        let prefix = Array(id.bytes[id.prefix])
        guard let bundle = id.bundle, !bundle.isEmpty else {
            guard isTeamPrefix(prefix) else {
                return (
                    "app ID \(id.quotedText) is not a Team ID and a bundle ID with a dot between them", id.withTeamID()
                )
            }
            return ("app ID \(id.quotedText) is missing its bundle ID", id.withBundleID())
        }
        if prefix.isEmpty { return withoutTeamID(id, bundle) }
        if isTopLevelDomain(prefix) { return withoutTeamID(id, id.content) }
        guard isImpossible(prefix) else { return nil }
        // Where the bundle ID begins after it, it is in the place of the Team ID.
        let isInPlace =
            bundleID(id, bundle) != nil && isTopLevelDomain(Array(id.bytes[bundle].prefix { $0 != UInt8(ascii: ".") }))
        if !isInPlace, isLowercase(prefix) { return withoutTeamID(id, id.content) }
        return (
            "\(quoted(id.string(id.prefix))) is not a Team ID: no app has the ID \(id.quotedText)",
            separated(id) ?? id.withTeamID(bundle: isInPlace ? bundleID(id, bundle) : nil, isReplaced: true)
        )
    }

    /// - Parameter bundle: The part that looks like the bundle ID.
    private static func withoutTeamID(_ id: AppID, _ bundle: Range<Int>) -> (String, FixIt) {
        (
            "app ID \(id.quotedText) is missing its Team ID (application identifier prefix)",
            id.withTeamID(bundle: bundleID(id, bundle))
        )
    }

    /// The fix for a Team ID and a bundle ID with something else than a dot between.
    private static func separated(_ id: AppID) -> FixIt? {
        let text = id.bytes[id.content]
        let team = text.prefix(10)
        let rest = text.dropFirst(10).drop { impossible.contains($0) || $0 == UInt8(ascii: ".") }
        guard isTeamPrefix(Array(team)), rest.startIndex < rest.endIndex, let bundle = bundleID(id, rest.indices) else {
            return nil
        }
        let fixed = "\(String(text: team)).\(bundle)"
        return FixIt(
            "write \(quoted(fixed))", .suggested, TextEdit(range: id.range, replacement: JSONEdits.literal(fixed)))
    }

    /// A part, if it is a bundle ID.
    private static func bundleID(_ id: AppID, _ part: Range<Int>) -> String? {
        id.isBundleID(part) ? id.string(part) : nil
    }

    /// Whether Apple cannot have assigned the prefix, whatever unusual ones there are.
    private static func isImpossible(_ prefix: [UInt8]) -> Bool {
        isLowercase(prefix) || prefix.contains(where: impossible.contains)
    }

    private static let impossible = ByteSet(" ,:/".utf8)

    private static func isLowercase(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x61...0x7A).contains($0) } }

    /// Whether it is a top-level domain in lowercase letters, as bundle IDs begin.
    static func isTopLevelDomain(_ label: [UInt8]) -> Bool {
        // No prefix has two letters: these are the domains of countries, and 'io', 'co', 'me', 'ai', 'eu'.
        let isCountry = label.count == 2 && label.allSatisfy { (0x61...0x7A).contains($0) }
        return isCountry || topLevelDomains.contains(label)
    }

    private static func isTeamPrefix(_ bytes: [UInt8]) -> Bool {
        bytes.count == 10 && bytes.allSatisfy(\.isInTeamPrefix)
    }
}

extension UInt8 {
    /// Whether it is an uppercase letter or a digit, as in the prefixes that Apple assigns.
    var isInTeamPrefix: Bool { (0x41...0x5A).contains(self) || isDigit }
}
