internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// Whether every site can be fetched, now and in the next weeks.
public struct HealthReport: Sendable {
    /// How bad something is.
    public enum Status: String, Comparable, CaseIterable, Sendable {
        case ok, warning, broken

        public static func < (left: Status, right: Status) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .broken: 2
            }
        }
    }

    /// What is the matter with a certificate.
    public enum CertificateState: Equatable, Sendable {
        case ok
        /// Within 30 days; within 7 the site counts as broken.
        case expires(inDays: Int)
        case expired
        case notYetValid
        /// Of a wildcard site: only some of its names are covered, such as this one.
        case partial(String)
        /// No certificate covers the site.
        case missing
        /// None covers it yet: a server that runs gets one.
        case awaited
        /// The server has plain listeners only: the certificate is that of a proxy.
        case notNeeded
    }

    /// A site with which something is not right.
    public struct Site: Sendable {
        public let domain: String
        public let status: Status
        /// In its present files.
        public let errors: Int
        public let warnings: Int
        /// What is wrong with the files, errors first.
        public let findings: [LocatedDiagnostic]
        public let certificate: CertificateState
        /// The last second in which it is valid (RFC 3339, UTC); `nil` without one.
        public let notAfter: String?
        /// That the certificate was read from; `nil` without one.
        public let folder: String?
    }

    /// With fewer days left, a certificate counts as broken.
    public static let criticalDays = 7
    /// With fewer days left, a certificate gets a warning.
    public static let warningDays = 30

    public let siteCount: Int
    public let certificateCount: Int
    /// Whether the server has a listener for HTTPS.
    public let needsCertificates: Bool
    /// By domain; those with which all is well are left out.
    public let sites: [Site]
    /// What concerns no site, or all.
    public let problems: [LocatedDiagnostic]
    /// Of the certificates that sites are served with, the fewest; `nil` without one.
    public let fewestDaysLeft: Int?

    /// Of the sites.
    public func count(_ status: Status) -> Int { sites.count { $0.status == status } }

    /// Of all that was looked at.
    public var status: Status {
        let others = problems.map { $0.isError ? Status.broken : .warning }
        return (sites.map(\.status) + others).max() ?? .ok
    }
}

extension AssociationServer {
    /// What is not right with the sites and certificates that were read last.
    ///
    /// - Parameters:
    ///   - others: what was found elsewhere, in server.json for example.
    ///   - issuance: how it was with the certificates that a server got by itself, when it ran last.
    ///   - now: seconds since 1970.
    package func health(
        others: [LocatedDiagnostic] = [], issuance: IssuanceReport = IssuanceReport(), now: Int64
    ) -> HealthReport {
        let snapshot = snapshot
        var problems = others + snapshot.generalFindings
        // Where it cannot even be read, that was found when it was.
        if !problems.contains(where: { $0.diagnostic.code == IssuanceCode.folder }),
            let folder = IssuanceFindings.folder(snapshot.configuration)
        {
            problems.append(folder)
        }
        var fewest: Int64?
        var sites: [HealthReport.Site] = []
        for site in snapshot.loadedSites {
            // As in `/sites`: of several the one that expires first.
            let pair = snapshot.certificates(for: site.domain).min { $0.certificate.notAfter < $1.certificate.notAfter }
            if let end = pair?.certificate.notAfter { fewest = min(fewest ?? end, end) }
            let certificate = Self.certificateState(pair, site.domain, snapshot, now)
            if snapshot.configuration.needsCertificates, pair?.isValid(at: now) != true {
                let failure = issuance.domains[site.domain]?.lastError.map {
                    IssuanceFindings.failedOrder(site.domain, $0)
                }
                problems += [IssuanceFindings.site(site.domain, snapshot.configuration), failure].compactMap { $0 }
            }
            let findings = site.findings.filter(\.isError) + site.findings.filter { !$0.isError }
            let errors = findings.count(where: \.isError)
            let status = max(
                Self.status(certificate),
                errors > 0 || site.hasRefusedFile ? .broken : findings.isEmpty ? .ok : .warning)
            guard status != .ok else { continue }
            sites.append(
                HealthReport.Site(
                    domain: site.domain, status: status, errors: errors, warnings: findings.count - errors,
                    findings: findings, certificate: certificate,
                    notAfter: (pair?.certificate.notAfter).map(InternetDate.string),
                    folder: pair?.path))
        }
        return HealthReport(
            siteCount: snapshot.loadedSites.count, certificateCount: snapshot.allPairs.count,
            needsCertificates: snapshot.configuration.needsCertificates,
            sites: sites.sorted { $0.domain < $1.domain }, problems: problems,
            fewestDaysLeft: fewest.map { wholeDays($0 - now) })
    }

    private static func certificateState(
        _ pair: CertificatePair?, _ domain: String, _ snapshot: ServerSnapshot, _ now: Int64
    ) -> HealthReport.CertificateState {
        guard snapshot.configuration.needsCertificates else { return .notNeeded }
        guard let certificate = pair?.certificate else {
            if case .some(.some(let example)) = snapshot.uncoveredSites[domain] { return .partial(example) }
            return snapshot.awaitedSites.contains(domain) ? .awaited : .missing
        }
        if certificate.notAfter < now { return .expired }
        if certificate.notBefore > now { return .notYetValid }
        let days = wholeDays(certificate.notAfter - now)
        return days < HealthReport.warningDays ? .expires(inDays: days) : .ok
    }

    private static func status(_ certificate: HealthReport.CertificateState) -> HealthReport.Status {
        switch certificate {
        case .ok, .notNeeded: .ok
        case .expires(let days): days < HealthReport.criticalDays ? .broken : .warning
        case .partial, .awaited: .warning
        case .expired, .notYetValid, .missing: .broken
        }
    }
}

/// Negative as soon as a certificate has expired.
package func wholeDays(_ seconds: Int64) -> Int {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return Int(rest < 0 ? days - 1 : days)
}
