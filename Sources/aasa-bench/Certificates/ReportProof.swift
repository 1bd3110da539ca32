import PushCertificates

/// Says what is impossible about a report.
enum ReportProof {
    /// - Parameter files: What the report is about.
    static func complaint(
        about report: CheckReport, of files: [Result<CertificateFile, CertificateFileError>]
    ) -> String? {
        guard report.files.count == files.count else { return "\(report.files.count) files of \(files.count)" }
        guard report.status == report.files.map(\.status).max() else {
            return "status \(report.status) of \(report.files.map(\.status))"
        }
        for (check, file) in zip(report.files, files) {
            if let complaint = complaint(about: check, of: file, now: report.now) { return complaint }
        }
        return nil
    }

    private static func complaint(
        about check: FileCheck, of file: Result<CertificateFile, CertificateFileError>, now: Int64
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
            if let complaint = complaint(about: certificate, now: now) { return complaint }
        }
        guard check.findings.count >= file.findings.count else { return "findings are lost" }
        return CertificateProof.complaint(about: check.findings, count: check.certificates.count)
    }

    private static func complaint(about check: CertificateCheck, now: Int64) -> String? {
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
