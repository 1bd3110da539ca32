import Foundation

// What the log, the admin listener and the system say about the process.
extension RunningServer {
    /// The URL of its admin listener on a port.
    ///
    /// - Throws: `TestFailure` if it has none.
    public var adminURL: String {
        get throws {
            guard let url = logText.firstMatch(of: #/admin: (http:\S+)/#)?.1 else { throw TestFailure(logText) }
            return String(url)
        }
    }

    /// Asks its admin listener with curl.
    public func askAdmin(_ path: String) throws -> Shell.Outcome {
        try Shell.run(["curl", "-sS", "--noproxy", "*", "\(adminURL)\(path)"])
    }

    /// The text of `/metrics` of its admin listener on a Unix socket.
    public func metrics(socket: String) throws -> String {
        try Shell.run(
            ["curl", "-sS", "--unix-socket", socket, "http://localhost/metrics"]
        ).text
    }

    /// The number of sockets that it has open, its listeners among them.
    public var openSockets: Int { descriptors.count { $0.hasPrefix("socket:") } }

    /// The files and sockets that its open descriptors lead to.
    public var descriptors: [String] {
        let folder = "/proc/\(processIdentifier)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    /// Whether all its threads are stopped, some time after `SIGSTOP`.
    public var isStopped: Bool { ProcessState.isStopped(processIdentifier) }

    /// The processor time that it used so far, in seconds, to a hundredth.
    public var processorTime: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8) else {
            return 0
        }
        // The name in brackets may hold anything.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / 100
    }
}
