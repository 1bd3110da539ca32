import Foundation
import TestSupport

/// Keeps others waiting until a test opens it.
final class Gate: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Until it is open, or ``Patience`` is used up.
    func wait() {
        let end = Date(timeIntervalSinceNow: Double(Patience.seconds))
        condition.lock()
        while !isOpen, condition.wait(until: end) {}
        condition.unlock()
    }
}
