import Diagnostics
import FuzzingSupport
import PushCertificates
import PushSamples

/// The invariant that what was read from a file violates.
enum CertificateInvariants {
    static func violation(in content: Result<CertificateFile, CertificateFileError>) -> String? {
        switch content {
        case .failure(let error): violation(inMessage: error.sentence).map { "error \(error.code): \($0)" }
        case .success(let file): violation(in: file)
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

    private static func violation(in file: CertificateFile) -> String? {
        guard !file.certificates.isEmpty else { return "neither an error nor a certificate" }
        for certificate in file.certificates {
            if let violation = violation(in: certificate) { return "\(certificate.kind.rawValue): \(violation)" }
        }
        return violation(in: file.findings, count: file.certificates.count)
    }

    private static func violation(in certificate: PushCertificate) -> String? {
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
    static func violation(in findings: [Diagnostic], count: Int) -> String? {
        for finding in findings {
            if let place = finding.certificate, !(0..<count).contains(place) {
                return "\(finding.code) is about certificate \(place) of \(count)"
            }
            if let violation = violation(inMessage: finding.sentence) { return "\(finding.code): \(violation)" }
        }
        return nil
    }

    /// Says what is wrong with the form of a message.
    static func violation(inMessage message: String) -> String? {
        if message.isEmpty { return "no message" }
        if message.hasSuffix(".") { return "the message ends with a full stop" }
        if message.utf8.count > 4_096 { return "a message of \(message.utf8.count) bytes" }
        return ControlCharacters.first(in: message).map { "\($0) in a message" }
    }
}

/// Looks for what could disturb a terminal.
enum ControlCharacters {
    /// The first control character, or one that changes the direction of text; nil if there is none.
    static func first(in text: some StringProtocol, besides allowed: String = "") -> String? {
        // Nearly all texts are ASCII throughout.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return nil }
        let scalar = text.unicodeScalars.first { scalar in
            guard !allowed.unicodeScalars.contains(scalar) else { return false }
            return switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        return scalar.map { "U+" + String($0.value, radix: 16) }
    }
}

/// Takes a file for the new certificate of a renewal, and for the file of its key.
struct RenewalInvariants {
    private let reader: CertificateFileReader
    /// Those of the samples.
    private let keys: KeyFile
    private let password = Password(utf8: CertificateSeeds.password.utf8)

    init(_ reader: CertificateFileReader) throws {
        self.reader = reader
        let text = try (1...3).map { try SampleKey.p256($0).pem() }.joined()
        keys = try KeyFile(Array(text.utf8), with: reader)
    }

    /// The invariant that the answers violates.
    ///
    /// - Parameters:
    ///   - old: Files that are in use.
    ///   - isWritten: Whether a file is made of the certificate and its key, which takes a while.
    func violation(
        in bytes: [UInt8], old: [CertificateFile], now: Int64, password given: Password?, isWritten: Bool
    ) -> String? {
        var messages: [String] = []
        do throws(RenewalError) {
            _ = try KeyFile(bytes, passwords: given.map { [$0] } ?? [], with: reader)
        } catch {
            messages.append(error.message)
        }
        do throws(RenewalError) {
            let issued = try IssuedCertificate(bytes, with: reader)
            messages += issued.warnings(now: now) + issued.findings.map(\.sentence)
            if let file = old.first, let replacement = try? Replacement(of: file, by: issued.certificate) {
                messages += replacement.warnings + [replacement.refusal?.message].compactMap { $0 }
            }
            if isWritten, let key = keys.key(of: issued) {
                let combined = try CombinedFile(issued, key: key, password: password, with: reader)
                if let difference = difference(combined) { return difference }
            }
        } catch {
            messages.append(error.message)
        }
        return messages.lazy.compactMap(CertificateInvariants.violation(inMessage:)).first
    }

    private func difference(_ file: CombinedFile) -> String? {
        do throws(RenewalError) {
            try file.verify(file.bytes)
            return nil
        } catch {
            return "combined with its key: \(error.message)"
        }
    }
}

/// The invariant that a report violates.
enum ReportInvariants {
    /// - Parameter files: What the report is about.
    static func violation(
        in report: CheckReport, of files: [Result<CertificateFile, CertificateFileError>]
    ) -> String? {
        guard report.files.count == files.count else { return "\(report.files.count) files of \(files.count)" }
        guard report.status == report.files.map(\.status).max() else {
            return "status \(report.status) of \(report.files.map(\.status))"
        }
        for (check, file) in zip(report.files, files) {
            if let violation = violation(in: check, of: file, now: report.now) { return violation }
        }
        return nil
    }

    private static func violation(
        in check: FileCheck, of file: Result<CertificateFile, CertificateFileError>, now: Int64
    ) -> String? {
        guard case .success(let file) = file else {
            let isRight =
                check.error != nil && check.status == .unknown && check.certificates.isEmpty && check.findings.isEmpty
            return isRight ? nil : "an error, and \(check)"
        }
        guard check.error == nil, check.certificates.count == file.certificates.count else {
            return "\(check.certificates.count) certificates of \(file.certificates.count)"
        }
        let counting = check.certificates.filter { !$0.isSuperseded }.map(\.status)
        guard check.status <= (check.certificates.map(\.status).max() ?? .ok), check.status >= counting.max() ?? .ok
        else {
            return "file status \(check.status) of \(check.certificates.map(\.status))"
        }
        for certificate in check.certificates {
            if let violation = violation(in: certificate, now: now) { return violation }
        }
        guard check.findings.count >= file.findings.count else { return "findings are lost" }
        return CertificateInvariants.violation(in: check.findings, count: check.certificates.count)
    }

    private static func violation(in check: CertificateCheck, now: Int64) -> String? {
        guard let notAfter = check.certificate.notAfter else {
            let isRight = check.daysLeft == nil && !check.counts && !check.isSuperseded && check.status == .ok
            return isRight ? nil : "no end, and \(check)"
        }
        let (left, overflow) = notAfter.subtractingReportingOverflow(now)
        let days = left / 86_400 - (left % 86_400 < 0 ? 1 : 0)
        guard overflow || check.daysLeft == Int(days) else {
            return "\(check.daysLeft ?? 0) days left of \(left) seconds"
        }
        guard !check.isUnusable || check.status == .critical else { return "unusable, and \(check.status)" }
        guard overflow || left >= 0 || check.status == .critical || !check.counts else {
            return "expired, and \(check.status)"
        }
        return nil
    }
}

/// All texts that are made of a report.
struct ReportTexts {
    private let json: String
    private let text: String
    private let nagios: String
    private let prometheus: String
    private let state: String

    /// - Parameter width: Of the terminal, in columns; nil if there is none.
    init(_ report: CheckReport, width: Int?, isStrict: Bool) {
        json = JSONReport().render(report)
        text = TextReport(style: TextStyle(isColored: false), width: width).render(report)
        nagios = NagiosReport(isStrict: isStrict).render(report)
        prometheus = PrometheusReport().render(report)
        state = report.status(isStrict: isStrict).rawValue.uppercased()
    }

    /// The invariant that them violates.
    var violation: String? {
        violationAboutJSON ?? violationAboutText ?? violationAboutNagios
            ?? PrometheusText.violation(in: prometheus).map { "for Prometheus: \($0)" }
    }

    /// Whether a password is in them that is not in the file.
    func violation(inSecret secret: String, in bytes: [UInt8]) -> String? {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return nil }
        let isThere = [json, text, nagios, prometheus].contains { Self.contains(Array($0.utf8), secret) }
        return isThere && !Self.contains(bytes, secret) ? "the password is in a report" : nil
    }

    private static func contains(_ bytes: [UInt8], _ piece: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == piece.first && bytes[$0...].starts(with: piece) }
    }

    private var violationAboutJSON: String? {
        StrictJSON.accepts(Array(json.utf8)) ? nil : "no JSON: \(json.prefix(2_000))"
    }

    private var violationAboutText: String? {
        ControlCharacters.first(in: text, besides: "\n").map { "\($0) in the text: \(text.prefix(2_000))" }
    }

    private var violationAboutNagios: String? {
        if let control = ControlCharacters.first(in: nagios, besides: "\n") { return "\(control) for Nagios" }
        let lines = nagios.split(separator: "\n", omittingEmptySubsequences: false)
        let parts = lines.first?.split(separator: "|", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, parts[0].hasPrefix("CERTCHECK \(state) - "), parts[0].hasSuffix(" ") else {
            return "for Nagios: \(lines.first ?? "")"
        }
        let words = parts[1].split(separator: ";", omittingEmptySubsequences: false)
        guard words.count >= 3, words[0].hasPrefix(" days_left="), let value = words[0].split(separator: "=").last,
            value == "U" || Int(value) != nil, words.dropFirst().allSatisfy({ $0.isEmpty || $0.hasSuffix(":") })
        else { return "for Nagios: \(parts[1])" }
        // A second one in a later line would begin more performance data.
        return lines.dropFirst().contains { $0.contains("|") } ? "for Nagios: \(nagios)" : nil
    }
}
