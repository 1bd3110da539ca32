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
        for (index, certificate) in content.certificates.enumerated() {
            let verdict = verdict(certificate, index, isBesideOthers: hasOthers && certificate.kind == .ca)
            findings += verdict.findings
            checks.append(verdict.check)
        }
        return FileCheck(
            path: path, status: checks.map(\.status).max() ?? .ok, error: nil, certificates: checks,
            findings: Finding.ordered(findings + content.findings))
    }

    private func verdict(
        _ certificate: PushCertificate, _ index: Int, isBesideOthers: Bool
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
        return (Self.check(certificate, status, validity, counts: true), time.all)
    }

    private static func check(
        _ certificate: PushCertificate, _ status: CheckStatus, _ validity: Validity?,
        supersededBy place: CertificatePlace? = nil, counts: Bool
    ) -> CertificateCheck {
        CertificateCheck(
            certificate: certificate, status: status, daysLeft: validity?.daysLeft, supersededBy: place, counts: counts,
            validity: validity)
    }
}
