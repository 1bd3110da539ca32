/// Judges one file that could be read.
struct FileJudge {
    let content: CertificateFile
    let path: String
    /// The place of the file in the run.
    let number: Int
    let run: RunCertificates
    let thresholds: Thresholds

    /// - Parameter notes: What else is to be said of the file as a whole.
    func check(_ notes: [Finding]) -> FileCheck {
        let hasOthers = content.certificates.contains { $0.kind != .ca }
        var findings = notes
        var checks: [CertificateCheck] = []
        let unusable = Set(content.findings.lazy.filter { $0.severity == .critical }.compactMap(\.certificate))
        for (index, certificate) in content.certificates.enumerated() {
            let verdict = verdict(
                certificate, index, isBesideOthers: hasOthers && certificate.kind == .ca,
                isUnusable: unusable.contains(index))
            findings += verdict.findings
            checks.append(verdict.check)
        }
        return FileCheck(
            path: path, status: checks.map(\.status).max() ?? .ok, error: nil, certificates: checks,
            findings: Finding.ordered(findings + content.findings.map { softened($0, checks) }))
    }

    /// Nobody sends any more with what is replaced.
    private func softened(_ finding: Finding, _ checks: [CertificateCheck]) -> Finding {
        guard finding.severity == .critical, let index = finding.certificate, checks[index].isSuperseded else {
            return finding
        }
        return Finding(finding.code, .note, finding.message, certificate: index)
    }

    private func verdict(
        _ certificate: PushCertificate, _ index: Int, isBesideOthers: Bool, isUnusable: Bool
    ) -> (check: CertificateCheck, findings: [Finding]) {
        guard let validity = run.validity(of: index, ofFile: number) else {
            return (Self.check(certificate, .ok, nil, counts: false), [])
        }
        let time = TimeFindings(certificate: certificate, index: index, validity: validity, thresholds: thresholds)
        if isBesideOthers { return (Self.check(certificate, .ok, validity, counts: false), time.besideOthers) }
        let status = validity.status(thresholds)
        let endsSoon = status != .ok && !validity.isReversed && !validity.isNotYetValid
        if endsSoon, let newer = run.newest(replacing: index, ofFile: number), let notAfter = newer.validity?.notAfter {
            return (
                Self.check(certificate, .ok, validity, supersededBy: newer.place, counts: false),
                time.superseded(by: newer.place, until: notAfter, isSameFile: newer.file == number)
            )
        }
        return (
            Self.check(
                certificate, isUnusable ? .critical : status, validity, counts: true, isUnusable: isUnusable),
            time.all
        )
    }

    private static func check(
        _ certificate: PushCertificate, _ status: CheckStatus, _ validity: Validity?,
        supersededBy place: CertificatePlace? = nil, counts: Bool, isUnusable: Bool = false
    ) -> CertificateCheck {
        CertificateCheck(
            certificate: certificate, status: status, daysLeft: validity?.daysLeft, supersededBy: place, counts: counts,
            isUnusable: isUnusable, validity: validity)
    }
}
