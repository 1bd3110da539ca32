internal import Synchronization
internal import SystemSupport

/// The blocks of one loop: never more than a few, however slowly they are written.
final class LogBlocks: Sendable {
    /// A block is full when it holds so many bytes.
    let fullCount: Int
    private let most: Int
    private let free = Locked<[LogBlock]>([])
    /// Blocks on their way to the writer, or with it.
    private let waiting = Atomic<Int>(0)

    init(fullCount: Int, most: Int) {
        self.fullCount = fullCount
        self.most = most
    }

    /// Whether all that was handed over is written.
    var isWritten: Bool { waiting.load(ordering: .relaxed) == 0 }

    /// Whether so many blocks wait that the others are kept for clients that write little.
    var isScarce: Bool { waiting.load(ordering: .relaxed) >= (most + 1) / 2 }

    /// The loop takes a block, of which it holds one at a time.
    ///
    /// - Returns: `nil` if all are full; that costs no lock.
    func take() -> LogBlock? {
        guard waiting.load(ordering: .relaxed) < most else { return nil }
        // One line more than what makes it full.
        return free.withLock { $0.popLast() }
            ?? LogBlock(capacity: fullCount + AccessLogFormatter.longestLine)
    }

    func willWait() { waiting.add(1, ordering: .relaxed) }

    func giveBack(_ block: LogBlock) {
        free.withLock { $0.append(block) }
        waiting.subtract(1, ordering: .relaxed)
    }
}
