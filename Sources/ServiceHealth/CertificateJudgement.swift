package import ACME
package import Diagnostics
internal import DomainNames
internal import SystemSupport

/// The judgement of a certificate, or of its absence: what every command, endpoint and log line says about it
/// (acme.md, section 9).
///
/// It is a pure function of the certificate's validity and source, what is known of its renewal, and the time.
package struct CertificateJudgement: Equatable, Sendable {
    /// The state in one word, which JSON and metrics have.
    package enum State: String, CaseIterable, Sendable {
        case ok
        /// A certificate that the server does not renew is near its end.
        case expires
        case expired
        case notYetValid = "not-yet-valid"
        /// The server should have renewed it, and nothing is known of a failure.
        case renewalOverdue = "renewal-overdue"
        /// The last attempt of the server to renew it has failed.
        case renewalFailed = "renewal-failed"
        /// The server cannot order one before somebody changes something, whether there is one now or not.
        case blocked
        /// There is none yet, and the server gets one.
        case awaited
        /// There is none yet, and the last order has failed.
        case orderFailed = "order-failed"
        /// There is none, and the server gets none.
        case missing
        /// Only some names below a wildcard site have one.
        case partial
        /// No client needs one: no listener speaks HTTPS.
        case notNeeded = "not-needed"
        /// No client of a site is presented this certificate.
        case unused
    }

    package let state: State
    package let severity: HealthSeverity
    /// A few words for a table: `expires in 22 hours (2026-11-24)`, `none: nobody can fetch this file`.
    package let summary: String
    /// The way out; nil if there is nothing to do.
    package let advice: String?
    /// Whether there is a certificate that is valid now.
    package let isServed: Bool

    private init(
        _ state: State, _ severity: HealthSeverity, _ summary: String, advice: String? = nil,
        isServed: Bool = false
    ) {
        (self.state, self.severity, self.summary) = (state, severity, summary)
        (self.advice, self.isServed) = (advice, isServed)
    }

    package static let notNeeded = CertificateJudgement(.notNeeded, .ok, "not needed")

    /// A certificate that no client of a site is presented: nobody has to do anything, also when it has expired.
    package static func unused(_ validity: CertificateValidity, now: Int64) -> CertificateJudgement {
        let isOver = validity.notAfter < now
        return CertificateJudgement(
            .unused, .ok, isOver ? "not used, expired on \(validity.lastDay)" : "not used",
            isServed: validity.contains(now))
    }

    /// A wildcard site of which only some names have a certificate, such as this one.
    package static func partial(_ example: String) -> CertificateJudgement {
        CertificateJudgement(
            .partial, .warning, "only for some names, like \(VisibleText.escaped(example))",
            advice: "add a certificate for the wildcard", isServed: true)
    }

    /// The certificate that the clients of a site are presented.
    ///
    /// - Parameters:
    ///   - domain: `example.com`, or `*.example.com`.
    ///   - status: what is known of its orders; nil if the server would order none for the site.
    ///   - now: seconds since 1970.
    package init(
        _ validity: CertificateValidity, _ source: CertificateSource, of domain: String, _ status: DomainStatus?,
        now: Int64
    ) {
        if validity.notAfter < now {
            self.init(
                .expired, .critical, "expired on \(validity.lastDay)",
                advice: Self.renewal(of: domain, status) ?? Self.lateRenewal(of: domain, source, status)
                    ?? Self.renewNow)
        } else if validity.notBefore > now {
            self.init(
                .notYetValid, .critical, "not valid before \(InternetDate.day(validity.notBefore))",
                advice: "use the previous certificate, or correct the clock of this machine")
        } else if let status, status.state != .excluded,
            source == .acme || validity.notAfter - now < validity.warningSeconds
        {
            self.init(renewed: validity, source, domain, status, now)
        } else {
            self.init(byTime: validity, now: now)
        }
    }

    /// A site that no certificate covers.
    package init(withoutCertificateFor domain: String, _ status: DomainStatus?) {
        guard let status, status.state != .excluded else {
            let isExcluded = status != nil
            self.init(
                .missing, .critical, "none: nobody can fetch this file",
                advice: "put one into the folder of certificates, or "
                    + (isExcluded ? "remove the site from 'acme.exclude'" : "add 'acme' to server.json"))
            return
        }
        let type = status.lastError?.type.rawValue
        switch (status.state, type) {
        case (.blocked, _):
            self.init(
                .blocked, .critical, "none: it cannot be ordered: \(type ?? "blocked")",
                advice: Self.unblocking(domain, status))
        case (_, let type?):
            self.init(
                .orderFailed, .critical, "none: the last order failed: \(type)",
                advice: Self.renewal(of: domain, status))
        default:
            self.init(.awaited, .warning, "none yet: the server gets one")
        }
    }

    /// A certificate that is valid, and that the server does not renew: only its time counts.
    ///
    /// - Parameter warningSeconds: when somebody has to look, instead of the usual time.
    package init(byTime validity: CertificateValidity, warningSeconds: Int64? = nil, now: Int64) {
        let left = validity.notAfter - now
        let isCritical = left < validity.criticalSeconds
        guard isCritical || left < warningSeconds ?? validity.warningSeconds else {
            self.init(.ok, .ok, "ok", isServed: true)
            return
        }
        self.init(
            .expires, isCritical ? .critical : .warning, Self.expiry(validity, now), advice: Self.renewNow,
            isServed: true)
    }

    /// A certificate that is valid, and that the server renews or replaces.
    private init(
        renewed validity: CertificateValidity, _ source: CertificateSource, _ domain: String, _ status: DomainStatus,
        _ now: Int64
    ) {
        let left = validity.notAfter - now
        let type = status.lastError?.type.rawValue
        // Near its end a failure is no matter for tomorrow, whoever has made the certificate.
        let severity: HealthSeverity = left < validity.lifetime / 10 ? .critical : .warning
        let end = severity == .critical ? ", \(Self.expiry(validity, now))" : ""
        switch status.state {
        case .blocked:
            self.init(
                .blocked, .critical, "cannot be renewed: \(type ?? "blocked")", advice: Self.unblocking(domain, status),
                isServed: true)
        case .waiting, .ordering, .renewing, .backoff:
            if let type {
                self.init(
                    .renewalFailed, severity, "was not renewed: \(type)\(end)",
                    advice: Self.renewal(of: domain, status),
                    isServed: true)
                return
            }
            fallthrough
        case .valid, .covered, .excluded:
            if source == .folder {
                self.init(
                    .expires, .warning, Self.expiry(validity, now),
                    advice: "renew it; if nobody does, the server orders one of its own before it expires",
                    isServed: true)
            } else if now >= Self.overdue(validity, status) {
                let due = InternetDate.day(Self.due(validity, status))
                self.init(
                    .renewalOverdue, severity, "was due for renewal on \(due)\(end)",
                    advice: Self.lateRenewal(of: domain, source, status), isServed: true)
            } else {
                self.init(.ok, .ok, "ok", isServed: true)
            }
        }
    }

    // MARK: When a renewal is overdue

    /// When the server renews a certificate: at the time that was decided, else at the latest one that is usual, and in
    /// any case before the end.
    private static func due(_ validity: CertificateValidity, _ status: DomainStatus) -> Int64 {
        let lifetime = validity.lifetime
        let usual = lifetime < 10 * CertificateValidity.day ? lifetime / 2 : lifetime / 3 * 2
        let latest = validity.notAfter - min(lifetime / 10, 2 * CertificateValidity.day)
        return min(status.nextRenewal ?? validity.notBefore + usual, latest)
    }

    /// When a renewal is overdue: a twentieth of the lifetime after its time, or a quarter of what is left then.
    private static func overdue(_ validity: CertificateValidity, _ status: DomainStatus) -> Int64 {
        let due = due(validity, status)
        return due + min(validity.lifetime / 20, (validity.notAfter - due) / 4)
    }

    /// The whole days before the end at which somebody should look, and has to act, if nothing else happens.
    package static func days(
        _ validity: CertificateValidity, _ source: CertificateSource, _ status: DomainStatus?
    ) -> (warning: Int, critical: Int) {
        guard source == .acme, let status, status.state != .excluded else {
            return (wholeDays(validity.warningSeconds), wholeDays(validity.criticalSeconds))
        }
        return (wholeDays(validity.notAfter - overdue(validity, status)), wholeDays(validity.lifetime / 10))
    }

    // MARK: Words

    /// The advice for a certificate that somebody else than the server renews.
    package static let renewNow = "renew it now, and find out why it was not renewed automatically"

    private static func expiry(_ validity: CertificateValidity, _ now: Int64) -> String {
        "expires in \(validity.timeLeft(at: now)) (\(validity.lastDay))"
    }

    /// The advice after an attempt that has failed; nil if there was none.
    private static func renewal(of domain: String, _ status: DomainStatus?) -> String? {
        guard let status, let error = status.lastError, status.state != .excluded else { return nil }
        if status.state == .blocked { return unblocking(domain, status) }
        if status.isUnattended { return "correct the cause (\(error.type.rawValue)), then \(startServer)" }
        let next = status.nextAttempt.map { "the next attempt is at \(InternetDate.string($0))" }
        return "correct the cause (\(error.type.rawValue)); "
            + (next ?? "the server tries again") + ", or at once with 'aasa certificates --renew "
            + "\(argument(domain))'"
    }

    /// The advice for a certificate that the server should have renewed; nil for one that somebody else renews.
    private static func lateRenewal(
        of domain: String, _ source: CertificateSource, _ status: DomainStatus?
    ) -> String? {
        guard source == .acme, let status, status.state != .excluded else { return nil }
        guard !status.isUnattended else { return startServer }
        return "see the log of the server that orders certificates; "
            + "'aasa certificates --renew \(argument(domain))' renews it now"
    }

    private static let startServer = "start the server that orders certificates"

    private static func unblocking(_ domain: String, _ status: DomainStatus) -> String {
        switch status.lastError?.type {
        case .acmeName:
            "put a certificate of your own into the folder of certificates, choose a private CA with 'acme.directory', "
                + "or name the site in 'acme.exclude'"
        case .acmeWildcard:
            "get the certificate by dns-01 with another ACME client and put it into the folder of certificates, or name "
                + "the site in 'acme.exclude'"
        case .acmeChallenges:
            "add a challenge that the CA offers to 'acme.challenges', and a listener that can answer it to 'listen'"
        default: "correct the cause, then run 'aasa certificates --renew \(argument(domain))'"
        }
    }

    /// A domain as an argument of a command: a wildcard has the spelling of its folder, which no shell expands.
    package static func argument(_ domain: String) -> String {
        Domain(domain)?.folderName ?? domain
    }

    /// The same with its subject: `certificate expires in 5 days (2026-11-28)`, `no certificate yet: the server gets one`.
    package var clause: String {
        switch state {
        case .notNeeded: "no certificate is needed"
        case _ where summary.hasPrefix("none"): "no certificate\(summary.dropFirst("none".count))"
        case .ok: "certificate ok"
        default: "certificate \(summary)"
        }
    }

    /// The predicate of a sentence about the certificate: `expires in 5 days (2026-11-28)`, `is not valid before
    /// 2026-11-28`.
    package var predicate: String { state == .notYetValid ? "is \(summary)" : summary }

    /// Whether nothing but the time and the validity decide.
    package var isOfTime: Bool {
        switch state {
        case .expires, .expired, .notYetValid: true
        default: false
        }
    }

    /// The members that JSON has of it.
    package var members: [String: JSONOutput] {
        [
            "state": .string(state.rawValue), "severity": .string(severity.word), "message": .string(clause),
            "help": .optional(advice),
        ]
    }
}
