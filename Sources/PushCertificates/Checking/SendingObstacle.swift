package import Diagnostics

/// The reason why a certificate cannot be used to send as it is in its file, or why only some senders can use it
/// (push-certificates.md, section 7).
package struct SendingObstacle: Sendable {
    /// Critical if nothing can be sent; warning if it depends on the sender, or is not known.
    package let severity: Severity
    /// A clause about the certificate, like `its private key is not in the file`.
    package let clause: String

    package var status: CheckStatus { severity >= .critical ? .critical : .warning }

    /// The meaning of a finding for sending with a certificate; nil if it prevents nothing.
    init?(_ finding: Diagnostic, _ certificate: PushCertificate) {
        let mayWork: [RuleDescription] = [.severalIdentities, .authorityFirst, .keyUnreadable]
        let isWarning =
            finding.severity == .warning && certificate.kind.isForPush && mayWork.contains(where: finding.is)
        guard finding.severity >= .critical || isWarning, let clause = Self.clause(finding, certificate) else {
            return nil
        }
        severity = finding.severity
        self.clause = clause
    }

    private static func clause(_ finding: Diagnostic, _ certificate: PushCertificate) -> String? {
        let file = certificate.keyPath.map { "'\(ShownText.line($0, limit: 4096))'" } ?? "the file"
        let clauses: [(rule: RuleDescription, clause: String)] = [
            (.noPrivateKey, "its private key is not in the file"),
            (.keyMismatch, "the private key in \(file) does not match it"),
            (.keyUnreadable, "the private key in \(file) cannot be read"),
            (.severalIdentities, "the file has several certificates or keys, and senders may take another one"),
            (.authorityFirst, "the certificate of a CA comes before it in the file"),
            (.unexpectedTopic, "it has none of the expected topics"),
        ]
        return clauses.first { finding.is($0.rule) }?.clause
    }

    /// The worst of several.
    static func worst(_ obstacles: [SendingObstacle]) -> SendingObstacle? {
        obstacles.first { $0.severity >= .critical } ?? obstacles.first
    }
}
