internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// What the loops, the owner and the writer of a log have in common.
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
    func give(_ block: LogBlock, of blocks: LogBlocks) {
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

    // MARK: The writer

    /// Whether the sink is to be opened anew; the next one that asks is told no.
    func takeReopening() -> Bool {
        state.withLock { state in
            defer { state.isReopenDue = false }
            return state.isReopenDue
        }
    }

    var deadline: Int64? { state.withLock { $0.deadline } }

    /// What to do next; `nil` if there is nothing, and `wait` is called for.
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
