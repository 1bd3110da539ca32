internal import Logging

/// Says what was found.
struct ReloadLog {
    let logger: Logger

    /// Everything.
    func writeAll(_ snapshot: ServerSnapshot) {
        for site in snapshot.loadedSites { FileLog(logger: logger).write(site.files, of: site) }
        FindingLog(logger: logger).write(snapshot.otherFindings)
    }

    /// What was not there before.
    func write(_ new: ServerSnapshot, since old: ServerSnapshot) {
        for site in new.loadedSites { FileLog(logger: logger).write(site.changedFiles, of: site) }
        let known = Set(old.otherFindings)
        FindingLog(logger: logger).write(new.otherFindings.filter { !known.contains($0) })
    }
}
