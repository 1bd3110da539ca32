internal import ACME
internal import Diagnostics
internal import DomainNames
internal import Glibc
internal import ServiceHealth
internal import SystemSupport

/// The obstacles to getting certificates, as far as they show without a request (acme.md, section 1).
enum IssuanceFindings {
    /// The problems of the settings.
    ///
    /// - Parameter domains: the domains of all sites.
    static func settings(_ configuration: ServerConfiguration, _ domains: [String]) -> [LocatedDiagnostic] {
        let acme = configuration.acme
        guard acme.isOn else { return [] }
        var findings: [LocatedDiagnostic] = []
        let answerable = configuration.answerableChallenges
        if !acme.challenges.contains(where: answerable.contains) {
            let wanted = acme.challenges.map { "'\($0.rawValue)'" }.joined(separator: " and ")
            let listener = acme.challenges.contains(.tlsALPN01) ? "an HTTPS listener" : "one for plain HTTP, 'http://…'"
            findings.append(
                LocatedDiagnostic(
                    .acmeNoListener, "acme.challenges", "no listener can answer \(wanted)",
                    help: "add \(listener), to 'listen', or a challenge that can be answered to 'acme.challenges'"))
        }
        let folders = Set(domains.compactMap { Domain($0)?.folderName })
        for name in acme.exclude where !folders.contains(name) {
            let meant = Domain(name)?.folderName
            findings.append(
                LocatedDiagnostic(
                    .acmeExcludeUnknown, "acme.exclude", "there is no site \(quoted(name))",
                    help: meant.flatMap { folders.contains($0) ? "write '\($0)'" : nil }
                        ?? "write the name of a site's folder, or remove it"))
        }
        return findings
    }

    /// The findings about a site that has no valid certificate, or whose certificate cannot be renewed.
    static func site(
        _ domain: String, _ certificate: CertificateJudgement, _ status: DomainStatus?,
        _ configuration: ServerConfiguration
    ) -> [LocatedDiagnostic] {
        var findings: [LocatedDiagnostic] = []
        if !certificate.isServed || certificate.state == .partial, let finding = settings(of: domain, configuration) {
            findings.append(finding)
        }
        let isFailure =
            !certificate.isServed || certificate.state == .renewalFailed || certificate.state == .blocked
        if isFailure, let status, !status.isRuledOut, let error = status.lastError {
            findings.append(failedOrder(domain, error))
        }
        return findings
    }

    /// The finding about a site's first certificate by its settings and its name.
    static func settings(of domain: String, _ configuration: ServerConfiguration) -> LocatedDiagnostic? {
        let scope = IssuanceScope(configuration.acme)
        guard configuration.acme.isOn, !scope.isExcluded(domain) else { return nil }
        let place = configuration.store.isOn ? "the store" : "'\(configuration.certs)'"
        if scope.isPrivateName(domain) {
            return LocatedDiagnostic(
                .acmeName, domain, "this is not a name in public DNS, so the CA gives no certificate for it",
                help: """
                    put a certificate of your own into \(place), choose a private CA with \
                    'acme.directory', or name the site in 'acme.exclude'
                    """)
        }
        guard domain.hasPrefix("*.") else { return nil }
        let code = RuleDescription.acmeWildcard.code
        let client =
            "get the certificate with another ACME client and put it into \(place), as 'aasa explain \(code)' says"
        guard !configuration.acme.directory.isPublic else {
            return LocatedDiagnostic(
                .acmeWildcard, domain, "the CA validates wildcards by dns-01, which the server does not support",
                help: client)
        }
        let record = "aasa certificates --record \(CertificateJudgement.argument(domain))"
        return LocatedDiagnostic(
            .acmeWildcard, domain, "a wildcard needs a DNS record of dns-persist-01, as before its draft 02",
            help: "create the record that '\(record)' prints, if the CA offers that, or \(client)")
    }

    /// Why no site gets a certificate, as the end of a message about that; empty if the server gets none anyway.
    static func reasonForNone(_ domains: [String], _ configuration: ServerConfiguration) -> String {
        let scope = IssuanceScope(configuration.acme)
        let refused = domains.filter { !scope.isExcluded($0) && scope.isPrivateName($0) }
        guard configuration.acme.isOn, !domains.isEmpty else { return "" }
        guard let first = refused.first else { return "; every site is named in 'acme.exclude'" }
        let others = refused.count > 1 ? " and \(counted(refused.count - 1, "other site"))" : ""
        return "; the CA issues none for \(quoted(first))\(others): \(RuleDescription.acmeName.code)"
    }

    /// The finding that the last order for a site has failed.
    private static func failedOrder(_ domain: String, _ error: RecordedError) -> LocatedDiagnostic {
        LocatedDiagnostic(
            .acmeOrderFailed, domain,
            "the last order, at \(InternetDate.string(error.at)), failed: \(error.type.rawValue): \(error.message)")
    }

    /// The finding that accounts and certificates could not be written. Nothing is written to find out.
    static func folder(_ configuration: ServerConfiguration) -> LocatedDiagnostic? {
        guard configuration.acme.isOn, !configuration.store.isOn else { return nil }
        for path in [configuration.acmeFolder, Path.join(configuration.acmeFolder, CertificateLoader.accountsName)] {
            guard let (blocked, reason) = obstacle(to: path) else { continue }
            let detail = blocked == path ? reason : "'\(blocked)': \(reason)"
            return LocatedDiagnostic(
                .acmeFolder, path, "the folder of accounts and certificates cannot be written: \(detail)",
                help: "give the user of the server the right to write there, or choose another with 'acme.folder'")
        }
        return nil
    }

    /// The obstacle to making a folder or writing to it, and its path.
    private static func obstacle(to path: String) -> (path: String, reason: String)? {
        guard let status = FileStatus(at: path) else {
            if errno != ENOENT, errno != ENOTDIR { return (path, SystemError(call: "stat").reason) }
            if Path.isLink(path) { return (path, "it is a broken link") }
            let parent = Path.folder(of: path)
            return parent == path ? (path, "there is no such folder") : obstacle(to: parent)
        }
        guard status.kind == .folder else { return (path, "it is not a folder") }
        return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0
            ? nil : (path, SystemError(call: "access").reason)
    }
}
