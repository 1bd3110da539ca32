package import Diagnostics

/// The reason why a certificate cannot be used to send as it is in its file, or why only some senders can use it
/// (push-certificates.md, section 7).
package struct SendingObstacle: Sendable {
    /// Critical if nothing can be sent; warning if it depends on the sender.
    package let severity: Severity
    /// A clause about the certificate, like `its private key is not in the file`.
    package let clause: String

    package var status: CheckStatus { severity >= .critical ? .critical : .warning }

    /// What a finding about a certificate means for sending; nil if it prevents nothing.
    init?(_ finding: Diagnostic) {
        let clause: String
        if finding.is(.noPrivateKey) {
            clause = "its private key is not in the file"
        } else if finding.is(.keyMismatch) {
            clause = "the private key in the file does not match it"
        } else if finding.is(.severalIdentities) {
            clause = "the file has several certificates, and senders may take another one"
        } else if finding.is(.authorityFirst) {
            clause = "the certificate of a CA comes before it in the file"
        } else {
            return nil
        }
        // A missing or wrong key that is only a warning belongs to a certificate that is not for push.
        let changesStatus = finding.is(.severalIdentities) || finding.is(.authorityFirst)
        guard finding.severity >= .critical || finding.severity == .warning && changesStatus else { return nil }
        severity = finding.severity
        self.clause = clause
    }

    /// The worst of several.
    static func worst(_ obstacles: [SendingObstacle]) -> SendingObstacle? {
        obstacles.first { $0.severity >= .critical } ?? obstacles.first
    }
}
