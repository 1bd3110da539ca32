package import Diagnostics
package import ServiceHealth
internal import SystemSupport

/// Reports certificates that need somebody's attention (server.md, section 4): once for each time that it gets worse.
package struct ExpiryNotices: Sendable {
    /// A certificate that clients of sites are served.
    package struct Certificate: Sendable {
        /// The file.
        package let path: String
        package let names: [String]
        package let validity: CertificateValidity
        package let judgement: CertificateJudgement
        /// Identifies it.
        package let digest: [UInt8]

        package init(
            path: String, names: [String], validity: CertificateValidity, judgement: CertificateJudgement,
            digest: [UInt8]
        ) {
            self.path = path
            self.names = names
            self.validity = validity
            self.judgement = judgement
            self.digest = digest
        }
    }

    /// More lines at a time help nobody.
    package static let mostAtOnce = 20
    /// The level of a certificate that clients refuse.
    private static let refused = 10
    /// The level of a renewal that has failed for so long that somebody has to act.
    private static let failed = 9

    /// The level of each certificate at the last look, by its digest.
    private var levels: [[UInt8]: Int] = [:]

    package init() {}

    /// Looks at all certificates that are served.
    ///
    /// When the clock has gone back, what was logged too early is forgotten, so that it is logged again in its time.
    ///
    /// - Parameter now: seconds since 1970.
    package mutating func look(at certificates: [Certificate], now: Int64) -> [LocatedDiagnostic] {
        let before = levels
        levels = [:]
        for certificate in certificates { levels[certificate.digest] = Self.level(certificate, now) }
        return Self.findings(certificates) { levels[$0.digest, default: 0] > before[$0.digest, default: 0] }
    }

    /// Looks at those of the served ones that were never looked at. Nothing is said about renewals: what is known of
    /// them may be older than the certificates.
    ///
    /// - Parameter areAll: whether no others are served.
    package mutating func lookAtNew(
        _ certificates: [Certificate], areAll: Bool = true, now: Int64
    ) -> [LocatedDiagnostic] {
        let before = levels
        if areAll { levels = [:] }
        for certificate in certificates {
            let isRenewal = !certificate.judgement.isOfTime
            levels[certificate.digest] = before[certificate.digest] ?? (isRenewal ? 0 : Self.level(certificate, now))
        }
        return Self.findings(certificates) { before[$0.digest] == nil && levels[$0.digest, default: 0] > 0 }
    }

    /// The level of a certificate: one that somebody else renews crosses one threshold after the other; a renewal that
    /// fails is logged with each attempt, and here when somebody has to act.
    private static func level(_ certificate: Certificate, _ now: Int64) -> Int {
        let judgement = certificate.judgement
        switch judgement.state {
        case .expired, .notYetValid: return refused
        case .expires: return max(1, certificate.validity.thresholdsCrossed(at: now))
        case .renewalOverdue: return judgement.severity == .critical ? failed : 1
        case .renewalFailed: return judgement.severity == .critical ? failed : 0
        case .ok, .blocked, .awaited, .orderFailed, .missing, .partial, .notNeeded, .unused: return 0
        }
    }

    /// Those that are due, the next to expire first, as lines.
    private static func findings(
        _ certificates: [Certificate], _ isDue: (Certificate) -> Bool
    ) -> [LocatedDiagnostic] {
        let due = certificates.filter(isDue).sorted {
            ($0.validity.notAfter, $0.path) < ($1.validity.notAfter, $1.path)
        }
        let rest = due.dropFirst(mostAtOnce)
        let findings = due.prefix(mostAtOnce).map(finding)
        guard let next = rest.first else { return findings }
        let problem = "this certificate and \(grouped(rest.count - 1)) more expire soon or have expired"
        return findings + [.warning(next.path, problem, help: "see 'aasa certificates'")]
    }

    private static func finding(_ certificate: Certificate) -> LocatedDiagnostic {
        let judgement = certificate.judgement
        let problem = "the certificate for \(names(certificate.names)) \(judgement.predicate)"
        return judgement.severity == .critical
            ? .error(certificate.path, problem, help: judgement.advice)
            : .warning(certificate.path, problem, help: judgement.advice)
    }

    private static func names(_ names: [String]) -> String {
        let first = VisibleText.escaped(names.first ?? "no name")
        return names.count > 1 ? "\(first) and \(counted(names.count - 1, "other name"))" : first
    }
}
