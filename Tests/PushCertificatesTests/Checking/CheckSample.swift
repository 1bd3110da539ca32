import Diagnostics
import PushCertificates

/// Certificates and files made by hand, around one second.
enum CheckSample {
    /// 2026-11-18T11:06:40Z.
    static let now: Int64 = 1_795_000_000
    static let day: Int64 = 86_400

    typealias File = (path: String, content: Result<CertificateFile, CertificateFileError>)

    /// A push certificate of an app.
    ///
    /// - Parameters:
    ///   - left: Seconds until its end.
    ///   - begin: Seconds until its beginning.
    static func certificate(
        _ topics: [String] = ["com.example.app"], left: Int64, begin: Int64 = -300 * day,
        kind: CertificateKind = .applePushServices, environments: [APNsEnvironment] = [.sandbox, .production],
        team: String? = "ABCDE12345", serial: String = "0A1B2C3D", key: KeyPresence = .matching, chains: Bool = true,
        issuerEnd: Int64? = nil, sha256: String = "e3b0c442"
    ) -> PushCertificate {
        PushCertificate(
            kind: kind, topics: topics.map { Topic(name: $0, purposes: ["topic"]) }, environments: environments,
            subjectCommonName: "Apple Push Services: \(topics.first ?? "")", userID: topics.first, team: team,
            serial: serial, sha256: sha256, notBefore: now + begin, notAfter: now + left, key: key,
            issuer: CertificateIssuer(
                commonName: "Some Authority", generation: chains ? "G4" : nil, chainsToApple: chains,
                notAfter: issuerEnd))
    }

    static func authority(left: Int64) -> PushCertificate {
        PushCertificate(
            kind: .ca, subjectCommonName: "Some Authority", notBefore: now - 900 * day, notAfter: now + left,
            key: .none,
            issuer: CertificateIssuer(commonName: "Some Root", generation: nil, chainsToApple: true))
    }

    static let tokenKey = PushCertificate(kind: .tokenKey, key: .alone)

    static func file(_ path: String, _ certificates: PushCertificate..., findings: [Diagnostic] = []) -> File {
        (path, .success(CertificateFile(certificates: certificates, findings: findings)))
    }

    static func failure(
        _ path: String, _ code: CertificateFileError.Code, _ message: String, advice: String? = nil
    ) -> File {
        (path, .failure(CertificateFileError(code, message, advice: advice)))
    }

    static func finding(
        _ code: String, _ severity: Severity, _ message: String, advice: String? = nil, certificate: Int? = 0
    ) -> Diagnostic {
        Diagnostic(
            code: DiagnosticCode(rawValue: code), severity: severity, message: message,
            subject: .item("", path: nil, index: certificate), advice: advice)
    }

    static func report(_ files: File..., now: Int64 = now, thresholds: Thresholds = Thresholds()) -> CheckReport {
        Checker(now: now, thresholds: thresholds).check(files)
    }
}

extension FileCheck {
    /// Like `expires-soon:warning`.
    var codes: [String] { findings.map { "\($0.code):\($0.severity.rawValue)" } }
}
