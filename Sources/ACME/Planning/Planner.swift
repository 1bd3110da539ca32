/// Makes a plan.
struct Planner {
    let settings: IssuancePlan.Settings
    let situation: IssuancePlan.Situation
    var state: IssuanceState
    var plan = IssuancePlan()
    private let certificates: CertificateIndex
    /// Domains for which an order could begin now.
    private var queue: [Candidate] = []

    private struct Candidate {
        let domain: Domain
        /// The end of the certificate in use; nil if there is no valid one.
        let validUntil: Int64?
        let replaces: CertificateID?
        let challenges: [ChallengeType]
    }

    init(settings: IssuancePlan.Settings, situation: IssuancePlan.Situation, state: IssuanceState) {
        (self.settings, self.situation, self.state) = (settings, situation, state)
        certificates = CertificateIndex(situation.certificates)
    }

    private var now: Int64 { situation.now }

    mutating func plan(random: inout some RandomNumberGenerator) {
        // A time ahead of now was written by a clock that was wrong.
        state.orders = state.orders.map { min($0, now) }.filter { $0 > now - IssuanceState.orderPeriod }
        if let authority = state.authority {
            state.authority = Setback(
                failures: authority.failures, pause: authority.pause.cut(at: now), error: authority.error)
        }
        for domain in situation.sites {
            var record = state.domains[domain] ?? DomainRecord()
            record.pause = record.pause?.cut(at: now)
            record.renewal?.cut(at: now)
            let status = status(of: domain, &record, &random)
            state.domains[domain] = record
            plan.statuses[domain] = status
        }
        beginOrders()
        for (domain, status) in plan.statuses { state.domains[domain]?.state = status.state }
    }

    /// Something is different from this time on.
    private mutating func lookAgain(at time: Int64) {
        guard time > now else { return }
        plan.nextChange = min(plan.nextChange ?? time, time)
    }

    // MARK: One domain

    private mutating func status(
        of domain: Domain, _ record: inout DomainRecord, _ random: inout some RandomNumberGenerator
    ) -> DomainStatus {
        if settings.excluded.contains(domain) { return DomainStatus(.excluded) }
        let naming = certificates.naming(domain)
        var validUntil: Int64?
        for certificate in naming {
            if certificate.isValid(at: now) {
                validUntil = max(validUntil ?? certificate.notAfter, certificate.notAfter)
                lookAgain(at: certificate.notAfter)
            } else {
                lookAgain(at: certificate.notBefore)
            }
        }
        let covering = naming.filter { $0.source == .folder && $0.isValid(at: now) }.map(\.coversUntil).max()
        if let covering, covering > now {
            lookAgain(at: covering)
            // Whatever went before is over.
            record.renewal = nil
            var status = DomainStatus(.covered)
            status.validUntil = validUntil
            return status
        }
        var status = status(ofEligible: domain, validUntil, &record, &random)
        status.validUntil = validUntil
        status.lastAttempt = record.lastAttempt
        status.failures = record.failures
        if status.lastError == nil { status.lastError = record.lastError }
        return status
    }

    private mutating func status(
        ofEligible domain: Domain, _ validUntil: Int64?, _ record: inout DomainRecord,
        _ random: inout some RandomNumberGenerator
    ) -> DomainStatus {
        let current = current(of: domain)
        var renewal: Int64?
        if let current {
            let time = schedule(current, of: domain, &record, &random)
            lookAgain(at: time)
            renewal = time
        } else {
            record.renewal = nil
        }
        let isRequested = situation.requested.contains(domain)
        let isOngoing = situation.ongoing.contains(domain)
        if isOngoing {
            var status = DomainStatus(validUntil == nil ? .ordering : .renewing)
            status.nextRenewal = renewal
            return status
        }
        // A certificate that is not valid yet will be.
        if let renewal, renewal > now, !isRequested {
            record.order = nil
            forgetBlocking(&record)
            var status = DomainStatus(.valid)
            status.nextRenewal = renewal
            return status
        }
        var status = attempt(domain, current, validUntil, isRequested: isRequested, &record)
        status.nextRenewal = renewal
        return status
    }

    /// The certificate of ACME in use: of those that are valid, or will be, the last one.
    private func current(of domain: Domain) -> InstalledCertificate? {
        certificates.ordered(for: domain).filter { $0.notAfter > now && $0.names == [domain.identifier] }
            .max { ($0.isValid(at: now) ? 1 : 0, $0.notBefore) < ($1.isValid(at: now) ? 1 : 0, $1.notBefore) }
    }

    /// When the certificate is due; asks the CA about it if it is time to.
    private mutating func schedule(
        _ certificate: InstalledCertificate, of domain: Domain, _ record: inout DomainRecord,
        _ random: inout some RandomNumberGenerator
    ) -> Int64 {
        let schedule =
            if let known = record.renewal, known.fingerprint == certificate.fingerprint {
                known
            } else {
                RenewalSchedule(
                    for: certificate, now: now,
                    firstQuestionIn: certificates.isLarge ? Int64.random(in: 0..<60, using: &random) : 0,
                    random: &random)
            }
        defer { record.renewal = schedule }
        guard certificate.isValid(at: now) else { return max(schedule.renewal(of: certificate), certificate.notBefore) }
        guard isOfThisAuthority(certificate) else { return now }
        if situation.isHolder, situation.offersRenewalInfo, let id = certificate.certificateID {
            if schedule.nextQuestion <= now {
                if !situation.asking.contains(domain) {
                    plan.questions.append(
                        .init(domain: domain, fingerprint: certificate.fingerprint, certificate: id))
                }
            } else {
                lookAgain(at: schedule.nextQuestion)
            }
        }
        return schedule.renewal(of: certificate)
    }

    private func isOfThisAuthority(_ certificate: InstalledCertificate) -> Bool {
        if case .acme(_, settings.directory.description) = certificate.source { true } else { false }
    }

    /// What comes of a domain that needs an order.
    private mutating func attempt(
        _ domain: Domain, _ current: InstalledCertificate?, _ validUntil: Int64?, isRequested: Bool,
        _ record: inout DomainRecord
    ) -> DomainStatus {
        if settings.isForPublicNamesOnly, !domain.isPublic {
            return blocked(
                .acmeName, "'\(domain)' is not a name in the public DNS, and this CA issues for no other", &record)
        }
        let challenges = challenges(of: domain, record)
        guard !challenges.isEmpty else {
            let wanted = settings.challenges.map(\.rawValue).joined(separator: ", ")
            return blocked(
                .acmeChallenges, "no listener can answer a challenge of 'acme.challenges' (\(wanted))", &record)
        }
        forgetBlocking(&record)
        if !isRequested {
            if let pause = record.pause, pause.end > now {
                lookAgain(at: pause.end)
                var status = DomainStatus(record.lastError?.type.isBlocking == true ? .blocked : .backoff)
                status.nextAttempt = pause.end
                return status
            }
            if let authority = state.authority, authority.pause.end > now {
                lookAgain(at: authority.pause.end)
                var status = DomainStatus(.backoff)
                status.nextAttempt = authority.pause.end
                status.lastError = authority.error
                status.concernsAuthority = true
                return status
            }
        }
        let isRenewal = current.map { isOfThisAuthority($0) && $0.isValid(at: now) } ?? false
        queue.append(
            Candidate(
                domain: domain, validUntil: validUntil,
                replaces: isRenewal && situation.offersRenewalInfo ? current?.certificateID : nil,
                challenges: challenges))
        return DomainStatus(.waiting)
    }

    /// Those that can be answered; after one that has failed comes the next.
    private func challenges(of domain: Domain, _ record: DomainRecord) -> [ChallengeType] {
        guard !domain.isWildcard else { return [.dnsPersist01] }
        let usable = settings.challenges.filter { $0 == .dnsPersist01 || settings.answerable.contains($0) }
        guard let failed = record.failedChallenge, let place = usable.firstIndex(of: failed) else { return usable }
        return Array(usable[(place + 1)...] + usable[...place])
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

    /// Domains without a valid certificate first, then those that expire first, as many as the limits allow.
    private mutating func beginOrders() {
        guard situation.isHolder, !queue.isEmpty else { return }
        var parallel = settings.parallelOrders - situation.ongoing.count
        var rest = settings.ordersPer3Hours - state.orders.count - situation.unrecordedOrders
        let sorted = queue.sorted {
            ($0.validUntil ?? .min, $0.domain) < ($1.validUntil ?? .min, $1.domain)
        }
        for candidate in sorted {
            guard parallel > 0 else { break }
            let resumes = state.domains[candidate.domain]?.order
            if resumes == nil, candidate.replaces == nil {
                guard rest > 0 else {
                    if let first = state.orders.first { lookAgain(at: first + IssuanceState.orderPeriod) }
                    continue
                }
                rest -= 1
            }
            parallel -= 1
            plan.orders.append(
                OrderTask(
                    domain: candidate.domain, challenges: candidate.challenges, profile: settings.profile,
                    preferredChain: settings.preferredChain, replaces: candidate.replaces, resumes: resumes))
            plan.statuses[candidate.domain]?.state = candidate.validUntil == nil ? .ordering : .renewing
        }
    }
}
