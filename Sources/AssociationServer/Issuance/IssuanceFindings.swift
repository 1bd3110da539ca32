internal import ACME
internal import CertificateHealth
package import Diagnostics
internal import Glibc
internal import SystemSupport

/// The codes of findings about certificates that the server gets by itself.
package enum IssuanceCode {
    package static let wildcard = DiagnosticCode(rawValue: "acme-wildcard")
    package static let name = DiagnosticCode(rawValue: "acme-name")
    package static let noListener = DiagnosticCode(rawValue: "acme-no-listener")
    package static let excludeUnknown = DiagnosticCode(rawValue: "acme-exclude-unknown")
    package static let folder = DiagnosticCode(rawValue: "acme-folder")
    package static let orderFailed = DiagnosticCode(rawValue: "acme-order-failed")
    package static let challenges = DiagnosticCode(rawValue: "acme-challenges")
    package static let profile = DiagnosticCode(rawValue: "acme-profile")
    package static let account = DiagnosticCode(rawValue: "acme-account")
    package static let storage = DiagnosticCode(rawValue: "acme-storage")
    package static let clock = DiagnosticCode(rawValue: "acme-clock")
}

/// The findings about the ordering of certificates that need no contact with anybody (acme.md, section 1).
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
                .warning(
                    "acme.challenges", "no listener can answer \(wanted)", code: IssuanceCode.noListener,
                    help: "add \(listener), to 'listen', or a challenge that can be answered to 'acme.challenges'"))
        }
        let folders = Set(domains.map(IssuanceScope.folderName))
        for name in acme.exclude where !folders.contains(name) {
            let meant = IssuanceScope.folderName(of: name.lowercased())
            findings.append(
                .warning(
                    "acme.exclude", "there is no site \(quoted(name))", code: IssuanceCode.excludeUnknown,
                    help: folders.contains(meant)
                        ? "write '\(meant)'" : "write the name of a site's folder, or remove it"))
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
        if scope.isPrivateName(domain) {
            return .warning(
                domain, "this is not a name in public DNS, so the CA gives no certificate for it",
                code: IssuanceCode.name,
                help: """
                    put a certificate of your own into '\(configuration.certs)', choose a private CA with \
                    'acme.directory', or name the site in 'acme.exclude'
                    """)
        }
        guard domain.hasPrefix("*.") else { return nil }
        return .warning(
            domain, "a wildcard needs a DNS record of dns-persist-01, which not every CA offers",
            code: IssuanceCode.wildcard,
            help: """
                make the record that 'aasa certificates --record \(domain)' shows, or put a certificate of your own into \
                '\(configuration.certs)'
                """)
    }

    /// Why no site gets a certificate, as the end of a message about that; empty if the server gets none anyway.
    static func reasonForNone(_ domains: [String], _ configuration: ServerConfiguration) -> String {
        let scope = IssuanceScope(configuration.acme)
        let refused = domains.filter { !scope.isExcluded($0) && scope.isPrivateName($0) }
        guard configuration.acme.isOn, !domains.isEmpty else { return "" }
        guard let first = refused.first else { return "; every site is named in 'acme.exclude'" }
        let others = refused.count > 1 ? " and \(counted(refused.count - 1, "other site"))" : ""
        return "; the CA issues none for \(quoted(first))\(others): acme-name"
    }

    /// The finding that the last order for a site has failed.
    private static func failedOrder(_ domain: String, _ error: RecordedError) -> LocatedDiagnostic {
        .warning(
            domain,
            "the last order, at \(InternetDate.string(error.at)), failed: \(error.type.rawValue): \(error.message)",
            code: IssuanceCode.orderFailed)
    }

    /// The finding that accounts and certificates could not be written. Nothing is written to find out.
    static func folder(_ configuration: ServerConfiguration) -> LocatedDiagnostic? {
        guard configuration.acme.isOn else { return nil }
        for path in [configuration.acmeFolder, Path.join(configuration.acmeFolder, CertificateLoader.accountsName)] {
            guard let (blocked, reason) = obstacle(to: path) else { continue }
            let detail = blocked == path ? reason : "'\(blocked)': \(reason)"
            return .error(
                path, "the folder of accounts and certificates cannot be written: \(detail)", code: IssuanceCode.folder,
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
