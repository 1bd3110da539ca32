internal import Diagnostics
internal import SystemSupport

// What has to be there before orders (the right to order, our key and our account), and what is saved.
extension IssuanceCoordinator {
    /// Seconds after which what is wrong on this machine is looked at again.
    private static let repairPause: Int64 = 60

    // MARK: The lock

    /// Notes whether this process is the one that orders.
    mutating func noteLock(_ attempt: LockAttempt?, _ id: AuthorityID, _ transition: inout Transition) {
        let retry = transition.now.uptime + lockPause
        let ownedLock = authorities[id]?.ownsLock ?? false
        switch attempt {
        case .taken(let stored):
            authorities[id]?.lock = .owned
            if case .otherOwner = lockNotice {
                transition.log(.info, "acme: this process orders certificates from now on")
            }
            restore(stored, id, &transition)
        case .ownedByOther(let name, let stored):
            authorities[id]?.lock = .missing(retry: retry, .otherOwner(name: name))
            if let stored { restore(stored, id, &transition) }
        case .undecided: authorities[id]?.lock = .missing(retry: retry, .undecided)
        case .failed(let reason): authorities[id]?.lock = .missing(retry: retry, .problem(reason))
        case nil: break
        }
        if ownedLock, authorities[id]?.ownsLock == false { loseRight(id, &transition) }
        switch authorities[id]?.lock {
        case .missing(_, .problem(let problem)):
            if lockNotice != .problem(problem) {
                transition.log(.error, "acme: storage: \(problem); no certificate is ordered")
            }
            lockNotice = .problem(problem)
            authorities[id]?.state.authorityPaused(
                IssuanceError(.storage, problem, scope: .authority), seconds: Self.repairPause, now: transition.now.wall
            )
        case .missing(_, .otherOwner(let name)):
            if lockNotice != .otherOwner(name: name) {
                let owner = name.map { "node '\($0)'" } ?? "another process"
                transition.log(.info, "acme: \(owner) orders the certificates in '\(id.folder)'")
            }
            lockNotice = .otherOwner(name: name)
        case .missing(_, .undecided): break
        case .owned, nil: lockNotice = .none
        }
    }

    /// Stops all work: the next process with the right to order resumes it from the stored state.
    private mutating func loseRight(_ id: AuthorityID, _ transition: inout Transition) {
        transition.log(.warning, "acme: this process has lost the right to order certificates")
        authorities[id]?.loseRight()
        for order in orders.values where order.authority == id && order.progress < .installed {
            orders[order.domain] = nil
            transition.actions += [.withdraw(order.id), .close(order.id)]
        }
    }

    /// Takes over what earlier runs or another process have left.
    mutating func restore(_ stored: StoredState, _ id: AuthorityID, _ transition: inout Transition) {
        switch stored {
        case .read(let state, let keys):
            for domain in authorities[id]?.restore(state, keys: keys) ?? [] {
                transition.actions.append(.removeOrderKey(id, domain))
            }
        case .damaged(let reason):
            transition.log(
                .error, "acme: \(reason); it is set aside, and what it said of earlier attempts is forgotten")
        }
        authorities[id]?.state.scheduleQuestions(now: transition.now.wall, random: &random)
    }

    // MARK: Saving

    mutating func scheduleSave(_ id: AuthorityID, after pause: Duration, _ transition: inout Transition) {
        let deadline = transition.now.uptime + pause
        let earlier = authorities[id]?.saveDeadline
        authorities[id]?.saveDeadline = min(earlier ?? deadline, deadline)
    }

    /// Saves what is due; what has not changed need not be written.
    mutating func save(_ id: AuthorityID, _ transition: inout Transition) {
        authorities[id]?.saveDeadline = nil
        if !saveNow(id, &transition), let number = authorities[id]?.saveNumber { resume(id, number, nil, &transition) }
    }

    /// - Returns: whether there is something to save.
    @discardableResult
    mutating func saveNow(_ id: AuthorityID, _ transition: inout Transition) -> Bool {
        guard let bytes = authorities[id]?.beginSave(), let number = authorities[id]?.saveNumber else { return false }
        transition.actions.append(.save(id, bytes, number: number))
        return true
    }

    /// Goes on with the orders that have waited for a save.
    ///
    /// - Parameter problem: why it has failed; no order is made without a record of it.
    mutating func resume(_ id: AuthorityID, _ number: Int, _ problem: String?, _ transition: inout Transition) {
        if let problem, authorities[id]?.saveProblem != problem { transition.log(.error, "acme: storage: \(problem)") }
        authorities[id]?.endSave(problem)
        for order in orders.values where order.authority == id {
            guard case .waitingToBeSaved(let conversation, let actions, let isNewOrder, let save) = order.state,
                save <= number
            else { continue }
            if isNewOrder, let problem {
                fail(order.id, OrderFailure(IssuanceError(.storage, problem)), &transition)
            } else {
                perform(order, conversation, actions, &transition)
            }
        }
    }

    // MARK: The account

    /// Opens the account if an order or a question needs the CA, and no pause is in force.
    mutating func openAccountIfNeeded(_ id: AuthorityID, _ transition: inout Transition) {
        guard let authority = authorities[id], authority.ownsLock, case .closed = authority.session else { return }
        let isPaused = authority.state.authority.map { $0.pause.end > transition.now.wall } ?? false
        // Orders may have lost the session that they wait for to a change of the settings.
        let isNeeded =
            orders.values.contains { $0.authority == id && $0.isWaitingForAccount }
            || statuses.values.contains { status in
                switch status.state {
                case .waiting: true
                // The CA is asked when to renew.
                case .valid: !isPaused && status.nextRenewal != nil
                default: false
                }
            }
        guard isNeeded else { return }
        // While the CA fails, the failures are logged; one that an earlier run has left says nothing about this one.
        if authority.state.authority == nil || authority.loggedFailure == nil { logConnecting(id, &transition) }
        openAccount(id, nil, &transition)
    }

    private func logConnecting(_ id: AuthorityID, _ transition: inout Transition) {
        let waiting = statuses.filter { $0.value.state == .waiting }.keys.sorted()
        guard let first = waiting.first else { return }
        let others = waiting.count > 1 ? " and \(counted(waiting.count - 1, "other site"))" : ""
        transition.log(
            .info, "acme: connecting to '\(id.directory.host)' to order a certificate for \(first)\(others)")
    }

    private mutating func openAccount(_ id: AuthorityID, _ directory: Directory?, _ transition: inout Transition) {
        authorities[id]?.session = .opening(directory)
        transition.actions.append(
            .openAccount(id, key: authorities[id]?.key, readsAccount: authorities[id]?.isAccountLost == false))
    }

    /// The CA does not know the account: all orders that get this answer wait for the same one.
    mutating func renewAccount(_ id: AuthorityID, _ transition: inout Transition) {
        switch authorities[id]?.session {
        case .opening, .preparing, nil: return
        case .closed, .ready: break
        }
        authorities[id]?.isAccountLost = true
        openAccount(id, authorities[id]?.directory, &transition)
    }

    mutating func accountOpened(
        _ id: AuthorityID, _ key: AccountKey, _ account: ACMEAccount?, _ transition: inout Transition
    ) {
        guard let authority = authorities[id], case .opening(let directory) = authority.session else { return }
        authorities[id]?.key = key
        authorities[id]?.beginSession(
            AccountMachine(settings: authority.settings, key: key, stored: account, directory: directory))
        advance(id, authority.sessionNumber + 1, .start, &transition)
    }

    mutating func accountNotOpened(_ id: AuthorityID, _ error: IssuanceError, _ transition: inout Transition) {
        guard case .opening = authorities[id]?.session else { return }
        authorities[id]?.session = .closed
        authorities[id]?.state.authorityPaused(error, seconds: Self.repairPause, now: transition.now.wall)
        accountFailed(id, error, &transition)
    }

    /// Hands an event to the machine of the session with a number.
    mutating func advance(
        _ id: AuthorityID, _ number: Int, _ event: AccountMachine.Event, _ transition: inout Transition
    ) {
        guard let authority = authorities[id], authority.sessionNumber == number,
            case .preparing(var machine, var wake) = authority.session
        else { return }
        if case .time = event { wake = nil }
        let actions = authorities[id]?.handle(event, &machine, at: transition.now) ?? []
        for action in actions { if case .wait(let end) = action { wake = end } }
        authorities[id]?.session = .preparing(machine, wake: wake)
        for action in actions {
            switch action {
            case .send(let request): transition.actions.append(.send(request, .account(id, session: number), id))
            case .wait: continue
            case .ready(let directory, let account): accountReady(id, directory, account, &transition)
            case .fail(let error):
                authorities[id]?.session = .closed
                authorities[id]?.state.authorityFailed(error, now: transition.now.wall, random: &random)
                accountFailed(id, error, &transition)
            }
        }
    }

    private mutating func accountReady(
        _ id: AuthorityID, _ directory: Directory, _ account: ACMEAccount, _ transition: inout Transition
    ) {
        authorities[id]?.session = .ready(directory, account, since: transition.now.uptime)
        authorities[id]?.isAccountLost = false
        transition.actions.append(.storeAccount(id, account))
        for order in orders.values where order.authority == id && order.isWaitingForAccount {
            advance(order.id, .account(account), &transition)
        }
        scheduleReconcile(&transition)
    }

    /// - Parameter error: is in the state already.
    private mutating func accountFailed(_ id: AuthorityID, _ error: IssuanceError, _ transition: inout Transition) {
        count(error.type)
        logFailure(id, &transition)
        for order in orders.values where order.authority == id && order.isWaitingForAccount {
            advance(order.id, .accountFailed(error), &transition)
        }
        for (domain, status) in statuses where status.state == .waiting { endRequest(domain, id, &transition) }
        scheduleReconcile(&transition)
    }

    /// The CA has failed for all domains while an order was made.
    mutating func failSession(_ id: AuthorityID, _ transition: inout Transition) {
        // The directory may be another one by the next time.
        if case .ready = authorities[id]?.session { authorities[id]?.session = .closed }
        logFailure(id, &transition)
    }

    /// Logs that the CA has failed for all domains.
    private mutating func logFailure(_ id: AuthorityID, _ transition: inout Transition) {
        // Several orders can fail from the same cause.
        guard let authority = authorities[id], let failure = authority.state.authority,
            failure != authority.loggedFailure
        else { return }
        authorities[id]?.loggedFailure = failure
        // What is wrong on this machine is looked at every minute, and said once.
        let isKnown = authority.loggedFailure?.error.message == failure.error.message
        if failure.pause.length == Self.repairPause, isKnown { return }
        transition.actions.append(.log(.failed(failure, now: transition.now.wall)))
    }

    // MARK: Answers

    mutating func answered(_ answer: Answer, _ id: Int, _ requester: Requester, _ transition: inout Transition) {
        switch requester {
        case .account(let authority, let number):
            noteClock(answer, authority, &transition)
            switch answer {
            case .success(let response): advance(authority, number, .response(response, to: id), &transition)
            case .failure(let failure): advance(authority, number, .transportFailure(failure, of: id), &transition)
            }
        case .order(let order):
            guard let authority = self.order(order)?.authority else { return }
            noteClock(answer, authority, &transition)
            noteSuccess(answer, authority, transition.now)
            switch answer {
            case .success(let response): advance(order, .response(response, to: id), &transition)
            case .failure(let failure): advance(order, .transportFailure(failure, of: id), &transition)
            }
        case .renewalInfo(let domain):
            guard let (question, authority) = questions.removeValue(forKey: domain) else { return }
            noteClock(answer, authority, &transition)
            noteSuccess(answer, authority, transition.now)
            switch answer {
            case .success(let response):
                renewalAnswered(question, RenewalAnswer(response, now: transition.now.wall), authority, &transition)
            case .failure(let failure): renewalAnswered(question, RenewalAnswer(failure), authority, &transition)
            }
        }
    }

    /// The CA answers what it could not answer before. That it has a directory says little, and so does the first answer
    /// after a pause, if it fails at the next: it has to have gone without a failure for as long as it was left alone.
    private mutating func noteSuccess(_ answer: Answer, _ id: AuthorityID, _ now: Moment) {
        guard case .success(let response) = answer, response.status < 500,
            let failure = authorities[id]?.state.authority, failure.pause.end + failure.pause.length <= now.wall
        else { return }
        authorities[id]?.state.authoritySucceeded()
    }

    private mutating func noteClock(_ answer: Answer, _ id: AuthorityID, _ transition: inout Transition) {
        guard case .success(let response) = answer,
            let difference = authorities[id]?.clockCheck.difference(response, at: transition.now)
        else { return }
        let direction = difference > 0 ? "behind" : "ahead of"
        transition.log(
            .warning,
            "acme: acme-clock: this machine's clock is \(abs(difference)) s \(direction) the CA's; set it, best by NTP")
    }

    // MARK: When to renew

    mutating func ask(_ question: IssuancePlan.Question, _ id: AuthorityID, _ transition: inout Transition) {
        guard let base = authorities[id]?.directory?.renewalInfo,
            let url = RenewalInfo.url(base, question.certificate)
        else {
            let failure = TransportFailure.unreachable("the URL of 'renewalInfo' is too long")
            return renewalAnswered(question, RenewalAnswer(failure), id, &transition)
        }
        questions[question.domain] = (question, id)
        transition.actions.append(.send(ACMERequest(id: 0, .get, url), .renewalInfo(question.domain), id))
    }

    private mutating func renewalAnswered(
        _ question: IssuancePlan.Question, _ answer: RenewalAnswer, _ id: AuthorityID, _ transition: inout Transition
    ) {
        let domain = question.domain
        if let error = answer.error {
            count(error.type)
            transition.log(.debug, "acme: \(domain): no renewal information: \(error.type.rawValue): \(error.message)")
        }
        let change = authorities[id]?.state.renewalAnswered(
            question, answer, now: transition.now.wall, random: &random)
        let renewal = authorities[id]?.state.domains[domain]?.renewal.map { InternetDate.day($0.time) } ?? "unknown"
        switch change {
        case .refused:
            transition.log(
                .warning,
                "acme: \(domain): acme-renewal-window: the CA suggests to renew the certificate before or just after it "
                    + "became valid; the window is ignored, next renewal \(renewal)")
        case .moved:
            let reason = answer.info?.explanation
            transition.log(
                reason == nil ? .debug : .info,
                "acme: \(domain): the CA wants the certificate to be renewed at another time: \(reason ?? renewal)")
        case .some(.none), nil: break
        }
        scheduleReconcile(&transition)
    }
}
