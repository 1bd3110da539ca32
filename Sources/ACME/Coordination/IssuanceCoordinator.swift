internal import DomainNames

/// The coordinator of all orders: it decides what is done next, from the sites to the certificates that are presented.
///
/// A pure state machine: it is given an event and the time, and returns actions, which the driver carries out in their
/// order. The result of an action is another event. docs/spec/acme.md, section 10, shows its states.
package struct IssuanceCoordinator: Sendable {
    /// The scratch of one event: the time, and the actions so far.
    struct Transition {
        let now: Moment
        var actions: [Action] = []

        mutating func log(_ level: StatusLine.Level, _ text: String) {
            actions.append(.log(StatusLine(level: level, text: text)))
        }
    }

    /// Why the last line about the lock was logged.
    enum LockNotice: Equatable, Sendable {
        case none
        case otherOwner(name: String?)
        case problem(String)
    }

    /// Seconds after which the coordinator reconciles although nothing has happened: the wall clock may have been
    /// set.
    private static let longestPause: Int64 = 60
    /// The time after which a directory is fetched again.
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
    /// The questions about renewals that CAs have not answered.
    var questions: [Domain: (IssuancePlan.Question, AuthorityID)] = [:]
    /// Renewals that were requested.
    private(set) var requests: Set<Domain> = []
    /// Requests that have been followed and could not be removed: they would be followed again and again.
    private var keptRequests: Set<Domain> = []
    private(set) var statuses: [Domain: DomainStatus] = [:]
    var counts = OrderCounts()
    private var errors: [IssuanceErrorType: UInt64] = [:]
    var activationDeadline: Duration?
    private var reconcileDeadline: Duration?
    var lockNotice = LockNotice.none
    private var isStopped = false

    /// - Parameter lockPause: the pause before trying again to become the process that orders.
    package init(
        lockPause: Duration, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.lockPause, self.random) = (lockPause, random)
    }

    /// The time at which ``Event/timerFired`` is due, on the clock that never goes back.
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
        var transition = Transition(now: now)
        switch event {
        case .saved(let id, let number, let problem): resume(id, number, problem, &transition)
        case _ where isStopped: break
        case .inputChanged(let input): use(input, &transition)
        case .timerFired: timerFired(&transition)
        case .rightMayHaveChanged: rightMayHaveChanged(&transition)
        case .observed(let lock, let requests): reconcile(lock, requests, &transition)
        case .accountOpened(let id, let key, let account): accountOpened(id, key, account, &transition)
        case .accountNotOpened(let id, let error): accountNotOpened(id, error, &transition)
        case .answered(let answer, let id, let requester): answered(answer, id, requester, &transition)
        case .preflightPassed(let id, let remark): startConversation(id, remark, &transition)
        case .preflightFailed(let id, let error): preflightFailed(id, error, &transition)
        case .keyPrepared(let id, let key): advance(id, .keyStored(key), &transition)
        case .keyNotStored(let id, let reason): advance(id, .keyNotStored(reason), &transition)
        case .keyLost(let id, let isDamaged): keyLost(id, isDamaged, &transition)
        case .challengePublished(let id): advance(id, .challengePublished, &transition)
        case .challengeNotPublished(let id, let type): challengeNotPublished(id, type, &transition)
        case .installed(let id, let folder): installed(id, folder, &transition)
        case .notInstalled(let id, let reason): notInstalled(id, reason, &transition)
        case .activated(let ids, let input): activated(ids, input, &transition)
        case .renewalRequestKept(let id, let domain): keep(id, domain, &transition)
        case .stopped: stop(&transition)
        }
        return transition.actions
    }

    // MARK: The input

    mutating func use(_ new: Input, _ transition: inout Transition) {
        let old = input
        input = new
        input?.stored = nil
        if old?.sites != new.sites { sites = Set(new.sites) }
        if new.hasNewSettings { useSettings(new, insteadOf: old, &transition) }
        scheduleReconcile(&transition, after: .zero)
    }

    private mutating func useSettings(_ new: Input, insteadOf old: Input?, _ transition: inout Transition) {
        guard let settings = new.settings else {
            // Orders in progress finish.
            statuses = [:]
            return
        }
        let id = settings.authority
        if id != old?.settings?.authority { statuses = [:] }
        if authorities[id] != nil {
            authorities[id]?.settings = settings
            authorities[id]?.endSession()
        } else {
            let ownsLock = authorities.values.contains { $0.ownsLock && $0.id.folder == id.folder }
            authorities[id] = CertificateAuthority(settings: settings, ownsLock: ownsLock)
            if let stored = new.stored { restore(stored, id, &transition) }
        }
        if old != nil { authorities[id]?.state.clearBackoff() }
    }

    // MARK: Timers

    /// - Returns: zero while few orders are in progress.
    func pauseOfMany(_ pause: Duration) -> Duration { orders.count > Self.fewOrders ? pause : .zero }

    /// Reconciles soon; several requests before that are one.
    ///
    /// - Parameter pause: nil is a short one that depends on how many orders are in progress.
    mutating func scheduleReconcile(_ transition: inout Transition, after pause: Duration? = nil) {
        let deadline = transition.now.uptime + (pause ?? pauseOfMany(.milliseconds(50)))
        reconcileDeadline = min(reconcileDeadline ?? deadline, deadline)
    }

    private mutating func timerFired(_ transition: inout Transition) {
        let now = transition.now.uptime
        func isDue(_ deadline: Duration?) -> Bool { deadline.map { $0 <= now } ?? false }
        for order in orders.values where isDue(order.deadline) { timerFired(order, &transition) }
        for id in Array(authorities.keys) {
            if case .preparing(_, let wake) = authorities[id]?.session, isDue(wake) {
                advance(id, authorities[id]?.sessionNumber ?? 0, .time, &transition)
            }
            if isDue(authorities[id]?.saveDeadline) { save(id, &transition) }
        }
        if isDue(activationDeadline) { activate(&transition) }
        guard isDue(reconcileDeadline) else { return }
        reconcileDeadline = nil
        let authority = input?.settings.flatMap { authorities[$0.authority] }
        var takesLock = false
        if case .missing(let retry, _) = authority?.lock { takesLock = retry == nil || isDue(retry) }
        transition.actions.append(.observe(authority?.id, takesLock: takesLock))
    }

    private mutating func rightMayHaveChanged(_ transition: inout Transition) {
        guard let id = input?.settings?.authority else { return }
        if case .missing(_, let obstacle) = authorities[id]?.lock {
            authorities[id]?.lock = .missing(retry: nil, obstacle)
        }
        scheduleReconcile(&transition, after: .zero)
    }

    // MARK: Reconciling

    /// Brings what is done in line with what there is: the only place at which orders begin.
    private mutating func reconcile(_ lock: LockAttempt?, _ found: Set<Domain>, _ transition: inout Transition) {
        let finished = removeActivated(&transition)
        releaseUnusedAuthorities(&transition)
        guard let input, let settings = input.settings, case let id = settings.authority, authorities[id] != nil else {
            return logFinished(finished, &transition)
        }
        noteLock(lock, id, &transition)
        abandonOrders(&transition)
        keptRequests.formIntersection(found)
        let present = found.intersection(sites).subtracting(keptRequests)
        let ended = Set(finished.map(\.order.domain))
        for domain in present.subtracting(requests).subtracting(ended) { authorities[id]?.state.clearBackoff(domain) }
        requests = present
        expireDirectory(id, transition.now)

        let situation = situation(input, id, requests.subtracting(ended), transition.now)
        guard let plan = authorities[id]?.plan(settings, situation, random: &random) else { return }
        let old = statuses
        statuses = plan.statuses
        for order in orders.values {
            if let error = order.storageError { statuses[order.domain]?.lastError = error }
        }
        logFinished(finished, &transition)
        cancelObsoleteRequests(id, &transition)
        for domain in authorities[id]?.takeObsoleteOrders() ?? [] {
            transition.actions.append(.removeOrderKey(id, domain))
        }
        for task in plan.orders { begin(task, id, &transition) }
        for question in plan.questions { ask(question, id, &transition) }
        openAccountIfNeeded(id, &transition)
        logChanges(old, &transition)
        let ownsLock = authorities[id]?.ownsLock ?? false
        let overview = Overview(
            directory: id.directory, ownsLock: ownsLock, statuses: statuses, counts: counts, errors: errors)
        transition.actions.append(.show(overview))
        if ownsLock {
            authorities[id]?.state.prune(keeping: sites, now: transition.now.wall)
            scheduleSave(id, after: .seconds(1), &transition)
        }
        scheduleNext(plan.nextChange, id, &transition)
    }

    private func situation(
        _ input: Input, _ id: AuthorityID, _ requested: Set<Domain>, _ now: Moment
    ) -> IssuancePlan.Situation {
        let authority = authorities[id]
        var situation = IssuancePlan.Situation(now: now.wall)
        situation.sites = input.sites
        situation.index = input.certificates
        situation.ongoing = Set(orders.keys)
        situation.finished = orders.values.count { $0.progress >= .installing }
        situation.unrecordedOrders = orders.values.count { $0.isUnrecorded && $0.authority == id }
        situation.requested = requested
        situation.asking = Set(questions.keys)
        situation.ownsLock = authority?.ownsLock ?? false && authority?.directory != nil
        situation.offersRenewalInfo = authority?.directory?.renewalInfo != nil
        return situation
    }

    /// Ends the orders of sites that are gone.
    private mutating func abandonOrders(_ transition: inout Transition) {
        for order in orders.values where !sites.contains(order.domain) && order.progress == .ordering {
            orders[order.domain] = nil
            transition.actions += [.withdraw(order.id), .close(order.id)]
        }
    }

    private mutating func releaseUnusedAuthorities(_ transition: inout Transition) {
        let used = Set(orders.values.map(\.authority) + questions.values.map(\.1))
        for id in Array(authorities.keys) where id != input?.settings?.authority && !used.contains(id) {
            saveNow(id, &transition)
            authorities[id] = nil
            transition.actions.append(.release(id))
        }
    }

    /// Has the directory fetched again once a day, at a time when no order uses it.
    private mutating func expireDirectory(_ id: AuthorityID, _ now: Moment) {
        guard case .ready(_, _, let since) = authorities[id]?.session, now.uptime - since > Self.directoryLifetime,
            orders.isEmpty, questions.isEmpty
        else { return }
        authorities[id]?.endSession()
    }

    private mutating func scheduleNext(_ change: Int64?, _ id: AuthorityID, _ transition: inout Transition) {
        let now = transition.now
        var pause: Duration = .seconds(min(max((change ?? .max) &- now.wall, 1), Self.longestPause))
        if change == nil { pause = .seconds(Self.longestPause) }
        if case .missing(let retry?, _) = authorities[id]?.lock {
            pause = min(pause, max(retry - now.uptime, .milliseconds(10)))
        }
        if let end = authorities[id]?.state.authority?.pause.end, end > now.wall {
            pause = min(pause, .seconds(end - now.wall))
        }
        scheduleReconcile(&transition, after: pause)
    }

    // MARK: Requests

    /// Ends the requests for what cannot be renewed.
    private mutating func cancelObsoleteRequests(_ id: AuthorityID, _ transition: inout Transition) {
        guard authorities[id]?.ownsLock ?? false else { return }
        for domain in keptRequests { transition.actions.append(.removeRenewalRequest(id, domain)) }
        for domain in requests {
            switch statuses[domain]?.state {
            case .excluded, .covered, .blocked: endRequest(domain, id, &transition)
            default: continue
            }
        }
    }

    /// An attempt has ended: the client that requested it notices the missing file, and reads the result.
    mutating func endRequest(_ domain: Domain, _ id: AuthorityID, _ transition: inout Transition) {
        guard requests.remove(domain) != nil else { return }
        saveNow(id, &transition)
        transition.actions.append(.removeRenewalRequest(id, domain))
    }

    private mutating func keep(_ id: AuthorityID, _ domain: Domain, _ transition: inout Transition) {
        guard keptRequests.insert(domain).inserted else { return }
        transition.log(
            .warning,
            "acme: \(domain): the request of its renewal cannot be removed from '\(id.folder)'; it has been followed, and is "
                + "ignored until it is gone")
    }

    // MARK: Showing

    mutating func count(_ error: IssuanceErrorType) { errors[error, default: 0] += 1 }

    private func logChanges(_ old: [Domain: DomainStatus], _ transition: inout Transition) {
        let changed = statuses.filter { old[$0.key] != $0.value }
        for (domain, status) in changed.sorted(by: { $0.key < $1.key }) {
            if let line = StatusLine.changed(domain, from: old[domain], to: status, now: transition.now.wall) {
                transition.actions.append(.log(line))
            }
        }
    }

    // MARK: The end

    /// Stops all work; it resumes after the next start.
    private mutating func stop(_ transition: inout Transition) {
        isStopped = true
        for order in orders.values { transition.actions.append(.close(order.id)) }
        for id in Array(authorities.keys) {
            saveNow(id, &transition)
            transition.actions.append(.release(id))
        }
        (orders, authorities) = ([:], [:])
        (reconcileDeadline, activationDeadline) = (nil, nil)
    }
}
