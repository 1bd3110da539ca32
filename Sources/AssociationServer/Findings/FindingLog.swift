internal import Diagnostics
internal import Logging

/// Writes findings to the log, so many of one file: a broken file must not fill a disk.
struct FindingLog {
    static let mostOfOneFile = 20

    let logger: Logger

    func write(_ findings: [Finding]) {
        var rest = findings[...]
        while let first = rest.first {
            let ofOneFile = rest.prefix { $0.path == first.path }
            rest = rest.dropFirst(ofOneFile.count)
            for finding in ofOneFile.prefix(Self.mostOfOneFile) { write(finding) }
            let omitted = ofOneFile.dropFirst(Self.mostOfOneFile)
            guard !omitted.isEmpty else { continue }
            let hasErrors = omitted.contains { $0.severity == .error }
            logger.log(level: hasErrors ? .error : .warning, "\(first.path): \(omitted.count) more")
        }
    }

    private func write(_ finding: Finding) {
        let level: Logger.Level = finding.severity == .error ? .error : .warning
        for line in finding.lines { logger.log(level: level, "\(line)") }
    }
}
