internal import ACME
internal import AssociationServer
internal import Dispatch
internal import HTTPClient
internal import Logging
internal import OpenSSL
internal import SystemSupport

// Orders, from the plan to the certificate that is presented.
extension IssuanceDriver {
    func begin(_ task: OrderTask, _ authority: Authority) {
        guard orders[task.domain] == nil else { return }
        let client: AuthorityClient
        do throws(IssuanceError) {
            client = try authority.client(environment)
        } catch {
            authority.state.attemptFailed(task.domain, error, now: environment.wallSeconds(), random: &random)
            return lookSoon()
        }
        let order = RunningOrder(
            task, authority: authority, client: client, keyType: authority.configuration.keyType,
            isRenewal: hasOrderedCertificate(task.domain))
        orders[task.domain] = order
        logger.info("acme: \(task.domain): ordering from '\(authority.directory.host)'")
        authority.state.attemptStarted(task.domain, now: environment.wallSeconds())
        announceRecord(order)
        guard let type = preflightType(order), let transport = authority.transport,
            case .success(let context) = libraryContext
        else { return run(order) }
        let ports = authority.configuration.challengePorts
        let preflight = Preflight(host: host, context: context, transport: transport, resolver: environment.resolver)
        order.underWay = preflight.start(
            task.domain, by: type, port: type == .tlsALPN01 ? ports.tlsALPN01 : ports.http01,
            isForPublicNamesOnly: authority.configuration.directory.isPublic
        ) { [self] outcome in
            queue.async { [self] in preflightEnded(outcome, order) }
        }
    }

    /// The challenge that the name is looked at by first; nil if it is not.
    private func preflightType(_ order: RunningOrder) -> ChallengeType? {
        let task = order.task
        guard order.authority.configuration.preflight, task.resumes == nil, let type = task.challenges.first,
            type != .dnsPersist01, statuses[task.domain]?.validUntil == nil || !order.isRenewal
        else { return nil }
        return type
    }

    private func preflightEnded(_ outcome: Preflight.Outcome, _ order: RunningOrder) {
        guard !order.hasEnded else { return }
        order.underWay = nil
        switch outcome {
        case .passed(let remark):
            order.remark = remark
            run(order)
        case .failed(let error): fail(OrderFailure(error: error, keepsOrder: false, challenge: nil), order)
        }
    }

    private func run(_ order: RunningOrder) {
        let authority = order.authority
        guard let directory = authority.readyDirectory, let account = authority.account, let key = authority.key else {
            // The settings have changed meanwhile.
            orders[order.domain] = nil
            order.end()
            return lookSoon()
        }
        order.machine = OrderMachine(
            task: order.task, directory: directory, account: account, key: key, issuers: authority.issuers)
        handle(.start, order)
    }

    func handle(_ event: OrderMachine.Event, _ order: RunningOrder) {
        guard !isStopped, !order.hasEnded, var machine = order.machine else { return }
        order.machine = nil
        let actions = machine.handle(event, at: environment.now, nonces: &order.authority.nonces)
        order.machine = machine
        order.pending += actions
        perform(order)
    }

    // MARK: Actions

    /// Does what the machine wants done, until something has to be stored first.
    private func perform(_ order: RunningOrder) {
        while !order.isHeld, !order.hasEnded, let action = order.pending.popFirst() {
            perform(action, order)
        }
    }

    private func perform(_ action: OrderMachine.Action, _ order: RunningOrder) {
        let (domain, authority) = (order.domain, order.authority)
        switch action {
        case .prepareKey: prepareKey(order)
        case .send(let request):
            order.underWay = order.client.send(request) { [self] answer in
                queue.async { [self] in received(answer, to: request.id, order) }
            }
        case .wait(let end): after(end) { [weak self, weak order] in if let order { self?.handle(.time, order) } }
        case .recordNewOrder(let counts):
            order.isRecorded = true
            order.isAboutToOrder = true
            if counts { authority.state.orderRecorded(now: environment.wallSeconds()) }
            hold(order)
        case .storeOrder(let url):
            authority.state.orderStored(domain, at: url)
            hold(order)
        case .noteRecord(let record): note(record, order)
        case .publish(let answer): publish(answer, order)
        case .withdraw: withdraw(order)
        case .renewAccount: renewAccount(for: order)
        case .install(let certificate):
            order.issued = certificate
            order.machine = nil
            install(certificate, order)
        case .restart:
            authority.state.orderForgotten(domain)
            authority.accountFolder.removeOrderKey(of: domain)
            orders[domain] = nil
            order.end()
            lookSoon()
        case .fail(let failure): fail(failure, order)
        }
    }

    private func received(_ answer: AuthorityClient.Answer, to id: Int, _ order: RunningOrder) {
        noteClock(answer, order.authority)
        noteSuccess(answer, order.authority)
        switch answer {
        case .success(let response): handle(.response(response, to: id), order)
        case .failure(let failure): handle(.transportFailure(failure, of: id), order)
        }
    }

    private func hold(_ order: RunningOrder) {
        order.isHeld = true
        order.authority.held.append(order)
        storeSoon(order.authority, isUrgent: true)
    }

    /// What the order has waited for is stored.
    ///
    /// - Parameter reason: why it is not; no order is made that nobody would know of.
    func release(_ order: RunningOrder, unstored reason: String? = nil) {
        guard order.isHeld, !order.hasEnded else { return }
        order.isHeld = false
        let isAboutToOrder = order.isAboutToOrder
        order.isAboutToOrder = false
        if isAboutToOrder, let reason {
            let error = IssuanceError(.storage, reason)
            fail(OrderFailure(error: error, keepsOrder: false, challenge: nil), order)
        } else {
            perform(order)
        }
    }

    private func prepareKey(_ order: RunningOrder) {
        let (domain, folder) = (order.domain, order.authority.accountFolder)
        do {
            let context = try libraryContext.get()
            if order.task.resumes != nil {
                if let key = try folder.readOrderKey(of: domain, in: context) { return handle(.keyStored(key), order) }
                // Without its key the order is of no use.
                return perform(.restart, order)
            }
            let key = try makeKey(order.keyType, context)
            try folder.storeOrderKey(key, of: domain)
            handle(.keyStored(key), order)
        } catch let error as SystemError {
            handle(.keyNotStored("the key of the order cannot be stored in '\(folder.path)': \(error.reason)"), order)
        } catch {
            if order.task.resumes != nil {
                logger.warning("acme: \(domain): the key of the order in progress is damaged; it is ordered once more")
                return perform(.restart, order)
            }
            handle(.keyNotStored("the key of the order cannot be made: \(error)"), order)
        }
    }

    private func makeKey(
        _ type: ACMEConfiguration.KeyType, _ context: LibraryContext
    ) throws(OpenSSLError) -> PrivateKey {
        switch type {
        case .p256: try PrivateKey.makeP256(in: context)
        case .p384: try PrivateKey.makeP384(in: context)
        case .rsa2048: try PrivateKey.makeRSA(bits: 2_048, in: context)
        }
    }

    // MARK: Challenges

    private func publish(_ answer: ChallengeAnswer, _ order: RunningOrder) {
        guard let challenge = challenge(answer) else {
            let error = IssuanceError(.other, "the challenge for '\(order.domain)' cannot be answered by this server")
            return fail(OrderFailure(error: error, keepsOrder: false, challenge: answer.type), order)
        }
        order.published = challenge
        host.publish([challenge]) { [self] in queue.async { [self] in handle(.challengePublished, order) } }
    }

    private func challenge(_ answer: ChallengeAnswer) -> PendingChallenge? {
        switch answer.type {
        case .http01:
            return PendingChallenge(
                name: answer.domain.identifier,
                .http01(token: answer.token, keyAuthorization: answer.keyAuthorization.description))
        case .tlsALPN01:
            do throws(OpenSSLError) {
                let certificate = try ChallengeCertificate.make(
                    name: answer.domain.identifier, keyAuthorization: answer.keyAuthorization.description,
                    at: environment.wallSeconds(), in: try libraryContext.get())
                return PendingChallenge(name: answer.domain.identifier, .tlsALPN01(certificate))
            } catch {
                return nil
            }
        case .dnsPersist01: return nil
        }
    }

    private func withdraw(_ order: RunningOrder) {
        guard let challenge = order.published else { return }
        order.published = nil
        host.withdraw([challenge])
    }

    /// Before the first order of a domain that a record has to be made for: what the record will be.
    private func announceRecord(_ order: RunningOrder) {
        let authority = order.authority
        guard order.task.challenges.first == .dnsPersist01, authority.state.domains[order.domain]?.txtRecord == nil,
            let account = authority.account, let issuer = account.caaIdentities.first,
            let record = PersistentRecord(domain: order.domain, issuer: issuer, account: account.url)
        else { return }
        note(record, order)
    }

    private func note(_ record: PersistentRecord, _ order: RunningOrder) {
        let state = order.authority.state
        guard state.domains[order.domain]?.txtRecord != record.value else { return }
        order.authority.state.recordNoted(order.domain, record)
        logger.info("acme: \(order.domain): the CA looks for this DNS record: \(record.zoneLine)")
    }

    // MARK: Installation

    private func install(_ certificate: IssuedCertificate, _ order: RunningOrder) {
        let (domain, authority) = (order.domain, order.authority)
        withdraw(order)
        let now = environment.wallSeconds()
        let folder: String
        do throws(SystemError) {
            folder = try authority.folder.install(certificate, directory: authority.directory, now: now)
        } catch {
            let path = authority.folder.path
            let error = IssuanceError(
                .storage, "the certificate is issued but cannot be written to '\(path)': \(error.reason)")
            order.storageFailures += 1
            order.storageError = RecordedError(error, at: now)
            let delay = Backoff.storage.delay(failures: order.storageFailures, after: nil, random: &random)
            count(.storage)
            logger.error("acme: \(domain): storage: \(error.message); next attempt in \(delay) s")
            after(environment.uptime() + .seconds(delay)) { [weak self, weak order] in
                guard let self, let order, !order.hasEnded else { return }
                install(certificate, order)
            }
            return lookSoon()
        }
        order.storageError = nil
        authority.state.orderSucceeded(domain)
        authority.accountFolder.removeOrderKey(of: domain)
        storeSoon(authority)
        if order.isRenewal { counts.renewed += 1 } else { counts.issued += 1 }
        installed.append((certificate, Path.name(of: folder), order))
        presentSoon()
        // The next one need not wait for the server.
        lookSoon()
    }

    /// Has the server read what was installed; of many orders, that of a moment together.
    private func presentSoon() {
        guard !isPresentationDue else { return }
        isPresentationDue = true
        let pause = orders.count > 1 ? max(0.1, pauseOfMany(0.5)) : 0
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self, !isStopped else { return }
            isPresentationDue = false
            let orders = installed
            installed = []
            host.certificatesChanged(in: Set(orders.map(\.folder))) { [self] in
                queue.async { [self] in finishInstalled(orders) }
            }
        }
    }

    /// The server has read what was installed.
    private func finishInstalled(_ installations: [Installation]) {
        let finished = installations.filter { !$0.order.hasEnded }
        guard !isStopped else { return }
        for one in finished {
            one.order.end()
            inventory.expect(one.certificate.chain.leaf)
        }
        // They are among the orders still, so that the plan takes no request for another one.
        inputChanged()
        for one in finished {
            orders[one.order.domain] = nil
            finish(one.certificate, one.order)
        }
        lookSoon()
    }

    private func finish(_ certificate: IssuedCertificate, _ order: RunningOrder) {
        let (domain, authority) = (order.domain, order.authority)
        let leaf = certificate.chain.leaf
        if authority === self.authority, !hasCertificate(leaf.der, for: domain) {
            // Something is wrong with the files that was not wrong with what they were made of: another order would not
            // help at once.
            let path = authority.folder.path
            let error = IssuanceError(
                .badCertificate, "the certificate was installed below '\(path)', and cannot be read there")
            authority.state.attemptFailed(domain, error, now: environment.wallSeconds(), random: &random)
            count(error.type)
        } else {
            log(
                StatusLine.issued(
                    domain, issuer: certificate.chain.issuer, notAfter: leaf.notAfter,
                    nextRenewal: statuses[domain]?.nextRenewal))
        }
        endRequest(domain, authority)
    }

    // MARK: Failures

    private func fail(_ failure: OrderFailure, _ order: RunningOrder) {
        let (domain, authority) = (order.domain, order.authority)
        withdraw(order)
        let isOrder = order.machine != nil
        order.end()
        orders[domain] = nil
        var failure = failure
        if let remark = order.remark, failure.error.scope == .domain {
            failure = OrderFailure(
                error: failure.error.adding(remark), keepsOrder: failure.keepsOrder, challenge: failure.challenge)
        }
        authority.state.orderFailed(domain, failure, now: environment.wallSeconds(), random: &random)
        if !failure.keepsOrder { authority.accountFolder.removeOrderKey(of: domain) }
        count(failure.error.type)
        if isOrder { counts.failed += 1 }
        if failure.error.scope == .authority {
            // The directory may be another one by the next time.
            if case .ready = authority.session { authority.session = .none }
            logSetback(authority)
        }
        endRequest(domain, authority)
        lookSoon()
    }

    /// The order is not wanted any more; if it is, it is continued.
    func abandon(_ order: RunningOrder) {
        withdraw(order)
        order.end()
        orders[order.domain] = nil
    }

    // MARK: When to renew

    func ask(_ question: IssuancePlan.Question, _ authority: Authority) {
        guard let base = authority.readyDirectory?.renewalInfo,
            let url = RenewalInfo.url(base, question.certificate)
        else { return answered(.failure(.unreachable("the URL of 'renewalInfo' is too long")), question, authority) }
        do throws(IssuanceError) {
            questions[question.domain] = try authority.client(environment).get(url) { [self] answer in
                queue.async { [self] in answered(answer, question, authority) }
            }
        } catch {
            answered(.failure(.unreachable(error.message)), question, authority)
        }
    }

    private func answered(
        _ answer: AuthorityClient.Answer, _ question: IssuancePlan.Question, _ authority: Authority
    ) {
        guard !isStopped else { return }
        noteClock(answer, authority)
        noteSuccess(answer, authority)
        questions[question.domain] = nil
        switch answer {
        case .success(let response):
            renewalAnswered(question, RenewalAnswer(response, now: environment.wallSeconds()), authority)
        case .failure(let failure): renewalAnswered(question, RenewalAnswer(failure), authority)
        }
    }

    private func renewalAnswered(_ question: IssuancePlan.Question, _ answer: RenewalAnswer, _ authority: Authority) {
        let domain = question.domain
        if let error = answer.error {
            count(error.type)
            logger.debug("acme: \(domain): no renewal information: \(error.type.rawValue): \(error.message)")
        }
        let isNew = authority.state.renewalAnswered(
            domain, fingerprint: question.fingerprint, answer, now: environment.wallSeconds(), random: &random)
        if isNew, let explanation = answer.info?.explanation {
            logger.info("acme: \(domain): the CA wants the certificate to be renewed at another time: \(explanation)")
        }
        lookSoon()
    }
}
