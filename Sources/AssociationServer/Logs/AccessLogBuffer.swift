/// The end of the access log that one loop has: only that loop calls it, and it never waits.
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
        let client = shares.place(of: entry.address)
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
        queue.give(block, of: blocks)
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
