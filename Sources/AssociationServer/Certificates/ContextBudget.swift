internal import SystemSupport
internal import Synchronization

/// Counts the TLS contexts that are made, so that somebody who tries all names has no memory taken for good.
final class ContextBudget: Sendable {
    /// So many may be made between two looks at those that nobody asks for any more.
    private let most: Int
    private let made = Atomic(0)
    private let whenMany = Locked<(@Sendable () -> Void)?>(nil)

    init(most: Int) { self.most = most }

    /// - Parameter work: is done when many were made since the last look, on whatever thread that happens.
    func watch(_ work: @escaping @Sendable () -> Void) { whenMany.withLock { $0 = work } }

    func contextWasMade() {
        guard made.wrappingAdd(1, ordering: .relaxed).newValue == most else { return }
        whenMany.withLock { $0 }?()
    }

    /// Counts from zero: somebody is about to look.
    func reset() { made.store(0, ordering: .relaxed) }
}
