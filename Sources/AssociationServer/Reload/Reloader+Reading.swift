internal import Diagnostics
internal import EventLoops
internal import Logging
internal import SystemSupport

// What is read again, and how it comes to be served.
extension Reloader {
    /// The result of reading everything again.
    private struct Reading {
        /// The snapshot that is served from now on.
        var snapshot: ServerSnapshot
        var sites = SiteChanges()
        /// Whether sites were read, too, and not certificates only.
        var hasSites = true
        /// The folders that could not be read: nothing is known of what is in them.
        var unreadable: [String] = []
    }

    func read(
        _ old: ServerSnapshot, _ configuration: ServerConfiguration, because reason: Reason, trustsStamps: Bool,
        _ server: LinkServer
    ) {
        let now = Clock.monotonicMilliseconds()
        var reading = Reading(snapshot: old, hasSites: reason.certificateFolders == nil)
        if reading.hasSites {
            do throws(ServerError) {
                reading.sites = try readSites(configuration)
            } catch {
                reading.unreadable.append(configuration.sites)
                sites.keep(because: .error(configuration.sites, "\(error); keeping the sites read before"))
            }
        }
        let couldRead = certificates.readFolders(
            configuration, only: reason.certificateFolders, trustsStamps: trustsStamps, since: old, at: now)
        if !couldRead { reading.unreadable.append(configuration.certs) }
        if reading.sites.needsRetry || certificates.needsRetry {
            isReadingDue = true
            debouncer.changed(at: Clock.monotonicMilliseconds())
        }
        reading.snapshot = old.next(configuration, sites.content, reading.sites, certificates.content, tls)
        finish(reading, from: old, because: reason, server)
        // The completion notifies the driver that has installed certificates.
        if reason.certificateFolders == nil { server.issuanceInputMayHaveChanged() }
    }

    /// Reads the folder of sites again; the files of a store are only judged again, by other settings.
    private func readSites(_ configuration: ServerConfiguration) throws(ServerError) -> SiteChanges {
        guard rows != nil else { return try sites.readFolder(configuration, now: Clock.wallSeconds()) }
        let settings = try SiteUpdate.Settings(configuration)
        if sites.settings?.judgesFiles(as: settings) != false { return SiteChanges() }
        return try sites.apply(configuration, now: Clock.wallSeconds()) { rows?.readAgain(into: &$0) }
    }

    private func finish(_ reading: Reading, from old: ServerSnapshot, because reason: Reason, _ server: LinkServer) {
        let new = reading.snapshot
        let isChanged = !new.isSame(as: old)
        server.use(new, isChanged: isChanged, gone: reading.sites.removed)
        count(reading, from: old, because: reason)
        guard isChanged || reason.isRequest else { return }
        server.rememberReload()
        let log = FindingLog(logger: logger)
        log.write(reading.sites.reported)
        log.write(new.otherFindings(since: old))
        if let change = reason.configuration, !change.restartKeys.isEmpty {
            let names = change.restartKeys.map { "'\($0)'" }.joined(separator: ", ")
            logger.warning("\(names) of the configuration changed, which takes effect after a restart")
        }
        logExpiries { $0.lookAtNew(new.servedCertificates(nil, now: $1), now: $1) }
        let summary = ChangeSummary.reload(
            reading.sites, sites, from: old, to: new, keys: reason.configuration?.keys ?? [],
            unreadable: reading.unreadable)
        logger.info("\(summary)")
        if !reason.isRequest { server.notifyChanged(isConfigurationRefused: isConfigurationRefused) }
    }

    private func count(_ reading: Reading, from old: ServerSnapshot, because reason: Reason) {
        let new = reading.snapshot
        // Verifying what was read at the start is not a reload.
        let isReload =
            !isFirst || reason.isRequest || new.sites !== old.sites || new.identities !== old.identities
        isFirst = false
        counts.withLock { counts in
            if let change = reason.configuration {
                counts.add(.configuration, change.keys.isEmpty ? .unchanged : .changed)
            }
            guard isReload else { return }
            if reading.hasSites {
                counts.add(
                    .sites, isSame: new.sites === old.sites,
                    hasFailed: reading.unreadable.contains(new.configuration.sites) || !reading.sites.refused.isEmpty,
                    hasNews: reading.sites.hasNews)
            }
            let certificates = CertificateChanges(from: old, to: new)
            counts.add(
                .certificates, isSame: new.identities === old.identities,
                hasFailed: reading.unreadable.contains(new.configuration.certs) || certificates.hasNewProblems,
                hasNews: certificates.hasNews)
        }
    }
}
