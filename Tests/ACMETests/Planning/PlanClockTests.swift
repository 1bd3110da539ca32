import ACME
import FuzzingSupport
import Testing

@Suite("The plan: clocks that are wrong")
struct PlanClockTests {
    private static let day = PlanWorld.day

    @Test("a time that lies too far ahead was written by another clock")
    func clock() throws {
        var world = PlanWorld()
        world.fail(retryAfter: 500)
        world.state.orderRecorded(now: world.now)
        world.now -= 100 * Self.day
        world.look()
        #expect(try world.status().nextAttempt == world.now + 500)
        #expect(world.state.orders == [world.now])
        world.now += 200 * Self.day
        world.look()
        #expect(try world.state() == .ordering && world.state.orders.isEmpty)
    }

    @Test("a clock that was wrong for a while changes no time that was drawn, and makes no pause longer")
    func clockBack() throws {
        var world = PlanWorld(["shop.example.com", "www.example.com"])
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        _ = world.answer(world.now + 10 * Self.day..<world.now + 11 * Self.day)
        world.fail("www.example.com", retryAfter: 500)
        world.look()
        let renewal = try #require(try world.status().nextRenewal)
        let next = try #require(try world.status("www.example.com").nextAttempt)
        for days in [400, -400, 12, -12, -3_000, 3_000] as [Int64] {
            world.now += days * Self.day
            world.look()
            if days == 400 { #expect(try world.state() == .ordering) }
            if let next = try world.status("www.example.com").nextAttempt { #expect(next - world.now <= 500) }
            world.now -= days * Self.day
            world.look()
            #expect(try world.status().nextRenewal == renewal && world.state() == .valid)
            #expect(try world.status("www.example.com").nextAttempt ?? next <= next)
        }
    }

    @Test("a window that a wrong clock took for past is still the window", arguments: [1, 2, 3] as [UInt64])
    func windowByWrongClock(seed: UInt64) throws {
        var world = PlanWorld()
        world.random = SplitMix64(seed: seed)
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        let window = world.now + 10 * Self.day..<world.now + 11 * Self.day
        world.now += 30 * Self.day
        let isNew = world.answer(window)
        #expect(isNew)
        world.now -= 30 * Self.day
        world.look()
        #expect(window.contains(try #require(try world.status().nextRenewal)))
    }

    @Test("whatever the clock does, no time lies further ahead than it can")
    func randomClock() throws {
        var random = SplitMix64(seed: 11)
        var world = PlanWorld((0..<6).map { "s\($0).example.com" })
        world.situation.offersRenewalInfo = true
        let start = world.now
        for number in 0..<3 { world.install("s\(number).example.com", fingerprint: "f\(number)") }
        for _ in 0..<2_000 {
            let name = "s\(random.number(0...5)).example.com"
            switch random.number(0...5) {
            case 0: world.now = start + Int64.random(in: -200 * Self.day...200 * Self.day, using: &random)
            case 1: world.now += Int64.random(in: 0...7_200, using: &random)
            case 2:
                world.fail(name, retryAfter: random.chance(20) ? Int64.random(in: 0...9_999_999, using: &random) : nil)
            case 3: world.fail(name, .unavailable, scope: .authority)
            case 4: world.state.orderRecorded(now: world.now)
            default: world.state.orderSucceeded(Samples.domain(name))
            }
            world.look()
            #expect(world.state.orders.allSatisfy { world.now - 10_800 < $0 && $0 <= world.now })
            if let next = world.plan.nextChange { #expect(next > world.now) }
            for status in world.plan.statuses.values {
                if let next = status.nextAttempt { #expect(next > world.now && next - world.now <= 7 * Self.day) }
                #expect((status.nextAttempt == nil) == ![.backoff, .blocked].contains(status.state))
            }
            for record in world.state.domains.values {
                if let renewal = record.renewal { #expect(renewal.nextQuestion - world.now <= Self.day) }
            }
            let text = world.state.json
            #expect(try IssuanceState(json: Array(text.utf8)) == world.state)
        }
    }
}
