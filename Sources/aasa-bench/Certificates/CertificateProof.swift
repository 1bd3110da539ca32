import PushCertificates

/// Says what is impossible about what was read from a file.
enum CertificateProof {
    static func complaint(about content: Result<CertificateFile, CertificateFileError>) -> String? {
        switch content {
        case .failure(let error): complaint(aboutMessage: error.message).map { "error \(error.code): \($0)" }
        case .success(let file): complaint(about: file)
        }
    }

    /// Whether two files say the same, or cannot be read for the same reason.
    static func isSame(
        _ left: Result<CertificateFile, CertificateFileError>, _ right: Result<CertificateFile, CertificateFileError>
    ) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)):
            left.certificates.map(\.sha256) == right.certificates.map(\.sha256)
                && left.certificates.map(\.key) == right.certificates.map(\.key)
        case (.failure(let left), .failure(let right)): left.code == right.code
        default: false
        }
    }

    private static func complaint(about file: CertificateFile) -> String? {
        guard !file.certificates.isEmpty else { return "neither an error nor a certificate" }
        for certificate in file.certificates {
            if let complaint = complaint(about: certificate) { return "\(certificate.kind.rawValue): \(complaint)" }
        }
        return complaint(about: file.findings, count: file.certificates.count)
    }

    private static func complaint(about certificate: PushCertificate) -> String? {
        let hasNone = [
            certificate.notBefore == nil, certificate.notAfter == nil, certificate.serial == nil,
            certificate.sha256 == nil, certificate.issuer == nil,
        ]
        let isTokenKey = certificate.kind == .tokenKey
        guard hasNone.allSatisfy({ $0 == isTokenKey }) else { return "a part is missing, or too much: \(hasNone)" }
        guard (certificate.key == .alone) == isTokenKey else { return "the key is \(certificate.key)" }
        if let digest = certificate.sha256, digest.utf8.count != 64 || !digest.allSatisfy(\.isHexDigit) {
            return "SHA-256 \(digest)"
        }
        if let serial = certificate.serial, !serial.allSatisfy({ $0.isHexDigit && !$0.isLowercase || $0 == "-" }) {
            return "serial number \(serial)"
        }
        guard certificate.environments == APNsEnvironment.allCases.filter(certificate.environments.contains) else {
            return "environments \(certificate.environments)"
        }
        let isPush = ![.tokenKey, .ca, .notPush].contains(certificate.kind)
        guard isPush || certificate.topics.isEmpty && certificate.environments.isEmpty else {
            return "topics or environments"
        }
        guard certificate.issuer?.generation == nil || certificate.issuer?.chainsToApple == true else {
            return "a generation, but no chain to Apple"
        }
        return nil
    }

    /// - Parameter count: How many certificates there are.
    static func complaint(about findings: [Finding], count: Int) -> String? {
        for finding in findings {
            if let place = finding.certificate, !(0..<count).contains(place) {
                return "\(finding.code) is about certificate \(place) of \(count)"
            }
            if let complaint = complaint(aboutMessage: finding.message) { return "\(finding.code): \(complaint)" }
        }
        return nil
    }

    /// Says what is wrong with the form of a message.
    static func complaint(aboutMessage message: String) -> String? {
        if message.isEmpty { return "no message" }
        if message.hasSuffix(".") { return "the message ends with a full stop" }
        if message.utf8.count > 4_096 { return "a message of \(message.utf8.count) bytes" }
        return TextProof.controls(in: message).map { "\($0) in a message" }
    }
}
