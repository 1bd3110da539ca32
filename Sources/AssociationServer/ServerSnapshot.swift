internal import EventLoops
internal import OpenSSL

/// All that was read from disk: what every loop serves until the next one is made.
final class ServerSnapshot: Sendable {
    let sites: SiteTable
    let identities: IdentityTable
    let findings: [Finding]
    let publishedCount: Int
    let siteCount: Int
    let certificateCount: Int

    /// Reads sites and certificates.
    ///
    /// - Throws: `ServerError.Code.unreadable`, or `nothingToServe` with the findings that say why.
    static func load(
        _ configuration: ServerConfiguration, ticketKeys: TicketKeys
    ) throws(ServerError) -> ServerSnapshot {
        let (sites, siteFindings) = try SiteLoader.load(
            configuration.sites, fileBytes: configuration.limits.fileBytes, cacheMaxAge: configuration.cacheMaxAge)
        let (pairs, pairFindings) = try CertificateLoader.load(configuration.certs, now: Clock.wallSeconds())
        let (identities, choiceFindings) = IdentityTable.make(
            pairs, defaultSite: configuration.defaultSite,
            minimumVersion: configuration.minimumTLSVersion == .tls13 ? .tls13 : .tls12, ticketKeys: ticketKeys)
        var findings = siteFindings + pairFindings + choiceFindings
        guard sites.contains(where: { $0.document != nil }) else {
            let reason = "nothing to serve: no usable site in '\(configuration.sites)'"
            throw ServerError(.nothingToServe, findings.map(\.description) + [reason])
        }
        guard let identities else {
            let reason = "nothing to serve: no usable certificate in '\(configuration.certs)'"
            throw ServerError(.nothingToServe, findings.map(\.description) + [reason])
        }
        for site in sites where !identities.covers(site.domain) {
            findings.append(.warning(site.domain, "no certificate covers this site, so nobody can fetch its file"))
        }
        if let site = configuration.defaultSite, identities.fallback == nil {
            findings.append(
                .warning(site, "no certificate covers the default site; clients without a name are refused"))
        }
        return ServerSnapshot(sites, identities, pairs.count, findings)
    }

    private init(
        _ sites: [LoadedSite], _ identities: IdentityTable, _ certificateCount: Int, _ findings: [Finding]
    ) {
        self.sites = SiteTable(sites)
        self.identities = identities
        self.findings = findings
        self.certificateCount = certificateCount
        siteCount = sites.count
        publishedCount = sites.count { $0.document != nil }
    }
}
