internal import Diagnostics
internal import EventLoops
internal import OpenSSL

extension ServerSnapshot {
    /// Reads sites and certificates for the first time.
    ///
    /// - Throws: `ServerError.Code.unreadable`, or `nothingToServe`, with all findings that there are.
    static func load(
        _ configuration: ServerConfiguration, _ tls: ServerTLS, _ rules: RuleCatalogue, _ memory: SiteMemory?
    ) throws(ServerError) -> (snapshot: ServerSnapshot, sites: SiteCatalog, certificates: CertificateCatalog) {
        let numbers = SiteNumbers()
        let (sites, certificates) = (SiteCatalog(numbers: numbers, rules: rules), CertificateCatalog())
        let policy = try policy(configuration, tls)
        var snapshot = ServerSnapshot(configuration, numbers, rules, policy)
        // Both are read, whatever is wrong with one of them, so that all of it can be fixed at once.
        var causes: [Diagnostic] = []
        var code = ServerError.Code.unreadable
        do throws(ServerError) {
            // What a store has comes later, and nothing published yet is no error.
            if configuration.store.isOn {
                _ = try SiteUpdate.Settings(configuration)
            } else {
                _ = try sites.readFolder(configuration, now: Clock.wallSeconds()) { memory?.recall($0) }
            }
        } catch {
            causes += error.causes
        }
        snapshot.content = sites.content
        do throws(ServerError) {
            try certificates.readFolders(configuration, context: policy.base)
        } catch {
            causes += error.causes
            if error.code == .setUp { code = .setUp }
        }
        snapshot.certificates = certificates.content
        var findings = snapshot.loadedSites.flatMap(\.findings) + snapshot.content.findings
        guard causes.isEmpty else {
            throw ServerError(code, causes, findings: findings + snapshot.certificates.findings)
        }
        let identities = snapshot.choose(policy, previous: nil)
        let domains = snapshot.loadedSites.map(\.domain)
        if !configuration.store.isOn, !snapshot.isPublished {
            causes.append(ServerError.cause("nothing to serve: no usable site in '\(configuration.sites)'"))
        }
        if identities == nil {
            let reason = IssuanceFindings.reasonForNone(domains, configuration)
            causes.append(
                ServerError.cause("nothing to serve: no usable certificate in '\(configuration.certs)'\(reason)"))
        }
        guard let identities, causes.isEmpty else {
            findings += IssuanceFindings.settings(configuration, domains)
            if identities == nil {
                findings += domains.compactMap { IssuanceFindings.settings(of: $0, configuration) }
            }
            throw ServerError(
                .nothingToServe, causes,
                findings: findings + snapshot.certificates.findings + snapshot.choiceFindings)
        }
        snapshot.identities = identities
        snapshot.sites = SiteTable(snapshot.loadedSites)
        snapshot.coverage = SiteCoverage(configuration, snapshot.sites, identities, snapshot.allPairs)
        snapshot.collectFindings()
        return (snapshot, sites, certificates)
    }

    /// A snapshot without sites and certificates.
    private init(
        _ configuration: ServerConfiguration, _ numbers: SiteNumbers, _ rules: RuleCatalogue,
        _ policy: ServerIdentity.Policy
    ) {
        (self.configuration, self.numbers, self.rules) = (configuration, numbers, rules)
        content = SiteCatalog.Content()
        certificates = LoadedCertificates()
        (sites, identities) = (SiteTable([]), IdentityTable.none(policy))
        coverage = SiteCoverage(configuration, sites, identities, [])
    }

    /// The snapshot after changes of sites, certificates or the configuration.
    ///
    /// The cost is that of what has changed, however many sites there are, if configuration and certificates are the same.
    ///
    /// - Parameters:
    ///   - sites: what the catalogue of sites has now.
    ///   - changes: those that have led to it.
    ///   - certificates: what the catalogue of certificates has now; nil for the same as in this snapshot.
    func next(
        _ configuration: ServerConfiguration, _ sites: SiteCatalog.Content, _ changes: SiteChanges,
        _ certificates: LoadedCertificates?, _ tls: ServerTLS
    ) -> ServerSnapshot {
        var next = self
        (next.configuration, next.content) = (configuration, sites)
        if !changes.indices.isEmpty {
            next.sites = SiteTable(self.sites, with: sites.sites, changed: changes.indices)
        }
        if let certificates { next.certificates = certificates }
        let hasSameConfiguration = configuration == self.configuration
        if certificates != nil || !hasSameConfiguration || isReconsiderationDue { next.choose(tls, since: self) }
        let isCoveredAsBefore = hasSameConfiguration && next.identities === identities
        if !isCoveredAsBefore {
            next.coverage = SiteCoverage(configuration, next.sites, next.identities, next.allPairs)
        } else if changes.hasOtherSites {
            next.coverage = SiteCoverage(
                coverage, changed: changes.indices, domains: changes.added.map(\.domain) + changes.removed,
                configuration, next.sites, identities, allPairs)
        }
        if !isCoveredAsBefore || certificates != nil || sites.findings != content.findings
            || configuration.acme.isOn && changes.hasOtherSites
        {
            next.collectFindings()
        }
        return next
    }

    /// Whether another certificate may be the right one for some name by now.
    private var isReconsiderationDue: Bool { identities.reconsiderAt.map { $0 <= Clock.wallSeconds() } ?? false }

    /// Chooses the certificate for each name, where anything may lead to another choice.
    private mutating func choose(_ tls: ServerTLS, since old: ServerSnapshot) {
        if hasSameIdentities(as: old) { return }
        let finding: LocatedDiagnostic
        do throws(ServerError) {
            let policy = try Self.policy(configuration, tls, previous: identities)
            if let table = choose(policy, previous: identities), !table.isEmpty || identities.isEmpty {
                identities = table
                return
            }
            finding = .error(configuration.certs, "no usable certificate; keeping those read before")
        } catch {
            finding = .error(configuration.certs, "\(error); keeping those read before")
        }
        // Without any, no client could be answered.
        choiceFindings = [finding]
        certificates.pairs = old.allPairs.map(\.kept)
    }

    /// - Returns: nil where no certificate can be used, and none is awaited.
    private mutating func choose(_ policy: ServerIdentity.Policy, previous: IdentityTable?) -> IdentityTable? {
        choiceFindings = []
        guard configuration.needsCertificates else { return IdentityTable.none(policy) }
        let made = IdentityTable.make(
            allPairs, defaultSite: configuration.defaultSite, policy: policy, now: Clock.wallSeconds(),
            previous: previous)
        choiceFindings = made.findings
        // The first one is yet to come.
        let scope = IssuanceScope(configuration.acme)
        let isAwaited = loadedSites.contains { scope.includes($0.domain) }
        if made.table == nil, isAwaited || configuration.store.isOn { return IdentityTable.none(policy) }
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
            && pairProblems == other.pairProblems
            && generalFindings == other.generalFindings && coverage == other.coverage
    }

    private func hasSameIdentities(as old: ServerSnapshot) -> Bool {
        !isReconsiderationDue && configuration.defaultSite == old.configuration.defaultSite
            && configuration.minimumTLSVersion == old.configuration.minimumTLSVersion
            && !(identities.isEmpty && configuration.acme.isOn != old.configuration.acme.isOn)
            && allPairs.count == old.allPairs.count
            && zip(allPairs, old.allPairs).allSatisfy { $0.isSame(as: $1) }
    }
}
