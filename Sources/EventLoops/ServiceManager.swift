internal import SystemSupport

/// The service manager that has started the process, if there is one: systemd, without libsystemd.
///
/// It is told by datagrams to a socket. What goes wrong with that is said once, and never stops a server.
package final class ServiceManager: Sendable {
    private let socket: ServiceManagerSocket?
    private let watchdogMicroseconds: Int64?
    private let report: @Sendable (String) -> Void
    private let hasReported = Locked(false)
    private let watchdog = Locked<ServiceManagerWatchdog?>(nil)

    /// - Parameter report: gets one line about what is wrong with the service manager's socket, and one each time a sign
    ///   of life is not given.
    package init(_ environment: ServiceManagerEnvironment, report: @escaping @Sendable (String) -> Void) {
        self.report = report
        watchdogMicroseconds = environment.watchdogMicroseconds
        guard let name = environment.notifySocket else {
            socket = nil
            return
        }
        do throws(SystemError) {
            socket = try ServiceManagerSocket(name)
        } catch {
            socket = nil
            report(
                "the service manager cannot be told anything at NOTIFY_SOCKET '\(name.prefix(120))': \(error.reason)")
        }
    }

    /// Whether there is somebody to tell.
    package var isThere: Bool { socket != nil }

    /// Tells the service manager something; waits for a second at most if it does not listen.
    package func notify(_ message: ServiceManagerMessage) {
        guard let socket else { return }
        do throws(SystemError) {
            try socket.send(message.text)
        } catch {
            let isFirst = hasReported.withLock { hasReported in
                defer { hasReported = true }
                return !hasReported
            }
            if isFirst { report("the service manager could not be told: \(error)") }
        }
    }

    /// Says that the process reads its files again; `ready` has to follow.
    package func notifyReloading() {
        notify(.reloading(monotonicMicroseconds: Clock.preciseNanoseconds() / 1_000))
    }

    // MARK: Signs of life

    /// Gives a sign of life twice in the time that the service manager allows, if it wants any, for as long as this object
    /// lives.
    ///
    /// - Parameter isAlive: is asked before each sign, on a queue of its own, and may take so many milliseconds.
    package func watch(_ isAlive: @escaping @Sendable (_ milliseconds: Int) -> Bool) {
        guard socket != nil, let watchdogMicroseconds else { return }
        let plan = Self.watchdogPlan(watchdogMicroseconds)
        let watchdog = ServiceManagerWatchdog(everyMilliseconds: plan.interval) { [weak self] in
            self?.giveSign(isAlive, within: plan.patience)
        }
        self.watchdog.withLock { $0 = watchdog }
    }

    /// Milliseconds between two signs, and for an answer before one.
    ///
    /// - Returns: a half and a quarter, so that a sign is in time even if its answer takes as long as it may.
    package static func watchdogPlan(_ microseconds: Int64) -> (interval: Int, patience: Int) {
        // Dispatch counts in nanoseconds; a day is as good as any longer time.
        let milliseconds = Int(min(microseconds / 1_000, 86_400_000))
        return (interval: max(1, milliseconds / 2), patience: max(1, milliseconds / 4))
    }

    private func giveSign(_ isAlive: (Int) -> Bool, within milliseconds: Int) {
        if isAlive(milliseconds) { return notify(.watchdog) }
        report(
            """
            not every loop has answered within \(milliseconds) ms, so the service manager gets no sign of life; without one \
            it starts the server again
            """)
    }
}
