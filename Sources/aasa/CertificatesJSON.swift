import ACME
import AssociationServer
import AutomaticCertificates
import CertificateHealth
import Diagnostics
import SystemSupport

/// `aasa certificates --format json`.
struct CertificatesJSON {
    let overview: IssuanceOverview
    /// Seconds since 1970.
    let now: Int64

    var text: String {
        JSONOutput.object([
            "version": .number(1),
            "certificates": .array(overview.certificates.map { Self.value($0, now) }),
            "domains": .array(overview.sites.map(value)),
        ]).text
    }

    static func value(_ certificate: IssuanceOverview.Certificate, _ now: Int64) -> JSONOutput {
        .object([
            "names": .array(certificate.names.map(JSONOutput.string)), "issuer": .string(certificate.issuer),
            "serial": .string(certificate.serial), "sha256": .string(certificate.sha256),
            "keyType": .string(certificate.keyType), "notBefore": .string(InternetDate.string(certificate.notBefore)),
            "notAfter": .string(InternetDate.string(certificate.notAfter)),
            "daysLeft": .number(certificate.daysLeft(at: now)), "folder": .string(certificate.folder),
            "source": .string(certificate.source.rawValue),
            "nextRenewal": .optional(certificate.nextRenewal.map(InternetDate.string)),
            "certificateStatus": .object(certificate.judgement.members),
        ])
    }

    private func value(_ site: IssuanceOverview.Site) -> JSONOutput {
        var members: [String: JSONOutput] = [
            "state": .null, "nextRenewal": .null, "nextAttempt": .null, "lastAttempt": .null, "failures": .number(0),
            "lastError": .null,
        ]
        if let status = site.status { members = status.members }
        members["domain"] = .string(site.domain)
        members["certificate"] = .optional(site.certificate)
        members["certificateStatus"] = .object(site.judgement.members)
        return .object(members)
    }
}
