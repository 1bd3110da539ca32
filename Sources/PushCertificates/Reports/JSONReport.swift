package import Diagnostics
internal import SystemSupport

/// A report as one line of JSON for programs (cli.md).
package struct JSONReport: Sendable {
    private let isStrict: Bool

    /// - Parameter isStrict: Whether findings that are warnings count: the status of the run is what the exit code says.
    package init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    package func render(_ report: CheckReport) -> String { value(report).text }

    private func value(_ report: CheckReport) -> JSONOutput {
        .object([
            "version": .number(1),
            "tool": .string("certcheck"),
            "now": Self.date(report.now),
            "status": .string(report.status(isStrict: isStrict).rawValue),
            "strict": .boolean(isStrict),
            "thresholds": .object([
                "warning": .number(report.thresholds.warning), "critical": .number(report.thresholds.critical),
            ]),
            "files": .array(report.files.map(file)),
            "topics": .array(ReportModel(report).topics.map(topic)),
        ])
    }

    private func file(_ file: FileCheck) -> JSONOutput {
        .object([
            "path": .string(file.path),
            "status": .string(file.status.rawValue),
            "error": .optional(file.error?.code.description),
            "errorMessage": .optional(file.error?.message),
            "errorHelp": .optional(file.error?.advice),
            "certificates": .array(file.certificates.enumerated().map { certificate($1, index: $0) }),
            "findings": .array(file.findings.map(finding)),
        ])
    }

    private func certificate(_ check: CertificateCheck, index: Int) -> JSONOutput {
        let certificate = check.certificate
        let own: [String: JSONOutput] = [
            "index": .number(index),
            "status": .string(check.status.rawValue),
            "notBefore": Self.date(certificate.notBefore),
            "daysLeft": Self.number(check.daysLeft),
            "hasPrivateKey": .boolean(certificate.key.isPresent),
            "keyMatches": certificate.key.matches.map(JSONOutput.boolean) ?? .null,
            "keyPath": .optional(certificate.keyPath),
            "issuer": certificate.issuer.map(issuer) ?? .null,
            "counts": .boolean(check.counts),
            "superseded": .boolean(check.isSuperseded),
            "supersededBy": check.supersededBy.map(reference) ?? .null,
        ]
        return .object(own.merging(certificate.members) { own, _ in own })
    }

    private func issuer(_ issuer: CertificateIssuer) -> JSONOutput {
        .object([
            "commonName": .optional(issuer.commonName),
            "generation": .optional(issuer.generation),
            "chainsToApple": .boolean(issuer.chainsToApple),
        ])
    }

    private func finding(_ finding: Diagnostic) -> JSONOutput {
        .object([
            "code": .string(finding.code.rawValue),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
            "help": .optional(finding.advice),
            "certificate": Self.number(finding.certificate),
        ])
    }

    private func topic(_ topic: TopicSummary) -> JSONOutput {
        .object([
            "name": .string(topic.name),
            "team": .optional(topic.team),
            "status": .string(topic.check.status.rawValue),
            "notAfter": Self.date(topic.check.certificate.notAfter),
            "daysLeft": Self.number(topic.check.daysLeft),
            "path": .string(topic.certificate.path),
            "index": .number(topic.certificate.index),
        ])
    }

    private func reference(_ certificate: CertificateReference) -> JSONOutput {
        .object(["path": .string(certificate.path), "index": .number(certificate.index)])
    }

    private static func date(_ seconds: Int64?) -> JSONOutput {
        .optional(seconds.map { InternetDate.string($0) })
    }

    private static func number(_ number: Int?) -> JSONOutput { number.map(JSONOutput.number) ?? .null }
}

extension PushCertificate {
    /// Its members in every JSON of certcheck.
    package var members: [String: JSONOutput] {
        [
            "kind": .string(kind.rawValue),
            "topics": .array(
                topics.map {
                    .object(["name": .string($0.name), "purposes": .array($0.purposes.map(JSONOutput.string))])
                }),
            "environments": .array(environments.map { .string($0.rawValue) }),
            "subjectCommonName": .optional(subjectCommonName), "userID": .optional(userID), "team": .optional(team),
            "serial": .optional(serial), "sha256": .optional(sha256),
            "notAfter": .optional(notAfter.map { InternetDate.string($0) }),
        ]
    }
}
