internal import Dispatch
internal import EventLoops

/// Gives all loops the next snapshot.
enum HandOver {
    /// Returns when every loop serves it, or has ended.
    static func give(_ snapshot: ServerSnapshot, to workers: [Worker]) {
        let group = DispatchGroup()
        for worker in workers {
            let arrival = Arrival(group)
            worker.loop.post { withExtendedLifetime(arrival) { worker.use(snapshot) } }
        }
        group.wait()
    }

    /// Leaves the group when it is forgotten: a loop that ends forgets its work without doing it.
    private final class Arrival: Sendable {
        private let group: DispatchGroup

        init(_ group: DispatchGroup) {
            self.group = group
            group.enter()
        }

        deinit { group.leave() }
    }
}
