internal import Diagnostics
internal import Logging

/// Writes findings to the log, one line each, so many of one file: a broken file must not fill a disk.
struct FindingLog {
    static let mostOfOneFile = 20

    let logger: Logger

    func write(_ findings: [Finding]) {
        var rest = findings[...]
        while let first = rest.first {
            let ofOneFile = rest.prefix { $0.path == first.path }
            rest = rest.dropFirst(ofOneFile.count)
            for finding in ofOneFile.prefix(Self.mostOfOneFile) {
                logger.log(level: Self.level([finding]), "\(finding.logLine)")
            }
            let omitted = ofOneFile.dropFirst(Self.mostOfOneFile)
            if !omitted.isEmpty { logger.log(level: Self.level(omitted), "\(first.path): \(omitted.count) more") }
        }
    }

    private static func level(_ findings: some Sequence<Finding>) -> Logger.Level {
        findings.contains { $0.severity == .error } ? .error : .warning
    }
}
