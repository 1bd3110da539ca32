import ACME
import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import DomainNames
import EventLoops
import Glibc
import SystemSupport

/// `aasa certificates --renew`.
struct CertificateRenewal {
    let configuration: ServerConfiguration
    let source: any IssuanceSource
    let format: ResultFormat
    /// Seconds to wait for the end; 0 does not wait.
    let patience: Int

    /// Seconds without a server that orders after which waiting ends: one that takes over from another needs some.
    private static let maxGap: Int64 = 15
    /// The seconds of waiting after which a line names what it waits for.
    private static let maxSilence: Int64 = 3
    /// Seconds after which a request that is gone counts as failed, although no reason is recorded.
    private static let maxEnd: Int64 = 3
    private static let microsecondsBetween: UInt32 = 200_000

    func run(_ text: String) throws {
        try CertificateRecord.needACME(configuration)
        let domain = try CertificateRecord.domain(text)
        let now = Clock.wallSeconds()
        let overview = try source.overview(requesting: domain, now: now)
        try check(domain, overview)
        do throws(IssuanceError) {
            try source.requestRenewal(of: domain)
        } catch {
            let status = configuration.store.isOn ? ExitStatus.unavailable : .missingFile
            throw status.failure("error: \(error.message)")
        }
        guard try source.isLocked() else { throw abandoned(domain) }
        guard patience > 0 else {
            show("\(domain): renewal requested; 'aasa certificates' shows the result", nil)
            return
        }
        try wait(for: domain, RenewalAttempt(source, of: domain, since: now, overview))
    }

    /// Refuses a renewal that no request can bring about.
    private func check(_ domain: Domain, _ overview: IssuanceOverview) throws {
        let place = configuration.store.isOn ? "the store" : "'\(configuration.sites)'"
        guard let site = overview.sites.first(where: { $0.domain == domain.identifier }) else {
            let meant = Spelling.closest(to: domain.identifier, among: overview.sites.map(\.domain))
            let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
            throw ExitStatus.usage.failure("error: there is no site '\(domain)' in \(place)\(hint)")
        }
        switch site.status?.state {
        case .excluded:
            throw ExitStatus.failed.failure(
                "error: '\(domain)' is in 'acme.exclude', so the server does not order a certificate for it")
        case .covered:
            let folder = site.certificate.map { " in '\($0)'" } ?? ""
            throw ExitStatus.failed.failure(
                "error: '\(domain)' has a certificate from another source\(folder), so the server does not order one")
        case .blocked:
            throw ExitStatus.failed.failure("error: \(domain): \(Self.text(site.status?.lastError))")
        default: return
        }
    }

    private func wait(for domain: Domain, _ attempt: RenewalAttempt) throws {
        let start = Clock.monotonicMilliseconds()
        var lastHeld = start
        var end: Int64?
        var isSilent = true
        while true {
            let now = Clock.monotonicMilliseconds()
            let isLast = end.map { now - $0 > Self.maxEnd * 1_000 } ?? false
            switch try attempt.progress(now: Clock.wallSeconds(), isLast: isLast) {
            case .ended(.issued(let certificate)): return show(certificate, domain)
            case .ended(.failed(let error)):
                throw ExitStatus.failed.failure("error: \(domain): \(Self.text(error))")
            case .pending: lastHeld = now
            case .abandoned: if now - lastHeld > Self.maxGap * 1_000 { throw abandoned(domain) }
            case .ending: end = end ?? now
            }
            guard now - start < Int64(patience) * 1_000 else {
                throw ExitStatus.failed.failure(
                    """
                    error: \(domain): not finished within \(patience) s: \(try progress(of: domain)); the server goes on, and \
                    'aasa certificates' shows the result
                    """)
            }
            if isSilent, now - start >= Self.maxSilence * 1_000 {
                isSilent = false
                let last = InternetDate.string(Clock.wallSeconds() + Int64(patience) - (now - start) / 1_000)
                StandardError.write("\(domain): \(try progress(of: domain)); waiting until \(last)")
            }
            usleep(Self.microsecondsBetween)
        }
    }

    /// The sentence about what is waited for.
    private func progress(of domain: Domain) throws -> String {
        let overview = try source.overview(requesting: domain, now: Clock.wallSeconds())
        let status = overview.statuses.byDomain[domain]
        switch status?.state {
        case .ordering, .renewing:
            let since = status?.lastAttempt.map { " since \(InternetDate.string($0))" } ?? ""
            return "the order is in progress\(since)"
        default:
            let failure = status?.lastError.map { "; the last failure was \($0.type.rawValue): \($0.message)" } ?? ""
            return "the server has not begun the order\(failure)"
        }
    }

    private func abandoned(_ domain: Domain) -> ExitCode {
        ExitStatus.unavailable.failure(
            """
            error: no running server orders certificates for \(source.place); the request for \
            '\(domain)' is kept until one starts
            """)
    }

    private static func text(_ error: RecordedError?) -> String {
        error.map { "\($0.type.rawValue): \($0.message)" }
            ?? "no new certificate; the server has not recorded the reason"
    }

    private func show(_ certificate: IssuanceOverview.Certificate, _ domain: Domain) {
        let line = StatusLine.issued(
            domain, issuer: VisibleText.escaped(certificate.issuer), notAfter: certificate.notAfter,
            nextRenewal: certificate.nextRenewal)
        show(String(line.text.dropFirst("acme: ".count)), certificate)
    }

    /// - Parameter certificate: a new one.
    private func show(_ text: String, _ certificate: IssuanceOverview.Certificate?) {
        let value = certificate.map { CertificatesJSON.value($0, Clock.wallSeconds()) } ?? .null
        format.print([text], json: ["certificate": value])
    }
}

/// `aasa certificates --record`.
struct CertificateRecord {
    let configuration: ServerConfiguration
    let source: any IssuanceSource
    let format: ResultFormat

    static func needACME(_ configuration: ServerConfiguration) throws {
        guard !configuration.acme.isOn else { return }
        throw ExitStatus.unusableData.failure(
            "error: server.json has no 'acme', so the server does not order certificates")
    }

    /// The domain that was given on the command line.
    static func domain(_ text: String) throws -> Domain {
        do throws(DomainError) {
            return try Domain(text: text)
        } catch {
            throw ExitStatus.usage.failure(
                "error: \(quoted(text)) \(error.message)" + (error.help.map { "; \($0)" } ?? ""))
        }
    }

    func run(_ text: String) throws {
        try Self.needACME(configuration)
        let domain = try Self.domain(text)
        guard let directory = SecureURL(configuration.acme.directory.url) else {
            throw ExitStatus.unusableData.failure("error: 'acme.directory' is not the URL of a directory")
        }
        let record = try record(of: domain, directory)
        format.print(
            [record.zoneLine],
            json: [
                "name": .string(record.name), "type": .string("TXT"), "value": .string(record.value),
            ])
    }

    /// The record of the CA's last wishes, or the one that follows from the account.
    private func record(of domain: Domain, _ directory: SecureURL) throws -> PersistentRecord {
        let account: ACMEAccount?
        do throws(IssuanceError) {
            account = try source.account(directory)
        } catch {
            throw ExitStatus.unusableData.failure("error: \(error.message)")
        }
        guard let account else {
            throw ExitStatus.missingFile.failure(
                """
                error: there is no CA account in \(source.place) yet; start the server once, so that it registers one, \
                and try again
                """)
        }
        if let value = source.state(directory)?.domains[domain]?.txtRecord {
            return PersistentRecord(domain: domain, value: value)
        }
        guard let issuer = account.caaIdentities.first else {
            throw ExitStatus.failed.failure(
                """
                error: the CA's name for this record is not known yet; the CA sends it with the first order for '\(domain)', \
                if it offers dns-persist-01, which no public CA did by September 2026
                """)
        }
        guard let record = PersistentRecord(domain: domain, issuer: issuer, account: account.url) else {
            throw ExitStatus.failed.failure(
                "error: the CA's name or the account URL has characters that a DNS record cannot contain")
        }
        return record
    }
}
