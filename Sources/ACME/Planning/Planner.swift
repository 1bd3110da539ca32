internal import DomainNames

/// Makes a plan.
struct Planner {
    let settings: IssuanceSettings
    let situation: IssuancePlan.Situation
    var state: IssuanceState
    var plan = IssuancePlan()
    private let certificates: CertificateIndex
    /// Those that can be answered.
    private let usableChallenges: [ChallengeType]
    private let directory: String
    /// Domains for which an order could begin now.
    private var queue: [Candidate] = []

    private struct Candidate {
        let domain: Domain
        /// The end of the certificate in use; nil if there is no valid one.
        let validUntil: Int64?
        let replaces: CertificateID?
        let resumes: SecureURL?
        let challenges: [ChallengeType]

        /// Whether the candidate makes an order that counts for the limit.
        var counts: Bool { resumes == nil && replaces == nil }

        /// Domains without a valid certificate come first, then those that expire first.
        static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            let (leftEnd, rightEnd) = (left.validUntil ?? .min, right.validUntil ?? .min)
            return leftEnd == rightEnd ? left.domain < right.domain : leftEnd < rightEnd
        }
    }

    init(settings: IssuanceSettings, situation: IssuancePlan.Situation, state: IssuanceState) {
        (self.settings, self.situation, self.state) = (settings, situation, state)
        certificates = situation.index ?? CertificateIndex(situation.certificates)
        usableChallenges = settings.configuration.challenges.filter {
            $0 == .dnsPersist01 || settings.answerable.contains($0)
        }
        directory = settings.authority.directory.description
    }

    private var now: Int64 { situation.now }

    mutating func plan(random: inout some RandomNumberGenerator) {
        // A time ahead of now was written by a clock that was wrong.
        if let first = state.orders.first, let last = state.orders.last, last > now || first <= now - orderPeriod {
            state.orders = state.orders.map { min($0, now) }.filter { $0 > now - orderPeriod }
        }
        if let authority = state.authority {
            state.authority = AuthorityFailure(
                failures: authority.failures, pause: authority.pause.cut(at: now), error: authority.error)
        }
        plan.statuses.reserveCapacity(situation.sites.count)
        for domain in situation.sites { evaluate(domain, &random) }
        beginOrders()
    }

    private var orderPeriod: Int64 { IssuanceState.orderPeriod }

    private mutating func evaluate(_ domain: Domain, _ random: inout some RandomNumberGenerator) {
        let index = state.domains.index(forKey: domain)
        let known = index.map { state.domains.values[$0] }
        var record = known ?? DomainRecord()
        record.pause = record.pause?.cut(at: now)
        record.renewal?.cut(at: now)
        record.cutIssuances(at: now)
        let status = status(of: domain, &record, &random)
        record.state = status.state
        plan.statuses[domain] = status
        // An unchanged record is not written: that would copy the dictionary if another reference to it exists.
        if let index {
            if record != known { state.domains.values[index] = record }
        } else {
            state.domains[domain] = record
        }
    }

    /// Something is different from this time on.
    private mutating func scheduleChange(at time: Int64) {
        guard time > now else { return }
        plan.nextChange = min(plan.nextChange ?? time, time)
    }

    // MARK: One domain

    private mutating func status(
        of domain: Domain, _ record: inout DomainRecord, _ random: inout some RandomNumberGenerator
    ) -> DomainStatus {
        if settings.excluded.contains(domain) { return DomainStatus(.excluded) }
        let naming = certificates.naming(domain)
        // The time of the renewal is drawn once for each certificate.
        if let renewal = record.renewal,
            !naming.contains(where: { $0.isOrdered(for: domain) && $0.fingerprint == renewal.fingerprint })
        {
            record.renewal = nil
        }
        var validUntil: Int64?
        var covering: Int64?
        for certificate in naming {
            if certificate.isValid(at: now) {
                validUntil = max(validUntil ?? certificate.notAfter, certificate.notAfter)
                scheduleChange(at: certificate.notAfter)
                if certificate.source == .folder {
                    covering = max(covering ?? certificate.coversUntil, certificate.coversUntil)
                }
            } else {
                scheduleChange(at: certificate.notBefore)
            }
        }
        if let covering, covering > now {
            scheduleChange(at: covering)
            var status = DomainStatus(.covered)
            status.validUntil = validUntil
            return status
        }
        var status = status(ofEligible: domain, naming, validUntil, &record, &random)
        status.validUntil = validUntil
        status.lastAttempt = record.lastAttempt
        status.failures = record.failures
        if status.lastError == nil { status.lastError = record.lastError }
        return status
    }

    private mutating func status(
        ofEligible domain: Domain, _ naming: [InstalledCertificate], _ validUntil: Int64?,
        _ record: inout DomainRecord, _ random: inout some RandomNumberGenerator
    ) -> DomainStatus {
        let current = current(of: domain, naming)
        var renewal: Int64?
        var limitedUntil: Int64?
        let isRequested = situation.requested.contains(domain)
        if let current {
            var time = schedule(current, of: domain, &record, &random)
            // What has failed waits for its next attempt instead.
            if !isRequested, record.order == nil, record.failures == 0, let end = record.issuancePause, end > time {
                (time, limitedUntil) = (end, end)
            }
            scheduleChange(at: time)
            renewal = time
        }
        if situation.ongoing.contains(domain) {
            var status = DomainStatus(validUntil == nil ? .ordering : .renewing)
            status.nextRenewal = renewal
            return status
        }
        // A certificate that is not valid yet will be.
        if let renewal, renewal > now, !isRequested {
            record.endOrder()
            forgetBlocking(&record)
            var status = DomainStatus(.valid)
            status.nextRenewal = renewal
            status.limitedUntil = limitedUntil
            return status
        }
        var status = attempt(domain, current, validUntil, isRequested: isRequested, &record)
        status.nextRenewal = renewal
        return status
    }

    /// The certificate of ACME in use: of those that are valid, or will be, the last one.
    private func current(of domain: Domain, _ naming: [InstalledCertificate]) -> InstalledCertificate? {
        var current: InstalledCertificate?
        for certificate in naming where certificate.notAfter > now && certificate.isOrdered(for: domain) {
            guard let other = current else {
                current = certificate
                continue
            }
            let isValid = certificate.isValid(at: now)
            if isValid == other.isValid(at: now) ? certificate.notBefore > other.notBefore : isValid {
                current = certificate
            }
        }
        return current
    }

    /// The time of the renewal; asks the CA about it if it is time to.
    private mutating func schedule(
        _ certificate: InstalledCertificate, of domain: Domain, _ record: inout DomainRecord,
        _ random: inout some RandomNumberGenerator
    ) -> Int64 {
        let schedule: RenewalSchedule
        // An earlier version may have drawn a time in a window that counts for nothing.
        if let known = record.renewal, known.fingerprint == certificate.fingerprint,
            !known.isPremature(for: certificate)
        {
            schedule = known
        } else {
            schedule = RenewalSchedule(
                for: certificate, now: now,
                firstQuestionIn: certificates.isLarge ? Int64.random(in: 0..<60, using: &random) : 0, random: &random)
            record.renewal = schedule
        }
        guard certificate.isValid(at: now) else { return max(schedule.renewal(of: certificate), certificate.notBefore) }
        guard isOfThisAuthority(certificate) else { return now }
        if situation.ownsLock, situation.offersRenewalInfo, let id = certificate.certificateID {
            if schedule.nextQuestion <= now {
                if !situation.asking.contains(domain) {
                    plan.questions.append(
                        .init(
                            domain: domain, fingerprint: certificate.fingerprint, certificate: id,
                            earliestWindow: certificate.earliestWindow))
                }
            } else {
                scheduleChange(at: schedule.nextQuestion)
            }
        }
        return schedule.renewal(of: certificate)
    }

    private func isOfThisAuthority(_ certificate: InstalledCertificate) -> Bool {
        if case .acme(_, directory) = certificate.source { true } else { false }
    }

    /// The status of a domain that needs an order, which is queued if nothing keeps it back.
    private mutating func attempt(
        _ domain: Domain, _ current: InstalledCertificate?, _ validUntil: Int64?, isRequested: Bool,
        _ record: inout DomainRecord
    ) -> DomainStatus {
        if settings.configuration.directory.isPublic, !domain.isPublic {
            return blocked(
                .acmeName, "'\(domain)' is not a name in the public DNS, and this CA issues for no other", &record)
        }
        let challenges = challenges(of: domain, record)
        guard !challenges.isEmpty else {
            let wanted = settings.configuration.challenges.map(\.rawValue).joined(separator: ", ")
            return blocked(
                .acmeChallenges, "no listener can answer a challenge of 'acme.challenges' (\(wanted))", &record)
        }
        forgetBlocking(&record)
        let authorityPause = state.authority.map(\.pause.end) ?? now
        // An order that is there already is continued.
        let limit = isRequested || record.order != nil ? nil : record.issuancePause
        let pauseEnd = max(record.pause?.end ?? now, limit ?? now)
        if !isRequested, pauseEnd > now {
            let next = max(pauseEnd, authorityPause)
            scheduleChange(at: next)
            var status = DomainStatus(record.lastError?.type.isBlocking == true ? .blocked : .backoff)
            status.nextAttempt = next
            if record.lastError == nil, let last = record.issuances.last {
                status.lastError = RecordedError(
                    at: last, type: .rateLimited, message: DomainRecord.limitMessage(domain))
            }
            return status
        }
        var status = DomainStatus(.waiting)
        if let authority = state.authority {
            status.lastError = authority.error
            status.concernsAuthority = true
            if !isRequested, authorityPause > now {
                scheduleChange(at: authorityPause)
                status.state = .backoff
                status.nextAttempt = authorityPause
                return status
            }
        }
        let isRenewal = current.map { isOfThisAuthority($0) && $0.isValid(at: now) } ?? false
        queue.append(
            Candidate(
                domain: domain, validUntil: validUntil,
                replaces: isRenewal && situation.offersRenewalInfo ? current?.certificateID : nil,
                resumes: record.order, challenges: challenges))
        return status
    }

    /// Those that can be answered; after one that has failed comes the next.
    private func challenges(of domain: Domain, _ record: DomainRecord) -> [ChallengeType] {
        guard !domain.isWildcard else { return [.dnsPersist01] }
        guard let failed = record.failedChallenge, let index = usableChallenges.firstIndex(of: failed) else {
            return usableChallenges
        }
        return Array(usableChallenges[(index + 1)...] + usableChallenges[...index])
    }

    /// Blocked by the settings alone: nothing was tried, and no time will help.
    private func blocked(_ type: IssuanceErrorType, _ message: String, _ record: inout DomainRecord) -> DomainStatus {
        if record.lastError?.type != type || record.lastError?.message != message {
            record.lastError = RecordedError(at: now, type: type, message: message)
        }
        record.pause = nil
        return DomainStatus(.blocked)
    }

    /// The settings do not block the domain any more.
    private func forgetBlocking(_ record: inout DomainRecord) {
        guard record.pause == nil, let type = record.lastError?.type, type.isBlocking else { return }
        record.lastError = nil
    }

    // MARK: The queue

    /// Begins as many orders as the limits allow.
    private mutating func beginOrders() {
        let parallel = settings.configuration.limits.parallelOrders - (situation.ongoing.count - situation.finished)
        guard situation.ownsLock, !queue.isEmpty, parallel > 0 else { return }
        let rest = max(
            0, settings.configuration.limits.ordersPer3Hours - state.orders.count - situation.unrecordedOrders)
        var counted = Selection(limit: min(parallel, rest))
        var others = Selection(limit: parallel)
        for candidate in queue {
            if candidate.counts { counted.offer(candidate) } else { others.offer(candidate) }
        }
        if counted.offers > rest, let first = state.orders.first { scheduleChange(at: first + orderPeriod) }
        for candidate in (counted.first + others.first).sorted(by: Candidate.isBefore).prefix(parallel) {
            plan.orders.append(
                OrderTask(
                    domain: candidate.domain, challenges: candidate.challenges, configuration: settings.configuration,
                    replaces: candidate.replaces, resumes: candidate.resumes))
            let newState: DomainState = candidate.validUntil == nil ? .ordering : .renewing
            plan.statuses[candidate.domain]?.state = newState
            state.domains[candidate.domain]?.state = newState
        }
    }

    /// The first few of many candidates, sorted.
    private struct Selection {
        let limit: Int
        private(set) var first: [Candidate] = []
        private(set) var offers = 0

        init(limit: Int) { self.limit = limit }

        mutating func offer(_ candidate: Candidate) {
            offers += 1
            if first.count == limit {
                guard let last = first.last, Candidate.isBefore(candidate, last) else { return }
                first.removeLast()
            }
            let index = first.lastIndex { !Candidate.isBefore(candidate, $0) }.map { $0 + 1 } ?? 0
            first.insert(candidate, at: index)
        }
    }
}
