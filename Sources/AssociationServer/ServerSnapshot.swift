internal import Diagnostics
internal import EventLoops
internal import Logging
internal import OpenSSL

/// All that was read from disk: what every loop serves until the next one is made.
final class ServerSnapshot: Sendable {
    let loadedSites: [LoadedSite]
    let pairs: [LoadedPair]
    let sites: SiteTable
    let identities: IdentityTable
    /// What is not about the file of a site.
    private let otherFindings: [Finding]
    let numbers: SiteNumbers

    /// What the first snapshot and every later one are made of.
    private struct Parts {
        let sites: SiteLoad
        let pairs: (pairs: [LoadedPair], findings: [Finding])
    }

    /// Reads sites and certificates for the first time.
    ///
    /// - Throws: `ServerError.Code.unreadable`, or `nothingToServe` with the findings that say why.
    static func load(
        _ configuration: ServerConfiguration, ticketKeys: TicketKeys
    ) throws(ServerError) -> ServerSnapshot {
        let numbers = SiteNumbers()
        let sites = try SiteLoader(configuration, numbers: numbers).load()
        let pairs = try CertificateLoader(configuration.certs, now: Clock.wallSeconds()).load()
        let parts = Parts(sites: sites, pairs: pairs)
        let made = Self.identities(parts, configuration, ticketKeys, previous: nil)
        let findings = sites.sites.flatMap(\.findings) + sites.findings + pairs.findings + made.findings
        guard sites.sites.contains(where: \.servesSomething) else {
            let reason = "nothing to serve: no usable site in '\(configuration.sites)'"
            throw ServerError(.nothingToServe, [reason], findings: findings)
        }
        guard let identities = made.table else {
            let reason = "nothing to serve: no usable certificate in '\(configuration.certs)'"
            throw ServerError(.nothingToServe, [reason], findings: findings)
        }
        return ServerSnapshot(parts, identities, made.findings, configuration, numbers)
    }

    /// Reads sites and certificates again; what cannot be used now stays as it is in this snapshot.
    ///
    /// A site or a pair ends when its folder is gone.
    func next(_ configuration: ServerConfiguration, ticketKeys: TicketKeys) -> ServerSnapshot {
        let sites: SiteLoad
        do throws(ServerError) {
            sites = try SiteLoader(configuration, previous: loadedSites, numbers: numbers).load()
        } catch {
            sites = SiteLoad(
                sites: loadedSites.map(\.kept),
                findings: [.error(configuration.sites, "\(error); the sites that were read before stay")])
        }
        var pairs: (pairs: [LoadedPair], findings: [Finding])
        do throws(ServerError) {
            pairs = try CertificateLoader(configuration.certs, now: Clock.wallSeconds(), previous: self.pairs).load()
        } catch {
            pairs = (
                self.pairs.map(\.kept),
                [.error(configuration.certs, "\(error); the certificates that were read before stay in use")]
            )
        }
        var parts = Parts(sites: sites, pairs: pairs)
        var made = Self.identities(parts, configuration, ticketKeys, previous: identities)
        if made.table == nil {
            // Without any, nobody could be told anything.
            let finding = Finding.error(
                configuration.certs, "no usable certificate; those that were read before stay in use")
            pairs = (self.pairs.map(\.kept), pairs.findings)
            parts = Parts(sites: sites, pairs: pairs)
            made = (identities, made.findings + [finding])
        }
        return ServerSnapshot(parts, made.table ?? identities, made.findings, configuration, numbers)
    }

    private static func identities(
        _ parts: Parts, _ configuration: ServerConfiguration, _ ticketKeys: TicketKeys, previous: IdentityTable?
    ) -> (table: IdentityTable?, findings: [Finding]) {
        IdentityTable.make(
            parts.pairs.pairs, defaultSite: configuration.defaultSite,
            minimumVersion: configuration.minimumTLSVersion == .tls13 ? .tls13 : .tls12, ticketKeys: ticketKeys,
            previous: previous)
    }

    private init(
        _ parts: Parts, _ identities: IdentityTable, _ choiceFindings: [Finding], _ configuration: ServerConfiguration,
        _ numbers: SiteNumbers
    ) {
        self.numbers = numbers
        loadedSites = parts.sites.sites
        pairs = parts.pairs.pairs
        sites = SiteTable(loadedSites)
        self.identities = identities
        var findings = parts.sites.findings + parts.pairs.findings + choiceFindings
        for site in loadedSites where !identities.covers(site.domain) {
            findings.append(.warning(site.domain, "no certificate covers this site, so nobody can fetch its file"))
        }
        if let site = configuration.defaultSite, identities.fallback == nil {
            findings.append(
                .warning(site, "no certificate covers the default site; clients without a name are refused"))
        }
        otherFindings = findings
    }

    // MARK: What was found

    var findings: [Finding] { loadedSites.flatMap(\.findings) + otherFindings }

    /// The sites and pairs whose present files are not used, and folders that can be no site.
    var refusedCount: Int {
        // The others with a place in a text are about `.aasa.json`.
        let others = otherFindings.filter { $0.severity == .error && $0.diagnostic == nil }
        return loadedSites.count(where: \.hasRefusedFile) + Set(others.map(\.path)).count
    }

    /// For example `2 of 3 sites, 1 certificate`.
    var summary: String {
        let published = loadedSites.count { $0.file != nil }
        let some = published == loadedSites.count ? "" : "\(published) of "
        return "\(some)\(Count.text(loadedSites.count, "site")), \(Count.text(pairs.count, "certificate"))"
    }

    /// Says what was found, and what becomes of the sites whose files are refused.
    func write(to logger: Logger) {
        let log = FindingLog(logger: logger)
        for site in loadedSites {
            log.write(site.newFindings)
            for consequence in site.newConsequences { logger.error("\(consequence)") }
        }
        log.write(otherFindings)
    }
}
