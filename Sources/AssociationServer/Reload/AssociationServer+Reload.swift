internal import SystemSupport

extension AssociationServer {
    /// Reads sites and certificates again, and serves what is good of them; connections are not disturbed.
    ///
    /// What cannot be used is served on as it was; a site or a certificate whose folder is gone ends. Returns at once;
    /// findings that are new and, in one line, what has changed go to the log.
    ///
    /// - Parameter configuration: reads the configuration again, too. If it throws, nothing changes at all. Other
    ///   addresses and threads need a new server; the log says so.
    public func reload(_ configuration: (@Sendable () throws(ServerError) -> ServerConfiguration)? = nil) {
        reloader.reload(configuration)
    }

    /// Reloads, and returns when every loop serves what was read.
    package func reloadAndWait(
        _ configuration: (@Sendable () throws(ServerError) -> ServerConfiguration)? = nil
    ) {
        reloader.reloadAndWait(configuration)
    }

    /// What came of reloads so far.
    package var reloadCounts: ReloadCounts { reloader.reloadCounts }
}

extension AssociationServer: ReloadTarget {
    var snapshot: ServerSnapshot { state.withLock { $0.snapshot } }

    var isStopping: Bool { state.withLock { $0.isDraining } }

    func use(_ snapshot: ServerSnapshot, isChanged: Bool) {
        let (served, workers, mostConnections) = state.withLock { state in
            let served = state.served
            state.snapshot = snapshot
            if isChanged { state.served = snapshot }
            return (served, state.workers, state.mostConnections)
        }
        guard isChanged else { return }
        if snapshot.configuration.log != served.configuration.log { useLogSettings(snapshot.configuration.log) }
        let settings = WorkerSettings(snapshot.configuration, mostConnections: mostConnections)
        let closedLog = takePreparedLog(workers)
        // The old one is freed here, not on a loop.
        withExtendedLifetime(served) { HandOver.give(snapshot, settings, to: workers) }
        // Nobody counts anything for those that are gone any more.
        snapshot.numbers.retire(allBut: snapshot.loadedSites.map(\.domain))
        guard let closedLog else { return }
        closedLog.close()
        state.withLock { $0.droppedLogLines &+= closedLog.droppedLines }
    }
}
