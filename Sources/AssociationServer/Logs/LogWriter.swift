internal import Dispatch
internal import EventLoops
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// Takes the blocks of all loops and writes them to the sink, on a thread of its own: only this one ever waits for it.
final class LogWriter: @unchecked Sendable {
    /// So often it is looked whether there is something else to do while nobody takes the lines.
    private static let patience: Int64 = 200
    private static let blocked = "its reader does not read"

    private let queue: LogQueue
    private let target: ServerConfiguration.LogSink
    private var sink: LogOutput
    private var health: LogHealth
    private let report: @Sendable (String) -> Void
    /// Why the last block could not be written; `nil` if it was.
    private var problem: String?

    init(
        _ target: ServerConfiguration.LogSink, _ sink: consuming LogOutput, queue: LogQueue,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.target = target
        self.sink = sink
        self.queue = queue
        self.report = report
        health = LogHealth(LogOutput.name(target))
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
                reportRecovery()
                queue.wait()
            case .end?:
                reportRecovery()
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
                reportTrouble(Self.blocked, "find out why the reader has stopped reading")
                guard queue.takeReopening() else { continue }
                reopen()
                // The beginning of the line has gone elsewhere.
                offset = lines[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            case .failed(let error):
                problem = error.reason
                queue.lose(lines[offset...])
                return reportTrouble(error.reason, LogOutput.help(error))
            }
        }
        problem = nil
    }

    /// The milliseconds to wait for the reader of the lines; `nil` when the time is over.
    private var patience: Int32? {
        guard let deadline = queue.deadline else { return Int32(Self.patience) }
        let left = deadline - Clock.monotonicMilliseconds()
        return left > 0 ? Int32(min(left, Self.patience)) : nil
    }

    /// Opens the path anew, because the file was moved away.
    private func reopen() {
        do throws(ServerError) {
            guard case .file = target, var new = try LogOutput.open(target) else { return }
            new.follow(sink)
            sink = new
        } catch {
            report("\(error); lines still go to the old file; help: fix this, then send SIGUSR1 again")
        }
    }

    private func reportTrouble(_ problem: String, _ help: String?) {
        let now = Clock.monotonicMilliseconds()
        if let message = health.trouble(problem, help, lost: queue.droppedLines, now: now) { report(message) }
    }

    private func reportRecovery() {
        guard problem == nil else { return }
        let now = Clock.monotonicMilliseconds()
        if let message = health.recovered(lost: queue.droppedLines, now: now) { report(message) }
    }
}

/// The queue between the loops, the owner and the writer of a log.
final class LogQueue: Sendable {
    enum Task {
        case write(LogBlock, of: LogBlocks)
        /// All is written, and nothing more comes.
        case end
    }

    private struct State {
        var full: [(block: LogBlock, blocks: LogBlocks)] = []
        var isReopenDue = false
        /// When the writer has to be done, once the log is closed.
        var deadline: Int64?
    }

    private let state = Locked(State())
    private let work = DispatchSemaphore(value: 0)
    private let dropped = Atomic<UInt64>(0)

    /// Lines that are lost, since the start.
    var droppedLines: UInt64 { dropped.load(ordering: .relaxed) }

    func countDropped(_ lines: Int) { dropped.add(UInt64(lines), ordering: .relaxed) }

    /// Hands a block to the writer.
    func enqueue(_ block: LogBlock, of blocks: LogBlocks) {
        blocks.willWait()
        let isOpen = state.withLock { state in
            if state.deadline == nil { state.full.append((block, blocks)) }
            return state.deadline == nil
        }
        if isOpen {
            work.signal()
        } else {
            lose(block.lines[...])
            blocks.giveBack(block)
        }
    }

    /// Counts the lines that end in `bytes` as lost.
    func lose(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
        var lines = 0
        while let start = rest.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) {
            lines += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(end) - start + 1)...])
        }
        countDropped(lines)
    }

    func reopen() {
        state.withLock { $0.isReopenDue = true }
        work.signal()
    }

    /// - Parameter deadline: milliseconds on a clock that never goes back.
    /// - Returns: `false` if it was closed before.
    func close(by deadline: Int64) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.deadline = state.deadline ?? deadline }
            return state.deadline == nil
        }
        work.signal()
        return isFirst
    }

    /// Whether the sink is to be opened anew; asking resets it.
    func takeReopening() -> Bool {
        state.withLock { state in
            defer { state.isReopenDue = false }
            return state.isReopenDue
        }
    }

    var deadline: Int64? { state.withLock { $0.deadline } }

    /// The next task; `nil` if there is none, and `wait` is called for.
    func nextTask() -> Task? {
        state.withLock { state in
            if !state.full.isEmpty {
                let (block, blocks) = state.full.removeFirst()
                return .write(block, of: blocks)
            }
            return state.deadline == nil ? nil : .end
        }
    }

    /// Returns when there may be something to do.
    func wait() { work.wait() }
}

/// Decides what is reported about a log that loses lines: one message in ten seconds, and one when it
/// recovers.
package struct LogHealth {
    package static let pause: Int64 = 10_000

    private let name: String
    private var nextMessage: Int64 = .min
    private var isInTrouble = false
    /// Lines that were lost when everything was last written.
    private var before: UInt64 = 0

    /// - Parameter name: of the log, with which messages begin.
    package init(_ name: String) { self.name = name }

    /// Lines cannot be written at present.
    ///
    /// - Parameters:
    ///   - problem: what is the matter.
    ///   - help: what to do.
    ///   - lost: lines since the start; nothing is reported while there are none.
    ///   - now: milliseconds on a clock that never goes back.
    package mutating func trouble(_ problem: String, _ help: String?, lost: UInt64, now: Int64) -> String? {
        guard lost > before, now >= nextMessage else { return nil }
        nextMessage = now + Self.pause
        isInTrouble = true
        let end = help.map { "; \($0)" } ?? ""
        return "\(name) cannot be written: \(problem); \(lines(lost)) lost so far\(end)"
    }

    /// All that there was is written.
    package mutating func recovered(lost: UInt64, now: Int64) -> String? {
        guard isInTrouble || lost > before && now >= nextMessage else { return nil }
        defer {
            isInTrouble = false
            before = lost
        }
        if isInTrouble { return "\(name) can be written again; \(lines(lost)) lost" }
        nextMessage = now + Self.pause
        return "\(name) was too slow for a moment; \(lines(lost)) lost"
    }

    /// The log ends, and not all that there was could be written.
    package func end(_ problem: String, lost: UInt64) -> String {
        "\(name) could not be written completely: \(problem); \(lines(lost)) lost"
    }

    private func lines(_ lost: UInt64) -> String {
        let count = lost - before
        return count == 1 ? "1 line is" : "\(count) lines are"
    }
}
