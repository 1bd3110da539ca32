internal import EventLoops
internal import SystemSupport
internal import Logging

extension AssociationServer {
    /// Opens the access log anew: its file may have been moved away. Returns at once.
    public func reopenLogs() { state.withLock { $0.log }?.reopen() }

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

    /// Has the loops write to the log that was prepared, if one was.
    ///
    /// - Returns: the one before, which is to be closed when they do.
    func takePreparedLog(_ workers: [Worker]) -> AccessLog? {
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
}
