internal import DomainNames
internal import EventLoops
internal import Synchronization
internal import SystemSupport

/// The side of the access log that one loop writes to: only that loop calls it, and it never waits.
///
/// Lines are handed over in blocks of 64 KiB, or when `flushIfOlder` finds that they have waited long enough. While all
/// blocks of the loop wait to be written, further lines are dropped and counted. Before that, clients give way that have
/// lately wanted to write more than their share, so that there is room left for the lines of others.
package final class AccessLogBuffer: @unchecked Sendable {
    private let queue: LogQueue
    private let blocks: LogBlocks
    /// Behind a pointer, so that no access to it is checked.
    private let formatter: UnsafeMutablePointer<AccessLogFormatter>
    /// The block that is being filled, from its first line on.
    private var block: LogBlock?
    /// Where the next line goes, and where the block is full; `nil` without a block.
    private var next: UnsafeMutablePointer<UInt8>?
    private var full: UnsafeMutablePointer<UInt8>?
    /// When there was last no line here.
    private var emptyAt: Int64 = 0
    private let shares: LogShares
    private var sharesBegan: Int64 = 0

    /// The bytes that a dropped line counts for its client; it is not made to find out its length.
    private static var droppedBytes: Int { 256 }

    init(_ format: ServerConfiguration.LogFormat, queue: LogQueue, blocks: LogBlocks) {
        formatter = .allocate(capacity: 1)
        formatter.initialize(to: AccessLogFormatter(format))
        self.queue = queue
        self.blocks = blocks
        shares = LogShares(bytes: blocks.fullCount / 8)
    }

    deinit {
        flush()
        formatter.deinitialize(count: 1)
        formatter.deallocate()
    }

    package var isEmpty: Bool { next == nil }

    /// Writes the line of a request.
    @inline(__always)
    package func append(_ entry: borrowing AccessLogEntry) {
        let client = shares.slots(of: entry.address)
        let waiting = blocks.waitingCount
        if waiting >= blocks.scarceCount {
            if shares.givesWay(client, isRoomShort: waiting >= blocks.shortCount) {
                shares.use(Self.droppedBytes, by: client)
                return queue.countDropped(1)
            }
        }
        guard let next = next ?? begin() else { return queue.countDropped(1) }
        let end = formatter.pointee.write(entry, to: next)
        shares.use(end - next, by: client)
        self.next = end
        if end >= full ?? end { flush() }
    }

    /// Hands lines over that have waited for so long, or may have; called at every tick.
    ///
    /// While the writer has not come to the last block, lines gather here: otherwise blocks with a few lines each would soon
    /// be all there are.
    ///
    /// - Parameter now: milliseconds on a clock that never goes back.
    package func flushIfOlder(than milliseconds: Int64, now: Int64) {
        if now &- sharesBegan >= LogShares.milliseconds {
            shares.renew()
            sharesBegan = now
        }
        if isEmpty {
            emptyAt = now
        } else if now &- emptyAt >= milliseconds, blocks.isWritten {
            flush()
            emptyAt = now
        }
    }

    /// Hands over what there is; called when the loop ends.
    package func flush() {
        guard let block, let next else { return }
        block.count = next - block.bytes
        self.block = nil
        self.next = nil
        full = nil
        queue.enqueue(block, of: blocks)
    }

    @inline(never)
    private func begin() -> UnsafeMutablePointer<UInt8>? {
        guard let block = blocks.take() else { return nil }
        self.block = block
        next = block.bytes
        full = block.bytes + blocks.fullCount
        return next
    }
}

/// The blocks of one loop: never more than a few, however slowly they are written.
final class LogBlocks: Sendable {
    /// A block is full when it holds this many bytes.
    let fullCount: Int
    private let most: Int
    private let free = Locked<[LogBlock]>([])
    /// Blocks on their way to the writer, or with it.
    private let waiting = Atomic<Int>(0)

    /// The number of waiting blocks above which the others are kept for clients that write little in comparison.
    let scarceCount: Int
    /// The number of waiting blocks above which the others are kept for clients that write little.
    let shortCount: Int

    init(fullCount: Int, most: Int) {
        self.fullCount = fullCount
        self.most = most
        scarceCount = (most + 1) / 2
        shortCount = most - most / 4
    }

    /// Whether all that was handed over is written.
    var isWritten: Bool { waitingCount == 0 }

    var waitingCount: Int { waiting.load(ordering: .relaxed) }

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

/// Memory for many lines. At any time it is in one hand: the loop's, the writer's, or free.
final class LogBlock: @unchecked Sendable {
    let bytes: UnsafeMutablePointer<UInt8>
    /// Those of the lines in it.
    var count = 0

    init(capacity: Int) { bytes = .allocate(capacity: capacity) }

    deinit { bytes.deallocate() }

    var lines: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}

/// The shares of clients in the access log of one loop: the bytes that each has lately wanted to write, by its hashed
/// address.
///
/// The table does not grow with the number of clients. Each client is counted in two rows, and the smaller number holds:
/// two clients share what they may write only if they share a slot in both. No client can bring that about on purpose, as
/// the hash is another one in each process.
final class LogShares: @unchecked Sendable {
    /// After so long half of what was written is forgotten.
    static let milliseconds: Int64 = 1_000

    /// The slots of a client in the two rows.
    struct Slots: BitwiseCopyable {
        fileprivate let first: Int
        fileprivate let second: Int
    }

    /// The slots of one row.
    private static var count: Int { 4_096 }

    private let seed = UInt64.random(in: .min ... .max)
    private let bytes: UInt64
    private let used: UnsafeMutablePointer<UInt64>
    /// The number of bytes that all clients together have written.
    private var total: UInt64 = 0

    /// - Parameter bytes: what a client may write in any case before its lines give way to those of others.
    init(bytes: Int) {
        self.bytes = UInt64(bytes)
        used = .allocate(capacity: 2 * Self.count)
        used.initialize(repeating: 0, count: 2 * Self.count)
    }

    deinit { used.deallocate() }

    @inline(__always)
    func slots(of address: IPAddress?) -> Slots {
        // Of proxies on Unix sockets that do not say for whom they speak there is one.
        let hash = address?.key.hash(seed: seed) ?? 0
        let (first, second) = (hash >> 52, hash >> 40 & 0xFFF)
        return Slots(
            first: Int(truncatingIfNeeded: first), second: Self.count &+ Int(truncatingIfNeeded: second))
    }

    /// Whether a client's lines are dropped while room is scarce: it has lately wanted to write more than `bytes`, and,
    /// unless room is short, more than a sixteenth of what all clients wanted to.
    func givesWay(_ client: Slots, isRoomShort: Bool) -> Bool {
        let used = min(used[client.first], used[client.second])
        return used > bytes && (isRoomShort || used > total / 16)
    }

    @inline(__always)
    func use(_ count: Int, by client: Slots) {
        let count = UInt64(truncatingIfNeeded: count)
        used[client.first] &+= count
        used[client.second] &+= count
        total &+= count
    }

    func renew() {
        for slot in 0..<2 * Self.count { used[slot] >>= 1 }
        total >>= 1
    }
}
