internal import Diagnostics

/// Judges files by the time (push-certificates.md, section 7).
public struct Checker: Sendable {
    /// Seconds since 1970.
    public let now: Int64
    public let thresholds: Thresholds

    public init(now: Int64, thresholds: Thresholds = Thresholds()) {
        self.now = now
        self.thresholds = thresholds
    }

    /// - Parameter files: Paths and what was read there, in the order in which they are to be shown.
    public func check(
        _ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)]
    ) -> CheckReport {
        let run = RunCertificates(files, now: now)
        var checks: [FileCheck] = []
        var isFirst = true
        for (number, file) in files.enumerated() {
            switch file.content {
            case .failure(let error):
                checks.append(
                    FileCheck(path: file.path, status: .unknown, error: error, certificates: [], findings: []))
            case .success(let content):
                // The clock is one for all; said once, it is rather read.
                let notes = isFirst ? clock : []
                isFirst = false
                checks.append(
                    FileJudge(content: content, path: file.path, number: number, run: run, thresholds: thresholds)
                        .check(notes))
            }
        }
        return CheckReport(now: now, thresholds: thresholds, files: checks, status: checks.map(\.status).max() ?? .ok)
    }

    private var clock: [Diagnostic] {
        guard now < AppleAuthority.startOfG4 else { return [] }
        return [
            RuleDescription.clockSuspicious.finding(
                "the time is \(Timestamp(seconds: now).minute), earlier than any push certificate that Apple issues today: "
                    + "the dates in this report are not reliable", advice: "check the clock, or --now")
        ]
    }
}

/// Judges one file that could be read.
struct FileJudge {
    let content: CertificateFile
    let path: String
    /// The place of the file in the run.
    let number: Int
    let run: RunCertificates
    let thresholds: Thresholds

    /// - Parameter notes: What else is to be said of the file as a whole.
    func check(_ notes: [Diagnostic]) -> FileCheck {
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
            findings: Diagnostic.ordered(findings + content.findings.map { softened($0, checks) }).map { $0.at(path) })
    }

    /// Nobody sends any more with what is replaced.
    private func softened(_ finding: Diagnostic, _ checks: [CertificateCheck]) -> Diagnostic {
        guard finding.severity == .critical, let index = finding.certificate, checks[index].isSuperseded else {
            return finding
        }
        var finding = finding
        finding.severity = .note
        return finding
    }

    private func verdict(
        _ certificate: PushCertificate, _ index: Int, isBesideOthers: Bool, isUnusable: Bool
    ) -> (check: CertificateCheck, findings: [Diagnostic]) {
        guard let validity = run.validity(of: index, ofFile: number) else {
            return (Self.check(certificate, .ok, nil, counts: false), [])
        }
        let time = TimeFindings(certificate: certificate, index: index, validity: validity, thresholds: thresholds)
        if isBesideOthers { return (Self.check(certificate, .ok, validity, counts: false), time.besideOthers) }
        let status = validity.status(thresholds)
        let endsSoon = status != .ok && !validity.isReversed && !validity.isNotYetValid
        if endsSoon, let newer = run.newest(replacing: index, ofFile: number), let notAfter = newer.validity?.notAfter {
            return (
                Self.check(certificate, .ok, validity, supersededBy: newer.reference, counts: false),
                time.superseded(by: newer.reference, until: notAfter, isSameFile: newer.file == number)
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
        supersededBy reference: CertificateReference? = nil, counts: Bool, isUnusable: Bool = false
    ) -> CertificateCheck {
        CertificateCheck(
            certificate: certificate, status: status, daysLeft: validity?.daysLeft, supersededBy: reference,
            counts: counts,
            isUnusable: isUnusable, validity: validity)
    }
}

/// All certificates of a run, by their places.
struct RunCertificates {
    private let candidates: [Replacements.Candidate]
    /// Where the certificates of each file begin.
    private let starts: [Int]
    private let replacements: Replacements

    init(_ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)], now: Int64) {
        var candidates: [Replacements.Candidate] = []
        var starts: [Int] = []
        for (number, file) in files.enumerated() {
            starts.append(candidates.count)
            guard case .success(let content) = file.content else { continue }
            for (index, certificate) in content.certificates.enumerated() {
                candidates.append(
                    Replacements.Candidate(
                        certificate: certificate, validity: Validity(of: certificate, now: now), file: number,
                        reference: CertificateReference(path: file.path, index: index)))
            }
        }
        self.candidates = candidates
        self.starts = starts
        replacements = Replacements(candidates)
    }

    /// How the time lies in the validity of a certificate of a file.
    func validity(of index: Int, ofFile number: Int) -> Validity? { candidates[starts[number] + index].validity }

    /// The newest certificate that replaces one of a file.
    func newest(replacing index: Int, ofFile number: Int) -> Replacements.Candidate? {
        replacements.newest(replacing: starts[number] + index)
    }
}
