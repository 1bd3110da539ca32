internal import DomainNames
internal import OpenSSL

// Orders, from the plan to the certificate that is presented.
extension IssuanceCoordinator {
    /// An order whose certificate the server has read, if it could.
    struct FinishedOrder: Sendable {
        let order: RunningOrder
        let certificate: OrderedCertificate
        let isReadable: Bool
    }

    mutating func begin(_ task: OrderTask, _ authority: AuthorityID, _ transition: inout Transition) {
        guard orders[task.domain] == nil else { return }
        lastOrder += 1
        let id = OrderID(task.domain, lastOrder)
        let order = RunningOrder(
            id: id, task: task, authority: authority, isRenewal: hasOrderedCertificate(task.domain),
            isRequested: requests.contains(task.domain), state: .preflight)
        orders[task.domain] = order
        transition.log(.info, "acme: \(task.domain): ordering from '\(authority.directory.host)'")
        authorities[authority]?.state.attemptStarted(task.domain, now: transition.now.wall)
        announceRecord(order, &transition)
        if let type = preflightType(order) {
            transition.actions.append(.preflight(id, authority, type))
        } else {
            startConversation(id, nil, &transition)
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
        guard input?.settings?.configuration.preflight ?? false, task.resumes == nil, let type = task.challenges.first,
            type != .dnsPersist01
        else { return nil }
        return type
    }

    /// The addresses of the name do not lead here.
    ///
    /// A certificate that is served is renewed nevertheless, for the question may be wrong; if the CA refuses, this is the
    /// reason.
    mutating func preflightFailed(_ id: OrderID, _ error: IssuanceError, _ transition: inout Transition) {
        guard let order = order(id), case .preflight = order.state else { return }
        if order.isRenewal, statuses[id.domain]?.validUntil != nil {
            startConversation(id, error.message, &transition)
        } else {
            fail(id, OrderFailure(error), &transition)
        }
    }

    /// The pre-flight has found no obstacle.
    mutating func startConversation(_ id: OrderID, _ remark: String?, _ transition: inout Transition) {
        guard let order = order(id), case .preflight = order.state else { return }
        guard let machine = authorities[order.authority]?.makeMachine(order.task) else {
            // The settings have changed meanwhile.
            return drop(id, &transition)
        }
        orders[id.domain]?.state = .ordering(RunningOrder.Conversation(machine: machine, remark: remark))
        advance(id, .start, &transition)
    }

    /// The order of this number, unless it has ended.
    func order(_ id: OrderID) -> RunningOrder? { orders[id.domain].flatMap { $0.id == id ? $0 : nil } }

    // MARK: The conversation with the CA

    /// Hands an event to the order's machine.
    mutating func advance(_ id: OrderID, _ event: OrderMachine.Event, _ transition: inout Transition) {
        guard let order = order(id) else { return }
        switch order.state {
        case .ordering(var conversation):
            let actions = authorities[order.authority]?.handle(event, &conversation.machine, at: transition.now) ?? []
            perform(order, conversation, actions[...], &transition)
        case .waitingToBeSaved(var conversation, var actions, let isNewOrder, let save):
            actions += authorities[order.authority]?.handle(event, &conversation.machine, at: transition.now) ?? []
            orders[id.domain]?.state = .waitingToBeSaved(conversation, actions, isNewOrder: isNewOrder, save: save)
        case .preflight, .installing, .waitingToBeActivated, .activating, .activated: return
        }
    }

    /// Does what the machine wants, until something has to be saved first.
    mutating func perform(
        _ order: RunningOrder, _ conversation: RunningOrder.Conversation,
        _ actions: ArraySlice<OrderMachine.Action>, _ transition: inout Transition
    ) {
        let (id, domain, authority) = (order.id, order.domain, order.authority)
        var (conversation, actions) = (conversation, actions)
        while let action = actions.popFirst() {
            switch action {
            case .prepareKey: transition.actions.append(.prepareKey(id, authority, order.task))
            case .send(let request): transition.actions.append(.send(request, .order(id), authority))
            case .wait(let end): conversation.wake = end
            case .recordNewOrder(let counts):
                if counts { authorities[authority]?.state.orderRecorded(now: transition.now.wall) }
                return suspendUntilSaved(order, conversation, actions, isNewOrder: true, &transition)
            case .recordIssuance:
                // What a person has asked for is neither limited nor counted.
                guard !order.isRequested else { continue }
                authorities[authority]?.state.issuanceBegun(domain, now: transition.now.wall)
                return suspendUntilSaved(order, conversation, actions, isNewOrder: false, &transition)
            case .storeOrder(let url):
                authorities[authority]?.state.orderStored(domain, at: url)
                return suspendUntilSaved(order, conversation, actions, isNewOrder: false, &transition)
            case .report(let clause): transition.log(.info, "acme: \(domain): \(clause)")
            case .noteRecord(let record): note(record, "the CA looks", order, &transition)
            case .publish(let answer): transition.actions.append(.publish(id, answer))
            case .withdraw: transition.actions.append(.withdraw(id))
            case .renewAccount: renewAccount(authority, &transition)
            case .install(let certificate):
                orders[domain]?.state = .installing(certificate, nil)
                transition.actions += [.withdraw(id), .install(id, authority, certificate)]
                return
            case .restart: return restart(id, &transition)
            case .fail(let failure): return fail(id, failure, &transition)
            }
        }
        orders[domain]?.state = .ordering(conversation)
    }

    private mutating func suspendUntilSaved(
        _ order: RunningOrder, _ conversation: RunningOrder.Conversation,
        _ actions: ArraySlice<OrderMachine.Action>, isNewOrder: Bool, _ transition: inout Transition
    ) {
        let save = (authorities[order.authority]?.saveNumber ?? 0) + 1
        orders[order.domain]?.state = .waitingToBeSaved(conversation, actions, isNewOrder: isNewOrder, save: save)
        // What else is to be saved by then is saved with it.
        scheduleSave(order.authority, after: pauseOfMany(.milliseconds(20)), &transition)
    }

    /// A pause of the order has ended.
    mutating func timerFired(_ order: RunningOrder, _ transition: inout Transition) {
        switch order.state {
        case .ordering(var conversation):
            conversation.wake = nil
            orders[order.domain]?.state = .ordering(conversation)
            advance(order.id, .time, &transition)
        case .installing(let certificate, let failure?):
            let again = RunningOrder.InstallationFailure(count: failure.count, error: failure.error, retry: nil)
            orders[order.domain]?.state = .installing(certificate, again)
            transition.actions.append(.install(order.id, order.authority, certificate))
        default: return
        }
    }

    mutating func keyLost(_ id: OrderID, _ isDamaged: Bool, _ transition: inout Transition) {
        guard order(id) != nil else { return }
        if isDamaged {
            transition.log(
                .warning, "acme: \(id.domain): the key of the order in progress is damaged; it is ordered once more")
        }
        restart(id, &transition)
    }

    mutating func challengeNotPublished(_ id: OrderID, _ type: ChallengeType, _ transition: inout Transition) {
        let error = IssuanceError(.other, "the challenge for '\(id.domain)' cannot be answered by this server")
        fail(id, OrderFailure(error: error, keepsOrder: false, challenge: type), &transition)
    }

    /// Logs the DNS record that the first order of a domain needs, before it begins.
    private mutating func announceRecord(_ order: RunningOrder, _ transition: inout Transition) {
        let authority = authorities[order.authority]
        guard order.task.challenges.first == .dnsPersist01, authority?.state.domains[order.domain]?.txtRecord == nil,
            let account = authority?.account, let issuer = account.caaIdentities.first,
            let record = PersistentRecord(domain: order.domain, issuer: issuer, account: account.url)
        else { return }
        note(record, "if the CA offers dns-persist-01, it looks", order, &transition)
    }

    private mutating func note(
        _ record: PersistentRecord, _ who: String, _ order: RunningOrder, _ transition: inout Transition
    ) {
        guard authorities[order.authority]?.state.domains[order.domain]?.txtRecord != record.value else { return }
        authorities[order.authority]?.state.recordNoted(order.domain, record)
        transition.log(.info, "acme: \(order.domain): \(who) for this DNS record: \(record.zoneLine)")
    }

    // MARK: The certificate

    mutating func installed(_ id: OrderID, _ folder: String, _ transition: inout Transition) {
        guard let order = order(id), case .installing(let certificate, _) = order.state else { return }
        orders[id.domain]?.state = .waitingToBeActivated(certificate, folder: folder)
        authorities[order.authority]?.state.orderSucceeded(id.domain)
        authorities[order.authority]?.state.authoritySucceeded()
        transition.actions.append(.removeOrderKey(order.authority, id.domain))
        scheduleSave(order.authority, after: .seconds(1), &transition)
        if order.isRenewal { counts.renewed += 1 } else { counts.issued += 1 }
        scheduleActivation(&transition)
        // The next one need not wait for the server.
        scheduleReconcile(&transition)
    }

    mutating func notInstalled(_ id: OrderID, _ reason: String, _ transition: inout Transition) {
        guard let order = order(id), case .installing(let certificate, let last) = order.state else { return }
        let error = IssuanceError(.storage, reason)
        let count = (last?.count ?? 0) + 1
        let delay = Backoff.storage.delay(failures: count, after: nil, random: &random)
        let failure = RunningOrder.InstallationFailure(
            count: count, error: RecordedError(error, at: transition.now.wall),
            retry: transition.now.uptime + .seconds(delay))
        orders[id.domain]?.state = .installing(certificate, failure)
        self.count(.storage)
        transition.log(.error, "acme: \(id.domain): storage: \(reason); next attempt in \(delay) s")
        scheduleReconcile(&transition)
    }

    /// Has the server read what was installed; of many orders, that of a moment together.
    private mutating func scheduleActivation(_ transition: inout Transition) {
        guard activationDeadline == nil else { return }
        let pause = orders.count > 1 ? max(.milliseconds(100), pauseOfMany(.milliseconds(500))) : .zero
        activationDeadline = transition.now.uptime + pause
    }

    mutating func activate(_ transition: inout Transition) {
        activationDeadline = nil
        var activations: [Activation] = []
        for order in orders.values {
            guard case .waitingToBeActivated(let certificate, let folder) = order.state else { continue }
            orders[order.domain]?.state = .activating(certificate)
            activations.append(Activation(order: order.id, folder: folder, certificate: certificate.chain.leaf))
        }
        if !activations.isEmpty { transition.actions.append(.activate(activations)) }
    }

    /// The server has read what was installed.
    mutating func activated(_ ids: [OrderID], _ input: Input, _ transition: inout Transition) {
        for id in ids {
            guard case .activating(let certificate) = order(id)?.state else { continue }
            orders[id.domain]?.state = .activated(certificate)
        }
        use(input, &transition)
    }

    /// Ends the orders whose certificates the server has read.
    mutating func removeActivated(_ transition: inout Transition) -> [FinishedOrder] {
        var finished: [FinishedOrder] = []
        for order in orders.values {
            guard case .activated(let certificate) = order.state else { continue }
            orders[order.domain] = nil
            transition.actions.append(.close(order.id))
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
                    order.domain, error, now: transition.now.wall, random: &random)
                count(error.type)
            }
            finished.append(FinishedOrder(order: order, certificate: certificate, isReadable: isReadable))
        }
        return finished
    }

    /// Logs what was issued, and ends the requests for it.
    mutating func logFinished(_ finished: [FinishedOrder], _ transition: inout Transition) {
        for one in finished {
            if one.isReadable {
                transition.actions.append(
                    .log(
                        .issued(
                            one.order.domain, issuer: one.certificate.chain.issuer,
                            notAfter: one.certificate.chain.leaf.notAfter,
                            nextRenewal: statuses[one.order.domain]?.nextRenewal)))
            }
            endRequest(one.order.domain, one.order.authority, &transition)
        }
    }

    // MARK: The end

    /// The order is of no use any more; the next one begins anew.
    private mutating func restart(_ id: OrderID, _ transition: inout Transition) {
        guard let order = order(id) else { return }
        authorities[order.authority]?.state.orderForgotten(id.domain)
        transition.actions.append(.removeOrderKey(order.authority, id.domain))
        drop(id, &transition)
    }

    private mutating func drop(_ id: OrderID, _ transition: inout Transition) {
        orders[id.domain] = nil
        transition.actions.append(.close(id))
        scheduleReconcile(&transition)
    }

    mutating func fail(_ id: OrderID, _ failure: OrderFailure, _ transition: inout Transition) {
        guard let order = order(id), order.progress == .ordering else { return }
        var failure = failure
        if let remark = order.remark, failure.error.scope == .domain {
            failure = failure.adding(remark)
        }
        transition.actions.append(.withdraw(id))
        authorities[order.authority]?.state.orderFailed(
            id.domain, failure, now: transition.now.wall, random: &random)
        if !failure.keepsOrder { transition.actions.append(.removeOrderKey(order.authority, id.domain)) }
        count(failure.error.type)
        if case .preflight = order.state {} else { counts.failed += 1 }
        if failure.error.scope == .authority { failSession(order.authority, &transition) }
        endRequest(id.domain, order.authority, &transition)
        drop(id, &transition)
    }
}

extension OrderFailure {
    /// A failure after which nothing of the order is kept.
    init(_ error: IssuanceError) { self.init(error: error, keepsOrder: false, challenge: nil) }
}
