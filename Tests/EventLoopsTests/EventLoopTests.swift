import EventLoops
import Glibc
import SystemSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct EventLoopTests {
    private func stop(_ loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            loop.post { loop.stop { continuation.resume() } }
        }
    }

    /// Waits until the loop has done all that was posted before.
    private func settle(_ loop: EventLoop) async {
        await withCheckedContinuation { continuation in loop.post { continuation.resume() } }
    }

    @Test("Posted work is done in order")
    func order() async throws {
        let loop = try EventLoop(label: "test")
        let done = Locked<[Int]>([])
        await withCheckedContinuation { continuation in
            // Some before the start, some after it, and one from the loop itself.
            for number in 0..<100 { loop.post { done.withLock { $0.append(number) } } }
            loop.start(client: RecordingClient())
            for number in 100..<1_000 { loop.post { done.withLock { $0.append(number) } } }
            loop.post {
                loop.post {
                    done.withLock { $0.append(1_000) }
                    continuation.resume()
                }
            }
        }
        #expect(done.withLock { $0 } == Array(0...1_000))
        await stop(loop)
    }

    @Test("A loop that was never started can be dropped")
    func neverStarted() throws {
        for _ in 0..<100 { _ = try EventLoop(label: "test") }
    }

    @Test("A loop that has stopped does nothing more")
    func postAfterStop() async throws {
        let loop = try EventLoop(label: "test")
        loop.start(client: RecordingClient())
        await stop(loop)
        loop.post { Issue.record("done after the end") }
    }

    @Test("Work that several threads post is done once each, in the order of each thread")
    func severalThreads() async throws {
        let loop = try EventLoop(label: "test")
        loop.start(client: RecordingClient())
        let done = Lists()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<500 { loop.post { done.append(number, to: thread) } }
                }
            }
        }
        await settle(loop)
        #expect(done.all == Array(repeating: Array(0..<500), count: 4))
        await stop(loop)
    }

    @Test("Events come between the beginning and the end of a batch")
    func batches() async throws {
        let loop = try EventLoop(label: "test")
        let client = RecordingClient()
        loop.start(client: client)
        for _ in 0..<10 {
            loop.post { client.note(.work) }
            await settle(loop)
        }
        await stop(loop)
        let events = client.events.withLock { $0 }
        #expect(events.count { $0 == .work } == 10)
        #expect(events.first == .begin && events.last == .end)
        var isOpen = false
        for event in events {
            switch event {
            case .begin: #expect(!isOpen)
            case .work, .end, .tick: #expect(isOpen)
            }
            isOpen = event != .end
        }
    }

    @Test("A loop ticks while it is asked to")
    func ticking() async throws {
        let loop = try EventLoop(label: "test")
        let (ticks, source) = AsyncStream.makeStream(of: Int64.self)
        let client = RecordingClient { source.yield(Clock.monotonicMilliseconds()) }
        loop.start(client: client)
        await settle(loop)
        let start = Clock.monotonicMilliseconds()
        loop.post { loop.ticking = .steady }
        var iterator = ticks.makeAsyncIterator()
        for number in 1...2 {
            let time = try #require(await iterator.next(isolation: nil))
            // The clock is as coarse as its last tick.
            #expect(time - start >= Int64(number) * EventLoop.tickMilliseconds - 10)
        }
        #expect(client.events.withLock { $0 }.contains(.tick))
        loop.post { loop.ticking = .off }
        await stop(loop)
    }

    @Test("A loop that is not asked to tick does not")
    func notTicking() async throws {
        let loop = try EventLoop(label: "test")
        let client = RecordingClient()
        loop.start(client: client)
        loop.post {
            loop.ticking = .steady
            loop.ticking = .off
        }
        await settle(loop)
        await stop(loop)
        #expect(!client.events.withLock { $0 }.contains(.tick))
    }

    @Test("A stopped loop has let go of its client before it says so")
    func stopping() async throws {
        let loop = try EventLoop(label: "test")
        let isGone = Locked(false)
        let wasGone = await withCheckedContinuation { continuation in
            loop.start(client: RecordingClient(onEnd: { isGone.withLock { $0 = true } }))
            loop.post {
                #expect(!isGone.withLock { $0 })
                loop.stop { continuation.resume(returning: isGone.withLock { $0 }) }
            }
        }
        #expect(wasGone)
    }

    @Test("A descriptor that is watched is reported to its handler, and no more once it is removed")
    func descriptors() async throws {
        let loop = try EventLoop(label: "test")
        loop.start(client: RecordingClient())
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let (events, source) = AsyncStream.makeStream(of: Readiness.self)
        let watched = Watched(descriptor: ends[0], source: source)
        let isAdded = await withCheckedContinuation { continuation in
            loop.post { continuation.resume(returning: loop.add(watched.descriptor, .receiving, watched.handler)) }
        }
        #expect(isAdded)
        var iterator = events.makeAsyncIterator()
        #expect(send(ends[1], "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        let arrived = try #require(await iterator.next(isolation: nil))
        #expect(!arrived.isPeerFinished && !arrived.hasFailed && !arrived.isWritable)
        var byte: UInt8 = 0
        guard case .bytes(1) = Socket.receive(ends[0], into: &byte, count: 1) else {
            Issue.record("nothing received")
            return
        }
        guard case .wouldBlock = Socket.receive(ends[0], into: &byte, count: 1) else {
            Issue.record("more received")
            return
        }
        loop.post { loop.change(watched.descriptor, .writable, watched.handler) }
        #expect(try #require(await iterator.next(isolation: nil)).isWritable)
        loop.post { loop.change(watched.descriptor, .receiving, watched.handler) }
        Socket.endSending(ends[1])
        var last = try #require(await iterator.next(isolation: nil))
        while !last.isPeerFinished { last = try #require(await iterator.next(isolation: nil)) }
        guard case .endOfStream = Socket.receive(ends[0], into: &byte, count: 1) else {
            Issue.record("no end")
            return
        }
        await withCheckedContinuation { continuation in
            loop.post {
                loop.remove(watched.descriptor)
                continuation.resume()
            }
        }
        await stop(loop)
    }
}

/// A descriptor with the handler that its events go to.
private final class Watched: @unchecked Sendable {
    let descriptor: Int32
    let handler: UnsafeMutablePointer<EventHandler>
    private let source: AsyncStream<Readiness>.Continuation

    init(descriptor: Int32, source: AsyncStream<Readiness>.Continuation) {
        self.descriptor = descriptor
        self.source = source
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, bits in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<Watched>.fromOpaque(owner).takeUnretainedValue().source.yield(Readiness(bits: bits))
            })
    }

    deinit { handler.deallocate() }
}

private final class Lists: Sendable {
    private let lists = Locked<[[Int]]>(Array(repeating: [], count: 4))

    var all: [[Int]] { lists.withLock { $0 } }

    func append(_ number: Int, to list: Int) { lists.withLock { $0[list].append(number) } }
}

/// Notes what the loop tells it.
final class RecordingClient: EventLoopClient, Sendable {
    enum Event: Sendable { case begin, work, end, tick }

    let events = Locked<[Event]>([])
    private let onTick: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    init(onTick: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable () -> Void = {}) {
        self.onTick = onTick
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func note(_ event: Event) { events.withLock { $0.append(event) } }

    func batchWillBegin() { note(.begin) }

    func batchDidEnd() { note(.end) }

    func tick() {
        note(.tick)
        onTick()
    }
}
