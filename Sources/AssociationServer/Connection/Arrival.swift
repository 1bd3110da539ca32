internal import Dispatch

/// Leaves a group when it is forgotten: a loop that ends forgets its work without doing it.
final class Arrival: Sendable {
    private let group: DispatchGroup

    init(_ group: DispatchGroup) {
        self.group = group
        group.enter()
    }

    deinit { group.leave() }
}
