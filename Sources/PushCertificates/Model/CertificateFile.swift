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
