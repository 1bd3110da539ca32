internal import Dispatch
internal import EventLoops
internal import Logging
internal import SystemSupport

extension LinkServer {
    /// Reads sites and certificates again, and serves what is good of them; connections are not disturbed.
    ///
    /// What cannot be used stays as it was; a site or a certificate whose folder is gone is removed. Returns at once;
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

    /// The results of the reloads so far.
    package var reloadCounts: ReloadCounts { reloader.reloadCounts }

    /// Reopens the access log: its file may have been moved away. Returns at once.
    public func reopenLogs() { state.withLock { $0.log }?.reopen() }
}

// What the reloader does with the server.
extension LinkServer {
    var snapshot: ServerSnapshot { state.withLock { $0.snapshot } }

    var isStopping: Bool { state.withLock { $0.isDraining } }

    func makeLog(_ settings: ServerConfiguration.Log) throws(ServerError) -> AccessLog? {
        try AccessLog(settings) { [logger] in logger.warning("\($0)") }
    }

    /// Opens another access log, which the loops write to when the next snapshot is used.
    func prepareLog(_ settings: ServerConfiguration.Log) throws(ServerError) {
        // Before the start there is none, and then the right one is opened.
        guard state.withLock({ $0.isStarted }) else { return }
        let log = try makeLog(settings)
        state.withLock { $0.nextLog = .some(log) }
    }

    /// Keeps a snapshot for everything that follows.
    ///
    /// - Parameters:
    ///   - isChanged: whether the loops have to serve it; otherwise they serve an equal one. Returns when they do.
    ///   - gone: the domains of the sites that are gone.
    func use(_ snapshot: ServerSnapshot, isChanged: Bool, gone: [String] = []) {
        let (served, workers, mostConnections) = state.withLock { state in
            let served = state.served
            state.snapshot = snapshot
            if isChanged { state.served = snapshot }
            return (served, state.workers, state.mostConnections)
        }
        guard isChanged else { return }
        if snapshot.configuration.log != served.configuration.log { useLogSettings(snapshot.configuration.log) }
        if snapshot.configuration.http2, !served.configuration.http2 { openHTTP2Library(snapshot.configuration) }
        openQRLibrary(for: snapshot)
        let settings = workerSettings(snapshot.configuration, mostConnections: mostConnections)
        let closedLog = usePreparedLog(workers)
        // The old one is freed here, not on a loop.
        withExtendedLifetime(served) { SnapshotPublisher.publish(snapshot, settings, to: workers) }
        memory?.keep(snapshot.loadedSites)
        // No loop counts anything for those that are gone any more.
        snapshot.numbers.retire(gone)
        guard let closedLog else { return }
        closedLog.close()
        state.withLock { $0.droppedLogLines &+= closedLog.droppedLines }
    }

    /// Has the loops write to the log that was prepared, if one was.
    ///
    /// - Returns: the one before, which is to be closed when they do.
    private func usePreparedLog(_ workers: [Worker]) -> AccessLog? {
        let change = state.withLock { state -> (old: AccessLog?, new: AccessLog?)? in
            guard let new = state.nextLog else { return nil }
            defer { (state.log, state.nextLog) = (new, nil) }
            return (state.log, new)
        }
        guard let change else { return nil }
        for worker in workers {
            let buffer = change.new?.makeBuffer()
            worker.loop.post { worker.use(buffer) }
        }
        return change.old
    }

    func notifyReloading() { serviceManager?.notifyReloading() }

    /// A reload that changes nothing, or cannot, ends too: the server is ready.
    ///
    /// - Parameter isConfigurationRefused: whether the configuration could not be used when it was read last.
    func notifyReloaded(isConfigurationRefused: Bool) {
        serviceManager?.notify(.ready(status: status(isConfigurationRefused)))
    }

    /// A reload that nobody has asked for: the server was ready all the time.
    func notifyChanged(isConfigurationRefused: Bool) {
        guard !isStopping else { return }
        serviceManager?.notify(.working(status: status(isConfigurationRefused)))
    }

    private func status(_ isConfigurationRefused: Bool) -> String {
        isConfigurationRefused ? "\(summary); the configuration was not reloaded, the log says why" : summary
    }
}

/// Gives all loops the next snapshot.
private enum SnapshotPublisher {
    /// Returns when every loop serves it, or has ended.
    static func publish(_ snapshot: ServerSnapshot, _ settings: Worker.Settings, to workers: [Worker]) {
        let group = DispatchGroup()
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) { worker.use(snapshot, settings) } }
        }
        group.wait()
    }
}
