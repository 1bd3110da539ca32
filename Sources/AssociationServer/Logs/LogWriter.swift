internal import EventLoops
internal import Glibc
internal import SystemSupport

/// Takes the blocks of all loops and writes them to the sink, on a thread of its own: only this one ever waits for it.
final class LogWriter: @unchecked Sendable {
    /// So often it is looked whether there is something else to do while nobody takes the lines.
    private static let patience: Int64 = 200
    private static let blocked = "its reader takes nothing"

    private let queue: LogQueue
    private let target: ServerConfiguration.LogSink
    private var sink: LogSink
    private var health: LogHealth
    private let report: @Sendable (String) -> Void
    /// Why the last block could not be written; `nil` if it was.
    private var problem: String?

    init(
        _ target: ServerConfiguration.LogSink, _ sink: consuming LogSink, queue: LogQueue,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.target = target
        self.sink = sink
        self.queue = queue
        self.report = report
        health = LogHealth(LogSink.name(target))
    }

    /// Returns when the queue is closed and all is written, or the time for it is over.
    func run() {
        while true {
            if queue.takeReopening() { reopen() }
            switch queue.nextTask() {
            case .write(let block, let blocks)?:
                write(block.lines)
                blocks.giveBack(block)
            case nil:
                tellWellness()
                queue.wait()
            case .end?:
                tellWellness()
                if let problem { report(health.end(problem, lost: queue.droppedLines)) }
                return
            }
        }
    }

    private func write(_ lines: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        while offset < lines.count {
            guard let patience = patience else {
                problem = Self.blocked
                return queue.lose(lines[offset...])
            }
            switch sink.write(lines, from: offset, patience: patience) {
            case .wrote(let count): offset += count
            case .blocked:
                tell(Self.blocked, "see why it does not read on")
                guard queue.takeReopening() else { continue }
                reopen()
                // The beginning of the line has gone elsewhere.
                offset = lines[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            case .failed(let error):
                problem = error.reason
                queue.lose(lines[offset...])
                return tell(error.reason, LogSink.help(error))
            }
        }
        problem = nil
    }

    /// How many milliseconds to wait for whoever takes the lines; `nil` when the time is over.
    private var patience: Int32? {
        guard let deadline = queue.deadline else { return Int32(Self.patience) }
        let left = deadline - Clock.monotonicMilliseconds()
        return left > 0 ? Int32(min(left, Self.patience)) : nil
    }

    /// Opens the path anew, because the file was moved away.
    private func reopen() {
        do throws(ServerError) {
            guard case .file = target, var new = try LogSink.open(target) else { return }
            new.follow(sink)
            sink = new
        } catch {
            report("\(error); lines go where they went before: mend this, and send SIGUSR1 again")
        }
    }

    // MARK: Messages

    private func tell(_ problem: String, _ help: String?) {
        let now = Clock.monotonicMilliseconds()
        if let message = health.trouble(problem, help, lost: queue.droppedLines, now: now) { report(message) }
    }

    private func tellWellness() {
        guard problem == nil else { return }
        let now = Clock.monotonicMilliseconds()
        if let message = health.wellness(lost: queue.droppedLines, now: now) { report(message) }
    }
}
