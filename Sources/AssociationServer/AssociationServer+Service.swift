internal import EventLoops
internal import SystemSupport

// What the service manager is told (server.md, section 8).
extension AssociationServer {
    /// Says that the server serves, and from now on that it is alive: call it when all listeners are open.
    package func tellReady() {
        guard let serviceManager else { return }
        serviceManager.notify(.ready(status: summary))
        serviceManager.watch { [weak self] milliseconds in self?.isAlive(withinMilliseconds: milliseconds) ?? true }
    }

    /// Whether every loop answers in time.
    func isAlive(withinMilliseconds milliseconds: Int) -> Bool {
        LoopQuestion.ask(state.withLock { $0.workers }, milliseconds: milliseconds) != nil
    }

    func reloadBegins() { serviceManager?.notifyReloading() }

    /// A reload that changes nothing, or cannot, ends too: the server serves.
    func reloadEnded(isConfigurationRefused: Bool) {
        serviceManager?.notify(.ready(status: status(isConfigurationRefused)))
    }

    /// A reload that nobody has asked for: the server was ready all the time.
    func hasReloaded(isConfigurationRefused: Bool) {
        guard !isStopping else { return }
        serviceManager?.notify(.working(status: status(isConfigurationRefused)))
    }

    private func status(_ isConfigurationRefused: Bool) -> String {
        isConfigurationRefused ? "\(summary); the configuration was not reloaded, the log says why" : summary
    }

    func stopBegins() { serviceManager?.notify(.stopping(status: "answering what has begun")) }
}
