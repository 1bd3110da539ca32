import Foundation
import Glibc

/// The built `aasa serve`, started as a service manager does it: with sockets, and with an environment of its own.
public final class ServiceProcess: @unchecked Sendable {
    public let folder: TemporaryFolder
    public let processIdentifier: Int32
    private let log: LineReader
    private let lock = NSLock()
    private var status: Int32?

    /// Starts `aasa serve`; `LISTEN_PID` and `LISTEN_FDS` are set if there are sockets.
    ///
    /// - Parameters:
    ///   - folder: with `sites` and `certs`.
    ///   - sockets: those that are handed over, from descriptor 3 on.
    ///   - variables: the environment, besides PATH; `$$` in a value is the number of the process.
    ///   - prefix: a command that runs the command behind it, in the same process.
    public init(
        _ folder: TemporaryFolder, sockets: [Int32] = [], variables: [String: String] = [:], prefix: String = "",
        configuration: String = #"{"listen": ["127.0.0.1:0"]}"#, arguments: [String] = []
    ) throws {
        self.folder = folder
        let json = try folder.write(configuration, to: "server.json")
        var variables = variables
        if !sockets.isEmpty {
            variables["LISTEN_FDS"] = variables["LISTEN_FDS"] ?? "\(sockets.count)"
            variables["LISTEN_PID"] = variables["LISTEN_PID"] ?? "$$"
        }
        let assignments = variables.map { "\($0)=\"\($1)\"" }.sorted().joined(separator: " ")
        let export = assignments.isEmpty ? "" : "export \(assignments); "
        // The shell becomes the server, and keeps its number.
        let script = "\(export)exec \(prefix) \"$@\""
        let command =
            [
                "/bin/sh", "-c", script, "sh", RunningServer.executable, "serve", "--config", json, "--sites",
                "\(folder.path)/sites", "--certs", "\(folder.path)/certs", "--threads", "1",
            ] + arguments
        let pipe = Pipe()
        processIdentifier = try Self.spawn(
            command, sockets: sockets, standardError: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        log = LineReader(pipe.fileHandleForReading)
        Orphans.add(processIdentifier)
    }

    private static func spawn(_ command: [String], sockets: [Int32], standardError: Int32) throws -> Int32 {
        // Out of the way of the numbers that they get.
        let sources = sockets.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for source in sources { close(source) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, standardError, 2)
        for (number, source) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(3 + number))
        }
        // What other tests have open at the moment is not for this process.
        for number in 3 + sources.count..<1_024 { posix_spawn_file_actions_addclose(&actions, Int32(number)) }
        // A thread of Dispatch blocks most signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        // Of the environment of the tests only this: what a sanitizer is told, it is told here, too.
        let known = ["PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"]
        let inherited = ProcessInfo.processInfo.environment.filter { known.contains($0.key) }
        var environment = inherited.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &environment)
        guard result == 0 else { throw TestFailure("posix_spawn: \(String(cString: strerror(result)))") }
        return process
    }

    deinit {
        if !hasEnded, Patience.isSanitizing {
            for _ in 0..<2 { kill(processIdentifier, SIGTERM) }
        } else if !hasEnded {
            kill(processIdentifier, SIGKILL)
        }
        _ = exitStatus()
        Orphans.remove(processIdentifier)
    }

    private var hasEnded: Bool {
        lock.lock()
        defer { lock.unlock() }
        return status != nil
    }

    /// The text that it wrote to standard error so far.
    public var logText: String { log.text }

    public func waitForLog(_ text: String) -> Bool { log.wait { $0.contains(text) } != nil }

    /// Waits until it is ready.
    ///
    /// - Returns: the port of the first address.
    public func port() throws -> Int {
        guard let line = log.wait(for: { $0.contains(" ready: ") }),
            let port = line.split(separator: ",").first(where: { $0.contains("https://") })?.split(separator: ":").last
                .flatMap({ Int($0) })
        else { throw TestFailure("the server did not start:\n\(logText)") }
        return port
    }

    public func signal(_ number: Int32) { kill(processIdentifier, number) }

    /// Waits until it has ended; the negative number of a signal that has ended it.
    @discardableResult
    public func exitStatus() -> Int32 {
        lock.lock()
        defer { lock.unlock() }
        if let status { return status }
        var state: Int32 = 0
        while waitpid(processIdentifier, &state, 0) < 0, errno == EINTR {}
        let number = state & 0x7F
        let result = number == 0 ? (state >> 8) & 0xFF : -number
        status = result
        _ = log.wait { _ in false }
        return result
    }

    /// A set of signals in `/proc/PID/status`, as `SigCgt`.
    public func handles(_ number: Int32) -> Bool {
        let text = (try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let set = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return set & 1 << UInt64(number - 1) != 0
    }

    /// Runs curl against `https://localhost` at a port, trusting the certificate of `certs/localhost`.
    public func curl(port: Int, _ arguments: [String] = [], address: String = "127.0.0.1") throws -> Shell.Outcome {
        try Shell.run(
            [
                "curl", "-sS", "--max-time", "\(Patience.seconds)", "--noproxy", "*", "--connect-to",
                "::\(address):\(port)",
                "--cacert", "\(folder.path)/certs/localhost/fullchain.pem",
                "https://localhost:\(port)/.well-known/apple-app-site-association",
            ] + arguments)
    }
}
