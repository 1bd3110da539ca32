import Foundation
import Glibc
import SystemSupport

/// A server that the tests do not build, in the foreground, with its own configuration in a temporary folder.
public final class ForegroundServer: @unchecked Sendable {
    public let folder: TemporaryFolder
    private let process: Process
    private let log: LineReader
    /// The number of the process, or of its group if it leads one: a server may have workers.
    private let signalled: Int32

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - arguments: such as `-g "daemon off;"`: the server must not go into the background.
    ///   - folder: where it runs, and its `HOME`; it stays as long as the server.
    ///   - ports: of 127.0.0.1, all of which have to accept (``FreePort``).
    ///   - sockets: Unix sockets that have to accept.
    public init(
        _ program: ExternalProgram, _ arguments: [String], in folder: TemporaryFolder, ports: [Int] = [],
        sockets: [String] = [], environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        process = Process()
        process.executableURL = URL(fileURLWithPath: try program.path)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(["HOME": folder.path]) { $1 }
            .merging(environment) { $1 }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        let child = process
        try Self.withoutBlockedSignals { try child.run() }
        let identifier = process.processIdentifier
        signalled = getpgid(identifier) == identifier ? -identifier : identifier
        Orphans.add(signalled)
        log = LineReader(pipe.fileHandleForReading)
        let isReady = Waiting.until {
            !process.isRunning
                || ports.allSatisfy { (try? RawSocket(port: $0)) != nil }
                    && sockets.allSatisfy { (try? RawSocket(path: $0)) != nil }
        }
        guard isReady, process.isRunning else {
            let reason = process.isRunning ? "does not answer" : "ended with \(process.terminationStatus)"
            end()
            throw TestFailure("\(program.name) \(arguments.joined(separator: " ")) \(reason):\n\(log.text)")
        }
    }

    /// A thread of Dispatch blocks most signals, and so would what it starts, if that does not see to it itself.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    deinit { end() }

    /// Ends it at once, and everything that it has started.
    public func end() {
        Orphans.remove(signalled)
        guard process.isRunning else { return }
        kill(signalled, SIGKILL)
        process.waitUntilExit()
    }

    public var processIdentifier: Int32 { process.processIdentifier }
    public var isRunning: Bool { process.isRunning }
    /// The text that it wrote to standard output and standard error so far.
    public var logText: String { log.text }

    public func signal(_ number: Int32) { kill(processIdentifier, number) }

    /// Whether all its threads are stopped, some time after `SIGSTOP`.
    public var isStopped: Bool { ProcessState.isStopped(processIdentifier) }

    public func waitForLog(_ text: String) -> Bool { log.wait { $0.contains(text) } != nil }
}
