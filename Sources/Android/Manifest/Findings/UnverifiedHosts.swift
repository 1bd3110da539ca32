package import Diagnostics
internal import URLPatterns

/// The hosts of an app that Android does not verify, because no filter for them asks for it.
package enum UnverifiedHosts {
    /// The finding about the filters that name hosts; nil if one of them is verified.
    ///
    /// Android verifies a host for the whole app if one filter of it asks for that.
    ///
    /// - Parameters:
    ///   - filters: Those that name the hosts, in file order.
    ///   - advice: What to add where none asks for verification.
    package static func finding(
        about hosts: [String], _ filters: [LinkFilter], advice: String = "add android:autoVerify=\"true\""
    ) -> Diagnostic? {
        guard let first = filters.first, !filters.contains(where: \.isVerified) else { return nil }
        let names = listed(hosts)
        let owners =
            hosts.count > 1
            ? [
                "only the owner of a host can have it verified; on Android 11 and earlier one that is not leaves all unverified"
            ]
            : []
        if let filter = filters.first(where: { $0.asksForVerification != .no }), let scheme = filter.otherScheme {
            // What is not a scheme at all is reported as that.
            let plain = WrittenFilter.plain(scheme: scheme)
            guard !plain.isEmpty, !LinkFilter.isForWeb(plain) else { return nil }
            return Diagnostic(
                .manifestAutoVerify,
                "the intent filter for \(names) has the scheme \(quoted(scheme)), too, so it is not verified",
                range: filter.range, advice: "move \(quoted(scheme)) to an intent filter of its own",
                notes: ["Android 12 and later verify only filters that have no schemes but http and https"] + owners)
        }
        let scheme = first.otherScheme.map { quoted($0) }
        return Diagnostic(
            .manifestAutoVerify,
            "the intent filter for \(names) does not have android:autoVerify=\"true\""
                + (scheme.map { ", and has the scheme \($0), too" } ?? ""),
            range: first.range,
            advice: (scheme.map { "move \($0) to an intent filter of its own, and " } ?? "") + advice,
            notes: ["Android 12 and later open its links in the browser unless the user enables the host by hand"]
                + owners,
            labels: filters.dropFirst().prefix(maxLabels).map { Diagnostic.Label($0.range, "this one neither") })
    }

    /// The way a device before Android 12 verifies the hosts of an app; nil if the app is not for any, or has one host.
    static func together(_ root: XMLElement, minimumAPI: Int?) -> Diagnostic? {
        guard let minimumAPI, minimumAPI < ManifestDecisions.separateHostsAPI else { return nil }
        let manifest = AppManifest(root, api: ManifestDecisions.separateHostsAPI - 1)
        let hosts = manifest.hostsVerifiedTogether
        guard hosts.count > 1, let filter = manifest.filters.first(where: \.isVerified) else { return nil }
        return Diagnostic(
            .manifestAutoVerify, as: .note,
            "before API \(ManifestDecisions.separateHostsAPI) all \(hosts.count) hosts of the app are verified, or none is",
            range: filter.range, advice: "see that each of them has an assetlinks.json that names the app",
            notes: ["the hosts are \(listed(hosts))"])
    }

    private static func listed(_ hosts: [String]) -> String {
        hosts.prefix(maxNames).joined(separator: ", ")
            + (hosts.count > maxNames ? " and \(grouped(hosts.count - maxNames)) more" : "")
    }

    /// At most this many other filters are shown.
    private static let maxLabels = 20
    /// At most this many hosts of a filter are named.
    private static let maxNames = 3
    /// At most this many hosts of a manifest are checked.
    private static let maxHosts = 1_000

    /// A finding for each filter that has such hosts.
    static func findings(_ filters: [LinkFilter]) -> [Diagnostic] {
        var seen = Set<String>()
        var unverified: [Int: (hosts: [String], filters: [LinkFilter])] = [:]
        for authority in filters.lazy.flatMap(\.authorities).prefix(maxHosts) where authority.isVerifiable {
            guard let name = authority.host, HostName(authority.isWildcard ? String(name.dropFirst()) : name) != nil,
                seen.insert((authority.isWildcard ? "*" : "") + name).inserted
            else { continue }
            let naming = filters.filter { filter in
                filter.authorities.contains { other in
                    other.isVerifiable
                        && (other.host == name && other.isWildcard == authority.isWildcard
                            || !authority.isWildcard && other.names(name) == .yes)
                }
            }
            guard let first = naming.first, !naming.contains(where: \.isVerified) else { continue }
            unverified[first.range.start, default: ([], naming)].hosts.append((authority.isWildcard ? "*" : "") + name)
        }
        return unverified.values.compactMap { finding(about: $0.hosts, $0.filters) }
    }
}
