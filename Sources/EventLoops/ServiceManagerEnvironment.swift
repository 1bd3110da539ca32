internal import Glibc

/// What a service manager passes in the environment of a process: sd_listen_fds(3), sd_notify(3) and
/// sd_watchdog_enabled(3), without libsystemd.
package struct ServiceManagerEnvironment: Equatable, Sendable {
    /// All variables that are meant for this process, and not for those that it starts.
    package static let names = [
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID", "NOTIFY_SOCKET", "WATCHDOG_USEC",
        "WATCHDOG_PID",
    ]

    /// How many sockets were handed over, from descriptor 3 on.
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
            process: getpid(), value: { name in getenv(name).map { String(cString: $0) } }, remove: { unsetenv($0) })
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

/// What a service manager handed over cannot be used.
package struct ServiceManagerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is the matter, and what to do; without a full stop.
    package let description: String

    init(_ description: String) { self.description = description }
}
