internal import Dispatch
internal import EventLoops

/// Gives all loops the next snapshot.
enum HandOver {
    /// Returns when every loop serves it, or has ended.
    static func give(_ snapshot: ServerSnapshot, _ settings: WorkerSettings, to workers: [Worker]) {
        let group = DispatchGroup()
        for worker in workers {
            let arrival = Arrival(group)
            worker.loop.post { withExtendedLifetime(arrival) { worker.use(snapshot, settings) } }
        }
        group.wait()
    }
}
