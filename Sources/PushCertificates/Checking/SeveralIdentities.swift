internal import Diagnostics
internal import SystemSupport

/// A file from which a sender may take another certificate than the one that is meant (push-certificates.md, section 7).
struct SeveralIdentities {
    /// The indices of its different certificates but for those of authorities, in the order of the file.
    let members: [Int]
    private let file: CertificateFile
    private let now: Int64

    private static let listed = 3
    /// Twenty octets (RFC 5280, section 4.1.2.2) in hexadecimal; a longer one is shown in part.
    private static let longestSerial = 40

    /// Nil for a file with fewer than two certificates to take, or with none for push.
    init?(_ file: CertificateFile, now: Int64) {
        var known: Set<[UInt8]> = []
        members = file.certificates.indices.filter { index in
            let certificate = file.certificates[index]
            guard certificate.kind != .ca, certificate.kind != .tokenKey else { return false }
            return certificate.sha256.map { known.insert(Array($0.utf8)).inserted } ?? true
        }
        guard members.count > 1, members.contains(where: { file.certificates[$0].kind.isForPush }) else { return nil }
        self.file = file
        self.now = now
    }

    /// - Parameter isCovered: Whether another file has what one can do, for as long: it is not needed in this file.
    func severity(isCovered: (Int) -> Bool) -> Severity {
        let forPush = members.filter { file.certificates[$0].kind.isForPush }
        if forPush.allSatisfy(isCovered) { return .note }
        let hasInvalid = forPush.contains { Validity(of: file.certificates[$0], now: now)?.isValid == false }
        if hasInvalid || isFirstUseless { return .critical }
        // Certificates without any key are a collection, not a file to send with.
        return file.isPKCS12 || hasKeys ? .warning : .note
    }

    private var hasKeys: Bool { file.certificates.contains { $0.key.isPresent } }

    /// Whether what TLS libraries take from a PEM file, the first certificate, cannot be used to send.
    private var isFirstUseless: Bool {
        let first = file.certificates[members[0]]
        return !file.isPKCS12 && hasKeys && (!first.kind.isForPush || first.key == .none)
    }

    func finding(_ severity: Severity, path: String) -> Diagnostic {
        let names = members.prefix(Self.listed).map { name(file.certificates[$0]) }
        let rest = members.count > names.count ? ", and \(members.count - names.count) more" : ""
        return RuleDescription.severalIdentities.finding(
            "the file has \(members.count) certificates, of which senders take the first or the last, or refuse the file: "
                + names.joined(separator: ", ") + rest, severity,
            advice: "make a file with one certificate and its key" + (command(path).map { ": run '\($0)'" } ?? ""))
    }

    /// The command that takes the certificate out that can be used for the longest time.
    private func command(_ path: String) -> String? {
        let usable = members.map { file.certificates[$0] }.filter { certificate in
            certificate.kind.isForPush && certificate.key == .matching && certificate.keyPath == nil
                && Validity(of: certificate, now: now)?.isValid == true
        }
        guard path != "-", let best = usable.max(by: { $0.notAfter ?? 0 < $1.notAfter ?? 0 }), let serial = best.serial,
            serial.utf8.count <= Self.longestSerial
        else { return nil }
        let form = file.isPKCS12 ? ["--out", "new.p12"] : ["--pem", "--out", "new.pem"]
        return ShellText.line(["certcheck", "combine", path, "--serial", serial] + form)
    }

    private func name(_ certificate: PushCertificate) -> String {
        let serial = certificate.serial.map { "serial \(ShownText.line($0)), " } ?? ""
        let title = ShownText.line(certificate.title, limit: 80)
        let purpose = certificate.kind.isForPush ? "" : "not for push, "
        guard let validity = Validity(of: certificate, now: now) else { return title }
        let end = "\(validity.isExpired ? "expired" : "expires") \(InternetDate.day(validity.notAfter))"
        return "\(title) (\(serial)\(purpose)\(end))"
    }
}
