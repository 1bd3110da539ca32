internal import Dispatch
internal import Synchronization
internal import SystemSupport

/// Whether all loops answer, for questions that come in on a loop, which cannot wait for the others.
///
/// A question is answered at once from the last check, and has another one begun on another thread if that is a second
/// old. So a question every few seconds sees a loop that hangs one question late.
final class LoopHealth: Sendable {
    private static let milliseconds: Int64 = 1_000

    private let isGood = Atomic<Bool>(true)
    private let checkedAt = Atomic<Int64>(.min / 2)
    private let check = Locked<(@Sendable (_ milliseconds: Int) -> Bool)?>(nil)

    /// - Parameter check: asks all loops, and waits for so long.
    func use(_ check: @escaping @Sendable (_ milliseconds: Int) -> Bool) { self.check.withLock { $0 = check } }

    /// - Parameter now: milliseconds on a clock that never goes back.
    func isAlive(now: Int64) -> Bool {
        let last = checkedAt.load(ordering: .relaxed)
        let isMine =
            now &- last >= Self.milliseconds
            && checkedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        if isMine {
            DispatchQueue.global(qos: .utility).async { [self] in
                let check = check.withLock { $0 }
                isGood.store(check?(Int(Self.milliseconds)) ?? true, ordering: .relaxed)
            }
        }
        return isGood.load(ordering: .relaxed)
    }
}
