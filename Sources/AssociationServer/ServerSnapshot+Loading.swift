internal import AssociationFiles
internal import Diagnostics
internal import EventLoops
internal import OpenSSL

extension ServerSnapshot {
    /// Reads sites and certificates for the first time.
    ///
    /// - Throws: `ServerError.Code.unreadable`, or `nothingToServe`, with all findings that there are.
    static func load(
        _ configuration: ServerConfiguration, _ tls: ServerTLS, _ rules: RuleCatalogue, _ memory: SiteMemory?
    ) throws(ServerError) -> ServerSnapshot {
        let numbers = SiteNumbers()
        let policy = try policy(configuration, tls)
        // Both are read, whatever is wrong with one of them, so that all of it can be fixed at once.
        let sites = Result { () throws(ServerError) in
            // What a store has comes later, and nothing published yet is no error.
            if configuration.store.isOn {
                _ = try SiteFile.others(configuration)
                return SiteLoad(sites: [], findings: [])
            }
            return try SiteLoader(configuration, numbers: numbers, memory: memory, rules: rules).load()
        }
        let certificates = Result { () throws(ServerError) in
            guard configuration.readsCertificateFolders else { return LoadedCertificates() }
            return try CertificateLoader(configuration, context: policy.base, now: Clock.wallSeconds()).load()
        }
        guard case .success(let loadedSites) = sites, case .success(let loadedCertificates) = certificates else {
            throw failure(sites, certificates)
        }
        var parts = SnapshotParts(
            configuration: configuration, numbers: numbers, rules: rules, sites: loadedSites,
            certificates: loadedCertificates)
        let identities = identities(&parts, policy, previous: nil)
        var causes: [Diagnostic] = []
        if !configuration.store.isOn, !loadedSites.sites.contains(where: \.servesSomething) {
            causes.append(ServerError.cause("nothing to serve: no usable site in '\(configuration.sites)'"))
        }
        if identities == nil {
            let reason = IssuanceFindings.reasonForNone(loadedSites.sites.map(\.domain), configuration)
            causes.append(
                ServerError.cause("nothing to serve: no usable certificate in '\(configuration.certs)'\(reason)"))
        }
        guard let identities, causes.isEmpty else {
            let domains = loadedSites.sites.map(\.domain)
            var findings = loadedSites.sites.flatMap(\.findings) + loadedSites.findings
            findings += IssuanceFindings.settings(configuration, domains)
            if identities == nil {
                findings += domains.compactMap { IssuanceFindings.settings(of: $0, configuration) }
            }
            throw ServerError(
                .nothingToServe, causes, findings: findings + loadedCertificates.findings + parts.choiceFindings)
        }
        return ServerSnapshot(parts, sites: SiteTable(loadedSites.sites), identities: identities)
    }

    /// The error where a folder cannot be read.
    private static func failure(
        _ sites: Result<SiteLoad, ServerError>,
        _ certificates: Result<LoadedCertificates, ServerError>
    ) -> ServerError {
        var causes: [Diagnostic] = []
        var findings: [LocatedDiagnostic] = []
        var code = ServerError.Code.unreadable
        switch sites {
        case .success(let sites): findings += sites.sites.flatMap(\.findings) + sites.findings
        case .failure(let error): causes += error.causes
        }
        switch certificates {
        case .success(let certificates): findings += certificates.findings
        case .failure(let error):
            causes += error.causes
            if error.code == .setUp { code = .setUp }
        }
        return ServerError(code, causes, findings: findings)
    }

    /// The result of reading everything again.
    struct Reading {
        /// The snapshot that is served from now on; the one before if nothing has changed.
        var snapshot: ServerSnapshot
        /// Whether a file was written while it was read.
        var needsRetry = false
        /// Whether sites were read, too, and not certificates only.
        var hasSites = true
        /// The folders that could not be read: nothing is known of what is in them.
        var unreadable: [String] = []
    }

    /// Reads sites and certificates again; what cannot be used now stays as it is in this snapshot.
    ///
    /// A site or a pair is removed when its folder is gone.
    ///
    /// - Parameters:
    ///   - trustsStamps: whether files that look as they did are not read again.
    ///   - certificateFolders: the names of the folders of certificates to be read; `nil` if all is read, and sites, too.
    ///   - stored: what a store has, in place of folders of sites.
    ///   - judge: decides about pairs that cannot be used.
    func next(
        _ configuration: ServerConfiguration, _ tls: ServerTLS, trustsStamps: Bool,
        certificateFolders: Set<String>? = nil, stored: StoredParts? = nil,
        judge: ([PairProblem]) -> [PairRetries.Verdict]
    ) -> Reading {
        var reading = Reading(snapshot: self, hasSites: certificateFolders == nil)
        var parts = SnapshotParts(
            configuration: configuration, numbers: numbers, rules: rules,
            sites: SiteLoad(sites: loadedSites, findings: siteFindings, refusedFolders: refusedFolders),
            certificates: LoadedCertificates(
                pairs: certificatesOnDisk.pairs.map(\.kept), problems: certificatesOnDisk.problems))
        do throws(ServerError) {
            if let stored {
                parts.sites = stored.sites
            } else if reading.hasSites {
                parts.sites = try SiteLoader(
                    configuration, previous: loadedSites, numbers: numbers, rules: rules
                ).load()
            }
        } catch {
            reading.unreadable.append(configuration.sites)
            parts.sites = SiteLoad(
                sites: SiteList(loadedSites.lazy.map(\.kept)),
                findings: [.error(configuration.sites, "\(error); keeping the sites read before")])
        }
        do throws(ServerError) {
            // As when it was started: listeners do not change.
            if configuration.readsCertificateFolders {
                let loader = try CertificateLoader(
                    configuration, context: identities.base, now: Clock.wallSeconds(), previous: allPairs,
                    waiting: pendingPairs, trustsStamps: trustsStamps, only: certificateFolders)
                parts.certificates = try loader.load(judge: judge)
            }
        } catch {
            reading.unreadable.append(configuration.certs)
            parts.certificates.findings = [
                .error(configuration.certs, "\(error); keeping the certificates read before")
            ]
        }
        reading.needsRetry = parts.sites.needsRetry || parts.certificates.needsRetry
        parts.certificatesOnDisk = parts.certificates
        if let stored { parts.certificates = parts.certificates.merged(with: stored.certificates) }
        let identities = self.identities(&parts, tls)
        let sites = loadedSites == parts.sites.sites ? self.sites : SiteTable(parts.sites.sites)
        reading.snapshot = ServerSnapshot(parts, sites: sites, identities: identities)
        return reading
    }

    /// The contents of a store.
    struct StoredParts {
        let sites: SiteLoad
        let certificates: LoadedCertificates
        /// Whether the certificates are others than in the snapshot before.
        var hasOtherCertificates = true
    }

    /// The snapshot after a change in a store; what is on disk stays as it is.
    ///
    /// It costs what has changed, however many sites there are.
    ///
    /// - Parameter changes: those that have led to what the store has now.
    func next(_ stored: StoredParts, _ changes: StoreSites.Changes, _ tls: ServerTLS) -> ServerSnapshot {
        var parts = SnapshotParts(
            configuration: configuration, numbers: numbers, rules: rules, sites: stored.sites,
            certificates: certificates
        )
        parts.certificatesOnDisk = certificatesOnDisk
        var identities = self.identities
        if stored.hasOtherCertificates || isReconsiderationDue {
            parts.certificates = certificatesOnDisk.merged(with: stored.certificates)
            identities = self.identities(&parts, tls)
        } else {
            parts.choiceFindings = choiceFindings
            let hasOtherDomains = configuration.acme.isOn && changes.hasOtherSites
            if !hasOtherDomains, stored.sites.findings == siteFindings { parts.generalFindings = generalFindings }
        }
        let table =
            changes.indices.isEmpty ? sites : SiteTable(sites, with: stored.sites.sites, changed: changes.indices)
        if identities === self.identities {
            parts.coverage =
                changes.hasOtherSites
                ? SiteCoverage(
                    coverage, changed: changes.indices, domains: changes.added + changes.removed, configuration,
                    table, identities, parts.certificates.pairs)
                : coverage
        }
        return ServerSnapshot(parts, sites: table, identities: identities)
    }

    /// Whether another certificate may be the right one for some name by now.
    private var isReconsiderationDue: Bool { identities.reconsiderAt.map { $0 <= Clock.wallSeconds() } ?? false }

    private func identities(_ parts: inout SnapshotParts, _ tls: ServerTLS) -> IdentityTable {
        if hasSameIdentities(as: parts) {
            parts.choiceFindings = choiceFindings
            return identities
        }
        let finding: LocatedDiagnostic
        do throws(ServerError) {
            let policy = try Self.policy(parts.configuration, tls, previous: identities)
            let table = Self.identities(&parts, policy, previous: identities)
            if let table, !table.isEmpty || identities.isEmpty { return table }
            finding = .error(
                parts.configuration.certs, "no usable certificate; keeping those read before")
        } catch {
            finding = .error(parts.configuration.certs, "\(error); keeping those read before")
        }
        // Without any, no client could be answered.
        parts.choiceFindings = [finding]
        parts.certificates.pairs = allPairs.map(\.kept)
        return identities
    }

    private static func identities(
        _ parts: inout SnapshotParts, _ policy: ServerIdentity.Policy, previous: IdentityTable?
    ) -> IdentityTable? {
        guard parts.configuration.needsCertificates else { return IdentityTable.none(policy) }
        let made = IdentityTable.make(
            parts.certificates.pairs, defaultSite: parts.configuration.defaultSite, policy: policy,
            now: Clock.wallSeconds(), previous: previous)
        parts.choiceFindings = made.findings
        // The first one is yet to come.
        let scope = IssuanceScope(parts.configuration.acme)
        let isAwaited = parts.sites.sites.contains { scope.includes($0.domain) }
        if made.table == nil, isAwaited || parts.configuration.store.isOn {
            return IdentityTable.none(policy)
        }
        return made.table
    }

    private static func policy(
        _ configuration: ServerConfiguration, _ tls: ServerTLS, previous: IdentityTable? = nil
    ) throws(ServerError) -> ServerIdentity.Policy {
        do throws(OpenSSLError) {
            return try ServerIdentity.Policy(configuration.minimumTLSVersion, tls, previous: previous)
        } catch {
            throw ServerError(.setUp, error.description)
        }
    }

    /// Whether neither a client nor an operator could tell the difference.
    func isSame(as other: ServerSnapshot) -> Bool {
        configuration == other.configuration && sites === other.sites && identities === other.identities
            && pendingPairs == other.pendingPairs && pairProblems == other.pairProblems
            && generalFindings == other.generalFindings && coverage == other.coverage
    }

    private func hasSameIdentities(as parts: SnapshotParts) -> Bool {
        let pairs = parts.certificates.pairs
        if isReconsiderationDue { return false }
        return configuration.defaultSite == parts.configuration.defaultSite
            && configuration.minimumTLSVersion == parts.configuration.minimumTLSVersion
            && !(identities.isEmpty && configuration.acme.isOn != parts.configuration.acme.isOn)
            && allPairs.count == pairs.count
            && zip(allPairs, pairs).allSatisfy { $0.isSame(as: $1) }
    }
}
