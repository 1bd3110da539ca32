internal import CLinux
internal import Dispatch
internal import Glibc
package import SystemSupport

/// The owner of the connections of an event loop. All calls come on the loop.
package protocol EventLoopClient: AnyObject {
    /// Events are about to be delivered.
    func batchWillBegin()
    /// All events of a batch have been delivered: memory that they refer to may be freed now.
    func batchDidEnd()
    /// The time of `EventLoop.ticking` has passed.
    func tick()
}

/// One serial Dispatch queue that watches many descriptors with one epoll set and one DispatchSource.
///
/// Under traffic the handler of the source stays in `epoll_wait`; after 20 ms without an event it returns, and an idle
/// loop holds no thread.
package final class EventLoop: @unchecked Sendable {
    package static let tickMilliseconds = Int64(Ticking.steady.rawValue)
    private static let patienceMilliseconds: Int32 = 20

    private let queue: DispatchQueue
    private let set: ReadinessSet
    private var source: (any DispatchSourceRead)?
    private let wakeUp: Int32
    private let timer: Int32
    private var wakeUpHandler: UnsafeMutablePointer<EventHandler>?
    private var timerHandler: UnsafeMutablePointer<EventHandler>?
    private struct Posted {
        var work: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let posted = Locked(Posted())
    /// Kept alive until the loop has ended.
    private var client: (any EventLoopClient)?
    private var isStopped = false
    private var whenStopped: (@Sendable () -> Void)?

    package init(label: String) throws(SystemError) {
        set = try ReadinessSet()
        wakeUp = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        queue = DispatchQueue(label: label)
        guard wakeUp >= 0, timer >= 0 else { throw SystemError(call: wakeUp < 0 ? "eventfd" : "timerfd_create") }
        watchOwnDescriptors()
    }

    deinit {
        // One that never began. The others close their descriptors when the source lets go of them.
        if source == nil { closeDescriptors() }
        wakeUpHandler?.deallocate()
        timerHandler?.deallocate()
    }

    private func closeDescriptors() {
        for descriptor in [wakeUp, timer, set.descriptor] where descriptor >= 0 { close(descriptor) }
    }

    private func watchOwnDescriptors() {
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let wakeUpHandler = UnsafeMutablePointer<EventHandler>.allocate(capacity: 1)
        wakeUpHandler.initialize(
            to: EventHandler(owner: owner) { handler, _ in EventLoop.of(handler).runPosted() })
        let timerHandler = UnsafeMutablePointer<EventHandler>.allocate(capacity: 1)
        timerHandler.initialize(
            to: EventHandler(owner: owner) { handler, _ in EventLoop.of(handler).timerFired() })
        self.wakeUpHandler = wakeUpHandler
        self.timerHandler = timerHandler
        _ = set.add(wakeUp, .readable, wakeUpHandler)
        _ = set.add(timer, .readable, timerHandler)
    }

    private static func of(_ handler: UnsafeMutableRawPointer) -> EventLoop {
        Unmanaged.fromOpaque(handler.assumingMemoryBound(to: EventHandler.self).pointee.owner).takeUnretainedValue()
    }

    /// Begins to deliver events. Call it once.
    ///
    /// - Parameter client: is kept alive until the loop has stopped.
    package func start(client: any EventLoopClient) {
        self.client = client
        // Made only now: a source that was never activated must not be released.
        let source = DispatchSource.makeReadSource(fileDescriptor: set.descriptor, queue: queue)
        self.source = source
        source.setEventHandler { [unowned self] in runBatches() }
        source.setCancelHandler { [self] in
            posted.withLock { $0 = Posted(isClosed: true) }
            // Only here: closed earlier, a number could be another descriptor's before the source lets go of it.
            closeDescriptors()
            self.client = nil
            whenStopped?()
        }
        source.activate()
    }

    /// Ends the loop; call it on the loop, once, when nothing is watched any more.
    ///
    /// - Parameter whenStopped: is called when the loop has let go of everything, its client included.
    package func stop(_ whenStopped: @escaping @Sendable () -> Void) {
        isStopped = true
        self.whenStopped = whenStopped
        source?.cancel()
    }

    private func runBatches() {
        while !isStopped {
            let count = set.wait(milliseconds: Self.patienceMilliseconds)
            if count == 0 { return }
            client?.batchWillBegin()
            for index in 0..<count { set.call(index) }
            client?.batchDidEnd()
        }
    }

    /// Watches a descriptor; `handler` stays where it is until the batch after `remove` has ended.
    package func add(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) -> Bool {
        set.add(descriptor, interest, handler)
    }

    package func change(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) {
        set.change(descriptor, interest, handler)
    }

    package func remove(_ descriptor: Int32) { set.remove(descriptor) }

    /// Runs `work` on the loop, soon and in order; a loop that has stopped drops it.
    package func post(_ work: @escaping @Sendable () -> Void) {
        posted.withLock { posted in
            // Its descriptor could be another one's by now.
            guard !posted.isClosed else { return }
            posted.work.append(work)
            var one: UInt64 = 1
            _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
        }
    }

    private func runPosted() {
        var count: UInt64 = 0
        _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
        let work = posted.withLock { posted in
            defer { posted.work = [] }
            return posted.work
        }
        for item in work { item() }
    }

    /// The interval at which `tick` is called.
    package enum Ticking: Int, Sendable {
        /// Never: the loop sleeps until something happens.
        case off = 0
        /// Every `tickMilliseconds`.
        case steady = 250
        /// Every 100 ms: something is waiting for which there is no event.
        case quick = 100
    }

    /// The interval at which `tick` is called.
    package var ticking = Ticking.off {
        didSet {
            guard ticking != oldValue else { return }
            let interval = timespec(tv_sec: 0, tv_nsec: ticking.rawValue * 1_000_000)
            var setting = itimerspec(it_interval: interval, it_value: interval)
            timerfd_settime(timer, 0, &setting, nil)
        }
    }

    private func timerFired() {
        var count: UInt64 = 0
        _ = read(timer, &count, MemoryLayout<UInt64>.size)
        client?.tick()
    }
}

/// The events that a descriptor is watched for, or ready for.
///
/// It is not an `OptionSet`, because its operations would be generic calls on the path of every event.
package struct Readiness: Equatable, Sendable, BitwiseCopyable {
    @usableFromInline let bits: UInt32

    @inlinable package init(bits: UInt32) { self.bits = bits }

    private init(_ flags: EPOLL_EVENTS...) { bits = flags.reduce(0) { $0 | $1.rawValue } }

    package static let readable = Readiness(EPOLLIN)
    package static let writable = Readiness(EPOLLOUT)
    /// The events of a stream, edge-triggered: a change is reported once, instead of a state until it is over.
    package static let receiving = Readiness(EPOLLIN, EPOLLRDHUP, EPOLLET)
    /// The events of a listener: of several sets that watch it, one is woken.
    package static let accepting = Readiness(EPOLLIN, EPOLLEXCLUSIVE)

    /// The connection is gone.
    @inlinable package var hasFailed: Bool { bits & 0x18 != 0 }
    @inlinable package var isWritable: Bool { bits & 0x4 != 0 }
    @inlinable package var isPeerFinished: Bool { bits & 0x2000 != 0 }

    @inlinable package static func == (left: Readiness, right: Readiness) -> Bool { left.bits == right.bits }
}

/// The function that is called when a descriptor is ready.
///
/// It is at the beginning of the memory that belongs to a descriptor, so that from the event to the connection there
/// is one pointer and no reference count.
package struct EventHandler: BitwiseCopyable {
    /// Gets the address of the handler, and a `Readiness`.
    package typealias Function = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void

    package let function: Function
    /// A pointer of the handler's choice.
    package let owner: UnsafeMutableRawPointer

    package init(owner: UnsafeMutableRawPointer, function: Function) {
        self.owner = owner
        self.function = function
    }
}

/// An epoll set (epoll(7)): level-triggered, but edge-triggered for descriptors that are watched with `EPOLLET`.
struct ReadinessSet: ~Copyable {
    static let eventsAtOnce = 256

    let descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(SystemError) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "epoll_create1") }
        self.descriptor = descriptor
        events = .allocate(capacity: Self.eventsAtOnce)
    }

    /// The descriptor is closed by its watcher, see `EventLoop`.
    deinit { events.deallocate() }

    func add(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) -> Bool {
        c_epoll_control(self.descriptor, EPOLL_CTL_ADD, descriptor, interest.bits, handler) == 0
    }

    func change(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) {
        _ = c_epoll_control(self.descriptor, EPOLL_CTL_MOD, descriptor, interest.bits, handler)
    }

    func remove(_ descriptor: Int32) {
        _ = c_epoll_control(self.descriptor, EPOLL_CTL_DEL, descriptor, 0, nil)
    }

    /// Waits for events, at most `milliseconds`; the number of those that `call` can hand over.
    func wait(milliseconds: Int32) -> Int {
        while true {
            let count = epoll_wait(descriptor, events, Int32(Self.eventsAtOnce), milliseconds)
            if count >= 0 { return Int(count) }
            if errno != EINTR { return 0 }
        }
    }

    /// Calls the handler of event `index`.
    @inline(__always)
    func call(_ index: Int) {
        guard let handler = c_epoll_event_data(events, Int32(truncatingIfNeeded: index)) else { return }
        let flags = c_epoll_event_flags(events, Int32(truncatingIfNeeded: index))
        handler.assumingMemoryBound(to: EventHandler.self).pointee.function(handler, flags)
    }
}
