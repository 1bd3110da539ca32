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

    private var clock: [Finding] {
        guard now < AppleAuthority.startOfG4 else { return [] }
        return [
            Finding(
                .clockSuspicious, .warning,
                "it is taken to be \(Timestamp(seconds: now)), which is before all certificates that Apple issues for push "
                    + "today; check the clock, or --now: nothing that is said here about time can be relied on")
        ]
    }
}
