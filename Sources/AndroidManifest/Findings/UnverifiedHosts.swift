package import Diagnostics

/// The hosts of an app that Android does not verify, because no filter for them asks for it.
package enum UnverifiedHosts {
    /// The finding about the filters that name a host; nil if one of them is verified.
    ///
    /// Android verifies a host for the whole app if one filter of it asks for that.
    ///
    /// - Parameters:
    ///   - filters: Those that name the host, in file order.
    ///   - advice: What to add where none asks for verification.
    package static func finding(
        about host: String, _ filters: [LinkFilter], advice: String = "add android:autoVerify=\"true\""
    ) -> Diagnostic? {
        guard let first = filters.first, !filters.contains(where: \.isVerified) else { return nil }
        if let filter = filters.first(where: { $0.asksForVerification != .no }), let scheme = filter.otherScheme {
            return Diagnostic(
                .manifestAutoVerify,
                "the intent filter for \(host) has the scheme \(quoted(scheme)), too, so it is not verified",
                range: filter.range, advice: "move \(quoted(scheme)) to an intent filter of its own",
                notes: ["Android 12 and later verify only filters that have no schemes but http and https"])
        }
        return Diagnostic(
            .manifestAutoVerify, "the intent filter for \(host) does not have android:autoVerify=\"true\"",
            range: first.range, advice: advice,
            notes: ["Android 12 and later open its links in the browser unless the user enables the host by hand"],
            labels: filters.dropFirst().prefix(mostLabels).map { Diagnostic.Label($0.range, "this one neither") })
    }

    /// So many other filters are shown.
    private static let mostLabels = 20
    /// So many hosts of a manifest are looked at.
    private static let mostHosts = 1_000

    /// A finding for each filter that has such hosts, about the first of them.
    static func findings(_ filters: [LinkFilter]) -> [Diagnostic] {
        var seen = Set<String>()
        var reported = Set<Int>()
        var findings: [Diagnostic] = []
        for authority in filters.lazy.flatMap(\.authorities).prefix(mostHosts) {
            guard let name = authority.host, seen.insert((authority.isWildcard ? "*" : "") + name).inserted else {
                continue
            }
            let naming = filters.filter { filter in
                filter.authorities.contains { $0.host == name && $0.isWildcard == authority.isWildcard }
                    || !authority.isWildcard && filter.names(name) == .yes
            }
            guard let finding = finding(about: (authority.isWildcard ? "*" : "") + name, naming),
                reported.insert(finding.range.start).inserted
            else { continue }
            findings.append(finding)
        }
        return findings
    }
}
