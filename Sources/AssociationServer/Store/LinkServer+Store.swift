internal import AssociationFiles
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

    package func serving(_ files: [StoreFileKey]) -> NodeServing {
        let snapshot = self.snapshot
        let configuration = snapshot.configuration
        var serving = NodeServing(
            names: configuration.siteFileNames,
            needsStoreCertificates: configuration.needsCertificates && !configuration.acme.isOn
                && !configuration.readsCertificateFolders)
        for key in files where serving.names.contains(key.name) {
            if let reason = snapshot.reason(against: key) { serving.add(key, because: reason) }
        }
        return serving
    }

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

extension ServerSnapshot {
    /// Why the present version of a file in the store is not served; nil if it is.
    fileprivate func reason(against key: StoreFileKey) -> String? {
        guard let index = sites.index(of: key.domain), sites.sites[index].domain == key.domain,
            let file = sites.sites[index].files.first(where: { $0.name == key.name })
        else { return "it is not taken over" }
        guard file.isRefused else {
            let isUncovered = coverage.isWithoutCertificate(key.domain, at: index)
            return isUncovered ? "no certificate covers the domain" : nil
        }
        let finding = file.findings.first(where: \.isError)?.diagnostic.message
        return (file.isStale ? "an earlier version is served" : "refused") + (finding.map { ": \($0)" } ?? "")
    }
}

extension Reloader {
    /// Takes over what has changed in a store, and returns when every loop serves it.
    func apply(_ update: StoreUpdate) -> StoreOutcome {
        queue.sync {
            guard let server, !server.isStopping, rows != nil else { return StoreOutcome() }
            return apply(update, server)
        }
    }

    private func apply(_ update: StoreUpdate, _ server: LinkServer) -> StoreOutcome {
        let begin = update.noticedAt ?? Clock.monotonicMilliseconds()
        let old = server.snapshot
        let wouldRemoveEverySite =
            update.changes.isComplete && !sites.sites.isEmpty
            && !update.changes.files.contains { $0.contents != nil }
        if wouldRemoveEverySite { return outcome(StoreOutcome()) }
        let before = rows?.position
        let changes: SiteChanges
        do throws(ServerError) {
            changes = try sites.apply(old.configuration, now: Clock.wallSeconds()) { rows?.read(update, into: &$0) }
        } catch {
            for line in error.logLines { logger.error("\(line)") }
            return StoreOutcome()
        }
        let hasOtherCertificates = certificates.apply(update, context: old.identities.base)
        let new = old.next(
            old.configuration, sites.content, changes, hasOtherCertificates ? certificates.content : nil, tls)
        server.use(new, isChanged: !new.isSame(as: old), gone: changes.removed)
        let time = max(0, Clock.monotonicMilliseconds() - begin)
        let names = hasOtherCertificates ? StoredPairChanges.names(old.allPairs, new.allPairs) : []
        finish(changes, names, from: old, to: new, server)
        // Older versions of bad files come after the line about those.
        if changes.isWorthReporting || !names.isEmpty || update.olderVersions.isEmpty {
            let summary = ChangeSummary.store(
                changes, names, from: before, to: update.changes.position, new, time)
            logger.info("\(summary)")
        }
        return outcome(rows?.outcome ?? StoreOutcome())
    }

    /// The result of an update, with how all files and certificates are served.
    private func outcome(_ files: StoreOutcome) -> StoreOutcome {
        var outcome = files
        outcome.stale = sites.stale.count
        outcome.refused = sites.refused.count + (rows?.invalidCount ?? 0) + certificates.ofStore.loaded.refused
        outcome.sites = sites.sites.count
        outcome.servedOlderCertificates = certificates.ofStore.servedOlder
        return outcome
    }

    /// Logs the findings of a change in a store, and counts it.
    private func finish(
        _ changes: SiteChanges, _ certificates: [String], from old: ServerSnapshot, to new: ServerSnapshot,
        _ server: LinkServer
    ) {
        let log = FindingLog(logger: logger)
        log.write(changes.reported)
        log.write(new.otherFindings(since: old))
        logNewExpiries(changes, from: old, to: new)
        counts.withLock { counts in
            if !changes.refused.isEmpty { counts.add(.sites, .failed) }
            if changes.hasOtherSites || !changes.changed.isEmpty { counts.add(.sites, .changed) }
            if !certificates.isEmpty { counts.add(.certificates, .changed) }
        }
        guard !new.isSame(as: old) else { return }
        server.rememberReload()
        server.notifyChanged(isConfigurationRefused: isConfigurationRefused)
        // Certificates are ordered for all sites by what there is.
        if changes.hasOtherSites || !certificates.isEmpty, new.configuration.acme.isOn {
            server.issuanceInputMayHaveChanged()
        }
    }
}

/// Finds the certificates of a store that have changed.
private enum StoredPairChanges {
    static func names(_ old: [CertificatePair], _ new: [CertificatePair]) -> [String] {
        let before = Dictionary(old.lazy.filter(\.isStored).map { ($0.path, $0) }) { first, _ in first }
        let after = Dictionary(new.lazy.filter(\.isStored).map { ($0.path, $0) }) { first, _ in first }
        let changed = after.filter { path, pair in before[path].map { !$0.isSame(as: pair) } ?? true }.keys
        return (changed + before.keys.filter { after[$0] == nil }).sorted()
    }
}
