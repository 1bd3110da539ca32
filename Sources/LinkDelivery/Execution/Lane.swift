/// What a route is at work on.
@MainActor
final class Lane {
    private(set) var running: [Int: Run] = [:]
    /// Those for which it is the turn of others.
    private var waiting: [Run] = []
    private var firstWaiting = 0

    var isBusy: Bool { !running.isEmpty }

    /// The last that began, if it still counts.
    var newest: Run? { last.flatMap { $0.isSuperseded ? nil : $0 } }
    private var last: Run?

    func began(_ run: Run) {
        running[run.id] = run
        last = run
    }

    func ended(_ run: Run) {
        running[run.id] = nil
        if last === run { last = nil }
    }

    func wait(_ run: Run) { waiting.append(run) }

    func next() -> Run? {
        guard firstWaiting < waiting.count else { return nil }
        defer {
            firstWaiting += 1
            if firstWaiting == waiting.count || firstWaiting == 1024 {
                waiting.removeFirst(firstWaiting)
                firstWaiting = 0
            }
        }
        return waiting[firstWaiting]
    }

    var waitingDeliveries: [Delivery] { waiting[firstWaiting...].map(\.delivery) }

    func takeWaiting() -> [Delivery] {
        defer {
            waiting = []
            firstWaiting = 0
        }
        return waitingDeliveries
    }
}
