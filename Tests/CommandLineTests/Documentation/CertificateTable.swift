import ACME
import ServiceHealth
import TestSupport

/// The tables of docs/certificates.md about what is said of certificates, made from the judgement itself.
enum CertificateTable {
    private static let now = CertificateSituation.now
    private static let domain = "shop.example.com"

    static var markdown: String { situations + "\n" + thresholds }

    // MARK: Situations

    private static var situations: String {
        var lines = [
            "| situation | state | message | exit | `--strict` | nagios |", "|---|---|---|---|---|---|",
        ]
        for (situation, judgement) in rows {
            let severity = judgement.severity
            let words = ["OK", "WARNING", "CRITICAL"]
            let plugin = Int(severity.pluginCode(isStrict: false))
            lines.append(
                "| \(situation) | `\(judgement.state.rawValue)` | \(judgement.clause) "
                    + "| \(severity.exitCode(isStrict: false)) | \(severity.exitCode(isStrict: true)) "
                    + "| \(plugin) \(words[plugin]) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static var rows: [(String, CertificateJudgement)] { yours + renewed + missing }

    private static func server(_ stage: CertificateSituation.Stage) -> CertificateJudgement {
        CertificateSituation(renewer: .server, days: 90, stage: stage).judgement
    }

    private static func own(
        hoursLeft: Int64, _ status: DomainStatus? = nil, lifetime: Int64 = 398
    ) -> CertificateJudgement {
        let end = now + hoursLeft * 3_600
        return CertificateJudgement(
            CertificateValidity(notBefore: end - lifetime * 86_400, notAfter: end), .folder, of: domain, status,
            now: now)
    }

    private static let yours: [(String, CertificateJudgement)] = [
        ("yours (398 days), with 61 days left", own(hoursLeft: 61 * 24)),
        ("yours, with 29 days left", own(hoursLeft: 29 * 24)),
        ("yours, with 5 days left", own(hoursLeft: 5 * 24)),
        ("yours, with 22 hours left", own(hoursLeft: 22)),
        ("yours, with 5 days left, and `acme` will replace it", own(hoursLeft: 5 * 24, DomainStatus(.covered))),
        ("yours, expired", own(hoursLeft: -1)),
        ("yours, not valid yet", own(hoursLeft: 398 * 24 + 30)),
    ]

    private static let renewed: [(String, CertificateJudgement)] = [
        ("the server's (90 days), fresh", server(.fresh)),
        ("the server's, due for renewal", server(.due)),
        ("the server's, not renewed in time", server(.overdue)),
        ("the server's, the renewal fails", server(.backoff)),
        ("the server's, the renewal fails, a day left", server(.dayLeftFailing)),
        ("the server's, nobody renews it, a day left", server(.dayLeft)),
        ("the server's, the renewal is blocked", server(.blocked)),
        ("the server's, expired", server(.expired)),
    ]

    private static var missing: [(String, CertificateJudgement)] {
        func without(_ state: DomainState?, _ type: IssuanceErrorType? = nil) -> CertificateJudgement {
            var status = state.map { DomainStatus($0) }
            status?.lastError = type.map(CertificateSituation.error)
            return CertificateJudgement(withoutCertificateFor: domain, status)
        }
        let over = CertificateValidity(notBefore: now - 90 * 86_400, notAfter: now - 1)
        return [
            ("none yet: queued, or being ordered", without(.ordering)),
            ("none, the order fails", without(.backoff, .unauthorized)),
            ("none, and the order is blocked", without(.blocked, .acmeName)),
            ("none, without `acme`, or in `acme.exclude`", without(nil)),
            ("a wildcard site, with certificates for some names", .partial("www.example.com")),
            ("one that no site uses, expired", .unused(over, now: now)),
            ("no listener speaks HTTPS", .notNeeded),
        ]
    }

    // MARK: Thresholds

    private static var thresholds: String {
        var lines = [
            "| lifetime | yours: warning | critical | the server's: renewed | warning | critical |",
            "|---|---|---|---|---|---|",
        ]
        for days in CertificateSituation.lifetimes {
            let own = [HealthSeverity.warning, .critical].map { first($0, days) { _ in nil } }
            let renewal = days < 10 ? days * 86_400 / 2 : days * 86_400 / 3 * 2
            let late = first(.warning, days) { start in
                var status = DomainStatus(.waiting)
                status.nextRenewal = start + renewal
                return status
            }
            let failing = first(.critical, days) { start in
                var status = DomainStatus(.backoff)
                status.nextRenewal = start + renewal
                status.lastError = CertificateSituation.error(.dns)
                return status
            }
            let due = text(days * 86_400 - renewal)
            lines.append("| \(days) days | \(own[0]) | \(own[1]) | \(due) | \(late) | \(failing) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The time that is left when a certificate is first judged so, found by asking for every ten minutes.
    private static func first(
        _ severity: HealthSeverity, _ days: Int64, _ status: (Int64) -> DomainStatus?
    ) -> String {
        let lifetime = days * 86_400
        for age in stride(from: Int64(0), through: lifetime, by: 600) {
            let start = now - age
            let known = status(start)
            let validity = CertificateValidity(notBefore: start, notAfter: start + lifetime)
            let judgement = CertificateJudgement(
                validity, known == nil ? .folder : .acme, of: domain, known, now: now)
            // A renewal that fails is a warning at once.
            if judgement.severity >= severity { return text(lifetime - age) }
        }
        return "never"
    }

    /// Like `22.5 days` or `36 hours`, to half a day or an hour.
    private static func text(_ seconds: Int64) -> String {
        guard seconds >= 3 * 86_400 else { return "\((seconds + 1_800) / 3_600) hours" }
        let halves = (seconds + 21_600) / 43_200
        return "\(halves / 2)\(halves % 2 == 1 ? ".5" : "") days"
    }
}
