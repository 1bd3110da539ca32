internal import BoundedText
internal import CLinux
internal import Dispatch
internal import Glibc
internal import SystemSupport

/// The service manager that has started the process, if there is one: systemd, without libsystemd.
///
/// It is notified by datagrams to a socket. A failure is reported once, and never stops a server.
package final class ServiceManager: Sendable {
    private let socket: ServiceManagerSocket?
    private let watchdogMicroseconds: Int64?
    private let report: @Sendable (String) -> Void
    private let hasReported = Locked(false)
    private let watchdog = Locked<ServiceManagerWatchdog?>(nil)

    /// - Parameter report: gets one line about what is wrong with the service manager's socket, and one each time the
    ///   watchdog is not notified.
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
                "cannot notify the service manager at NOTIFY_SOCKET '\(name.prefix(120))': \(error.reason)")
        }
    }

    /// Whether there is one.
    package var isThere: Bool { socket != nil }

    /// Notifies the service manager; waits for a second at most if it does not read.
    package func notify(_ message: @autoclosure () -> ServiceManagerMessage) {
        guard let socket else { return }
        do throws(SystemError) {
            try socket.send(message().text)
        } catch {
            let isFirst = hasReported.withLock { hasReported in
                defer { hasReported = true }
                return !hasReported
            }
            if isFirst { report("cannot notify the service manager: \(error)") }
        }
    }

    /// Reports that the process reads its files again; `ready` has to follow.
    package func notifyReloading() {
        notify(.reloading(monotonicMicroseconds: Clock.preciseNanoseconds() / 1_000))
    }

    /// Notifies the watchdog twice in the time that the service manager allows, if it has one, for as long as this object
    /// lives.
    ///
    /// - Parameter isAlive: is called before each notification, on a queue of its own, and may take `milliseconds`.
    package func watch(_ isAlive: @escaping @Sendable (_ milliseconds: Int) -> Bool) {
        guard socket != nil, let watchdogMicroseconds else { return }
        let plan = Self.watchdogPlan(watchdogMicroseconds)
        let watchdog = ServiceManagerWatchdog(everyMilliseconds: plan.interval) { [weak self] in
            self?.notifyWatchdog(isAlive, within: plan.patience)
        }
        self.watchdog.withLock { $0 = watchdog }
    }

    /// Milliseconds between two notifications, and for an answer before one.
    ///
    /// - Returns: a half and a quarter, so that a notification is in time even if its answer takes as long as it may.
    package static func watchdogPlan(_ microseconds: Int64) -> (interval: Int, patience: Int) {
        // Dispatch counts in nanoseconds; a day is as good as any longer time.
        let milliseconds = Int(min(microseconds / 1_000, 86_400_000))
        return (interval: max(1, milliseconds / 2), patience: max(1, milliseconds / 4))
    }

    private func notifyWatchdog(_ isAlive: (Int) -> Bool, within milliseconds: Int) {
        if isAlive(milliseconds) { return notify(.watchdog) }
        report(
            """
            an event loop has not answered within \(milliseconds) ms, so the watchdog is not notified; without that the \
            service manager restarts the server
            """)
    }
}

/// Does something again and again, on a queue of its own.
final class ServiceManagerWatchdog: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameter beat: is called at once, and then each time the interval has passed.
    init(everyMilliseconds interval: Int, beat: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "aasa.watchdog"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(interval), leeway: .milliseconds(interval / 20))
        timer.setEventHandler(handler: beat)
        timer.activate()
    }

    deinit { timer.cancel() }
}

/// A message of a service to its manager (sd_notify(3)).
package struct ServiceManagerMessage: Equatable, Sendable {
    package let text: String

    private init(_ assignments: [String]) { text = assignments.joined(separator: "\n") }

    /// It serves, for the first time or again after a reload.
    package static func ready(status: String) -> ServiceManagerMessage { .init(["READY=1", Self.status(status)]) }

    /// It reads its files again; `ready` has to follow.
    ///
    /// - Parameter microseconds: of the monotonic clock. The manager compares it with the time of its own request, so that
    ///   it has to be as precise as that.
    package static func reloading(monotonicMicroseconds microseconds: Int64) -> ServiceManagerMessage {
        .init(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)", Self.status("reloading")])
    }

    /// It ends.
    package static func stopping(status: String) -> ServiceManagerMessage {
        .init(["STOPPING=1", Self.status(status)])
    }

    /// The present activity, for people.
    package static func working(status: String) -> ServiceManagerMessage { .init([Self.status(status)]) }

    /// It is alive.
    package static let watchdog = ServiceManagerMessage(["WATCHDOG=1"])

    /// A status is one line: what follows a line feed would be an assignment of its own.
    private static func status(_ text: String) -> String {
        "STATUS=" + String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}

/// The datagram socket at which a service manager listens.
final class ServiceManagerSocket: Sendable {
    /// No message waits longer for a manager that does not read.
    private static let patienceSeconds = 1

    // Made once: when descriptors have run out, there has to be one for the watchdog.
    private let descriptor: Int32
    private let address: UnixSocketAddress

    /// - Parameter name: a path, or the name of an abstract socket after an `@` (unix(7)).
    init(_ name: String) throws(SystemError) {
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/") else {
            throw SystemError(
                call: "sendto", number: EINVAL, reason: "neither an absolute path nor a name after an '@'")
        }
        guard let address = UnixSocketAddress(name, isAbstract: isAbstract) else {
            throw SystemError(call: "sendto", number: ENAMETOOLONG)
        }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket") }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws(SystemError) {
        var bytes = Array(text.utf8)
        while true {
            let result = address.withSystemAddress {
                sendto(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
            }
            if result >= 0 { return }
            guard errno == EINTR else { throw SystemError(call: "sendto") }
        }
    }
}

/// The variables that a service manager passes to a process: sd_listen_fds(3), sd_notify(3) and
/// sd_watchdog_enabled(3), without libsystemd.
package struct ServiceManagerEnvironment: Equatable, Sendable {
    /// All variables that are meant for this process, and not for those that it starts.
    package static let names = [
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID", "NOTIFY_SOCKET", "WATCHDOG_USEC",
        "WATCHDOG_PID",
    ]

    /// The number of sockets that were handed over, from descriptor 3 on.
    package let socketCount: Int
    private let socketNames: [String]
    /// A path, or the name of an abstract socket after an `@`.
    package let notifySocket: String?
    /// After so long without a notification the service manager ends the process.
    package let watchdogMicroseconds: Int64?

    /// A process without a service manager.
    package init() {
        socketCount = 0
        socketNames = []
        notifySocket = nil
        watchdogMicroseconds = nil
    }

    /// - Parameters:
    ///   - variables: the environment.
    ///   - process: the number of this process: what is meant for another one is ignored.
    package init(_ variables: [String: String], process: Int32) throws(ServiceManagerError) {
        let text = variables["LISTEN_PID"].flatMap(Int32.init) == process ? variables["LISTEN_FDS"] ?? "0" : "0"
        guard let count = Int32(text), count >= 0 else {
            throw ServiceManagerError("LISTEN_FDS is '\(text.prefix(60))'; expected the number of sockets")
        }
        socketCount = Int(count)
        socketNames =
            variables["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        notifySocket = variables["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isWatched = variables["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        watchdogMicroseconds =
            isWatched ? variables["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// The name of a socket, empty if it has none.
    package func socketName(_ index: Int) -> String { socketNames.indices.contains(index) ? socketNames[index] : "" }

    /// Reads the environment of this process, and removes from it what it has read.
    ///
    /// Call it before there is a second thread: the environment has no lock.
    package static func take() throws(ServiceManagerError) -> ServiceManagerEnvironment {
        try take(
            process: getpid(), value: { name in getenv(name).map { String(cText: $0) } }, remove: { unsetenv($0) })
    }

    /// Reads an environment, and removes from it what it has read, also when that cannot be used.
    package static func take(
        process: Int32, value: (String) -> String?, remove: (String) -> Void
    ) throws(ServiceManagerError) -> ServiceManagerEnvironment {
        var variables: [String: String] = [:]
        for name in names {
            variables[name] = value(name)
            remove(name)
        }
        return try ServiceManagerEnvironment(variables, process: process)
    }
}

/// The error of sockets or variables of a service manager that cannot be used.
package struct ServiceManagerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem and its remedy, without a full stop.
    package let description: String

    init(_ description: String) { self.description = description }
}
