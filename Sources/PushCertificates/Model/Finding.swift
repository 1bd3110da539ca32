/// Something to know about a file or one of its certificates.
public struct Finding: Sendable, Equatable {
    public enum Severity: String, Sendable, CaseIterable {
        case critical, warning, note
    }

    /// Stable, like `expires-soon`.
    public let code: FindingCode
    public let severity: Severity
    /// A sentence or two without a final full stop: what is the matter, and what to do.
    public let message: String
    /// The place of the certificate in its file, from 0; nil for the whole file.
    public let certificate: Int?

    public init(_ code: FindingCode, _ severity: Severity, _ message: String, certificate: Int? = nil) {
        self.code = code
        self.severity = severity
        self.message = message
        self.certificate = certificate
    }
}
