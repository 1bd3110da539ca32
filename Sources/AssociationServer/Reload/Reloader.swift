internal import Dispatch
internal import EventLoops
internal import Locking
internal import Logging
internal import OpenSSL

/// Notices what has changed on disk, reads it, and has it served (server.md, section 6).
///
/// All of it happens on one queue of its own, one reload at a time.
final class Reloader: @unchecked Sendable {
    typealias ConfigurationSource = @Sendable () throws(ServerError) -> ServerConfiguration

    /// What somebody has asked for.
    private struct Request {
        var isDue = false
        var configuration: ConfigurationSource?
    }

    private let queue = DispatchQueue(label: "aasa.reload")
    private let request = Locked(Request())
    private let counts = Locked(ReloadCounts())
    let logger: Logger
    let ticketKeys: TicketKeys
    let timing: ReloadTiming

    // Set before anything happens, and on the queue only from then on.
    weak var target: (any ReloadTarget)?
    var settling: Settling
    var retries = PairRetries()
    private var notices = ExpiryNotices()
    /// What was on disk before it was read last.
    var view = DiskView()
    var watch: FolderWatch?
    /// Whether the system has no watches for all folders.
    var isWatchLimited = false
    /// Whether everything is read the next time, and not only what looks different.
    var isEverythingDue = false
    /// Whether something is read the next time, even if all looks as it did.
    private var isReadingDue = false
    /// Whether nothing was read since the start.
    private var isFirst = false
    private var nextPoll = Int64.max
    private var nextExpiry = Int64.max
    private var timer: (any DispatchSourceTimer)?

    init(timing: ReloadTiming, ticketKeys: TicketKeys, logger: Logger) {
        self.timing = timing
        self.ticketKeys = ticketKeys
        self.logger = logger
        settling = Settling(quiet: timing.quiet, longest: timing.longest)
    }

    deinit { timer?.cancel() }

    /// What came of reloads so far.
    var reloadCounts: ReloadCounts { counts.withLock { $0 } }

    // MARK: Asked for

    /// Reloads soon; asked for several times before it has begun it does so once.
    func reload(_ configuration: ConfigurationSource?) {
        let isFirst = request.withLock { request in
            defer {
                request.isDue = true
                if let configuration { request.configuration = configuration }
            }
            return !request.isDue
        }
        if isFirst { queue.async { [self] in reloadAsAsked() } }
    }

    /// Returns when all loops serve what was read.
    func reloadAndWait(_ configuration: ConfigurationSource?) {
        queue.sync {
            request.withLock { if let configuration { $0.configuration = configuration } }
            reloadAsAsked()
        }
    }

    private func reloadAsAsked() {
        let configuration = request.withLock { request in
            // From here on a change may come too late for this one.
            defer { request = Request() }
            return request.configuration
        }
        guard let target, !target.isStopping else { return logger.info("not reloaded: the server is stopping") }
        target.reloadBegins()
        defer { target.reloadEnded() }
        var change: ConfigurationChange?
        if let configuration {
            do throws(ServerError) {
                change = ConfigurationChange(from: target.snapshot.configuration, to: try configuration())
            } catch {
                count(.configuration, .failed)
                return refuse(error)
            }
        }
        isEverythingDue = true
        look(Order(isAsked: true, change: change))
        arm()
    }

    private func refuse(_ error: ServerError) {
        for message in error.messages { logger.error("\(message)") }
        logger.error("not reloaded: the configuration cannot be used; everything stays as it was")
    }

    // MARK: By itself

    /// Begins to notice changes.
    func start() {
        queue.async { [self] in
            guard let target, !target.isStopping, timer == nil else { return }
            let now = Clock.monotonicMilliseconds()
            let snapshot = target.snapshot
            retries.begin(snapshot.pairProblems, at: now)
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

    /// Does what is due.
    private func wake() {
        guard let target, !target.isStopping else { return }
        let now = Clock.monotonicMilliseconds()
        if let due = retries.due, due <= now {
            isReadingDue = true
            look(Order())
        } else if let due = settling.due, due <= now {
            look(Order())
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

    // MARK: Looking and reading

    /// Why, and with what, the disk is looked at.
    struct Order {
        /// Whether somebody waits for a line in the log.
        var isAsked = false
        var change: ConfigurationChange?
    }

    /// Looks whether anything has changed that nobody has told of. It may be in the middle of it: so it has to settle, too.
    private func poll(_ configuration: ServerConfiguration) {
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        if hasChanged(see(configuration)) { settling.changed(at: Clock.monotonicMilliseconds()) }
    }

    private func hasChanged(_ seen: DiskView) -> Bool {
        seen.fingerprint != view.fingerprint || !view.isConclusive
    }

    /// Looks whether anything has changed, and reads it if so.
    private func look(_ order: Order) {
        guard let target else { return }
        settling.reset()
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        let old = target.snapshot
        let configuration = order.change?.effective ?? old.configuration
        let seen = see(configuration)
        let isNew = hasChanged(seen)
        view = seen
        guard isNew || isReadingDue || isEverythingDue else { return }
        let trustsStamps = !isEverythingDue
        isReadingDue = false
        isEverythingDue = false
        let now = Clock.monotonicMilliseconds()
        let reading = old.next(configuration, ticketKeys: ticketKeys, trustsStamps: trustsStamps) {
            retries.judge($0, at: now)
        }
        if reading.needsRetry {
            isReadingDue = true
            settling.changed(at: Clock.monotonicMilliseconds())
        }
        finish(order, reading, from: old, target)
    }

    private func finish(_ order: Order, _ reading: Reading, from old: ServerSnapshot, _ target: any ReloadTarget) {
        let new = reading.snapshot
        let isChanged = !new.isSame(as: old)
        target.use(new, isChanged: isChanged)
        count(order, reading, from: old)
        guard isChanged || order.isAsked else { return }
        ReloadLog(logger: logger).write(new, since: old)
        if let change = order.change, !change.restartKeys.isEmpty {
            let names = change.restartKeys.map { "'\($0)'" }.joined(separator: ", ")
            logger.warning("\(names) of the configuration changed, which takes effect after a restart")
        }
        sayExpiries { $0.lookAtNew(new.servedCertificates, now: $1) }
        let configuration = new.configuration
        let unreadable =
            (reading.sitesAreUnreadable ? [configuration.sites] : [])
            + (reading.certificatesAreUnreadable ? [configuration.certs] : [])
        logger.info(
            "\(ReloadSummary(from: old, to: new, keys: order.change?.keys ?? [], unreadable: unreadable))")
    }

    private func sayExpiries(_ look: (inout ExpiryNotices, _ now: Int64) -> [Finding]) {
        FindingLog(logger: logger).write(look(&notices, Clock.wallSeconds()))
    }

    // MARK: Counting

    private func count(_ order: Order, _ reading: Reading, from old: ServerSnapshot) {
        let new = reading.snapshot
        if let change = order.change { count(.configuration, change.keys.isEmpty ? .unchanged : .changed) }
        let hasSameSites = new.sites === old.sites
        let hasSamePairs = new.identities === old.identities
        let sitesFailed = reading.sitesAreUnreadable || new.loadedSites.contains(where: \.hasRefusedFile)
        let certificatesFailed =
            reading.certificatesAreUnreadable || new.pairProblems.count > new.waitingPairs.count
        // To make sure of what was read at the start is no reload.
        defer { isFirst = false }
        if isFirst, !order.isAsked, hasSameSites, hasSamePairs { return }
        count(.sites, sitesFailed ? .failed : hasSameSites ? .unchanged : .changed)
        count(.certificates, certificatesFailed ? .failed : hasSamePairs ? .unchanged : .changed)
    }

    private func count(_ what: ReloadCounts.What, _ result: ReloadCounts.Result) {
        counts.withLock { $0.add(what, result) }
    }
}
