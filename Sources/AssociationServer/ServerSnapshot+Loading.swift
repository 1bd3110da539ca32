internal import AssociationFiles
internal import Diagnostics
internal import EventLoops
internal import OpenSSL

extension ServerSnapshot {
    /// Reads sites and certificates for the first time.
    ///
    /// - Throws: `ServerError.Code.unreadable`, or `nothingToServe`, with all findings that there are.
    static func load(
        _ configuration: ServerConfiguration, _ tls: ServerTLS, _ rules: RuleCatalogue
    ) throws(ServerError) -> (snapshot: ServerSnapshot, catalog: SiteCatalog) {
        let numbers = SiteNumbers()
        let catalog = SiteCatalog(numbers: numbers, rules: rules)
        let policy = try policy(configuration, tls)
        // Both are read, whatever is wrong with one of them, so that all of it can be fixed at once.
        let sites = Result { () throws(ServerError) in
            // What a store has comes later, and nothing published yet is no error.
            if configuration.store.isOn {
                _ = try SiteUpdate.Settings(configuration)
            } else {
                _ = try catalog.readFolder(configuration, now: Clock.wallSeconds())
            }
            return catalog.content
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
        return (ServerSnapshot(parts, sites: SiteTable(loadedSites.sites), identities: identities), catalog)
    }

    /// The error where a folder cannot be read.
    private static func failure(
        _ sites: Result<SiteCatalog.Content, ServerError>,
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

    /// The result of reading certificates again.
    struct CertificateReading {
        let onDisk: LoadedCertificates
        /// Whether the folder could not be read: nothing is known of what is in it.
        var isUnreadable = false
    }

    /// Reads certificates again; what cannot be used now stays as it is in this snapshot.
    ///
    /// A pair is removed when its folder is gone.
    ///
    /// - Parameters:
    ///   - trustsStamps: whether files that look as they did are not read again.
    ///   - folders: the names of the folders to be read; `nil` for all.
    ///   - judge: decides about pairs that cannot be used.
    func readCertificates(
        _ configuration: ServerConfiguration, trustsStamps: Bool, only folders: Set<String>?,
        judge: ([PairProblem]) -> [PairRetries.Verdict]
    ) -> CertificateReading {
        var kept = LoadedCertificates(
            pairs: certificatesOnDisk.pairs.map(\.kept), problems: certificatesOnDisk.problems)
        // As when it was started: listeners do not change.
        guard configuration.readsCertificateFolders else { return CertificateReading(onDisk: kept) }
        do throws(ServerError) {
            let loader = try CertificateLoader(
                configuration, context: identities.base, now: Clock.wallSeconds(), previous: allPairs,
                waiting: pendingPairs, trustsStamps: trustsStamps, only: folders)
            return CertificateReading(onDisk: try loader.load(judge: judge))
        } catch {
            kept.findings = [.error(configuration.certs, "\(error); keeping the certificates read before")]
            return CertificateReading(onDisk: kept, isUnreadable: true)
        }
    }

    /// The certificates that are used from now on.
    struct Certificates {
        let onDisk: LoadedCertificates
        /// Those of a store.
        var stored = LoadedCertificates()
    }

    /// The snapshot after changes of sites, certificates or the configuration.
    ///
    /// With the same configuration and certificates it costs what has changed, however many sites there are.
    ///
    /// - Parameters:
    ///   - sites: what the catalogue has now.
    ///   - changes: those that have led to it.
    ///   - certificates: nil for those of this snapshot.
    func next(
        _ configuration: ServerConfiguration, _ sites: SiteCatalog.Content, _ changes: SiteChanges,
        _ certificates: Certificates?, _ tls: ServerTLS
    ) -> ServerSnapshot {
        var parts = SnapshotParts(
            configuration: configuration, numbers: numbers, rules: rules, sites: sites,
            certificates: certificates.map { $0.onDisk.merged(with: $0.stored) } ?? self.certificates)
        parts.certificatesOnDisk = certificates?.onDisk ?? certificatesOnDisk
        let isSameConfiguration = configuration == self.configuration
        var identities = self.identities
        if certificates != nil || !isSameConfiguration || isReconsiderationDue {
            identities = self.identities(&parts, tls)
        } else {
            parts.choiceFindings = choiceFindings
            let hasOtherDomains = configuration.acme.isOn && changes.hasOtherSites
            if !hasOtherDomains, sites.findings == siteFindings { parts.generalFindings = generalFindings }
        }
        let table =
            changes.indices.isEmpty ? self.sites : SiteTable(self.sites, with: sites.sites, changed: changes.indices)
        if identities === self.identities, isSameConfiguration {
            parts.coverage =
                changes.hasOtherSites
                ? SiteCoverage(
                    coverage, changed: changes.indices, domains: changes.added.map(\.domain) + changes.removed,
                    configuration, table, identities, parts.certificates.pairs)
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
