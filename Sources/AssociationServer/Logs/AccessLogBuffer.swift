internal import EventLoops
internal import ProxySupport
internal import Synchronization
internal import SystemSupport

/// The side of the access log that one loop writes to: only that loop calls it, and it never waits.
///
/// Lines are handed over in blocks of 64 KiB, or when `flushIfOlder` finds that they have waited long enough. While all
/// blocks of the loop wait to be written, further lines are dropped and counted. A client that has lately written more than
/// its share has its lines dropped earlier, so that there is room left for those of others.
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
        let client = shares.slot(of: entry.address)
        if shares.isUsedUp(client), blocks.isScarce { return queue.countDropped(1) }
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

    init(fullCount: Int, most: Int) {
        self.fullCount = fullCount
        self.most = most
    }

    /// Whether all that was handed over is written.
    var isWritten: Bool { waiting.load(ordering: .relaxed) == 0 }

    /// Whether so many blocks are waiting that the others are kept for clients that write little.
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

/// Memory for many lines. At any time it is in one hand: the loop's, the writer's, or free.
final class LogBlock: @unchecked Sendable {
    let bytes: UnsafeMutablePointer<UInt8>
    /// Those of the lines in it.
    var count = 0

    init(capacity: Int) { bytes = .allocate(capacity: capacity) }

    deinit { bytes.deallocate() }

    var lines: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}

/// How much each client has lately written to the access log of one loop, by the hash of its address.
///
/// The table does not grow with the number of clients. Two that share a slot share what they may write, which a client
/// cannot bring about on purpose: the hash is another one in each process.
final class LogShares: @unchecked Sendable {
    /// After so long half of what was written is forgotten.
    static let milliseconds: Int64 = 1_000

    private static var count: Int { 1_024 }

    private let seed = UInt64.random(in: .min ... .max)
    private let bytes: UInt32
    private let used: UnsafeMutablePointer<UInt32>

    /// - Parameter bytes: what a client may write before its lines give way to those of others, when room is scarce.
    init(bytes: Int) {
        self.bytes = UInt32(clamping: bytes)
        used = .allocate(capacity: Self.count)
        used.initialize(repeating: 0, count: Self.count)
    }

    deinit { used.deallocate() }

    @inline(__always)
    func slot(of address: IPAddress?) -> Int {
        // Of proxies on Unix sockets that do not say for whom they speak there is one.
        guard let address else { return 0 }
        return Int(truncatingIfNeeded: address.key.hash(seed: seed) >> 54)
    }

    @inline(__always)
    func isUsedUp(_ slot: Int) -> Bool { used[slot] > bytes }

    @inline(__always)
    func use(_ count: Int, by slot: Int) { used[slot] &+= UInt32(truncatingIfNeeded: count) }

    func renew() { for slot in 0..<Self.count { used[slot] >>= 1 } }
}
