internal import CLinux
internal import Glibc
internal import SystemSupport

/// What a descriptor is watched for, or ready for.
///
/// It is no `OptionSet`, because its operations would be generic calls on the path of every event.
package struct Readiness: Equatable, Sendable, BitwiseCopyable {
    @usableFromInline let bits: UInt32

    @inlinable package init(bits: UInt32) { self.bits = bits }

    private init(_ flags: EPOLL_EVENTS...) { bits = flags.reduce(0) { $0 | $1.rawValue } }

    package static let readable = Readiness(EPOLLIN)
    package static let writable = Readiness(EPOLLOUT)
    /// What a stream is received with: a change is reported once, instead of a state until it is over.
    package static let receiving = Readiness(EPOLLIN, EPOLLRDHUP, EPOLLET)
    /// Of several sets that watch one listener, one is woken.
    package static let accepting = Readiness(EPOLLIN, EPOLLEXCLUSIVE)

    /// The connection is gone.
    @inlinable package var hasFailed: Bool { bits & 0x18 != 0 }
    @inlinable package var isWritable: Bool { bits & 0x4 != 0 }
    @inlinable package var isPeerFinished: Bool { bits & 0x2000 != 0 }

    @inlinable package static func == (left: Readiness, right: Readiness) -> Bool { left.bits == right.bits }
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
