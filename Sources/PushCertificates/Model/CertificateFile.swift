/// What a file holds, whatever the time.
public struct CertificateFile: Sendable {
    /// At least one, in the order of the file.
    public let certificates: [PushCertificate]
    /// What is to be said at any time; what depends on the time is not among them.
    public let findings: [Finding]
    /// Whether a key in it could be read with a password, and none was given.
    public let wantsPassword: Bool

    public init(certificates: [PushCertificate], findings: [Finding] = [], wantsPassword: Bool = false) {
        self.certificates = certificates
        self.findings = findings
        self.wantsPassword = wantsPassword
    }
}

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

extension Finding {
    /// Those of the whole file first, then by certificate, then by severity; else as they come (push-certificates.md,
    /// section 8).
    package static func ordered(_ findings: [Finding]) -> [Finding] {
        findings.sorted { $0.rank < $1.rank }
    }

    /// The same about one certificate.
    func on(_ certificate: Int) -> Finding { Finding(code, severity, message, certificate: certificate) }

    private var rank: (Int, Int) {
        let severity =
            switch severity {
            case .critical: 0
            case .warning: 1
            case .note: 2
            }
        return (certificate ?? -1, severity)
    }
}
