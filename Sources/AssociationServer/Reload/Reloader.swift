internal import Dispatch
internal import EventLoops
internal import SystemSupport
internal import Logging
internal import OpenSSL

/// Notices what has changed on disk, reads it, and has it served (server.md, section 6).
///
/// All of it happens on one queue of its own, one reload at a time.
final class Reloader: @unchecked Sendable {
    private let queue = DispatchQueue(label: "aasa.reload")
    private let request = Locked(ReloadRequest())
    private let counts = Locked(ReloadCounts())
    let logger: Logger
    let tls: ServerTLS
    let timing: ReloadTiming
    /// Set before anything else happens.
    weak var target: (any ReloadTarget)?

    // On the queue only.
    var settling: Settling
    var retries = PairRetries()
    var notices = ExpiryNotices()
    /// What was on disk before it was read last.
    var view = DiskView()
    var watch: FolderWatch?
    /// Whether the system has no watches for all folders.
    var isWatchLimited = false
    /// Whether everything is read the next time, and not only what looks different.
    var isEverythingDue = false
    /// Whether something is read the next time, even if all looks as it did.
    var isReadingDue = false
    /// Whether nothing was read since the start.
    var isFirst = false
    var nextPoll = Int64.max
    /// Whether the configuration could not be used when it was read last.
    private(set) var isConfigurationRefused = false
    /// Whether everybody knows that there are no more reloads.
    private var hasSaidStopping = false
    private var nextExpiry = Int64.max
    private var timer: (any DispatchSourceTimer)?

    init(timing: ReloadTiming, tls: ServerTLS, logger: Logger) {
        self.timing = timing
        self.tls = tls
        self.logger = logger
        settling = Settling(quiet: timing.quiet, longest: timing.longest)
    }

    deinit { timer?.cancel() }

    /// What came of reloads so far.
    var reloadCounts: ReloadCounts { counts.withLock { $0 } }

    func count(_ what: ReloadCounts.What, _ result: ReloadCounts.Result) { counts.withLock { $0.add(what, result) } }

    // MARK: Asked for

    /// Reloads soon; asked for several times before it has begun it does so once.
    func reload(_ configuration: ReloadRequest.Configuration?) {
        let isFirst = request.withLock { $0.add(configuration) }
        if isFirst { queue.async { [self] in reloadAsAsked() } }
    }

    /// Returns when all loops serve what was read.
    func reloadAndWait(_ configuration: ReloadRequest.Configuration?) {
        queue.sync {
            _ = request.withLock { $0.add(configuration) }
            reloadAsAsked()
        }
    }

    private func reloadAsAsked() {
        // From here on a change may come too late for this one.
        let request = request.withLock { request in
            defer { request = ReloadRequest() }
            return request
        }
        guard let target, !target.isStopping else {
            if !hasSaidStopping { logger.info("not reloaded: the server is stopping") }
            hasSaidStopping = true
            return
        }
        target.reloadBegins()
        defer { target.reloadEnded(isConfigurationRefused: isConfigurationRefused) }
        var change: ConfigurationChange?
        if let configuration = request.configuration {
            do throws(ServerError) {
                let running = target.snapshot.configuration
                let new = ConfigurationChange(from: running, to: try configuration())
                if new.hasNewAccessLog { try target.prepareLog(new.effective.log) }
                change = new
                isConfigurationRefused = false
            } catch {
                isConfigurationRefused = true
                count(.configuration, .failed)
                for line in error.logLines { logger.error("\(line)") }
                return logger.error("not reloaded: the configuration cannot be used; everything stays as it was")
            }
        }
        isEverythingDue = true
        look(for: .request(change))
        arm()
    }

    // MARK: By itself

    /// Begins to notice changes.
    func start() {
        queue.async { [self] in
            guard let target, !target.isStopping, timer == nil else { return }
            let now = Clock.monotonicMilliseconds()
            let snapshot = target.snapshot
            tls.budget.watch { [weak self] in self?.dropIdleContexts() }
            retries.begin(snapshot.pairProblems, at: now)
            let halves = snapshot.pairProblems.filter(\.isHalf).map(\.folder)
            if let message = ReloadSummary.waiting(halves) { logger.info("\(message)") }
            sayExpiries { $0.lookAtNew(snapshot.servedCertificates, now: $1) }
            nextExpiry = now + timing.expiry
            makeWatch(on: queue)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.wake() }
            timer.schedule(deadline: .distantFuture)
            timer.activate()
            self.timer = timer
            _ = see(snapshot.configuration)
            // What has changed between reading and watching was told by nobody.
            isReadingDue = true
            isFirst = true
            settling.changed(at: now)
            nextPoll = now + timing.poll
            arm()
        }
    }

    func stop() {
        queue.async { [self] in
            timer?.cancel()
            timer = nil
            watch = nil
        }
    }

    /// Something has happened in a watched folder.
    func changed(_ change: FolderWatch.Change) {
        if case .everything = change { isEverythingDue = true }
        settling.changed(at: Clock.monotonicMilliseconds())
        arm()
    }

    private func dropIdleContexts() {
        queue.async { [weak self] in
            guard let self, let target, !target.isStopping else { return }
            tls.budget.reset()
            let identities = target.snapshot.identities.withoutIdleContexts()
            target.use(ServerSnapshot(target.snapshot, identities: identities), isChanged: true)
        }
    }

    /// Does what is due.
    private func wake() {
        guard let target, !target.isStopping else { return }
        let now = Clock.monotonicMilliseconds()
        if let due = retries.due, due <= now {
            retries.tried(at: now)
            isReadingDue = true
            look(for: .change)
        } else if let due = settling.due, due <= now {
            look(for: .change)
        } else if nextPoll <= now {
            poll(target.snapshot.configuration)
        }
        if nextExpiry <= now {
            sayExpiries { $0.look(at: target.snapshot.servedCertificates, now: $1) }
            nextExpiry = now + timing.expiry
        }
        arm()
    }

    private func arm() {
        let next = min(settling.due ?? .max, retries.due ?? .max, nextPoll, nextExpiry)
        let wait = max(0, next - Clock.monotonicMilliseconds())
        timer?.schedule(deadline: .now() + .milliseconds(Int(wait)))
    }
}
