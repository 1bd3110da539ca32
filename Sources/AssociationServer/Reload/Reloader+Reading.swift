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
        var certificates = CertificateChanges()
        /// The folders that could not be read: nothing is known of what is in them.
        var unreadable: [String] = []
    }

    func read(
        _ old: ServerSnapshot, _ configuration: ServerConfiguration, because reason: Reason, trustsStamps: Bool,
        _ server: LinkServer
    ) {
        let now = Clock.monotonicMilliseconds()
        let folders = reason.folders
        var reading = Reading(snapshot: old)
        if folders?.sites.isEmpty != true {
            do throws(ServerError) {
                reading.sites = try readSites(configuration, only: folders?.sites, trustsStamps: trustsStamps)
            } catch {
                reading.unreadable.append(configuration.sites)
                sites.keep(because: .error(configuration.sites, "\(error); keeping the sites read before"))
            }
        }
        let hasCertificates = folders?.certificates.isEmpty != true
        if hasCertificates {
            let couldRead = certificates.readFolders(
                configuration, only: folders?.certificates, trustsStamps: trustsStamps, since: old, at: now)
            if !couldRead { reading.unreadable.append(configuration.certs) }
        }
        if reading.sites.needsRetry || hasCertificates && certificates.needsRetry {
            isReadingDue = true
            debouncer.changed(at: Clock.monotonicMilliseconds())
        }
        reading.snapshot = old.next(
            configuration, sites.content, reading.sites, hasCertificates ? certificates.content : nil, tls)
        if hasCertificates { reading.certificates = CertificateChanges(from: old, to: reading.snapshot) }
        finish(reading, from: old, because: reason, server)
        // The completion notifies the driver that has installed certificates.
        if !reason.isInstallation { server.issuanceInputMayHaveChanged() }
    }

    /// Reads the folder of sites again; the files of a store are only judged again, by other settings.
    private func readSites(
        _ configuration: ServerConfiguration, only names: Set<String>?, trustsStamps: Bool
    ) throws(ServerError) -> SiteChanges {
        guard rows != nil else {
            return try sites.readFolder(
                configuration, only: names, trustsStamps: trustsStamps, now: Clock.wallSeconds())
        }
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
        logNewExpiries(reading.sites, from: old, to: new)
        let summary = ChangeSummary.reload(
            reading.sites, sites, reading.certificates, new, keys: reason.configuration?.keys ?? [],
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
            if !reason.isInstallation {
                counts.add(
                    .sites, isSame: new.sites === old.sites,
                    hasFailed: reading.unreadable.contains(new.configuration.sites) || !reading.sites.refused.isEmpty,
                    hasNews: reading.sites.hasNews)
            }
            counts.add(
                .certificates, isSame: new.identities === old.identities,
                hasFailed: reading.unreadable.contains(new.configuration.certs) || reading.certificates.hasNewProblems,
                hasNews: reading.certificates.hasNews)
        }
    }
}
