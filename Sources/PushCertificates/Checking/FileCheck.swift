/// A file, and what came of it.
public struct FileCheck: Sendable {
    public let path: String
    /// The worst of its certificates; unknown if there is an error.
    public let status: CheckStatus
    /// Why nothing could be read; then there are neither certificates nor findings.
    public let error: CertificateFileError?
    /// In the order of the file.
    public let certificates: [CertificateCheck]
    /// Those of the whole file first, then by certificate, then by severity.
    public let findings: [Finding]
}
