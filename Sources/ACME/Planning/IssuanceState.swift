package import DomainNames

/// The memory of the work with one CA, which survives a restart: `state.json`.
package struct IssuanceState: Equatable, Sendable {
    /// The times of the orders that count, in seconds since 1970; the last three hours of them.
    package internal(set) var orders: [Int64] = []
    /// The last failure of the directory, a nonce or the account, if the CA has not answered since.
    package internal(set) var authority: AuthorityFailure?
    package internal(set) var domains: [Domain: DomainRecord] = [:]

    static let orderPeriod: Int64 = 3 * 3_600
    static let orderLimit = 100_000
    /// More failures in a row are not counted.
    static let failureLimit = 1_000
    /// The number of failures in a row, several hours of them, after which an order is not continued any more.
    static let continuationLimit = 8
    /// Seconds for which an order is of use without its site: no CA keeps one for longer.
    private static let orderLifetime: Int64 = 30 * 86_400

    package init() {}
}

/// The memory of one domain's orders.
package struct DomainRecord: Equatable, Sendable {
    package internal(set) var state: DomainState?
    package internal(set) var failures = 0
    package internal(set) var pause: Pause?
    /// Seconds since 1970.
    package internal(set) var lastAttempt: Int64?
    package internal(set) var lastError: RecordedError?
    /// An order that can be continued; its key is stored.
    package internal(set) var order: SecureURL?
    /// The times, in seconds since 1970, at which certificates were ordered within 24 hours without a person's request:
    /// from these times on the CA had what it takes to issue them.
    package internal(set) var issuances: [Int64] = []
    /// Whether the last of them is that of the order that can be continued.
    package internal(set) var isIssuing = false
    /// The challenge by which the name was not validated last; the next order uses another one.
    package internal(set) var failedChallenge: ChallengeType?
    package internal(set) var renewal: RenewalSchedule?
    /// The value of the TXT record that the CA wants.
    package internal(set) var txtRecord: String?

    /// The maximum number of certificates that are ordered in 24 hours without a person's request, whatever the CA answers.
    package static let issuanceLimit = 2
    private static let issuancePeriod: Int64 = 86_400

    /// Why no further certificate is ordered, with the code.
    static func limitMessage(_ domain: Domain) -> String {
        "acme-renewal-limit: \(issuanceLimit) certificates were ordered within 24 hours; "
            + "'aasa certificates --renew \(domain)' orders another one now"
    }

    /// The time before which no further certificate is ordered without a person's request; nil if there is none.
    var issuancePause: Int64? {
        issuances.count < Self.issuanceLimit
            ? nil : issuances[issuances.count - Self.issuanceLimit] + Self.issuancePeriod
    }

    /// A time ahead of now was written by a clock that was wrong.
    mutating func cutIssuances(at now: Int64) {
        guard let first = issuances.first, let last = issuances.last,
            last > now || first <= now - Self.issuancePeriod
        else { return }
        issuances = issuances.map { min($0, now) }.filter { $0 > now - Self.issuancePeriod }
    }

    /// An order that is continued counts once, however often, and from then on: the CA may issue the certificate days after
    /// it has what it takes.
    mutating func beginIssuance(at now: Int64) {
        if isIssuing, !issuances.isEmpty { issuances.removeLast() }
        issuances = issuances.suffix(Self.issuanceLimit - 1) + [now]
        isIssuing = true
    }

    /// The order has ended, or is given up.
    mutating func endOrder() {
        order = nil
        isIssuing = false
    }
}

/// A failure of the CA that keeps all domains from being ordered.
package struct AuthorityFailure: Equatable, Sendable {
    package let failures: Int
    package let pause: Pause
    package let error: RecordedError
}

extension IssuanceState {
    // What happens to a domain's order.

    package mutating func attemptStarted(_ domain: Domain, now: Int64) {
        domains[domain, default: DomainRecord()].lastAttempt = now
    }

    /// A `newOrder` is about to be sent that counts for the limit.
    package mutating func orderRecorded(now: Int64) {
        orders.append(now)
        if orders.count > Self.orderLimit { orders.removeFirst(orders.count - Self.orderLimit) }
    }

    /// The CA is about to have what it takes to issue the certificate of an order without a person's request.
    package mutating func issuanceBegun(_ domain: Domain, now: Int64) {
        domains[domain, default: DomainRecord()].beginIssuance(at: now)
    }

    package mutating func orderStored(_ domain: Domain, at url: SecureURL) {
        domains[domain, default: DomainRecord()].order = url
    }

    /// The CA does not have the order any more, or its key is lost.
    package mutating func orderForgotten(_ domain: Domain) { domains[domain]?.endOrder() }

    package mutating func recordNoted(_ domain: Domain, _ record: PersistentRecord) {
        domains[domain, default: DomainRecord()].txtRecord = record.value
    }

    package mutating func orderSucceeded(_ domain: Domain) {
        var record = domains[domain] ?? DomainRecord()
        record.failures = 0
        record.pause = nil
        record.lastError = nil
        record.endOrder()
        record.failedChallenge = nil
        domains[domain] = record
        authority = nil
    }

    /// An order, or what was looked at before it, has come to nothing.
    package mutating func orderFailed(
        _ domain: Domain, _ failure: OrderFailure, now: Int64, random: inout some RandomNumberGenerator
    ) {
        var record = domains[domain] ?? DomainRecord()
        defer { domains[domain] = record }
        // One that never ends, whatever is asked about it, is left at last.
        if !failure.keepsOrder || record.failures >= Self.continuationLimit { record.endOrder() }
        guard failure.error.scope == .domain else { return authorityFailed(failure.error, now: now, random: &random) }
        record.failures = min(record.failures + 1, Self.failureLimit)
        record.lastError = RecordedError(failure.error, at: now)
        let delay = Backoff.order.delay(failures: record.failures, after: failure.error, random: &random)
        record.pause = Pause(from: now, seconds: delay)
        if let challenge = failure.challenge { record.failedChallenge = challenge }
    }

    /// Records a failure that no order has come to.
    package mutating func attemptFailed(
        _ domain: Domain, _ error: IssuanceError, now: Int64, random: inout some RandomNumberGenerator
    ) {
        orderFailed(
            domain, OrderFailure(error: error, keepsOrder: domains[domain]?.order != nil), now: now, random: &random)
    }

    // What happens with the CA.

    /// Several orders can fail from the same cause: what happens within a pause counts once.
    package mutating func authorityFailed(
        _ error: IssuanceError, now: Int64, random: inout some RandomNumberGenerator
    ) {
        let recorded = RecordedError(error, at: now)
        var failures = min((authority?.failures ?? 0) + 1, Self.failureLimit)
        if let authority, authority.pause.cut(at: now).end > now { failures = authority.failures }
        let delay = Backoff.authority.delay(failures: failures, after: error, random: &random)
        authority = AuthorityFailure(failures: failures, pause: Pause(from: now, seconds: delay), error: recorded)
    }

    /// Nothing can be asked of the CA for a reason of our own; it is looked at again soon.
    package mutating func authorityPaused(_ error: IssuanceError, seconds: Int64, now: Int64) {
        authority = AuthorityFailure(
            failures: authority?.failures ?? 0, pause: Pause(from: now, seconds: seconds),
            error: RecordedError(error, at: now))
    }

    /// The CA has answered a request for the directory, a nonce or the account; what is known from before is no answer.
    package mutating func authoritySucceeded() { authority = nil }

    // What happens to the settings and the certificates.

    /// Ends all back-off after a change of `acme`: the operator expects an effect.
    package mutating func clearBackoff() {
        authority = nil
        for domain in domains.keys {
            clearBackoff(domain)
            domains[domain]?.issuances = []
        }
    }

    /// Ends the back-off of a domain after `aasa certificates --renew`.
    package mutating func clearBackoff(_ domain: Domain) {
        domains[domain]?.pause = nil
        domains[domain]?.failures = 0
    }

    /// Has the CA asked about every certificate after a start, within a minute if there are many.
    package mutating func scheduleQuestions(now: Int64, random: inout some RandomNumberGenerator) {
        let known = domains.filter { $0.value.renewal != nil }.keys.sorted()
        for domain in known {
            let delay = known.count > CertificateIndex.manyCertificates ? Int64.random(in: 0..<60, using: &random) : 0
            domains[domain]?.renewal?.ask(at: now + delay)
        }
    }

    /// The CA was asked about a certificate.
    ///
    /// - Parameter question: of a certificate that may have been replaced by now.
    package mutating func renewalAnswered(
        _ question: IssuancePlan.Question, _ answer: RenewalAnswer, now: Int64,
        random: inout some RandomNumberGenerator
    ) -> RenewalSchedule.Change {
        let domain = question.domain
        guard domains[domain]?.renewal?.fingerprint == question.fingerprint else { return .none }
        return domains[domain]?.renewal?.take(
            answer, earliestWindow: question.earliestWindow, now: now, random: &random) ?? .none
    }

    /// Forgets what is of no use any more: domains without a site that nothing keeps back.
    package mutating func prune(keeping sites: Set<Domain>, now: Int64) {
        domains = domains.filter { domain, record in
            if sites.contains(domain) { return true }
            if let pause = record.pause, pause.cut(at: now).end > now { return true }
            var record = record
            record.cutIssuances(at: now)
            if !record.issuances.isEmpty { return true }
            return record.order != nil && now - (record.lastAttempt ?? 0) < Self.orderLifetime
        }
    }
}
