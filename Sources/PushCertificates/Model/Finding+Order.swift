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
