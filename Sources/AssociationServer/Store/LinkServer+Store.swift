package import Diagnostics
internal import Dispatch
internal import EventLoops
internal import Logging
internal import OpenSSL
internal import ServiceHealth
package import SiteStore
internal import SystemSupport

// What follows a store, and hands over what it finds.
extension LinkServer: StoreHost {
    package var storeLimits: StoreLimits {
        let limits = snapshot.configuration.limits
        return StoreLimits(
            sites: limits.sites, bytes: limits.storeBytes ?? ProcessLimits.memory / 4,
            fileBytes: limits.publishedBytes)
    }

    package func apply(_ update: StoreUpdate) -> StoreOutcome { reloader.apply(update) }

    package func shareTickets(_ keys: [SharedTicketKey]) {
        reloader.tls.ticketKeys.share(
            keys.compactMap { TicketKeys.Key(sharedAs: $0.name, secret: $0.secret, useFrom: $0.useFrom) })
    }

    package func show(_ status: StoreStatus) { state.withLock { $0.store.status = status } }

    package func report(_ finding: LocatedDiagnostic) {
        let isNew = state.withLock { state in
            guard !state.store.findings.contains(where: { $0.finding == finding }) else { return false }
            // Of one rule and one path the latest holds, since the first.
            let earlier = state.store.findings.firstIndex {
                $0.finding.diagnostic.code == finding.diagnostic.code && $0.finding.path == finding.path
            }.map { state.store.findings.remove(at: $0) }
            state.store.findings.append(TimedFinding(finding, since: earlier?.since ?? Clock.wallSeconds()))
            return true
        }
        if isNew { logger.log(level: finding.isError ? .error : .warning, "\(finding.storeLogLine)") }
    }

    package func withdraw(_ rule: RuleDescription) {
        state.withLock { $0.store.findings.removeAll { $0.finding.diagnostic.code == rule.code } }
    }

    /// Calls this when somebody asks for a reload (SIGHUP), with the configuration in force, so that the key file and the
    /// whole store are read again. It is called on the queue that applies updates, and must not wait for one.
    package func whenStoreReloadIsRequested(_ work: @escaping @Sendable (ServerConfiguration) -> Void) {
        state.withLock { $0.store.whenReloadIsRequested = work }
    }

    func requestStoreReload() {
        let (work, configuration) = state.withLock { ($0.store.whenReloadIsRequested, $0.snapshot.configuration) }
        work?(configuration)
    }

    /// The report about the store; nil without one.
    package var storeReport: StoreReport? {
        state.withLock { state in
            state.store.status.map { StoreReport($0, problems: state.store.findings.map(\.finding)) }
        }
    }
}

/// The sites and certificates that a server has of a store.
struct StoredContent {
    var sites: StoreSites
    var certificates = StoreCertificates()
    /// The configuration that the sites were judged by.
    var configuration: ServerConfiguration?

    init(_ sites: StoreSites) { self.sites = sites }

    var parts: ServerSnapshot.StoredParts {
        ServerSnapshot.StoredParts(sites: sites.load, certificates: certificates.loaded)
    }
}

extension Reloader {
    /// Takes over what has changed in a store, and returns when every loop serves it.
    func apply(_ update: StoreUpdate) -> StoreOutcome {
        queue.sync {
            guard let server, !server.isStopping, store != nil else { return StoreOutcome() }
            return apply(update, server)
        }
    }

    private func apply(_ update: StoreUpdate, _ server: LinkServer) -> StoreOutcome {
        let begin = update.noticedAt ?? Clock.monotonicMilliseconds()
        let old = server.snapshot
        // Nobody takes away the links of all apps by an empty database.
        if store?.sites.empties(update.changes) == true {
            var outcome = StoreOutcome()
            outcome.sites = old.loadedSites.count
            outcome.stale = old.loadedSites.reduce(0) { $0 + $1.files.count(where: \.isStale) }
            outcome.refused = old.refusedCount - outcome.stale
            return outcome
        }
        let changes: StoreSites.Changes
        do throws(ServerError) {
            changes = try store?.sites.apply(update, old.configuration, now: Clock.wallSeconds()) ?? .init()
        } catch {
            for line in error.logLines { logger.error("\(line)") }
            return StoreOutcome()
        }
        store?.configuration = old.configuration
        let hasOtherCertificates = store?.certificates.apply(update, context: old.identities.base) ?? false
        guard let store else { return StoreOutcome() }
        var parts = store.parts
        parts.hasOtherCertificates = hasOtherCertificates
        let new = old.next(parts, changes, tls)
        let isChanged = !new.isSame(as: old)
        server.use(new, isChanged: isChanged, gone: changes.removed)
        let time = max(0, Clock.monotonicMilliseconds() - begin)
        finish(changes, update, from: old, to: new, hasOtherCertificates: hasOtherCertificates, time, server)
        var outcome = changes.outcome
        outcome.refused += store.certificates.refused
        outcome.servedOlderCertificates = store.certificates.servedOlder
        return outcome
    }

    /// Logs and counts what has changed.
    private func finish(
        _ changes: StoreSites.Changes, _ update: StoreUpdate, from old: ServerSnapshot, to new: ServerSnapshot,
        hasOtherCertificates: Bool, _ milliseconds: Int64, _ server: LinkServer
    ) {
        let log = FindingLog(logger: logger)
        let sites = new.loadedSites
        log.write(changes.indices.sorted().lazy.filter { $0 < sites.count }.map { sites[$0] }, \.changedFiles)
        log.write(new.otherFindings(since: old))
        if new.identities !== old.identities {
            logExpiries { $0.lookAtNew(new.servedCertificates(nil, now: $1), now: $1) }
        } else if !changes.added.isEmpty {
            logExpiries {
                $0.lookAtNew(new.servedCertificates(of: changes.added, now: $1), areAll: false, now: $1)
            }
        }
        let certificates = hasOtherCertificates ? StoredPairChanges.names(old.allPairs, new.allPairs) : []
        let summary = StoreSummary(
            changes: changes, position: update.changes.position, snapshot: new, certificates: certificates,
            milliseconds: milliseconds)
        // Older versions of bad files come after the line about those.
        if !summary.isEmpty || update.olderVersions.isEmpty { logger.info("\(summary)") }
        counts.withLock { counts in
            if !changes.refused.isEmpty { counts.add(.sites, .failed) }
            if changes.hasOtherSites || !changes.changed.isEmpty { counts.add(.sites, .changed) }
            if !certificates.isEmpty { counts.add(.certificates, .changed) }
        }
        guard !new.isSame(as: old) else { return }
        server.notifyChanged(isConfigurationRefused: isConfigurationRefused)
        // Whoever orders certificates looks at all sites and certificates.
        if changes.hasOtherSites || !certificates.isEmpty, new.configuration.acme.isOn {
            server.issuanceInputMayHaveChanged()
        }
    }

    /// The contents of a store, judged by a configuration; nil without a store.
    ///
    /// - Parameter old: the snapshot that is served.
    func storedParts(_ configuration: ServerConfiguration, _ old: ServerSnapshot) -> ServerSnapshot.StoredParts? {
        guard let store else { return nil }
        if let before = store.configuration, before.judgesFiles(as: configuration) {
            self.store?.sites.settle()
        } else {
            do throws(ServerError) {
                _ = try self.store?.sites.apply(configuration, now: Clock.wallSeconds())
                self.store?.configuration = configuration
            } catch {
                for line in error.logLines { logger.error("\(line)") }
            }
        }
        return self.store?.parts
    }
}

extension ServerConfiguration {
    /// Whether files of sites are judged, and served, in the same way.
    fileprivate func judgesFiles(as other: ServerConfiguration) -> Bool {
        wellKnown == other.wellKnown && limits.publishedBytes == other.limits.publishedBytes
            && cacheMaxAge == other.cacheMaxAge
    }
}

/// Finds the certificates of a store that have changed.
private enum StoredPairChanges {
    static func names(_ old: [CertificatePair], _ new: [CertificatePair]) -> [String] {
        guard old.count != new.count || !zip(old, new).allSatisfy({ $0.isSame(as: $1) }) else { return [] }
        let before = Dictionary(old.lazy.filter(\.isStored).map { ($0.path, $0) }) { first, _ in first }
        let after = Dictionary(new.lazy.filter(\.isStored).map { ($0.path, $0) }) { first, _ in first }
        let changed = after.filter { path, pair in before[path].map { !$0.isSame(as: pair) } ?? true }.keys
        return (changed + before.keys.filter { after[$0] == nil }).sorted()
    }
}
