internal import Diagnostics
internal import Dispatch
internal import EventLoops
internal import Logging
internal import OpenSSL
internal import SystemSupport

/// Notices what has changed on disk, reads it, and has it served (server.md, section 6).
///
/// All of it happens on one queue of its own, one reload at a time.
final class Reloader: @unchecked Sendable {
    /// Reads the configuration again.
    typealias ReadConfiguration = @Sendable () throws(ServerError) -> ServerConfiguration

    /// The requests since the last reload began.
    private struct Request {
        var isDue = false
        var configuration: ReadConfiguration?
    }

    /// Certificates that were written, and who waits for them to be read.
    private struct Installations {
        var folders: Set<String> = []
        var completions: [@Sendable () -> Void] = []
    }

    /// The names of the folders of sites and certificates that are read.
    struct Folders {
        var sites: Set<String> = []
        var certificates: Set<String> = []
    }

    /// Why the disk is looked at.
    enum Reason {
        /// Something may have changed: in these folders only, or anywhere.
        case change(Folders?)
        /// Certificates were written, in folders of these names.
        case certificates(Set<String>)
        /// Somebody has asked, and waits for a line in the log.
        case request(ConfigurationChange?)

        var isRequest: Bool { if case .request = self { true } else { false } }

        var isInstallation: Bool { if case .certificates = self { true } else { false } }

        /// The folders to be read; `nil` if all are.
        var folders: Folders? {
            switch self {
            case .change(let folders): folders
            case .certificates(let names): Folders(certificates: names)
            case .request: nil
            }
        }

        var configuration: ConfigurationChange? { if case .request(let change) = self { change } else { nil } }
    }

    let queue = DispatchQueue(label: "aasa.reload")
    private let request = Locked(Request())
    let counts = Locked(ReloadCounts())
    private let installations = Locked(Installations())
    let logger: Logger
    let tls: ServerTLS
    private let timing: ReloadTiming
    /// Set before anything else happens.
    weak var server: LinkServer?
    /// All sites; on the queue only.
    let sites: SiteCatalog
    /// All certificates; on the queue only.
    let certificates: CertificateCatalog
    /// The files of the store that sites come from; nil if they come from a folder. On the queue only.
    var rows: StoreRows?

    // On the queue only.
    private var watcher: DirectoryWatcher
    var debouncer: Debouncer
    /// The debouncer for changes that this process itself has probably made.
    private var ownDebouncer: Debouncer
    /// When certificates were read last because they were installed.
    private var lastInstallation: Int64?
    private var notices = ExpiryNotices()
    /// The reports since the disk was looked at.
    private var reported = FolderWatch.Change()
    /// The fingerprint of the disk before it was read last.
    private var fingerprint = DirectoryFingerprint()
    /// Whether everything is read the next time, and not only what looks different.
    private var isEverythingDue = false
    /// Whether something is read the next time, even if all looks as it did.
    var isReadingDue = false
    /// Whether nothing was read since the start.
    var isFirst = false
    private var nextPoll = Int64.max
    private var nextExpiry = Int64.max
    /// Whether the configuration could not be used when it was read last.
    var isConfigurationRefused = false
    /// Whether the log says that there are no more reloads.
    private var hasLoggedStopping = false
    private var timer: (any DispatchSourceTimer)?

    init(
        _ sites: SiteCatalog, _ certificates: CertificateCatalog, _ rows: StoreRows?, timing: ReloadTiming,
        tls: ServerTLS, logger: Logger
    ) {
        (self.sites, self.certificates, self.rows) = (sites, certificates, rows)
        self.timing = timing
        self.tls = tls
        self.logger = logger
        watcher = DirectoryWatcher(timing: timing, logger: logger)
        debouncer = Debouncer(quiet: timing.quiet, longest: timing.longest)
        ownDebouncer = Debouncer(quiet: timing.installing, longest: timing.longestInstalling)
    }

    deinit { timer?.cancel() }

    /// The results of the reloads so far.
    var reloadCounts: ReloadCounts { counts.withLock { $0 } }

    /// Reloads soon; several requests before it has begun are one.
    func reload(_ configuration: ReadConfiguration?) {
        if add(configuration) { queue.async { [self] in reloadAsRequested() } }
    }

    /// Returns when all loops serve what was read.
    func reloadAndWait(_ configuration: ReadConfiguration?) {
        queue.sync {
            _ = add(configuration)
            reloadAsRequested()
        }
    }

    /// Reads certificates soon; several requests before it has begun are one.
    ///
    /// - Parameters:
    ///   - folders: the names of those that were written; of others only what could not be used before is looked at.
    ///   - whenPresented: is called when all loops present what was read.
    func certificatesChanged(in folders: Set<String>, _ whenPresented: @escaping @Sendable () -> Void) {
        let isFirst = installations.withLock { installations in
            defer {
                installations.folders.formUnion(folders)
                installations.completions.append(whenPresented)
            }
            return installations.completions.isEmpty
        }
        guard isFirst else { return }
        queue.async { [self] in
            let installations = installations.withLock { installations in
                defer { installations = Installations() }
                return installations
            }
            if let server, !server.isStopping {
                lastInstallation = Clock.monotonicMilliseconds()
                let old = server.snapshot
                read(
                    old, old.configuration, because: .certificates(installations.folders), trustsStamps: true, server)
                schedule()
            }
            for completion in installations.completions { completion() }
        }
    }

    /// - Returns: whether it is the first request since the last reload began.
    private func add(_ configuration: ReadConfiguration?) -> Bool {
        request.withLock { request in
            defer { request.isDue = true }
            if let configuration { request.configuration = configuration }
            return !request.isDue
        }
    }

    private func reloadAsRequested() {
        // From here on a change may come too late for this one.
        let request = request.withLock { request in
            defer { request = Request() }
            return request
        }
        guard let server, !server.isStopping else {
            if !hasLoggedStopping { logger.info("not reloaded: the server is stopping") }
            hasLoggedStopping = true
            return
        }
        server.notifyReloading()
        defer { server.notifyReloaded(isConfigurationRefused: isConfigurationRefused) }
        var change: ConfigurationChange?
        if let configuration = request.configuration {
            do throws(ServerError) {
                let running = server.snapshot.configuration
                let new = ConfigurationChange(from: running, to: try configuration())
                if new.hasNewAccessLog { try server.prepareLog(new.effective.log) }
                change = new
                isConfigurationRefused = false
                server.remember(refusal: nil)
            } catch {
                isConfigurationRefused = true
                server.remember(refusal: error)
                counts.withLock { $0.add(.configuration, .failed) }
                for line in error.logLines { logger.error("\(line)") }
                return logger.error("not reloaded: the configuration cannot be used; nothing changes")
            }
        }
        isEverythingDue = true
        reload(because: .request(change))
        server.requestStoreReload()
        schedule()
    }

    /// Begins to notice changes.
    func start() {
        queue.async { [self] in
            guard let server, !server.isStopping, timer == nil else { return }
            let now = Clock.monotonicMilliseconds()
            let snapshot = server.snapshot
            tls.budget.watch { [weak self] in self?.dropIdleContexts() }
            certificates.retries.begin(snapshot.pairProblems, at: now)
            let halves = snapshot.pairProblems.filter(\.isHalf).map(\.folder)
            if let message = ChangeSummary.waiting(halves) { logger.info("\(message)") }
            logExpiries { $0.lookAtNew(snapshot.servedCertificates(nil, now: $1), now: $1) }
            nextExpiry = now + timing.expiry
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.wake() }
            timer.schedule(deadline: .distantFuture)
            timer.activate()
            self.timer = timer
            queue.asyncAfter(deadline: .now() + .milliseconds(Int(timing.beginning))) { [weak self] in self?.watch() }
        }
    }

    private func watch() {
        guard let server, !server.isStopping else { return }
        watcher.start(on: queue) { [weak self] in self?.changed($0) }
        _ = takeFingerprint(server.snapshot.configuration)
        // Nothing has reported what changed between reading and watching.
        isReadingDue = true
        isFirst = true
        let now = Clock.monotonicMilliseconds()
        debouncer.changed(at: now)
        nextPoll = now + timing.poll
        schedule()
    }

    func stop() {
        queue.async { [self] in
            timer?.cancel()
            timer = nil
            watcher.stop()
        }
    }

    private func changed(_ change: FolderWatch.Change) {
        let now = Clock.monotonicMilliseconds()
        if change.isOverflow { isEverythingDue = true }
        reported.add(change.subjects)
        let isOwn = change.isAnnounced && lastInstallation.map { now - $0 < timing.installing } ?? false
        if isOwn { ownDebouncer.changed(at: now) } else { debouncer.changed(at: now) }
        schedule()
    }

    private func dropIdleContexts() {
        queue.async { [weak self] in
            guard let self, let server, !server.isStopping else { return }
            tls.budget.reset()
            var snapshot = server.snapshot
            snapshot.identities = snapshot.identities.withoutIdleContexts()
            server.use(snapshot, isChanged: true)
        }
    }

    /// Does what is due.
    private func wake() {
        guard let server, !server.isStopping else { return }
        let now = Clock.monotonicMilliseconds()
        if let due = certificates.retries.due, due <= now {
            certificates.retries.tried(at: now)
            isReadingDue = true
            reload(because: .change(nil))
        } else if due <= now {
            reload(because: .change(reportedFolders))
        } else if nextPoll <= now {
            poll(server.snapshot.configuration)
        }
        // Another certificate may be the better one by now.
        if let time = server.snapshot.identities.reconsiderAt, time <= Clock.wallSeconds() {
            isReadingDue = true
            reload(because: .change(nil))
        }
        if nextExpiry <= now {
            logExpiries { $0.look(at: server.snapshot.servedCertificates(server.issuanceReport, now: $1), now: $1) }
            nextExpiry = now + timing.expiry
        }
        schedule()
    }

    /// When changes have ceased.
    private var due: Int64 { min(debouncer.due ?? .max, ownDebouncer.due ?? .max) }

    private func schedule() {
        let next = min(due, certificates.retries.due ?? .max, nextPoll, nextExpiry)
        var wait = max(0, next - Clock.monotonicMilliseconds())
        if let time = server?.snapshot.identities.reconsiderAt {
            // The wall clock can be set meanwhile: each poll computes this anew.
            wait = min(wait, max(1, min(time - Clock.wallSeconds(), wait / 1_000 + 1)) * 1_000)
        }
        timer?.schedule(deadline: .now() + .milliseconds(Int(wait)))
    }

    private func takeFingerprint(_ configuration: ServerConfiguration) -> DirectoryFingerprint {
        // Where there were too few watches, there may be enough when somebody has asked for a reload.
        watcher.fingerprint(configuration, retriesLimit: isEverythingDue)
    }

    private func hasChanged(_ current: DirectoryFingerprint) -> Bool {
        current.hash != fingerprint.hash || !fingerprint.isConclusive
    }

    /// Looks for changes that inotify has not reported. They may not be complete, so that they are debounced, too.
    private func poll(_ configuration: ServerConfiguration) {
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        guard hasChanged(takeFingerprint(configuration)) else { return }
        reported.add(nil)
        debouncer.changed(at: Clock.monotonicMilliseconds())
    }

    /// The folders that all reported changes are in; nil if these may be anywhere, or more has to be read.
    private var reportedFolders: Folders? {
        guard !isReadingDue, !isEverythingDue, let subjects = reported.subjects else { return nil }
        var folders = Folders()
        for subject in subjects {
            let name = Path.name(of: subject)
            if Path.folder(of: subject) == fingerprint.sites {
                folders.sites.insert(name)
            } else {
                folders.certificates.insert(name)
            }
        }
        return folders
    }

    /// Reads what was reported, or everything if it looks different, or has to be read.
    private func reload(because reason: Reason) {
        guard let server else { return }
        debouncer.reset()
        ownDebouncer.reset()
        let subjects = reported.subjects
        reported = FolderWatch.Change()
        let old = server.snapshot
        let configuration = reason.configuration?.effective ?? old.configuration
        if reason.folders != nil, let subjects, watcher.extend(configuration, to: subjects) {
            // The next poll comes in its time, as it sees what is not reported.
            return read(old, configuration, because: reason, trustsStamps: false, server)
        }
        nextPoll = Clock.monotonicMilliseconds() + timing.poll
        let current = takeFingerprint(configuration)
        let hasChanged = hasChanged(current)
        fingerprint = current
        guard hasChanged || isReadingDue || isEverythingDue else { return }
        let trustsStamps = !isEverythingDue
        isReadingDue = false
        isEverythingDue = false
        read(
            old, configuration, because: reason.isRequest ? reason : .change(nil), trustsStamps: trustsStamps, server)
    }

    /// Logs the certificates that expire soon, as far as clients may be served others than before.
    func logNewExpiries(_ changes: SiteChanges, from old: ServerSnapshot, to new: ServerSnapshot) {
        if new.identities !== old.identities || new.configuration != old.configuration {
            logExpiries { $0.lookAtNew(new.servedCertificates(nil, now: $1), now: $1) }
        } else if !changes.added.isEmpty {
            let domains = changes.added.map(\.domain)
            logExpiries { $0.lookAtNew(new.servedCertificates(of: domains, now: $1), areAll: false, now: $1) }
        }
    }

    private func logExpiries(_ look: (inout ExpiryNotices, _ now: Int64) -> [LocatedDiagnostic]) {
        FindingLog(logger: logger).write(look(&notices, Clock.wallSeconds()))
    }
}
