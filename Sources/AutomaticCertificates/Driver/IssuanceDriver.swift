internal import ACME
internal import AssociationServer
internal import Dispatch
internal import HTTPClient
internal import Logging
internal import OpenSSL
internal import SystemSupport

/// Looks at what there is, begins what is due, and looks again when something has happened.
///
/// Everything is on the queue, so that nothing happens at the same time as something else.
final class IssuanceDriver: @unchecked Sendable {
    /// Seconds after which it looks again although nothing has happened: the clock on the wall may have been set.
    private static let longestPause: Int64 = 60
    /// For as long as that a directory is taken to be what it was.
    private static let directoryLifetime: Duration = .seconds(86_400)
    /// Seconds after which a damaged file of the account is looked at again.
    static let repairPause: Int64 = 60
    /// While more orders than these are in progress, what is done for each is done for those of a moment together.
    private static let fewOrders = 4

    let host: any IssuanceHost
    let queue: DispatchQueue
    let logger: Logger
    let environment: IssuanceEnvironment
    let libraryContext = SharedLibrary.context

    /// Nil while nothing is ordered.
    var authority: Authority?
    private var input: IssuanceInput?
    /// Of the input.
    private var sites: [Domain] = []
    private var siteSet: Set<Domain> = []
    var inventory = CertificateInventory()
    private var certificates: [InstalledCertificate] = []
    private var certificateIndex = CertificateIndex([])
    var orders: [Domain: RunningOrder] = [:]
    var questions: [Domain: Cancellation] = [:]
    /// Renewals that somebody waits for.
    private var requested: Set<Domain> = []
    private(set) var statuses: [Domain: DomainStatus] = [:]
    typealias Installation = (certificate: IssuedCertificate, folder: String, order: RunningOrder)
    /// What was installed and is to be read by the server.
    var installed: [Installation] = []
    var isPresentationDue = false
    var counts = IssuanceReport.Orders()
    private var errors: [String: UInt64] = [:]
    private var isLookDue = false
    private var timer: (any DispatchSourceTimer)?
    private(set) var isStopped = false
    var random = SystemRandomNumberGenerator()
    private var hasLoggedOtherHolder = false
    private var loggedLockProblem: String?

    init(_ host: any IssuanceHost, queue: DispatchQueue, logger: Logger, environment: IssuanceEnvironment) {
        (self.host, self.queue, self.logger, self.environment) = (host, queue, logger, environment)
    }

    deinit { timer?.cancel() }

    // MARK: The settings

    /// Sites, certificates, settings or requests may be others.
    func inputChanged() {
        guard !isStopped else { return }
        let new = host.issuanceInput
        let old = input
        input = new
        if old?.domains != new.domains {
            sites = new.domains.compactMap { Domain($0) }
            siteSet = Set(sites)
        }
        if old?.configuration != new.configuration || old?.folder != new.folder {
            useSettings(new, isFirst: old == nil)
        }
        guard let authority else { return }
        let certificates = inventory.certificates(new, folder: authority.folder)
        if certificates != self.certificates {
            self.certificates = certificates
            certificateIndex = CertificateIndex(certificates)
        }
        look()
    }

    private func useSettings(_ input: IssuanceInput, isFirst: Bool) {
        guard input.configuration.isOn, let directory = SecureURL(input.configuration.directory.url) else {
            // Orders in progress finish.
            authority = nil
            statuses = [:]
            timer?.schedule(deadline: .distantFuture)
            return
        }
        let folder = IssuanceFolder(input.folder)
        if let authority, authority.directory == directory, authority.folder.path == folder.path {
            authority.use(input.configuration)
        } else {
            let lock = authority?.folder.path == folder.path ? authority?.lock : nil
            let new = Authority(input.configuration, directory: directory, folder: folder, lock: lock)
            authority = new
            statuses = [:]
            readState(of: new)
        }
        if !isFirst { authority?.state.clearBackoff() }
    }

    private func readState(of authority: Authority) {
        do throws(IssuanceError) {
            try authority.readState()
        } catch {
            logger.error("acme: \(error.message); it is set aside, and what it said of earlier attempts is forgotten")
            authority.accountFolder.setStateAside()
        }
        authority.state.scheduleQuestions(now: environment.wallSeconds(), random: &random)
    }

    /// - Parameter isUrgent: whether somebody waits for it.
    func storeSoon(_ authority: Authority, isUrgent: Bool = false) {
        if isUrgent {
            guard !authority.isStoringNow else { return }
            authority.isStoringNow = true
            // What else is to be stored by then is stored with it.
            queue.asyncAfter(deadline: .now() + pauseOfMany(0.02)) { [self] in store(authority) }
        } else {
            guard !authority.isStoringSoon else { return }
            authority.isStoringSoon = true
            queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.store(authority) }
        }
    }

    private func store(_ authority: Authority) {
        (authority.isStoringNow, authority.isStoringSoon) = (false, false)
        guard !isStopped else { return }
        let held = authority.held
        authority.held = []
        do throws(SystemError) {
            try authority.storeState()
            authority.storageProblem = nil
            for order in held { release(order) }
        } catch {
            let reason = "'\(authority.accountFolder.path)' cannot be written: \(error.reason)"
            if authority.storageProblem != reason { logger.error("acme: storage: \(reason)") }
            authority.storageProblem = reason
            for order in held { release(order, unstored: reason) }
        }
    }

    // MARK: Looking

    /// Looks soon; several requests before it has looked are one.
    func lookSoon() {
        guard !isLookDue else { return }
        isLookDue = true
        queue.asyncAfter(deadline: .now() + pauseOfMany(0.05)) { [self] in look() }
    }

    /// - Returns: nothing while few orders are in progress.
    func pauseOfMany(_ seconds: Double) -> Double { orders.count > Self.fewOrders ? seconds : 0 }

    private func look() {
        isLookDue = false
        guard !isStopped, let authority, let input, let settings = IssuancePlan.Settings(input) else { return }
        let now = environment.now
        takeLock(authority, now)
        abandonOrders()
        takeRequests(authority)
        renewDirectory(authority, now)

        var situation = IssuancePlan.Situation(now: now.wall)
        situation.sites = sites
        situation.certificates = certificates
        situation.index = certificateIndex
        situation.ongoing = Set(orders.keys)
        situation.finished = orders.values.count(where: \.isInstalled)
        situation.unrecordedOrders = orders.values.count { $0.isUnrecorded && $0.authority === authority }
        situation.requested = requested
        situation.asking = Set(questions.keys)
        situation.isHolder = authority.isHolder && authority.readyDirectory != nil
        situation.offersRenewalInfo = authority.readyDirectory?.renewalInfo != nil
        let plan = IssuancePlan(settings, situation, state: &authority.state, random: &random)

        let old = statuses
        statuses = plan.statuses
        for (domain, order) in orders {
            if let error = order.storageError { statuses[domain]?.lastError = error }
        }
        endPointlessRequests(authority)
        authority.removePointlessKeys()
        for task in plan.orders { begin(task, authority) }
        for question in plan.questions { ask(question, authority) }
        if authority.isHolder, authority.readyDirectory == nil { prepareIfNeeded(authority, now) }
        logChanges(old, now.wall)
        report()
        if authority.isHolder { storeSoon(authority) }
        wake(plan.nextChange, authority, now)
    }

    private func takeLock(_ authority: Authority, _ now: Moment) {
        if authority.takeLock(now.uptime, pause: environment.lockPause) {
            if hasLoggedOtherHolder { logger.info("acme: this process orders certificates from now on") }
            hasLoggedOtherHolder = false
            readState(of: authority)
        } else if let problem = authority.lockProblem {
            let reason = "'\(authority.folder.path)' cannot be written: \(problem.reason)"
            if loggedLockProblem != reason { logger.error("acme: storage: \(reason); no certificate is ordered") }
            loggedLockProblem = reason
            let error = IssuanceError(.storage, reason, scope: .authority)
            authority.state.authorityPaused(error, seconds: Self.repairPause, now: now.wall)
            return
        } else if !authority.isHolder, !hasLoggedOtherHolder {
            hasLoggedOtherHolder = true
            logger.info("acme: another process orders the certificates in '\(authority.folder.path)'")
        }
        loggedLockProblem = nil
    }

    private func takeRequests(_ authority: Authority) {
        let present = authority.folder.renewalRequests().intersection(siteSet)
        for domain in present.subtracting(requested) { authority.state.clearBackoff(domain) }
        requested = present
    }

    /// What cannot be renewed needs no request.
    private func endPointlessRequests(_ authority: Authority) {
        guard authority.isHolder else { return }
        for domain in requested {
            switch statuses[domain]?.state {
            case .excluded, .covered, .blocked: endRequest(domain, authority)
            default: continue
            }
        }
    }

    /// An attempt has ended: whoever has asked for it sees it by the missing file.
    func endRequest(_ domain: Domain, _ authority: Authority) {
        guard requested.remove(domain) != nil else { return }
        // Whoever waits for it reads what has come of it.
        do throws(SystemError) { try authority.storeState() } catch { storeSoon(authority) }
        authority.folder.endRenewalRequest(of: domain)
    }

    /// Orders for sites that are gone.
    private func abandonOrders() {
        for (domain, order) in orders where !siteSet.contains(domain) && order.issued == nil { abandon(order) }
    }

    private func renewDirectory(_ authority: Authority, _ now: Moment) {
        guard case .ready(_, _, let since) = authority.session, now.uptime - since > Self.directoryLifetime,
            orders.isEmpty, questions.isEmpty
        else { return }
        authority.session = .none
    }

    private func wake(_ change: Int64?, _ authority: Authority, _ now: Moment) {
        var pause: Duration = .seconds(min(max((change ?? .max) &- now.wall, 1), Self.longestPause))
        if change == nil { pause = .seconds(Self.longestPause) }
        if let lock = authority.nextLock { pause = min(pause, max(lock - now.uptime, .milliseconds(10))) }
        if let end = authority.state.authority?.pause.end, end > now.wall {
            pause = min(pause, .seconds(end - now.wall))
        }
        if timer == nil {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.look() }
            timer.activate()
            self.timer = timer
        }
        timer?.schedule(deadline: .now() + pause.timeInterval)
    }

    // MARK: Showing

    func count(_ error: IssuanceErrorType) { errors[error.rawValue, default: 0] += 1 }

    private func logChanges(_ old: [Domain: DomainStatus], _ now: Int64) {
        let changed = statuses.filter { old[$0.key] != $0.value }
        for (domain, status) in changed.sorted(by: { $0.key < $1.key }) {
            if let line = StatusLine.changed(domain, from: old[domain], to: status, now: now) { log(line) }
        }
    }

    func log(_ line: StatusLine) {
        let level: Logger.Level =
            switch line.level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        logger.log(level: level, "\(line.text)")
    }

    private func report() {
        guard let authority else { return }
        let (directory, isHolder) = (authority.directory.description, authority.isHolder)
        let (statuses, counts, errors) = (statuses, counts, errors)
        host.show {
            var report = IssuanceReport(directory: directory, statuses, isHolder: isHolder)
            (report.orders, report.errors) = (counts, errors)
            return report
        }
    }

    // MARK: Certificates

    /// Whether a certificate is among those that the server has read.
    ///
    /// - Parameter der: of the leaf, which names the domain.
    func hasCertificate(_ der: [UInt8], for domain: Domain) -> Bool {
        let fingerprint = CertificateInventory.fingerprint(der)
        return certificateIndex.naming(domain).contains { $0.fingerprint == fingerprint }
    }

    /// Whether there is one of ACME for the domain.
    func hasOrderedCertificate(_ domain: Domain) -> Bool {
        certificateIndex.naming(domain).contains { if case .acme(domain, _) = $0.source { true } else { false } }
    }

    // MARK: The end

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        timer?.cancel()
        for order in orders.values { order.end() }
        for question in questions.values { question.cancel() }
        var authorities = orders.values.map(\.authority)
        if let authority { authorities.append(authority) }
        for authority in authorities {
            do throws(SystemError) {
                try authority.storeState()
            } catch {
                logger.error("acme: storage: '\(authority.accountFolder.path)' cannot be written: \(error.reason)")
            }
        }
        for authority in authorities { authority.release() }
        orders = [:]
        questions = [:]
        authority = nil
    }
}

extension Duration {
    /// For what Dispatch waits for.
    var timeInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
