import EventLoops
import FuzzingSupport
import Testing

struct TimerWheelTests {
    private static let tick = WheelUser.tick
    /// The number of ticks that the wheel spans.
    private static let span = 256 * tick

    /// The first millisecond from `start` on at which a deadline is met.
    private static func firing(of user: WheelUser, from start: Int64) -> Int64? {
        (start...start + 3 * span).first { !user.expired(now: $0).isEmpty }
    }

    @Test(
        "A deadline is met never early and at most one tick late",
        arguments: [0, 1, 249, 1_000_123] as [Int64],
        [0, 1, 2, 249, 250, 251, 500, 1_000, 10_000, 60_000, 63_750, 63_751, 64_000, 64_250, 100_000] as [Int64])
    func precision(start: Int64, delay: Int64) throws {
        let user = WheelUser(nodes: 1, now: start)
        user.schedule(0, start + delay)
        let firing = try #require(Self.firing(of: user, from: start))
        #expect(firing >= start + delay)
        #expect(firing <= start + delay + Self.tick)
    }

    @Test("A deadline that has passed is met at the next tick")
    func passed() {
        let user = WheelUser(nodes: 1, now: 10_000)
        user.schedule(0, 3)
        #expect(Self.firing(of: user, from: 10_000) == 10_250)
    }

    @Test("A node is handed out once")
    func once() {
        let user = WheelUser(nodes: 1, now: 0)
        user.schedule(0, 100)
        #expect(user.next(now: 250) == 0)
        for now in stride(from: 250, to: 2 * Self.span, by: 50) { #expect(user.next(now: now) == nil) }
    }

    @Test("A later deadline leaves the node where it is, and is met all the same")
    func later() {
        let user = WheelUser(nodes: 1, now: 0)
        user.schedule(0, 1_000)
        user.schedule(0, 5_000)
        #expect(user.expired(now: 1_249).isEmpty && user.looks == 0)
        #expect(user.expired(now: 1_250).isEmpty && user.looks == 1)
        #expect(Self.firing(of: user, from: 1_250) == 5_250)
    }

    @Test("A deadline that only its owner knows of is met when the node comes out too early")
    func postponed() {
        let user = WheelUser(nodes: 1, now: 0)
        user.schedule(0, 1_000)
        user.postpone(0, 20_100)
        #expect(Self.firing(of: user, from: 0) == 20_250)
    }

    @Test("An earlier deadline moves the node")
    func earlier() {
        let user = WheelUser(nodes: 3, now: 0)
        for number in 0..<3 { user.schedule(number, 5_000) }
        user.schedule(1, 1_000)
        #expect(Self.firing(of: user, from: 0) == 1_250)
        #expect(user.expired(now: 5_249).isEmpty)
        #expect(user.expired(now: 5_250) == [0, 2])
    }

    @Test("A cancelled node does not come out, its neighbours do", arguments: 0..<4)
    func cancelling(number: Int) {
        let user = WheelUser(nodes: 4, now: 0)
        for number in 0..<4 { user.schedule(number, 1_000) }
        user.cancel(number)
        user.cancel(number)
        #expect(user.expired(now: 1_250) == (0..<4).filter { $0 != number })
        #expect(user.expired(now: 2 * Self.span).isEmpty && user.looks == 0)
        user.schedule(number, 2 * Self.span + 100)
        #expect(Self.firing(of: user, from: 2 * Self.span) == 2 * Self.span + 250)
    }

    @Test("A node that is in no wheel can be cancelled")
    func cancellingNothing() {
        let user = WheelUser(nodes: 2, now: 0)
        user.schedule(0, 100)
        user.cancel(1)
        #expect(user.expired(now: 250) == [0])
        user.cancel(0)
        #expect(user.expired(now: Self.span).isEmpty)
    }

    @Test("A deadline beyond the span is looked at in between")
    func beyondTheSpan() {
        let user = WheelUser(nodes: 1, now: 0)
        user.schedule(0, 10 * Self.span)
        var looks = 0
        var now: Int64 = 0
        while user.deadlines[0] != nil, now <= 11 * Self.span {
            _ = user.expired(now: now)
            looks += user.looks
            now += Self.tick
        }
        #expect(now - Self.tick == 10 * Self.span + Self.tick)
        #expect((10...12).contains(looks))
    }

    @Test("After a long sleep all that is due comes out at once", arguments: [1, 2, 10, 1_000] as [Int64])
    func longSleep(spans: Int64) {
        let user = WheelUser(nodes: 600, now: 0)
        for number in 0..<600 { user.schedule(number, Int64(number) * 100) }
        let now = spans * Self.span + 123
        #expect(user.expired(now: now) == Array(0..<600))
        user.schedule(5, now + 1_000)
        #expect(Self.firing(of: user, from: now) == (now + 1_000) / Self.tick * Self.tick + Self.tick)
    }

    @Test("A wheel that slept while it was empty keeps later deadlines", arguments: [1, 3, 50] as [Int64])
    func emptySleep(spans: Int64) {
        let user = WheelUser(nodes: 1, now: 0)
        let now = spans * Self.span + 77
        user.schedule(0, now + 10_000)
        #expect(Self.firing(of: user, from: now) == (now + 10_000) / Self.tick * Self.tick + Self.tick)
    }

    @Test("Many nodes come out as a plain list of deadlines says", arguments: TestSeeds.of(0...5))
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let user = WheelUser(nodes: 64, now: 1_000)
        var now: Int64 = 1_000
        for _ in 0..<4_000 {
            let number = random.number(below: 64)
            switch random.number(below: 8) {
            case 0, 1: user.schedule(number, now + Int64(random.number(below: 5_000)))
            case 2: user.schedule(number, now + Int64(random.number(below: 200_000)))
            case 3: user.cancel(number)
            case 4: if let deadline = user.deadlines[number] { user.postpone(number, deadline + 3_000) }
            default:
                now += Int64(random.number(below: random.number(below: 50) == 0 ? 300_000 : 700))
                let due = (0..<64).filter { user.deadlines[$0].map { $0 / Self.tick < now / Self.tick } ?? false }
                let before = user.deadlines
                let expired = user.expired(now: now)
                let early = expired.filter { number in before[number].map { $0 > now } ?? true }
                if !early.isEmpty || !Set(due).isSubset(of: expired) {
                    Issue.record("at \(now): due \(due), expired \(expired)")
                    return
                }
            }
        }
    }
}

/// Owns a wheel and nodes with deadlines, and treats what the wheel hands out as a worker does: a node whose deadline
/// has not come is scheduled again.
final class WheelUser {
    static let tick: Int64 = 250

    private var wheel: TimerWheel
    private let nodes: UnsafeMutablePointer<TimerNode>
    private let count: Int
    /// By number of the node; `nil` if nothing is awaited.
    private(set) var deadlines: [Int64?]
    /// The number of nodes that the last call of `expired` has looked at.
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
