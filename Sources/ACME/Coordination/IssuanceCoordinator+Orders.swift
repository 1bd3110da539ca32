package import DomainNames
internal import OpenSSL

// Orders, from the plan to the certificate that is presented.
extension IssuanceCoordinator {
    /// An order whose certificate the server has read, if it could.
    struct FinishedOrder: Sendable {
        let order: RunningOrder
        let certificate: OrderedCertificate
        let isReadable: Bool
    }

    mutating func begin(_ task: OrderTask, _ authority: AuthorityID, _ turn: inout Turn) {
        guard orders[task.domain] == nil else { return }
        lastOrder += 1
        let id = OrderID(task.domain, lastOrder)
        let order = RunningOrder(
            id: id, task: task, authority: authority, isRenewal: hasOrderedCertificate(task.domain),
            isRequested: requests.contains(task.domain), state: .preflight)
        orders[task.domain] = order
        turn.log(.info, "acme: \(task.domain): ordering from '\(authority.directory.host)'")
        authorities[authority]?.state.attemptStarted(task.domain, now: turn.now.wall)
        announceRecord(order, &turn)
        if let type = preflightType(order) {
            turn.actions.append(.preflight(id, authority, type))
        } else {
            startConversation(id, nil, &turn)
        }
    }

    /// Whether an ordered certificate for the domain is among those that the server has read.
    private func hasOrderedCertificate(_ domain: Domain) -> Bool {
        input?.certificates.naming(domain).contains { if case .acme(domain, _) = $0.source { true } else { false } }
            ?? false
    }

    /// The challenge by which the name is asked about first; nil if it is not.
    private func preflightType(_ order: RunningOrder) -> ChallengeType? {
        let task = order.task
        guard input?.settings?.preflight ?? false, task.resumes == nil, let type = task.challenges.first,
            type != .dnsPersist01
        else { return nil }
        return type
    }

    /// The addresses of the name do not lead here.
    ///
    /// A certificate that is served is renewed nevertheless, for the question may be wrong; if the CA refuses, this is the
    /// reason.
    mutating func preflightFailed(_ id: OrderID, _ error: IssuanceError, _ turn: inout Turn) {
        guard let order = order(id), case .preflight = order.state else { return }
        if order.isRenewal, statuses[id.domain]?.validUntil != nil {
            startConversation(id, error.message, &turn)
        } else {
            fail(id, OrderFailure(error), &turn)
        }
    }

    /// Nothing speaks against the order.
    mutating func startConversation(_ id: OrderID, _ remark: String?, _ turn: inout Turn) {
        guard let order = order(id), case .preflight = order.state else { return }
        guard let machine = authorities[order.authority]?.makeMachine(order.task) else {
            // The settings have changed meanwhile.
            return drop(id, &turn)
        }
        orders[id.domain]?.state = .ordering(RunningOrder.Conversation(machine: machine, remark: remark))
        advance(id, .start, &turn)
    }

    /// The order of this number, unless it has ended.
    func order(_ id: OrderID) -> RunningOrder? { orders[id.domain].flatMap { $0.id == id ? $0 : nil } }

    // MARK: The conversation with the CA

    /// Hands an event to the order's machine.
    mutating func advance(_ id: OrderID, _ event: OrderMachine.Event, _ turn: inout Turn) {
        guard let order = order(id) else { return }
        switch order.state {
        case .ordering(var conversation):
            let actions = authorities[order.authority]?.handle(event, &conversation.machine, at: turn.now) ?? []
            transition(order, conversation, actions[...], &turn)
        case .waitingToBeSaved(var conversation, var actions, let isNewOrder, let save):
            actions += authorities[order.authority]?.handle(event, &conversation.machine, at: turn.now) ?? []
            orders[id.domain]?.state = .waitingToBeSaved(conversation, actions, isNewOrder: isNewOrder, save: save)
        case .preflight, .installing, .waitingToBeActivated, .activating, .activated: return
        }
    }

    /// Does what the machine wants, until something has to be saved first.
    mutating func transition(
        _ order: RunningOrder, _ conversation: RunningOrder.Conversation,
        _ actions: ArraySlice<OrderMachine.Action>, _ turn: inout Turn
    ) {
        let (id, domain, authority) = (order.id, order.domain, order.authority)
        var (conversation, actions) = (conversation, actions)
        while let action = actions.popFirst() {
            switch action {
            case .prepareKey: turn.actions.append(.prepareKey(id, authority, order.task))
            case .send(let request): turn.actions.append(.send(request, .order(id), authority))
            case .wait(let end): conversation.wake = end
            case .recordNewOrder(let counts):
                if counts { authorities[authority]?.state.orderRecorded(now: turn.now.wall) }
                return suspendUntilSaved(order, conversation, actions, isNewOrder: true, &turn)
            case .recordIssuance:
                // What a person has asked for is neither limited nor counted.
                guard !order.isRequested else { continue }
                authorities[authority]?.state.issuanceBegun(domain, now: turn.now.wall)
                return suspendUntilSaved(order, conversation, actions, isNewOrder: false, &turn)
            case .storeOrder(let url):
                authorities[authority]?.state.orderStored(domain, at: url)
                return suspendUntilSaved(order, conversation, actions, isNewOrder: false, &turn)
            case .report(let clause): turn.log(.info, "acme: \(domain): \(clause)")
            case .noteRecord(let record): note(record, "the CA looks", order, &turn)
            case .publish(let answer): turn.actions.append(.publish(id, answer))
            case .withdraw: turn.actions.append(.withdraw(id))
            case .renewAccount: renewAccount(authority, &turn)
            case .install(let certificate):
                orders[domain]?.state = .installing(certificate, nil)
                turn.actions += [.withdraw(id), .install(id, authority, certificate)]
                return
            case .restart: return restart(id, &turn)
            case .fail(let failure): return fail(id, failure, &turn)
            }
        }
        orders[domain]?.state = .ordering(conversation)
    }

    private mutating func suspendUntilSaved(
        _ order: RunningOrder, _ conversation: RunningOrder.Conversation,
        _ actions: ArraySlice<OrderMachine.Action>, isNewOrder: Bool, _ turn: inout Turn
    ) {
        let save = (authorities[order.authority]?.saveNumber ?? 0) + 1
        orders[order.domain]?.state = .waitingToBeSaved(conversation, actions, isNewOrder: isNewOrder, save: save)
        // What else is to be saved by then is saved with it.
        scheduleSave(order.authority, after: pauseOfMany(.milliseconds(20)), &turn)
    }

    /// A pause of the order has ended.
    mutating func timerFired(_ order: RunningOrder, _ turn: inout Turn) {
        switch order.state {
        case .ordering(var conversation):
            conversation.wake = nil
            orders[order.domain]?.state = .ordering(conversation)
            advance(order.id, .time, &turn)
        case .installing(let certificate, let failure?):
            let again = RunningOrder.InstallationFailure(count: failure.count, error: failure.error, retry: nil)
            orders[order.domain]?.state = .installing(certificate, again)
            turn.actions.append(.install(order.id, order.authority, certificate))
        default: return
        }
    }

    mutating func keyLost(_ id: OrderID, _ isDamaged: Bool, _ turn: inout Turn) {
        guard order(id) != nil else { return }
        if isDamaged {
            turn.log(
                .warning, "acme: \(id.domain): the key of the order in progress is damaged; it is ordered once more")
        }
        restart(id, &turn)
    }

    mutating func challengeNotPublished(_ id: OrderID, _ type: ChallengeType, _ turn: inout Turn) {
        let error = IssuanceError(.other, "the challenge for '\(id.domain)' cannot be answered by this server")
        fail(id, OrderFailure(error: error, keepsOrder: false, challenge: type), &turn)
    }

    /// Logs the DNS record that the first order of a domain needs, before it begins.
    private mutating func announceRecord(_ order: RunningOrder, _ turn: inout Turn) {
        let authority = authorities[order.authority]
        guard order.task.challenges.first == .dnsPersist01, authority?.state.domains[order.domain]?.txtRecord == nil,
            let account = authority?.account, let issuer = account.caaIdentities.first,
            let record = PersistentRecord(domain: order.domain, issuer: issuer, account: account.url)
        else { return }
        note(record, "if the CA offers dns-persist-01, it looks", order, &turn)
    }

    private mutating func note(
        _ record: PersistentRecord, _ who: String, _ order: RunningOrder, _ turn: inout Turn
    ) {
        guard authorities[order.authority]?.state.domains[order.domain]?.txtRecord != record.value else { return }
        authorities[order.authority]?.state.recordNoted(order.domain, record)
        turn.log(.info, "acme: \(order.domain): \(who) for this DNS record: \(record.zoneLine)")
    }

    // MARK: The certificate

    mutating func installed(_ id: OrderID, _ folder: String, _ turn: inout Turn) {
        guard let order = order(id), case .installing(let certificate, _) = order.state else { return }
        orders[id.domain]?.state = .waitingToBeActivated(certificate, folder: folder)
        authorities[order.authority]?.state.orderSucceeded(id.domain)
        authorities[order.authority]?.state.authoritySucceeded()
        turn.actions.append(.removeOrderKey(order.authority, id.domain))
        scheduleSave(order.authority, after: .seconds(1), &turn)
        if order.isRenewal { counts.renewed += 1 } else { counts.issued += 1 }
        scheduleActivation(&turn)
        // The next one need not wait for the server.
        scheduleReconcile(&turn)
    }

    mutating func notInstalled(_ id: OrderID, _ reason: String, _ turn: inout Turn) {
        guard let order = order(id), case .installing(let certificate, let last) = order.state else { return }
        let error = IssuanceError(.storage, reason)
        let count = (last?.count ?? 0) + 1
        let delay = Backoff.storage.delay(failures: count, after: nil, random: &random)
        let failure = RunningOrder.InstallationFailure(
            count: count, error: RecordedError(error, at: turn.now.wall), retry: turn.now.uptime + .seconds(delay))
        orders[id.domain]?.state = .installing(certificate, failure)
        self.count(.storage)
        turn.log(.error, "acme: \(id.domain): storage: \(reason); next attempt in \(delay) s")
        scheduleReconcile(&turn)
    }

    /// Has the server read what was installed; of many orders, that of a moment together.
    private mutating func scheduleActivation(_ turn: inout Turn) {
        guard activationDeadline == nil else { return }
        let pause = orders.count > 1 ? max(.milliseconds(100), pauseOfMany(.milliseconds(500))) : .zero
        activationDeadline = turn.now.uptime + pause
    }

    mutating func activate(_ turn: inout Turn) {
        activationDeadline = nil
        var activations: [Activation] = []
        for order in orders.values {
            guard case .waitingToBeActivated(let certificate, let folder) = order.state else { continue }
            orders[order.domain]?.state = .activating(certificate)
            activations.append(Activation(order: order.id, folder: folder, certificate: certificate.chain.leaf))
        }
        if !activations.isEmpty { turn.actions.append(.activate(activations)) }
    }

    /// The server has read what was installed.
    mutating func activated(_ ids: [OrderID], _ input: Input, _ turn: inout Turn) {
        for id in ids {
            guard case .activating(let certificate) = order(id)?.state else { continue }
            orders[id.domain]?.state = .activated(certificate)
        }
        use(input, &turn)
    }

    /// Ends the orders whose certificates the server has read.
    mutating func removeActivated(_ turn: inout Turn) -> [FinishedOrder] {
        var finished: [FinishedOrder] = []
        for order in orders.values {
            guard case .activated(let certificate) = order.state else { continue }
            orders[order.domain] = nil
            turn.actions.append(.close(order.id))
            let fingerprint = InstalledCertificate.fingerprint(certificate.chain.leaf.der)
            let isReadable =
                order.authority != input?.settings?.authority
                || input?.certificates.naming(order.domain).contains { $0.fingerprint == fingerprint } ?? false
            if !isReadable {
                // Something is wrong with the files that was not wrong with what they were made of: another order
                // would not help at once.
                let error = IssuanceError(
                    .badCertificate,
                    "the certificate was installed below '\(order.authority.folder)', and cannot be read there")
                authorities[order.authority]?.state.attemptFailed(
                    order.domain, error, now: turn.now.wall, random: &random)
                count(error.type)
            }
            finished.append(FinishedOrder(order: order, certificate: certificate, isReadable: isReadable))
        }
        return finished
    }

    /// Says what was issued, and answers those who have asked for it.
    mutating func logFinished(_ finished: [FinishedOrder], _ turn: inout Turn) {
        for one in finished {
            if one.isReadable {
                turn.actions.append(
                    .log(
                        .issued(
                            one.order.domain, issuer: one.certificate.chain.issuer,
                            notAfter: one.certificate.chain.leaf.notAfter,
                            nextRenewal: statuses[one.order.domain]?.nextRenewal)))
            }
            endRequest(one.order.domain, one.order.authority, &turn)
        }
    }

    // MARK: The end

    /// The order is of no use any more; the next one begins anew.
    private mutating func restart(_ id: OrderID, _ turn: inout Turn) {
        guard let order = order(id) else { return }
        authorities[order.authority]?.state.orderForgotten(id.domain)
        turn.actions.append(.removeOrderKey(order.authority, id.domain))
        drop(id, &turn)
    }

    private mutating func drop(_ id: OrderID, _ turn: inout Turn) {
        orders[id.domain] = nil
        turn.actions.append(.close(id))
        scheduleReconcile(&turn)
    }

    mutating func fail(_ id: OrderID, _ failure: OrderFailure, _ turn: inout Turn) {
        guard let order = order(id), !order.isIssued else { return }
        var failure = failure
        if let remark = order.remark, failure.error.scope == .domain {
            failure = failure.adding(remark)
        }
        turn.actions.append(.withdraw(id))
        authorities[order.authority]?.state.orderFailed(
            id.domain, failure, now: turn.now.wall, random: &random)
        if !failure.keepsOrder { turn.actions.append(.removeOrderKey(order.authority, id.domain)) }
        count(failure.error.type)
        if case .preflight = order.state {} else { counts.failed += 1 }
        if failure.error.scope == .authority { failSession(order.authority, &turn) }
        endRequest(id.domain, order.authority, &turn)
        drop(id, &turn)
    }
}

extension OrderFailure {
    /// A failure after which nothing of the order is kept.
    init(_ error: IssuanceError) { self.init(error: error, keepsOrder: false, challenge: nil) }
}
