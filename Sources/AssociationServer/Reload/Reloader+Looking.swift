internal import EventLoops
internal import Logging

extension Reloader {
    /// Why the disk is looked at.
    enum Reason {
        /// Something may have changed.
        case change
        /// Somebody has asked, and waits for a line in the log.
        case request(ConfigurationChange?)

        var isRequest: Bool { if case .request = self { true } else { false } }

        var configuration: ConfigurationChange? { if case .request(let change) = self { change } else { nil } }
    }

    /// Looks whether anything has changed that nobody has told of. It may be in the middle of it: so it has to settle, too.
    func poll(_ configuration: ServerConfiguration) {
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        if hasChanged(see(configuration)) { settling.changed(at: Clock.monotonicMilliseconds()) }
    }

    private func hasChanged(_ seen: DiskView) -> Bool {
        seen.fingerprint != view.fingerprint || !view.isConclusive
    }

    /// Looks whether anything has changed, and reads it if so.
    func look(for reason: Reason) {
        guard let target else { return }
        settling.reset()
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        let old = target.snapshot
        let configuration = reason.configuration?.effective ?? old.configuration
        let seen = see(configuration)
        let hasChanged = hasChanged(seen)
        view = seen
        guard hasChanged || isReadingDue || isEverythingDue else { return }
        let trustsStamps = !isEverythingDue
        isReadingDue = false
        isEverythingDue = false
        let now = Clock.monotonicMilliseconds()
        let reading = old.next(configuration, tls, trustsStamps: trustsStamps) {
            retries.judge($0, at: now)
        }
        if reading.needsRetry {
            isReadingDue = true
            settling.changed(at: Clock.monotonicMilliseconds())
        }
        finish(reading, from: old, for: reason, target)
    }

    private func finish(
        _ reading: Reading, from old: ServerSnapshot, for reason: Reason, _ target: any ReloadTarget
    ) {
        let new = reading.snapshot
        let isChanged = !new.isSame(as: old)
        target.use(new, isChanged: isChanged)
        count(reading, from: old, for: reason)
        guard isChanged || reason.isRequest else { return }
        ReloadLog(logger: logger).write(new, since: old)
        if let change = reason.configuration, !change.restartKeys.isEmpty {
            let names = change.restartKeys.map { "'\($0)'" }.joined(separator: ", ")
            logger.warning("\(names) of the configuration changed, which takes effect after a restart")
        }
        sayExpiries { $0.lookAtNew(new.servedCertificates, now: $1) }
        let summary = ReloadSummary(
            from: old, to: new, keys: reason.configuration?.keys ?? [], unreadable: reading.unreadable)
        logger.info("\(summary)")
        if !reason.isRequest { target.hasReloaded(isConfigurationRefused: isConfigurationRefused) }
    }

    func sayExpiries(_ look: (inout ExpiryNotices, _ now: Int64) -> [Finding]) {
        FindingLog(logger: logger).write(look(&notices, Clock.wallSeconds()))
    }

    private func count(_ reading: Reading, from old: ServerSnapshot, for reason: Reason) {
        let new = reading.snapshot
        if let change = reason.configuration { count(.configuration, change.keys.isEmpty ? .unchanged : .changed) }
        let hasSameSites = new.sites === old.sites
        let hasSamePairs = new.identities === old.identities
        // To make sure of what was read at the start is no reload.
        defer { isFirst = false }
        if isFirst, !reason.isRequest, hasSameSites, hasSamePairs { return }
        let results = ReloadResults(reading, from: old)
        for result in results.sites { count(.sites, result) }
        for result in results.certificates { count(.certificates, result) }
    }
}
