package import OpenSSL

/// The coordinator of all orders: it decides what is done next, from the sites to the certificates that are presented.
///
/// A pure state machine: it is given an event and the time, and returns actions, which the driver carries out in their
/// order. The result of an action is another event. docs/spec/acme.md, section 10, shows its states.
package struct IssuanceCoordinator: Sendable {
    /// What `acme` in server.json says.
    package struct Settings: Sendable {
        package var authority: AuthorityID
        package var plan: IssuancePlan.Settings
        package var account: AccountMachine.Settings
        /// Whether a name is asked whether it leads here before it is ordered.
        package var preflight: Bool

        package init(
            _ authority: AuthorityID, plan: IssuancePlan.Settings, account: AccountMachine.Settings, preflight: Bool
        ) {
            (self.authority, self.plan, self.account, self.preflight) = (authority, plan, account, preflight)
        }
    }

    /// What certificates are needed for, and what there is.
    package struct Input: Sendable {
        /// Nil while nothing is ordered.
        package var settings: Settings?
        /// Whether the settings are others than those of the last input.
        package var hasNewSettings: Bool
        /// What is stored for the CA of the settings; nil if the coordinator was given it before.
        package var stored: StoredState?
        package var sites: [Domain]
        package var certificates: CertificateIndex

        package init(
            _ settings: Settings?, hasNewSettings: Bool, stored: StoredState? = nil, sites: [Domain],
            certificates: CertificateIndex
        ) {
            (self.settings, self.hasNewSettings, self.stored) = (settings, hasNewSettings, stored)
            (self.sites, self.certificates) = (sites, certificates)
        }
    }

    /// What the folder of certificates shows at the moment.
    package struct Observation: Sendable {
        package enum LockAttempt: Sendable {
            case taken(StoredState)
            case ownedByOther
            /// With a clause that says why.
            case failed(String)
        }

        /// Nil if the lock was not tried.
        package var lock: LockAttempt?
        /// The domains whose renewal somebody has asked for.
        package var requests: Set<Domain>

        package init(lock: LockAttempt? = nil, requests: Set<Domain> = []) {
            (self.lock, self.requests) = (lock, requests)
        }
    }

    /// Who has sent a request to a CA.
    package enum Requester: Hashable, Sendable {
        /// - Parameter session: the number of the session.
        case account(AuthorityID, session: Int)
        case order(OrderID)
        case renewalInfo(Domain)
    }

    package typealias Answer = Result<ACMEResponse, TransportFailure>

    package enum Event: Sendable {
        case inputChanged(Input)
        /// ``deadline`` may have come.
        case timerFired
        case observed(Observation)
        /// - Parameter problem: a clause that says why it was not.
        case saved(AuthorityID, number: Int, problem: String?)
        case accountOpened(AuthorityID, AccountKey, ACMEAccount?)
        case accountNotOpened(AuthorityID, IssuanceError)
        case answered(Answer, to: Int, Requester)
        /// The name may lead here; with a clause about what could not be found out.
        case preflightPassed(OrderID, remark: String?)
        case preflightFailed(OrderID, IssuanceError)
        case keyPrepared(OrderID, PrivateKey)
        /// A new key could not be stored, with a clause that says why.
        case keyNotStored(OrderID, String)
        /// The key of an order that was to be continued is not there, or damaged.
        case keyLost(OrderID, isDamaged: Bool)
        case challengePublished(OrderID)
        /// This server cannot answer the challenge.
        case challengeNotPublished(OrderID, ChallengeType)
        /// The certificate was written into a folder with this name.
        case installed(OrderID, folder: String)
        /// It was not, with a clause that says why.
        case notInstalled(OrderID, String)
        /// The server has read the certificates of these orders, and this is what there is now.
        case activated([OrderID], Input)
        case stopped
    }

    package enum Action: Sendable {
        /// Look at the folder, and try to get the lock before; then ``Event/observed(_:)``.
        case observe(AuthorityID?, takesLock: Bool)
        /// Write `state.json`; then ``Event/saved(_:number:problem:)``.
        case save(AuthorityID, [UInt8], number: Int)
        case removeOrderKey(AuthorityID, Domain)
        case removeRenewalRequest(AuthorityID, Domain)
        /// Read the account's files, or make its key if there is none; then ``Event/accountOpened(_:_:_:)``.
        ///
        /// - Parameters:
        ///   - key: the one that is known.
        ///   - readsAccount: whether `account.json` counts.
        case openAccount(AuthorityID, key: AccountKey?, readsAccount: Bool)
        case storeAccount(AuthorityID, ACMEAccount)
        /// Then ``Event/answered(_:to:_:)``.
        case send(ACMERequest, Requester, AuthorityID)
        /// Then ``Event/preflightPassed(_:remark:)``.
        case preflight(OrderID, AuthorityID, ChallengeType)
        /// Make and store the key of an order, or read that of an order that is continued; then
        /// ``Event/keyPrepared(_:_:)``.
        case prepareKey(OrderID, AuthorityID, OrderTask)
        /// Then ``Event/challengePublished(_:)``.
        case publish(OrderID, ChallengeAnswer)
        /// Withdraw the challenge that was published, if any.
        case withdraw(OrderID)
        /// Write a certificate; then ``Event/installed(_:folder:)``.
        case install(OrderID, AuthorityID, OrderedCertificate)
        /// Have the server read what was installed; then ``Event/activated(_:_:)``.
        case activate([Activation])
        /// Cancel what is under way for an order, which has ended.
        case close(OrderID)
        /// Give up what belongs to a CA that is not used any more.
        case release(AuthorityID)
        case show(Overview)
        case log(StatusLine)
    }

    /// A certificate that was installed and that the server has not read.
    package struct Activation: Sendable {
        package let order: OrderID
        package let folder: String
        package let certificate: X509Certificate
    }

    /// The state of all domains, as it is shown.
    package struct Overview: Sendable {
        package let directory: SecureURL
        package let ownsLock: Bool
        package let statuses: [Domain: DomainStatus]
        package let counts: OrderCounts
        package let errors: [IssuanceErrorType: UInt64]
    }

    /// What one event has to do with.
    struct Turn {
        let now: Moment
        var actions: [Action] = []

        mutating func log(_ level: StatusLine.Level, _ text: String) {
            actions.append(.log(StatusLine(level: level, text: text)))
        }
    }

    /// Why the last line about the lock was logged.
    enum LockNotice: Equatable, Sendable {
        case none, otherOwner
        case problem(String)
    }

    /// After this time the coordinator reconciles although nothing has happened: the clock on the wall may have been
    /// set.
    private static let longestPause: Int64 = 60
    /// As long as a directory is taken to be what it was.
    private static let directoryLifetime: Duration = .seconds(86_400)
    /// While more orders than these are in progress, what is done for each is done for those of a moment together.
    private static let fewOrders = 4

    let lockPause: Duration
    var random: any RandomNumberGenerator & Sendable
    var input: Input?
    private var sites: Set<Domain> = []
    var authorities: [AuthorityID: CertificateAuthority] = [:]
    var orders: [Domain: RunningOrder] = [:]
    var lastOrder = 0
    /// What CAs are being asked about renewals.
    var questions: [Domain: (IssuancePlan.Question, AuthorityID)] = [:]
    /// Renewals that somebody waits for.
    private var requests: Set<Domain> = []
    private(set) var statuses: [Domain: DomainStatus] = [:]
    var counts = OrderCounts()
    private var errors: [IssuanceErrorType: UInt64] = [:]
    var activationDeadline: Duration?
    private var reconcileDeadline: Duration?
    var lockNotice = LockNotice.none
    private var isStopped = false

    /// - Parameter lockPause: how long to wait before trying again to become the process that orders.
    package init(
        lockPause: Duration, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.lockPause, self.random) = (lockPause, random)
    }

    /// When ``Event/timerFired`` is due, on the clock that never goes back.
    package var deadline: Duration? {
        var earliest = [reconcileDeadline, activationDeadline].compactMap { $0 }.min()
        func include(_ deadline: Duration?) {
            if let deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        for order in orders.values { include(order.deadline) }
        for authority in authorities.values { include(authority.deadline) }
        return earliest
    }

    /// - Returns: What to do; events that mean nothing at the moment have no consequences.
    package mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        var turn = Turn(now: now)
        switch event {
        case .saved(let id, let number, let problem): saved(id, number, problem, &turn)
        case _ where isStopped: break
        case .inputChanged(let input): use(input, &turn)
        case .timerFired: timerFired(&turn)
        case .observed(let observation): reconcile(observation, &turn)
        case .accountOpened(let id, let key, let account): accountOpened(id, key, account, &turn)
        case .accountNotOpened(let id, let error): accountNotOpened(id, error, &turn)
        case .answered(let answer, let id, let requester): answered(answer, id, requester, &turn)
        case .preflightPassed(let id, let remark): startConversation(id, remark, &turn)
        case .preflightFailed(let id, let error): fail(id, OrderFailure(error), &turn)
        case .keyPrepared(let id, let key): advance(id, .keyStored(key), &turn)
        case .keyNotStored(let id, let reason): advance(id, .keyNotStored(reason), &turn)
        case .keyLost(let id, let isDamaged): keyLost(id, isDamaged, &turn)
        case .challengePublished(let id): advance(id, .challengePublished, &turn)
        case .challengeNotPublished(let id, let type): challengeNotPublished(id, type, &turn)
        case .installed(let id, let folder): installed(id, folder, &turn)
        case .notInstalled(let id, let reason): notInstalled(id, reason, &turn)
        case .activated(let ids, let input): activated(ids, input, &turn)
        case .stopped: stop(&turn)
        }
        return turn.actions
    }

    // MARK: The input

    mutating func use(_ new: Input, _ turn: inout Turn) {
        let old = input
        input = new
        input?.stored = nil
        if old?.sites != new.sites { sites = Set(new.sites) }
        if new.hasNewSettings { useSettings(new, insteadOf: old, &turn) }
        scheduleReconcile(&turn, after: .zero)
    }

    private mutating func useSettings(_ new: Input, insteadOf old: Input?, _ turn: inout Turn) {
        guard let settings = new.settings else {
            // Orders in progress finish.
            statuses = [:]
            return
        }
        let id = settings.authority
        if id != old?.settings?.authority { statuses = [:] }
        if authorities[id] != nil {
            authorities[id]?.settings = settings.account
            authorities[id]?.endSession()
        } else {
            let ownsLock = authorities.values.contains { $0.ownsLock && $0.id.folder == id.folder }
            authorities[id] = CertificateAuthority(id, settings: settings.account, ownsLock: ownsLock)
            if let stored = new.stored { restore(stored, id, &turn) }
        }
        if old != nil { authorities[id]?.state.clearBackoff() }
    }

    /// Whether an ordered certificate for the domain is among those that the server has read.
    func hasOrderedCertificate(_ domain: Domain) -> Bool {
        input?.certificates.naming(domain).contains {
            if case .acme(domain, _) = $0.source { true } else { false }
        } ?? false
    }

    // MARK: Timers

    /// - Returns: zero while few orders are in progress.
    func pauseOfMany(_ pause: Duration) -> Duration { orders.count > Self.fewOrders ? pause : .zero }

    /// Reconciles soon; several requests before that are one.
    ///
    /// - Parameter pause: nil is a short one that depends on how many orders are in progress.
    mutating func scheduleReconcile(_ turn: inout Turn, after pause: Duration? = nil) {
        let deadline = turn.now.uptime + (pause ?? pauseOfMany(.milliseconds(50)))
        reconcileDeadline = min(reconcileDeadline ?? deadline, deadline)
    }

    private mutating func timerFired(_ turn: inout Turn) {
        let now = turn.now.uptime
        func isDue(_ deadline: Duration?) -> Bool { deadline.map { $0 <= now } ?? false }
        for order in orders.values where isDue(order.deadline) { timerFired(order, &turn) }
        for id in Array(authorities.keys) {
            if case .preparing(_, let wake) = authorities[id]?.session, isDue(wake) {
                advance(id, authorities[id]?.sessionNumber ?? 0, .time, &turn)
            }
            if isDue(authorities[id]?.saveDeadline) { save(id, &turn) }
        }
        if isDue(activationDeadline) { activate(&turn) }
        guard isDue(reconcileDeadline) else { return }
        reconcileDeadline = nil
        let authority = input?.settings.flatMap { authorities[$0.authority] }
        var takesLock = false
        if case .missing(let retry, _) = authority?.lock { takesLock = retry == nil || isDue(retry) }
        turn.actions.append(.observe(authority?.id, takesLock: takesLock))
    }

    // MARK: Reconciling

    /// Brings what is done in line with what there is: the only place at which orders begin.
    private mutating func reconcile(_ observation: Observation, _ turn: inout Turn) {
        let finished = removeActivated(&turn)
        releaseUnusedAuthorities(&turn)
        guard let input, let settings = input.settings, case let id = settings.authority, authorities[id] != nil else {
            return logFinished(finished, &turn)
        }
        noteLock(observation.lock, id, &turn)
        abandonOrders(&turn)
        let present = observation.requests.intersection(sites)
        let ended = Set(finished.map(\.order.domain))
        for domain in present.subtracting(requests).subtracting(ended) { authorities[id]?.state.clearBackoff(domain) }
        requests = present
        expireDirectory(id, turn.now)

        let situation = situation(input, id, requests.subtracting(ended), turn.now)
        guard let plan = authorities[id]?.plan(settings.plan, situation, random: &random) else { return }
        let old = statuses
        statuses = plan.statuses
        for order in orders.values {
            if let error = order.storageError { statuses[order.domain]?.lastError = error }
        }
        logFinished(finished, &turn)
        cancelObsoleteRequests(id, &turn)
        for domain in authorities[id]?.takeObsoleteOrders() ?? [] { turn.actions.append(.removeOrderKey(id, domain)) }
        for task in plan.orders { begin(task, id, &turn) }
        for question in plan.questions { ask(question, id, &turn) }
        openAccountIfNeeded(id, &turn)
        logChanges(old, &turn)
        show(id, &turn)
        if authorities[id]?.ownsLock ?? false { scheduleSave(id, after: .seconds(1), &turn) }
        scheduleNext(plan.nextChange, id, &turn)
    }

    private func situation(
        _ input: Input, _ id: AuthorityID, _ requested: Set<Domain>, _ now: Moment
    ) -> IssuancePlan.Situation {
        let authority = authorities[id]
        var situation = IssuancePlan.Situation(now: now.wall)
        situation.sites = input.sites
        situation.index = input.certificates
        situation.ongoing = Set(orders.keys)
        situation.finished = orders.values.count(where: \.isInstalled)
        situation.unrecordedOrders = orders.values.count { $0.isUnrecorded && $0.authority == id }
        situation.requested = requested
        situation.asking = Set(questions.keys)
        situation.ownsLock = authority?.ownsLock ?? false && authority?.directory != nil
        situation.offersRenewalInfo = authority?.directory?.renewalInfo != nil
        return situation
    }

    /// Ends the orders of sites that are gone.
    private mutating func abandonOrders(_ turn: inout Turn) {
        for order in orders.values where !sites.contains(order.domain) && !order.isIssued {
            orders[order.domain] = nil
            turn.actions += [.withdraw(order.id), .close(order.id)]
        }
    }

    private mutating func releaseUnusedAuthorities(_ turn: inout Turn) {
        let used = Set(orders.values.map(\.authority) + questions.values.map(\.1))
        for id in Array(authorities.keys) where id != input?.settings?.authority && !used.contains(id) {
            if let bytes = authorities[id]?.beginSave() {
                turn.actions.append(.save(id, bytes, number: authorities[id]?.saveNumber ?? 0))
            }
            authorities[id] = nil
            turn.actions.append(.release(id))
        }
    }

    /// Has the directory fetched again once a day, at a time when nobody uses it.
    private mutating func expireDirectory(_ id: AuthorityID, _ now: Moment) {
        guard case .ready(_, _, let since) = authorities[id]?.session, now.uptime - since > Self.directoryLifetime,
            orders.isEmpty, questions.isEmpty
        else { return }
        authorities[id]?.endSession()
    }

    private mutating func scheduleNext(_ change: Int64?, _ id: AuthorityID, _ turn: inout Turn) {
        let now = turn.now
        var pause: Duration = .seconds(min(max((change ?? .max) &- now.wall, 1), Self.longestPause))
        if change == nil { pause = .seconds(Self.longestPause) }
        if case .missing(let retry?, _) = authorities[id]?.lock {
            pause = min(pause, max(retry - now.uptime, .milliseconds(10)))
        }
        if let end = authorities[id]?.state.authority?.pause.end, end > now.wall {
            pause = min(pause, .seconds(end - now.wall))
        }
        scheduleReconcile(&turn, after: pause)
    }

    // MARK: Requests

    /// Ends the requests for what cannot be renewed.
    private mutating func cancelObsoleteRequests(_ id: AuthorityID, _ turn: inout Turn) {
        guard authorities[id]?.ownsLock ?? false else { return }
        for domain in requests {
            switch statuses[domain]?.state {
            case .excluded, .covered, .blocked: endRequest(domain, id, &turn)
            default: continue
            }
        }
    }

    /// An attempt has ended: whoever has asked for it sees it by the missing file, and reads the result.
    mutating func endRequest(_ domain: Domain, _ id: AuthorityID, _ turn: inout Turn) {
        guard requests.remove(domain) != nil else { return }
        if let bytes = authorities[id]?.beginSave() {
            turn.actions.append(.save(id, bytes, number: authorities[id]?.saveNumber ?? 0))
        }
        turn.actions.append(.removeRenewalRequest(id, domain))
    }

    // MARK: Showing

    mutating func count(_ error: IssuanceErrorType) { errors[error, default: 0] += 1 }

    private func logChanges(_ old: [Domain: DomainStatus], _ turn: inout Turn) {
        let changed = statuses.filter { old[$0.key] != $0.value }
        for (domain, status) in changed.sorted(by: { $0.key < $1.key }) {
            if let line = StatusLine.changed(domain, from: old[domain], to: status, now: turn.now.wall) {
                turn.actions.append(.log(line))
            }
        }
    }

    private func show(_ id: AuthorityID, _ turn: inout Turn) {
        turn.actions.append(
            .show(
                Overview(
                    directory: id.directory, ownsLock: authorities[id]?.ownsLock ?? false, statuses: statuses,
                    counts: counts, errors: errors)))
    }

    // MARK: The end

    /// What is under way is given up, and goes on after the next start.
    private mutating func stop(_ turn: inout Turn) {
        isStopped = true
        for order in orders.values { turn.actions.append(.close(order.id)) }
        for id in Array(authorities.keys) {
            if let bytes = authorities[id]?.beginSave() {
                turn.actions.append(.save(id, bytes, number: authorities[id]?.saveNumber ?? 0))
            }
            turn.actions.append(.release(id))
        }
        (orders, authorities) = ([:], [:])
        (reconcileDeadline, activationDeadline) = (nil, nil)
    }
}
