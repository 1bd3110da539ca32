internal import AppSiteAssociation
internal import Diagnostics

/// An app ID without one of its two parts.
enum InvalidAppID: AppIDCheck {
    static let description = RuleDescription(
        "invalid-app-id", .error, summary: "an app ID has no application identifier prefix or no bundle ID",
        reason: """
            Apple's documentation writes an app ID as application identifier prefix, full stop and bundle ID. A bundle ID alone \
            is no app's ID, so no link is opened. The prefix is shown in the developer account; mostly it is the team's ID.
            """,
        basis: [.apple], fix: .displayOnly, bad: AppIDExample.file(#"⟦"com.shop.app"⟧"#), good: AppIDExample.good)

    private static let topLevelDomains: Set<[UInt8]> = Set(["com", "net", "org", "app", "dev"].map { Array($0.utf8) })

    static func report(_ id: AppID, _ findings: inout Findings) -> Bool {
        guard let (problem, fixIt) = problem(id) else { return false }
        findings.report(
            "invalid-app-id", id.place.range, id.place.pointer, "app ID \(id.quotedText) \(problem)", fixIts: [fixIt])
        return true
    }

    private static func problem(_ id: AppID) -> (String, FixIt)? {
        let prefix = Array(id.bytes[id.prefix])
        guard !id.content.isEmpty else { return ("is empty: no app has this ID", id.example()) }
        guard let bundle = id.bundle else {
            let fixIt = isTeamPrefix(prefix) ? id.example(prefix: id.string(id.prefix)) : id.example()
            return ("has no dot between an application identifier prefix and a bundle ID", fixIt)
        }
        if bundle.isEmpty {
            return (
                "has no bundle ID behind its dot",
                isTeamPrefix(prefix) ? id.example(prefix: id.string(id.prefix)) : id.example()
            )
        }
        let missing = "has no application identifier prefix"
        if prefix.isEmpty {
            return (missing, id.isBundleID(bundle) ? id.example(bundle: id.string(bundle)) : id.example())
        }
        guard isTopLevelDomain(prefix) else { return nil }
        return (missing, id.isBundleID(id.content) ? id.example(bundle: id.string(id.content)) : id.example())
    }

    /// Whether it is a top-level domain in small letters, as bundle IDs begin.
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
    /// Whether it is a capital or a digit, as in the prefixes that Apple gives out.
    var isInTeamPrefix: Bool { (0x41...0x5A).contains(self) || isDigit }
}
