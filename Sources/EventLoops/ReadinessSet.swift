internal import CLinux
internal import Glibc

/// What a descriptor is watched for, or ready for.
package struct Readiness: OptionSet, Sendable, BitwiseCopyable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer sends no more.
    package static let peerFinished = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// The connection is gone; always reported.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    /// Of several sets that watch one listener, wake one.
    package static let exclusive = Readiness(rawValue: EPOLLEXCLUSIVE.rawValue)
}

/// Who is called when a descriptor is ready.
///
/// It stands at the beginning of the memory that belongs to a descriptor, so that from the event to the connection there
/// is one pointer and no reference count.
package struct EventHandler: BitwiseCopyable {
    /// Gets the address of the handler, and a `Readiness`.
    package typealias Function = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void

    package let function: Function
    /// Of the handler's choice.
    package let owner: UnsafeMutableRawPointer

    package init(owner: UnsafeMutableRawPointer, function: Function) {
        self.owner = owner
        self.function = function
    }
}

/// An epoll set (epoll(7)), level-triggered.
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

    /// The descriptor is closed by whoever watches it, see `EventLoop`.
    deinit { events.deallocate() }

    func add(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) -> Bool {
        c_epoll_control(self.descriptor, EPOLL_CTL_ADD, descriptor, interest.rawValue, handler) == 0
    }

    func change(_ descriptor: Int32, _ interest: Readiness, _ handler: UnsafeMutableRawPointer) {
        _ = c_epoll_control(self.descriptor, EPOLL_CTL_MOD, descriptor, interest.rawValue, handler)
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
