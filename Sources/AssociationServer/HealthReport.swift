internal import ACME
package import Diagnostics
internal import OpenSSL
package import ServiceHealth
internal import SystemSupport

/// Whether every site can be fetched, now and in the next weeks.
package struct HealthReport: Sendable {
    /// A site with which something is not right.
    package struct Site: Sendable {
        package let domain: String
        package let severity: CertificateSeverity
        /// The number of errors in its present files.
        package let errors: Int
        package let warnings: Int
        /// The findings in the files, errors first.
        package let findings: [LocatedDiagnostic]
        package let certificate: CertificateJudgement
        /// Nil without a certificate.
        package let daysLeft: Int?
        /// The last second in which the certificate is valid (RFC 3339, UTC); nil without one.
        package let notAfter: String?
        /// The folder that the certificate was read from; nil without one.
        package let folder: String?
    }

    /// The certificate that expires first of those that sites are served with.
    package struct FirstToExpire: Sendable {
        package let daysLeft: Int
        /// The days left below which somebody should look.
        package let warningDays: Int
        /// The days left below which somebody has to act.
        package let criticalDays: Int
    }

    package let siteCount: Int
    package let certificateCount: Int
    /// Whether the server has a listener for HTTPS.
    package let needsCertificates: Bool
    /// By domain; those with which all is well are left out.
    package let sites: [Site]
    /// The problems that concern no site, or all.
    package let problems: [LocatedDiagnostic]
    package let firstToExpire: FirstToExpire?

    /// The number of sites in this state.
    package func count(_ severity: CertificateSeverity) -> Int { sites.count { $0.severity == severity } }

    /// The worst of all that was looked at.
    package var severity: CertificateSeverity {
        let others = problems.map { $0.isError ? CertificateSeverity.critical : .warning }
        return (sites.map(\.severity) + others).max() ?? .ok
    }
}

extension LinkServer {
    /// Reports the problems of the sites and certificates that were read last.
    ///
    /// - Parameters:
    ///   - others: what was found elsewhere, in server.json for example.
    ///   - issuance: the state of the certificates that a server got by itself, when it ran last.
    ///   - now: seconds since 1970.
    package func health(
        others: [LocatedDiagnostic] = [], issuance: IssuanceReport = IssuanceReport(), now: Int64
    ) -> HealthReport {
        let snapshot = snapshot
        let configuration = snapshot.configuration
        let judged = snapshot.judged(issuance, now: now)
        var problems = others + snapshot.generalFindings
        // Where it cannot even be read, that was found when it was.
        if !problems.contains(where: { $0.diagnostic.is(.acmeFolder) }),
            let folder = IssuanceFindings.folder(configuration)
        {
            problems.append(folder)
        }
        var first: (end: Int64, report: HealthReport.FirstToExpire)?
        var sites: [HealthReport.Site] = []
        for site in snapshot.loadedSites {
            let certificate = judged.sites[site.domain]?.judgement ?? .notNeeded
            let pair = judged.sites[site.domain]?.certificate.map { snapshot.allPairs[$0] }
            let status = issuance.domains[site.domain]
            if let pair, pair.validity.notAfter < first?.end ?? .max {
                let days = CertificateJudgement.days(pair.validity, pair.source, status)
                first = (
                    pair.validity.notAfter,
                    HealthReport.FirstToExpire(
                        daysLeft: pair.validity.daysLeft(at: now), warningDays: days.warning,
                        criticalDays: days.critical)
                )
            }
            if configuration.needsCertificates {
                problems += IssuanceFindings.site(site.domain, certificate, status, configuration)
            }
            let findings = site.findings.filter(\.isError) + site.findings.filter { !$0.isError }
            let errors = findings.count(where: \.isError)
            let severity = max(
                certificate.severity,
                errors > 0 || site.hasRefusedFile ? .critical : findings.isEmpty ? .ok : .warning)
            guard severity != .ok else { continue }
            sites.append(
                HealthReport.Site(
                    domain: site.domain, severity: severity, errors: errors, warnings: findings.count - errors,
                    findings: findings, certificate: certificate, daysLeft: pair?.validity.daysLeft(at: now),
                    notAfter: (pair?.validity.notAfter).map(InternetDate.string), folder: pair?.path))
        }
        return HealthReport(
            siteCount: snapshot.loadedSites.count, certificateCount: snapshot.allPairs.count,
            needsCertificates: configuration.needsCertificates, sites: sites.sorted { $0.domain < $1.domain },
            problems: problems, firstToExpire: first?.report)
    }
}
