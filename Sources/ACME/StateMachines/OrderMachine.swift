internal import Diagnostics
package import OpenSSL

/// One order, from the key to the certificate (RFC 8555, section 7.4).
///
/// A pure state machine: it is given what has happened, and returns what to do, in this order. It sends one request at a
/// time, and ends with ``Action/install(_:)``, ``Action/fail(_:)`` or ``Action/restart``.
package struct OrderMachine: Sendable {
    package enum Event: Sendable {
        case start
        /// The key of the order was stored, or read if the order is continued.
        case keyStored(PrivateKey)
        /// The key could not be stored, with a clause that says why.
        case keyNotStored(String)
        case response(ACMEResponse, to: Int)
        case transportFailure(TransportFailure, of: Int)
        /// A time that was waited for may have come.
        case time
        /// Everybody who may be asked knows the answer.
        case challengePublished
        /// The answer of ``Action/renewAccount``.
        case account(ACMEAccount)
        case accountFailed(IssuanceError)
        /// The order is not wanted any more.
        case cancel
    }

    package enum Action: Sendable {
        /// Make the order's key and store it, or read it if an order is continued; then ``Event/keyStored(_:)``.
        case prepareKey
        case send(ACMERequest)
        /// Wait until a time of the clock that never goes back.
        case wait(until: Duration)
        /// A `newOrder` follows, one that counts if the certificate replaces none.
        case recordNewOrder(counts: Bool)
        /// From here on the CA has what it takes to issue the certificate: remember it, before the next action.
        case recordIssuance
        /// Say that the CA takes its time: a clause without the name.
        case report(String)
        /// Remember where the order is, before the next action.
        case storeOrder(SecureURL)
        /// Note the TXT record that the name needs.
        case noteRecord(PersistentRecord)
        /// Answer a challenge; then ``Event/challengePublished``.
        case publish(ChallengeAnswer)
        /// The answer is not needed any more.
        case withdraw(ChallengeAnswer)
        /// The CA does not know the account: find it or register once more with the same key, for all orders together.
        case renewAccount
        /// The certificate, which was checked. The order is done.
        case install(OrderedCertificate)
        /// The CA does not have the order that was to be continued any more: forget it, and make another one.
        case restart
        case fail(OrderFailure)
    }

    enum Phase {
        case idle
        case preparingKey
        /// The order of an earlier run is asked for.
        case resuming
        case ordering
        case authorizing
        case publishing(Challenge)
        case answering(Challenge)
        /// The authorization is polled until the name is validated.
        case validating(ChallengeType)
        case finalizing
        /// The order is polled until the certificate is issued.
        case issuing
        case downloading(SecureURL)
        /// The preferred chain is looked for, and the default one is at hand.
        case choosing(IssuedChain, alternates: ArraySlice<SecureURL>)
        case ended
    }

    package let task: OrderTask
    let directory: Directory
    let accountKey: AccountKey
    let issuers: KnownIssuers
    private(set) var account: ACMEAccount
    var phase = Phase.idle
    var key: PrivateKey?
    var orderURL: SecureURL?
    var order: Order?
    /// Nil once the CA has refused it.
    var replaces: CertificateID?
    var published: ChallengeAnswer?
    /// The challenge that was used, for the next attempt.
    var usedChallenge: ChallengeType?
    /// The number of times that the order was finalized: a CA may say that it was not, but not for ever.
    var finalizations = 0
    private var exchange: Exchange?
    private var nextID = 0
    private(set) var poll: Poll?
    private(set) var isWaitingForAccount = false
    private var isOrderRecorded = false
    /// Whether a `newOrder` was sent, or is about to be.
    private(set) var hasRecordedOrder = false
    private var hasRecordedIssuance = false
    private(set) var hasRenewedAccount = false

    /// - Parameter issuers: the issuers in earlier chains of the CA.
    package init(
        task: OrderTask, directory: Directory, account: ACMEAccount, key: AccountKey,
        issuers: KnownIssuers = KnownIssuers()
    ) {
        self.task = task
        self.directory = directory
        self.account = account
        accountKey = key
        self.issuers = issuers
        replaces = task.replaces
        orderURL = task.resumes
    }

    package var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// - Returns: What to do; events that mean nothing at the moment have no consequences.
    package mutating func handle(_ event: Event, at now: Moment, nonces: inout NoncePool) -> [Action] {
        guard !hasEnded else { return [] }
        var transition = Transition(now: now, nonces: nonces)
        // There is one copy only, which can be changed in place.
        nonces = NoncePool()
        do throws(IssuanceError) {
            try advance(on: event, &transition)
        } catch {
            fail(error, &transition)
        }
        nonces = transition.nonces
        return transition.actions
    }

    /// The scratch of one event: the time, and the actions so far.
    struct Transition {
        let now: Moment
        var nonces: NoncePool
        var actions: [Action] = []

        init(now: Moment, nonces: NoncePool) {
            (self.now, self.nonces) = (now, nonces)
        }
    }

    private mutating func advance(on event: Event, _ transition: inout Transition) throws(IssuanceError) {
        switch (event, phase) {
        case (.start, .idle):
            guard !task.challenges.isEmpty else {
                throw IssuanceError(.acmeChallenges, "no challenge can be answered for '\(task.domain)'")
            }
            phase = .preparingKey
            transition.actions.append(.prepareKey)
        case (.keyStored(let key), .preparingKey):
            self.key = key
            if let orderURL {
                phase = .resuming
                try ask(orderURL, &transition)
            } else {
                try makeOrder(&transition)
            }
        case (.keyNotStored(let reason), .preparingKey):
            throw IssuanceError(.storage, AuthorityText.shown(reason))
        case (.challengePublished, .publishing(let challenge)): try answer(challenge, &transition)
        case (.response(let response, let id), _):
            try advance(exchange?.receive(response, to: id, at: transition.now, &transition.nonces), &transition)
        case (.transportFailure(let failure, let id), _):
            try advance(exchange?.receive(failure, of: id, at: transition.now), &transition)
        case (.time, _): try timerFired(&transition)
        case (.account(let account), _) where isWaitingForAccount:
            isWaitingForAccount = false
            self.account = account
            if let request = exchange?.request { try begin(request, &transition) }
        case (.accountFailed(let error), _) where isWaitingForAccount: throw error.concerning(.authority)
        case (.cancel, _):
            let error = IssuanceError(.other, "the order was cancelled")
            end(.fail(OrderFailure(error: error, keepsOrder: false)), &transition)
        default: return
        }
    }

    // MARK: Requests

    /// Asks for a resource of the CA, or sends it something.
    mutating func ask(
        _ url: SecureURL, as kind: Exchange.Request.Kind = .order, payload: String = "", _ transition: inout Transition
    ) throws(IssuanceError) {
        try begin(Exchange.Request(kind: kind, url: url, payload: payload), &transition)
    }

    private mutating func begin(_ request: Exchange.Request, _ transition: inout Transition) throws(IssuanceError) {
        isOrderRecorded = false
        let identity = Exchange.Identity(key: accountKey, newNonce: directory.newNonce, account: account.url)
        var exchange = Exchange(request, by: identity, firstID: nextID)
        let step = exchange.start(&transition.nonces)
        self.exchange = exchange
        try advance(step, &transition)
    }

    private mutating func advance(_ step: Exchange.Step?, _ transition: inout Transition) throws(IssuanceError) {
        nextID = exchange?.lastID ?? nextID
        switch step {
        case nil: return
        case .send(let request):
            recordOrder(request, &transition)
            transition.actions.append(.send(request))
        case .wait(let end): try pause(until: end, &transition)
        case .failure(let error): try failed(error, &transition)
        case .answer(let response): try received(response, &transition)
        case .refusal(let refusal):
            let wasRepeated = exchange?.repetitions ?? 0 > 0
            if mayBeUnknownAccount(refusal), !hasRenewedAccount {
                hasRenewedAccount = true
                isWaitingForAccount = true
                transition.actions.append(.renewAccount)
            } else {
                try refused(refusal, wasRepeated: wasRepeated, &transition)
            }
        }
    }

    /// Once, however often a nonce is refused: only one of the messages makes an order.
    private mutating func recordOrder(_ request: ACMERequest, _ transition: inout Transition) {
        guard case .newOrder = exchange?.request.kind, case .post = request.method, !isOrderRecorded else { return }
        isOrderRecorded = true
        hasRecordedOrder = true
        transition.actions.append(.recordNewOrder(counts: replaces == nil))
    }

    /// Once, however often the order is finalized.
    mutating func recordIssuance(_ transition: inout Transition) {
        guard !hasRecordedIssuance else { return }
        hasRecordedIssuance = true
        transition.actions.append(.recordIssuance)
    }

    /// A CA that does not know the account says so; one by which it was deactivated takes no orders from it.
    private func mayBeUnknownAccount(_ refusal: Refusal) -> Bool {
        switch (refusal.problem?.type, phase) {
        // There is a certificate already.
        case (_, .choosing): false
        // The certificate to be replaced may be that of another account.
        case (.unauthorized, .ordering): replaces == nil
        case (.accountDoesNotExist, _): true
        default: false
        }
    }

    // MARK: Polling

    /// The schedule of repeated questions about one resource.
    struct Poll {
        private static let first: Duration = .milliseconds(500)
        private static let longest: Duration = .seconds(10)
        /// The longest pause that a CA can ask for: it may be done long before.
        static let patience: Int64 = 60

        let url: SecureURL
        let deadline: Duration
        private var interval = Self.first
        /// Nil while the answer is waited for.
        fileprivate(set) var next: Duration?
        private let start: Duration
        private var isReported = false

        init(_ url: SecureURL, start: Duration, limit: Duration) {
            (self.url, self.start, deadline) = (url, start, start + limit)
        }

        /// Whether it takes long enough to be worth a log line, for the first time.
        fileprivate mutating func isWorthAReport(_ now: Duration, retryAfter: Int64?) -> Bool {
            let isSlow = retryAfter ?? 0 > Self.patience || now - start >= .seconds(Self.patience)
            defer { isReported = isReported || isSlow }
            return isSlow && !isReported
        }

        /// - Parameter retryAfter: the pause that the last answer asks for, in seconds.
        fileprivate mutating func advance(_ now: Duration, retryAfter: Int64?) -> Duration {
            var pause = interval
            interval = min(interval * 3 / 2, Self.longest)
            // Zero seconds are no pause.
            if let retryAfter, retryAfter > 0 { pause = .seconds(min(retryAfter, Self.patience)) }
            let end = min(now + pause, deadline)
            next = end
            return end
        }
    }

    /// Waits, then asks for a resource again.
    ///
    /// - Parameters:
    ///   - response: the last answer about it.
    ///   - limit: in all, from the first time on.
    mutating func wait(
        toAsk url: SecureURL, after response: ACMEResponse?, within limit: Duration, _ transition: inout Transition
    ) throws(IssuanceError) {
        exchange = nil
        if poll?.url != url { poll = Poll(url, start: transition.now.uptime, limit: limit) }
        try checkDeadline(transition)
        let retryAfter = response?.retryAfterSeconds(now: transition.now.wall)
        if poll?.isWorthAReport(transition.now.uptime, retryAfter: retryAfter) ?? false {
            transition.actions.append(.report(waitReport(limit, retryAfter)))
        }
        guard let end = poll?.advance(transition.now.uptime, retryAfter: retryAfter) else { return }
        transition.actions.append(.wait(until: end))
    }

    mutating func stopPolling() { poll = nil }

    private mutating func timerFired(_ transition: inout Transition) throws(IssuanceError) {
        guard let poll, let next = poll.next else {
            if exchange?.isPausing ?? false { try checkDeadline(transition) }
            return try advance(exchange?.timerFired(at: transition.now, &transition.nonces), &transition)
        }
        guard transition.now.uptime >= next else { return transition.actions.append(.wait(until: next)) }
        self.poll?.next = nil
        // Also at the deadline: the last pause may have been a long one.
        try ask(poll.url, &transition)
    }

    /// Waits before a request is repeated, but not for longer than the CA may take in all.
    private func pause(until end: Duration, _ transition: inout Transition) throws(IssuanceError) {
        try checkDeadline(transition)
        transition.actions.append(.wait(until: min(end, poll?.deadline ?? end)))
    }

    private func waitReport(_ limit: Duration, _ retryAfter: Int64?) -> String {
        let what = if case .validating = phase { "validated the name" } else { "issued the certificate" }
        let wish =
            retryAfter.flatMap { $0 > Poll.patience ? " and wants to be asked again in \($0) s only" : nil } ?? ""
        return "the CA has not \(what) yet\(wish); it is asked at least every minute, for at most "
            + "\(limit.components.seconds / 60) minutes"
    }

    private func checkDeadline(_ transition: Transition) throws(IssuanceError) {
        if let poll, transition.now.uptime >= poll.deadline { throw timeout }
    }

    private var timeout: IssuanceError {
        if case .validating = phase {
            return IssuanceError(.timeout, "the CA has not validated '\(task.domain)' within 10 minutes")
        }
        return IssuanceError(.timeout, "the CA has not issued the certificate within 30 minutes")
    }

    // MARK: The end

    mutating func withdraw(_ transition: inout Transition) {
        guard let published else { return }
        self.published = nil
        transition.actions.append(.withdraw(published))
    }

    mutating func end(_ action: Action, _ transition: inout Transition) {
        withdraw(&transition)
        phase = .ended
        exchange = nil
        poll = nil
        isWaitingForAccount = false
        transition.actions.append(action)
    }

    private mutating func fail(_ error: IssuanceError, _ transition: inout Transition) {
        let isInValidation =
            switch phase {
            case .authorizing, .publishing, .answering, .validating: true
            default: false
            }
        // The CA has not said no: the order may still come to something.
        let isTemporary = [.unavailable, .timeout, .rateLimited, .serverInternal, .storage].contains(error.type)
        let isUndecided = isTemporary || error.scope == .authority
        // A name that was not validated in time is validated no more.
        let isUsedUp = isInValidation && error.type == .timeout
        let keepsOrder = orderURL != nil && isUndecided && order?.status != .invalid && !isUsedUp
        let isUsed = isInValidation && !isUndecided || isUsedUp
        end(
            .fail(OrderFailure(error: error, keepsOrder: keepsOrder, challenge: isUsed ? usedChallenge : nil)),
            &transition)
    }
}
