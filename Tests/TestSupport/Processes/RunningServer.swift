package import Foundation
import Glibc
import SystemSupport

/// The built `aasa serve` on a free port.
public final class RunningServer: @unchecked Sendable {
    public let port: Int
    public let folder: TemporaryFolder
    private let process: Process
    private let log: LineReader

    /// The file that the site `localhost` serves unless a test says otherwise.
    public static let document =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[]}]}}"#

    /// The built product: it stands beside the running tests.
    public static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("aasa").path

    /// Lays out `sites/localhost` and `certs/localhost` in a new folder.
    ///
    /// - Parameter names: of a certificate of its own; without them it is the one that most servers have.
    public static func layOut(document: String = document, names: [String]? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(document, to: "sites/localhost/apple-app-site-association")
        let certificates = folder.url.appendingPathComponent("certs/localhost")
        if let names {
            try TestCertificate.make(names, in: certificates)
        } else {
            try TestCertificate.writeForLocalhost(in: certificates)
        }
        return folder
    }

    /// Starts the server and waits until it is ready.
    ///
    /// - Parameters:
    ///   - configuration: the text of server.json, without what the flags say.
    ///   - launcher: a command that runs the command behind it, such as `env NAME=VALUE`.
    public convenience init(
        _ folder: TemporaryFolder, configuration: String = "{}", arguments: [String] = [], threads: Int = 1,
        listen: String = "127.0.0.1:0", launcher: [String] = []
    ) throws {
        let json = try folder.write(configuration, to: "server.json")
        try self.init(
            folder,
            command: launcher + [
                Self.executable, "serve", "--config", json, "--sites", "\(folder.path)/sites", "--certs",
                "\(folder.path)/certs", "--listen", listen, "--threads", "\(threads)",
            ] + arguments)
    }

    /// Starts `aasa serve` with these arguments, and waits until it is ready.
    ///
    /// - Parameter launcher: a command that runs the command behind it.
    public convenience init(_ folder: TemporaryFolder, serving arguments: [String], launcher: [String] = []) throws {
        try self.init(folder, command: launcher + [Self.executable, "serve"] + arguments)
    }

    private init(_ folder: TemporaryFolder, command: [String]) throws {
        self.folder = folder
        process = Process()
        let isPath = command[0].hasPrefix("/")
        process.executableURL = URL(fileURLWithPath: isPath ? command[0] : "/usr/bin/env")
        process.arguments = isPath ? Array(command.dropFirst()) : command
        let pipe = Pipe()
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        Orphans.add(process.processIdentifier)
        log = LineReader(pipe.fileHandleForReading)
        guard let ready = log.wait(for: { $0.contains(" ready: ") }),
            let number = ready.split(separator: ":").last, let port = Int(number)
        else {
            process.terminate()
            throw TestFailure("the server did not start:\n\(log.text)")
        }
        self.port = port
    }

    deinit {
        if Patience.isSanitizing { end() }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        Orphans.remove(process.processIdentifier)
    }

    /// Has it end by itself, soon.
    private func end() {
        let limit = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
        for _ in 0..<2 where process.isRunning { kill(process.processIdentifier, SIGTERM) }
        while process.isRunning, Date() < limit { usleep(10_000) }
    }

    public var processIdentifier: Int32 { process.processIdentifier }
    public var isRunning: Bool { process.isRunning }
    /// The text that it wrote to standard error so far.
    public var logText: String { log.text }

    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until it has ended by itself, and all that it wrote is in `logText`.
    public func exitStatus() -> Int32 {
        process.waitUntilExit()
        _ = log.wait { _ in false }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    public func waitForLog(_ text: String) -> Bool { log.wait { $0.contains(text) } != nil }

    /// Waits until so many lines have a text in them.
    public func waitForLogs(_ text: String, count: Int) -> Bool {
        log.wait(count: count) { $0.contains(text) } != nil
    }

    /// Runs curl against `https://localhost:PORT`, trusting the certificate of `certs/localhost`.
    public func curl(
        _ path: String = "/.well-known/apple-app-site-association", _ arguments: [String] = [],
        host: String = "localhost"
    ) throws -> Shell.Outcome {
        try Shell.run(
            [
                "curl", "-sS", "--max-time", "\(Patience.seconds)", "--noproxy", "*", "--path-as-is",
                "--connect-to",
                "::127.0.0.1:\(port)",
                "--cacert", "\(folder.path)/certs/localhost/fullchain.pem", "https://\(host):\(port)\(path)",
            ] + arguments)
    }

    /// Sends bytes over TLS by `openssl s_client`, ends the stream, and returns all that comes back.
    public func exchange(_ request: String, _ arguments: [String] = []) throws -> String {
        try Shell.run(
            [
                "openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-servername",
                "localhost",
            ]
                + arguments,
            input: Data(request.utf8)
        ).text
    }
}

/// Servers that several tests share live until the tests end, and no longer.
package enum Orphans {
    private static let count = 1_024
    /// Their numbers, and zeros; a signal handler reads them without a lock.
    private nonisolated(unsafe) static let running: UnsafeMutablePointer<Int32> = {
        let running = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        running.initialize(repeating: 0, count: count)
        atexit { Orphans.end() }
        // They are in process groups of their own, so a terminal's Ctrl-C does not reach them.
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Orphans.end()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        return running
    }()
    private static let lock = Locked(())

    private static func end() {
        for index in 0..<count where running[index] != 0 { kill(running[index], SIGKILL) }
    }

    private static func replace(_ old: Int32, with new: Int32) {
        lock.withLock { _ in
            if let index = (0..<count).first(where: { running[$0] == old }) { running[index] = new }
        }
    }

    package static func add(_ process: Int32) { replace(0, with: process) }

    package static func remove(_ process: Int32) { replace(process, with: 0) }
}

/// Reads lines as they come.
package final class LineReader: @unchecked Sendable {
    private let condition = NSCondition()
    private var data = Data()
    private var isAtEnd = false

    package init(_ handle: FileHandle) {
        Thread { [self] in
            while true {
                let more = handle.nextData()
                condition.lock()
                data.append(more)
                isAtEnd = more.isEmpty
                condition.broadcast()
                condition.unlock()
                if more.isEmpty { return }
            }
        }.start()
    }

    package var text: String {
        condition.lock()
        defer { condition.unlock() }
        return String(decoding: data, as: UTF8.self)
    }

    /// All of it, when the end has come, or ``Patience`` is used up.
    package var wholeText: String {
        _ = wait { _ in false }
        return text
    }

    /// The last of so many whole lines that are wanted; `nil` if the end comes first, or ``Patience`` is used up.
    package func wait(count: Int = 1, for isWanted: (String) -> Bool) -> String? {
        let limit = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
        condition.lock()
        defer { condition.unlock() }
        while true {
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            let wanted = lines.dropLast().filter { isWanted(String($0)) }
            if wanted.count >= count { return String(wanted[count - 1]) }
            if isAtEnd { return nil }
            if !condition.wait(until: limit) {
                Patience.waitedInVain()
                return nil
            }
        }
    }
}
