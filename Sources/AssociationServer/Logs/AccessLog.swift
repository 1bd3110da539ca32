package import Diagnostics
internal import Dispatch
internal import EventLoops
internal import Glibc
internal import SystemSupport

/// One line for each request: a loop fills its `AccessLogBuffer`, which another thread writes out.
///
/// Nobody waits for the sink. Lines that it does not take are dropped and counted (server.md, section 9).
package final class AccessLog: Sendable {
    /// A block is handed to the writer when it has so many bytes.
    package static let blockBytes = 65_536
    /// The number of blocks of a loop, which hold the lines that wait. One client alone fills no more than half of them.
    package static let blocksPerLoop = 8
    /// The time that `close` waits, and the margin by which the writer stops before its end.
    private static let closingMilliseconds: Int64 = 2_000
    private static let marginMilliseconds: Int64 = 400

    private let sink: ServerConfiguration.LogSink
    private let format: ServerConfiguration.LogFormat
    private let report: @Sendable (String) -> Void
    private let blockBytes: Int
    private let blocksPerLoop: Int
    private let queue = LogQueue()
    private let ended = DispatchSemaphore(value: 0)

    /// Lines that are lost because the sink was too slow, blocked or broken, since the start.
    package var droppedLines: UInt64 { queue.droppedLines }

    /// Opens the sink; `nil` if there is to be no log.
    ///
    /// - Parameters:
    ///   - report: is called, on another thread, when lines are lost and when no more are.
    ///   - standardOutput: the descriptor that is meant by that.
    /// - Throws: `ServerError`: `unreadable` if the sink cannot be opened, `setUp` if there can be no thread.
    package init?(
        _ log: ServerConfiguration.Log, blockBytes: Int = AccessLog.blockBytes,
        blocksPerLoop: Int = AccessLog.blocksPerLoop, standardOutput: Int32 = STDOUT_FILENO,
        report: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        guard let opened = try LogOutput.open(log.access, standardOutput: standardOutput) else { return nil }
        sink = log.access
        format = log.format
        self.blockBytes = blockBytes
        self.blocksPerLoop = blocksPerLoop
        self.report = report
        let writer = LogWriter(log.access, opened, queue: queue, report: report)
        do throws(SystemError) {
            try DetachedThread.start { [ended] in
                writer.run()
                ended.signal()
            }
        } catch {
            throw ServerError(.setUp, "\(LogOutput.name(log.access)) cannot be written: \(error)")
        }
    }

    /// Why a file that the log is to go to could not be opened, as far as is known without touching it.
    package static func problem(_ log: ServerConfiguration.Log) -> LocatedDiagnostic? {
        guard case .file(let path) = log.access, let error = LogOutput.problem(path) else { return nil }
        return .error("log.access", error.description)
    }

    deinit { _ = queue.close(by: Self.deadline) }

    /// Makes the buffer that a loop writes to.
    package func makeBuffer() -> AccessLogBuffer {
        AccessLogBuffer(format, queue: queue, blocks: LogBlocks(fullCount: blockBytes, most: blocksPerLoop))
    }

    /// Opens the path anew, soon: the file may have been moved away. If that fails, the open one stays in use.
    package func reopen() { queue.reopen() }

    /// Writes what the loops have handed over, for two seconds at most; what comes later is dropped.
    package func close() {
        let isFirst = queue.close(by: Self.deadline)
        if ended.wait(timeout: .now() + .milliseconds(Int(Self.closingMilliseconds))) == .success {
            ended.signal()
        } else if isFirst {
            // The disk does not let go of the writer.
            report("\(LogOutput.name(sink)) could not be written completely in time; lines may be lost")
        }
    }

    private static var deadline: Int64 { Clock.monotonicMilliseconds() + closingMilliseconds - marginMilliseconds }
}
