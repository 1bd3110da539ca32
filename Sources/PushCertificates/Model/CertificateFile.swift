public import Diagnostics

/// What a file holds, whatever the time.
public struct CertificateFile: Sendable {
    /// At least one, in the order of the file.
    public let certificates: [PushCertificate]
    /// What is found at any time; what depends on the time is not among them. A `Checker` adds the path to their subjects.
    public let findings: [Diagnostic]
    /// Whether a key in it could be read with a password, and none was given.
    public let wantsPassword: Bool

    public init(certificates: [PushCertificate], findings: [Diagnostic] = [], wantsPassword: Bool = false) {
        self.certificates = certificates
        self.findings = findings
        self.wantsPassword = wantsPassword
    }
}

extension Diagnostic {
    /// The index of the certificate in its file, counted from 0; nil for the whole file.
    package var certificate: Int? {
        if case .item(_, _, let index) = subject { index } else { nil }
    }

    /// Statement and advice on one line, for reports that have no other room.
    package var sentence: String { message + (advice.map { "; \($0)" } ?? "") }

    /// The same about a certificate of the file.
    package func about(_ certificate: PushCertificate, _ index: Int) -> Diagnostic {
        var finding = self
        finding.subject = .item(certificate.title, path: path, index: index)
        return finding
    }

    /// The same in the file at a path.
    func at(_ path: String) -> Diagnostic {
        var finding = self
        switch subject {
        case .item(let name, _, let index): finding.subject = .item(name, path: path, index: index)
        case .text, .file: finding.subject = .file(path)
        }
        return finding
    }

    /// Those of the whole file first, then by certificate, then by severity; else as they come (push-certificates.md,
    /// section 8).
    package static func ordered(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.sorted { left, right in
            let (first, second) = (left.certificate ?? -1, right.certificate ?? -1)
            return first != second ? first < second : left.severity > right.severity
        }
    }
}
