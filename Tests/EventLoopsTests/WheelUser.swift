import EventLoops

/// Owns a wheel and nodes with deadlines, and treats what the wheel hands out as a worker does: a node whose deadline
/// has not come is scheduled again.
final class WheelUser {
    static let tick: Int64 = 250

    private var wheel: TimerWheel
    private let nodes: UnsafeMutablePointer<TimerNode>
    private let count: Int
    /// By number of the node; `nil` if nothing is awaited.
    private(set) var deadlines: [Int64?]
    /// How many nodes the last call of `expired` was given.
    private(set) var looks = 0

    init(nodes count: Int, now: Int64) {
        wheel = TimerWheel(tickMilliseconds: Self.tick, now: now)
        nodes = .allocate(capacity: count)
        for number in 0..<count { (nodes + number).initialize(to: TimerNode(owner: nodes + number)) }
        self.count = count
        deadlines = Array(repeating: nil, count: count)
    }

    deinit { nodes.deallocate() }

    func schedule(_ number: Int, _ deadline: Int64) {
        deadlines[number] = deadline
        wheel.schedule(nodes + number, deadline: deadline)
    }

    /// Moves a deadline without telling the wheel.
    func postpone(_ number: Int, _ deadline: Int64) { deadlines[number] = deadline }

    func cancel(_ number: Int) {
        deadlines[number] = nil
        wheel.cancel(nodes + number)
    }

    /// The node that the wheel hands out.
    func next(now: Int64) -> Int? {
        wheel.nextDue(now: now).map { node in
            node.pointee.owner.assumingMemoryBound(to: TimerNode.self) - nodes
        }
    }

    /// The numbers of those whose deadline has come, in ascending order.
    func expired(now: Int64) -> [Int] {
        var expired: [Int] = []
        looks = 0
        while let number = next(now: now) {
            looks += 1
            // More would be a loop without end.
            guard looks <= 8 * (count + 1) else { return [] }
            if let deadline = deadlines[number], deadline > now {
                schedule(number, deadline)
            } else {
                deadlines[number] = nil
                expired.append(number)
            }
        }
        return expired.sorted()
    }
}
