package import ACME
package import ServiceHealth

/// The situations of a certificate, for tables over all of them.
package struct CertificateSituation: Sendable {
    package enum Renewer: String, CaseIterable, Sendable {
        case somebodyElse, server
    }

    package enum Stage: String, CaseIterable, Sendable {
        /// Issued a moment ago.
        case fresh
        /// The server's time to renew it has just come.
        case due
        /// That time is long over, and nothing is known of a failure.
        case overdue
        /// The last attempt has failed, and the next one is under way.
        case failing
        /// The last attempt has failed, and the next one has its time.
        case backoff
        case blocked
        /// A day before the end.
        case dayLeft
        /// A day before the end, with failed attempts.
        case dayLeftFailing
        case expired
        case notYetValid
    }

    package let renewer: Renewer
    /// The lifetime.
    package let days: Int64
    package let stage: Stage

    package init(renewer: Renewer, days: Int64, stage: Stage) {
        (self.renewer, self.days, self.stage) = (renewer, days, stage)
    }

    package static let lifetimes: [Int64] = [6, 45, 90, 398]
    static let day: Int64 = 86_400
    package static let now: Int64 = 1_795_262_400

    package static let all = Renewer.allCases.flatMap { renewer in
        lifetimes.flatMap { days in
            Stage.allCases.map { CertificateSituation(renewer: renewer, days: days, stage: $0) }
        }
    }

    /// The part of the lifetime that is over.
    private var age: Int64 {
        let lifetime = days * Self.day
        let due = days < 10 ? lifetime / 2 : lifetime / 3 * 2
        return switch stage {
        case .fresh: 60
        case .due, .failing, .backoff, .blocked: due + 60
        case .overdue: due + lifetime / 20 + 60
        case .dayLeft, .dayLeftFailing: lifetime - Self.day
        case .expired: lifetime + 60
        case .notYetValid: -60
        }
    }

    package var validity: CertificateValidity {
        CertificateValidity(notBefore: Self.now - age, notAfter: Self.now - age + days * Self.day)
    }

    package var source: CertificateSource { renewer == .server ? .acme : .folder }

    /// The status that the planner of orders gives then; of a certificate of somebody else nothing is known.
    package var status: DomainStatus? {
        guard renewer == .server else { return nil }
        let lifetime = days * Self.day
        var status: DomainStatus
        switch stage {
        case .fresh, .notYetValid: status = DomainStatus(.valid)
        case .due, .overdue, .dayLeft, .expired: status = DomainStatus(.waiting)
        case .failing:
            status = DomainStatus(.renewing)
            status.lastError = Self.error(.unauthorized)
        case .backoff, .dayLeftFailing:
            status = DomainStatus(.backoff)
            status.lastError = Self.error(.dns)
            status.nextAttempt = Self.now + 3_600
        case .blocked:
            status = DomainStatus(.blocked)
            status.lastError = Self.error(.acmeChallenges)
        }
        status.nextRenewal = validity.notBefore + (days < 10 ? lifetime / 2 : lifetime / 3 * 2)
        return status
    }

    package static func error(_ type: IssuanceErrorType) -> RecordedError {
        RecordedError(at: now - 60, type: type, message: "because")
    }

    package var judgement: CertificateJudgement {
        CertificateJudgement(validity, source, of: "shop.example.com", status, now: Self.now)
    }
}
