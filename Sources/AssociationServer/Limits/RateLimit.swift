internal import EventLoops
internal import SystemSupport

/// Lets a message through once in a while, over all loops.
final class RateLimit: Sendable {
    private let milliseconds: Int64
    private let next = Locked<Int64>(0)

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    func isDue() -> Bool {
        let now = Clock.monotonicMilliseconds()
        return next.withLock { next in
            guard now >= next else { return false }
            next = now + milliseconds
            return true
        }
    }
}
