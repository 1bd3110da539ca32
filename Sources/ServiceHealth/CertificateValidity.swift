internal import Diagnostics
internal import SystemSupport

/// Where a certificate of a server comes from.
package enum CertificateSource: String, CaseIterable, Sendable {
    /// A folder that ACME did not make: somebody else renews the certificate.
    case folder
    /// A folder with `acme.json` in it: the server renews the certificate (acme.md, section 3).
    case acme
}

/// The time for which a certificate is valid, in seconds since 1970.
package struct CertificateValidity: Equatable, Sendable {
    package let notBefore: Int64
    /// The last second.
    package let notAfter: Int64

    package static let day: Int64 = 86_400

    package init(notBefore: Int64, notAfter: Int64) { (self.notBefore, self.notAfter) = (notBefore, notAfter) }

    package var lifetime: Int64 { max(notAfter - notBefore, 0) }

    package func contains(_ now: Int64) -> Bool { notBefore <= now && now <= notAfter }

    /// The number of whole days that are left: negative as soon as the certificate has expired.
    package func daysLeft(at now: Int64) -> Int { wholeDays(notAfter - now) }

    /// The time that is left as people say it: `62 days`, `22 hours`, `less than an hour`.
    package func timeLeft(at now: Int64) -> String {
        let left = notAfter - now
        if left >= Self.day { return counted(Int(left / Self.day), "day") }
        return left >= 3_600 ? counted(Int(left / 3_600), "hour") : "less than an hour"
    }

    /// The day on which it expires, such as `2026-11-21`, in UTC.
    package var lastDay: String { InternetDate.day(notAfter) }

    // The thresholds for a certificate that the server does not renew: days, but never more than a part of a short
    // lifetime, in which whoever renews it does so later.

    /// The remaining time below which somebody has to look: 30 days, or a quarter of the lifetime if that is less.
    package var warningSeconds: Int64 { min(30 * Self.day, lifetime / 4) }

    /// The remaining time below which somebody has to act now: 7 days, or a tenth of the lifetime if that is less.
    package var criticalSeconds: Int64 { min(7 * Self.day, lifetime / 10) }

    /// The number of thresholds for log lines that have been crossed; none as long as nobody has to look.
    package func thresholdsCrossed(at now: Int64) -> Int {
        let thresholds = [
            warningSeconds, min(14 * Self.day, lifetime / 8), criticalSeconds, min(Self.day, lifetime / 20),
        ]
        return thresholds.count { notAfter - now < $0 }
    }
}
