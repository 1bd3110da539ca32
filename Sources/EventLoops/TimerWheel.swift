internal import CLinux
internal import Glibc

/// A node of a `TimerWheel`, embedded in the memory of what has the deadline.
package struct TimerNode {
    fileprivate var next: UnsafeMutablePointer<TimerNode>?
    fileprivate var previous: UnsafeMutablePointer<TimerNode>?
    /// The tick at which the node is looked at; 0 if it is in no wheel.
    fileprivate var tick: Int64 = 0
    /// A pointer of the owner's choice.
    package let owner: UnsafeMutableRawPointer

    package init(owner: UnsafeMutableRawPointer) { self.owner = owner }
}

/// Deadlines of many connections, to the precision of one tick.
///
/// A deadline that moves later costs nothing: the node stays where it is, and is moved to the right slot when its time
/// comes.
package struct TimerWheel: ~Copyable {
    /// Deadlines further away than this many ticks are looked at in between.
    static let slots: Int64 = 256

    private let heads: UnsafeMutablePointer<UnsafeMutablePointer<TimerNode>?>
    private let tickMilliseconds: Int64
    private var tick: Int64

    /// - Parameter now: milliseconds, as everywhere here, on a clock that never goes back.
    package init(tickMilliseconds: Int64, now: Int64) {
        self.tickMilliseconds = tickMilliseconds
        tick = now / tickMilliseconds
        heads = .allocate(capacity: Int(Self.slots))
        heads.initialize(repeating: nil, count: Int(Self.slots))
    }

    deinit { heads.deallocate() }

    /// Has the node looked at, at `deadline` or up to a tick later. A node that is looked at earlier anyway stays.
    package mutating func schedule(_ node: UnsafeMutablePointer<TimerNode>, deadline: Int64) {
        // The first tick that is not before the deadline, and neither the present slot nor beyond the last one.
        let due = min(max(deadline / tickMilliseconds + 1, tick + 1), tick + Self.slots - 1)
        if node.pointee.tick != 0 {
            if node.pointee.tick <= due { return }
            unlink(node)
        }
        let slot = Int(due % Self.slots)
        node.pointee.tick = due
        node.pointee.previous = nil
        node.pointee.next = heads[slot]
        heads[slot]?.pointee.previous = node
        heads[slot] = node
    }

    package mutating func cancel(_ node: UnsafeMutablePointer<TimerNode>) {
        if node.pointee.tick != 0 { unlink(node) }
    }

    private mutating func unlink(_ node: UnsafeMutablePointer<TimerNode>) {
        if let previous = node.pointee.previous {
            previous.pointee.next = node.pointee.next
        } else {
            heads[Int(node.pointee.tick % Self.slots)] = node.pointee.next
        }
        node.pointee.next?.pointee.previous = node.pointee.previous
        node.pointee.next = nil
        node.pointee.previous = nil
        node.pointee.tick = 0
    }

    /// Takes the next node whose time has come out of the wheel; `nil` when there is none up to `now`.
    package mutating func nextDue(now: Int64) -> UnsafeMutablePointer<TimerNode>? {
        let last = now / tickMilliseconds
        // After a long sleep one round sees every node.
        tick = max(tick, last - Self.slots)
        while true {
            if let node = heads[Int(tick % Self.slots)], node.pointee.tick <= last {
                unlink(node)
                return node
            }
            if tick >= last { return nil }
            tick += 1
        }
    }
}

/// The system's clocks, as precise as their last tick (1 to 4 ms), which makes them cheap to read.
package enum Clock {
    /// On a clock that never goes back.
    package static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The time on a clock that never goes back, as precise as the machine has it.
    package static func preciseNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Since 1970, UTC.
    package static func wallMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    /// Since 1970, UTC.
    package static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }

    /// When the machine was started, in milliseconds since 1970, as its clock sees it now.
    package static func bootMilliseconds() -> Int64 {
        func milliseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
        }
        return milliseconds(CLOCK_REALTIME) &- milliseconds(CLOCK_BOOTTIME)
    }
}
