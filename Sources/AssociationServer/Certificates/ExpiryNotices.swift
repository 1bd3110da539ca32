internal import Diagnostics
internal import SystemSupport

/// Reports certificates that expire soon (server.md, section 4): once for each threshold that is crossed.
package struct ExpiryNotices: Sendable {
    /// What is looked at.
    package struct Certificate: Sendable {
        /// The file.
        package let path: String
        package let names: [String]
        /// Seconds since 1970.
        package let notAfter: Int64
        /// Identifies it.
        package let digest: [UInt8]

        package init(path: String, names: [String], notAfter: Int64, digest: [UInt8]) {
            self.path = path
            self.names = names
            self.notAfter = notAfter
            self.digest = digest
        }
    }

    /// In days.
    private static let thresholds: [Int64] = [30, 14, 7, 1]
    private static let day: Int64 = 86_400
    /// More lines at a time help nobody.
    package static let mostAtOnce = 20

    /// How many thresholds each certificate had crossed when it was looked at last, its expiry included; by its digest.
    private var crossed: [[UInt8]: Int] = [:]

    package init() {}

    /// Looks at all certificates that are served.
    ///
    /// When the clock has gone back, what was logged too early is forgotten, so that it is logged again in its time.
    ///
    /// - Parameter now: seconds since 1970.
    package mutating func look(at certificates: [Certificate], now: Int64) -> [LocatedDiagnostic] {
        let before = crossed
        crossed = [:]
        for certificate in certificates { crossed[certificate.digest] = Self.crossed(certificate, now) }
        return Self.findings(certificates, now) { crossed[$0.digest, default: 0] > before[$0.digest, default: 0] }
    }

    /// Looks at those of the served ones that were never looked at. Of expired ones it says nothing: loading them does.
    package mutating func lookAtNew(_ certificates: [Certificate], now: Int64) -> [LocatedDiagnostic] {
        let before = crossed
        crossed = [:]
        for certificate in certificates {
            crossed[certificate.digest] = before[certificate.digest] ?? Self.crossed(certificate, now)
        }
        return Self.findings(certificates, now) { certificate in
            before[certificate.digest] == nil && (1...Self.thresholds.count).contains(crossed[certificate.digest] ?? 0)
        }
    }

    private static func crossed(_ certificate: Certificate, _ now: Int64) -> Int {
        let left = certificate.notAfter - now
        return left < 0 ? thresholds.count + 1 : thresholds.count { left <= $0 * day }
    }

    /// Those that are due, the next to end first, as lines.
    private static func findings(
        _ certificates: [Certificate], _ now: Int64, _ isDue: (Certificate) -> Bool
    ) -> [LocatedDiagnostic] {
        let due = certificates.filter(isDue).sorted { ($0.notAfter, $0.path) < ($1.notAfter, $1.path) }
        let rest = due.dropFirst(mostAtOnce)
        let findings = due.prefix(mostAtOnce).map { finding($0, now) }
        guard let next = rest.first else { return findings }
        let problem = "this certificate and \(rest.count - 1) more expire soon or have expired"
        return findings + [.warning(next.path, problem, help: "renew them")]
    }

    private static func finding(_ certificate: Certificate, _ now: Int64) -> LocatedDiagnostic {
        let (left, subject) = (certificate.notAfter - now, "the certificate for \(names(certificate.names))")
        guard left >= 0 else {
            let problem = "\(subject) expired \(date(certificate.notAfter))"
            return .error(certificate.path, "\(problem); clients refuse it", help: "renew it")
        }
        return .warning(
            certificate.path, "\(subject) expires in \(duration(left)), \(date(certificate.notAfter))", help: "renew it"
        )
    }

    private static func duration(_ seconds: Int64) -> String {
        if seconds >= day { return counted(Int(seconds / day), "day") }
        return seconds >= 3_600 ? counted(Int(seconds / 3_600), "hour") : "less than an hour"
    }

    private static func names(_ names: [String]) -> String {
        let first = VisibleText.escaped(names.first ?? "no name")
        return names.count > 1 ? "\(first) and \(counted(names.count - 1, "other name"))" : first
    }

    /// `on 2026-11-21`, in UTC.
    private static func date(_ seconds: Int64) -> String {
        "on \(InternetDate.day(seconds))"
    }
}
