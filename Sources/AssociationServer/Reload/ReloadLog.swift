internal import Logging

/// Says what was found.
struct ReloadLog {
    let logger: Logger

    /// Everything, and what becomes of the sites whose files are refused.
    func writeAll(_ snapshot: ServerSnapshot) {
        let log = FindingLog(logger: logger)
        for site in snapshot.loadedSites { write(site.findings, site.consequences, log) }
        log.write(snapshot.otherFindings)
    }

    /// What was not there before.
    func write(_ new: ServerSnapshot, since old: ServerSnapshot) {
        let log = FindingLog(logger: logger)
        for site in new.loadedSites { write(site.newFindings, site.newConsequences, log) }
        let known = Set(old.otherFindings)
        log.write(new.otherFindings.filter { !known.contains($0) })
    }

    private func write(_ findings: [Finding], _ consequences: [String], _ log: FindingLog) {
        log.write(findings)
        for consequence in consequences { logger.error("\(consequence)") }
    }
}
