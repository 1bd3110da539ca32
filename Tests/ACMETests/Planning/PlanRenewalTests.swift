import ACME
import FuzzingSupport
import Testing

@Suite("The plan: renewals")
struct PlanRenewalTests {
    private static let day = PlanWorld.day

    @Test(
        "without the CA's advice a certificate is renewed after two thirds of its life, a short one after half",
        arguments: [(-1, 89, 54.0, 60.03), (0, 6, 2.7, 3.0), (0, 10, 6.0, 6.67)] as [(Int64, Int64, Double, Double)])
    func lifetime(start: Int64, end: Int64, first: Double, last: Double) throws {
        var times: Set<Int64> = []
        for seed in 0..<40 as Range<UInt64> {
            var world = PlanWorld()
            world.random = SplitMix64(seed: seed)
            world.install(from: start, to: end)
            world.look()
            let renewal = try #require(try world.status().nextRenewal)
            let days = Double(renewal - world.now) / Double(Self.day) - Double(start)
            #expect(days >= first - 0.01 && days <= last + 0.01)
            times.insert(renewal)
            // Once only.
            world.look()
            #expect(try world.status().nextRenewal == renewal && world.state() == .valid)
            #expect(world.plan.nextChange == renewal)
            world.now = renewal
            world.look()
            #expect(try world.state() == .renewing && world.ordered == ["shop.example.com"])
            #expect(world.plan.orders.first?.replaces == nil)
        }
        #expect(times.count > 20)
    }

    @Test("the CA is asked about a certificate, and its window decides")
    func advice() throws {
        var world = PlanWorld()
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        #expect(world.plan.questions.map(\.fingerprint) == ["f1"])
        var asking = world
        asking.situation.asking = [Samples.domain]
        asking.look()
        #expect(asking.plan.questions.isEmpty)
        let window = world.now + 10 * Self.day..<world.now + 11 * Self.day
        let isNew = world.answer(window)
        #expect(isNew)
        world.look()
        let renewal = try #require(try world.status().nextRenewal)
        #expect(window.contains(renewal) && world.plan.questions.isEmpty)
        #expect(world.plan.nextChange == world.now + 3_600)
        // The same window, the same time.
        world.now += 3_600
        world.look()
        #expect(world.plan.questions.count == 1 && !world.answer(window))
        world.look()
        #expect(try world.status().nextRenewal == renewal)
        // Another window, another time; an answer that is none changes nothing.
        let earlier = world.now + Self.day..<world.now + 2 * Self.day
        #expect(world.answer(earlier) && !world.answer(nil))
        world.look()
        #expect(earlier.contains(try #require(try world.status().nextRenewal)))
        world.now += 2 * Self.day
        world.look()
        #expect(try world.state() == .renewing)
        #expect(world.plan.orders.first?.replaces == world.situation.certificates.first?.certificateID)
    }

    @Test("a window in the past is now, and one too late is cut")
    func windows() throws {
        var world = PlanWorld()
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        var late = world
        let isLate = late.answer(late.now + 88 * Self.day..<late.now + 200 * Self.day)
        #expect(isLate)
        late.look()
        // A tenth of ninety days is more than two days.
        #expect(try late.status().nextRenewal == late.now + 87 * Self.day)
        let isPast = world.answer(world.now - 3_600..<world.now - 60)
        #expect(isPast)
        world.look()
        #expect(try world.state() == .renewing)
    }

    @Test("a window that began before the certificate, or just after it, is no instruction, and is reported once")
    func prematureWindows() throws {
        var world = PlanWorld()
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        let renewal = try world.status().nextRenewal
        let notBefore = world.now - Self.day
        // One percent of ninety days.
        for start in [notBefore - 30 * Self.day, notBefore, notBefore + 77_760] {
            let isMoved = world.answer(start..<start + 40 * Self.day)
            #expect(!isMoved)
            world.look()
            #expect(try world.state() == .valid)
            #expect(try world.status().nextRenewal == renewal)
        }
        #expect(world.refusals == 1)
        let isMoved = world.answer(notBefore + 77_761..<notBefore + 77_762)
        #expect(isMoved)
        world.look()
        #expect(try world.state() == .renewing)
    }

    @Test(
        "whatever a CA answers, two certificates of a name are ordered in 24 hours at most, over restarts, too",
        arguments: TestSeeds.of(1...40))
    func hostileAuthority(seed: UInt64) throws {
        var (world, random) = (PlanWorld(), SplitMix64(seed: seed))
        world.situation.offersRenewalInfo = true
        var orders: [Int64] = []
        for number in 0..<400 {
            world.look()
            for question in world.plan.questions {
                let start = world.now + Int64.random(in: -100 * Self.day...Self.day, using: &random)
                let window = start..<start + Int64.random(in: 1...100 * Self.day, using: &random)
                _ = world.answer(window, pause: "60", to: question)
            }
            world.look()
            if !world.ordered.isEmpty {
                world.state.attemptStarted(Samples.domain, now: world.now)
                world.state.issuanceBegun(Samples.domain, now: world.now)
                orders.append(world.now)
                if random.chance(20) {
                    let failure = OrderFailure(error: IssuanceError(.badCertificate, "no"), keepsOrder: false)
                    world.state.orderFailed(Samples.domain, failure, now: world.now, random: &world.random)
                } else {
                    world.state.orderSucceeded(Samples.domain)
                    world.situation.certificates = []
                    let start = Int64.random(in: -2...1, using: &random)
                    world.install(
                        from: start, to: start + Int64.random(in: 0...5, using: &random), fingerprint: "f\(number)")
                }
            }
            if random.chance(5) { world.state = try IssuanceState(json: Array(world.state.json.utf8)) }
            world.now += Int64.random(in: 1...(random.chance(30) ? 12 * 3_600 : 120), using: &random)
        }
        #expect(orders.count > 4)
        for (first, third) in zip(orders, orders.dropFirst(2)) { #expect(third - first >= Self.day) }
    }

    @Test("an order counts from before it is finalized, once, however often it is continued after a stop")
    func interruptedOrders() throws {
        var state = IssuanceState()
        func stop() throws { state = try IssuanceState(json: Array(state.json.utf8)) }
        let url = try #require(SecureURL(Samples.base + "/order/1"))
        // Stopped while it is validated, and given up by the CA: there can be no certificate.
        for time: Int64 in 1...5 {
            state.attemptStarted(Samples.domain, now: time)
            state.orderStored(Samples.domain, at: url)
            try stop()
            state.orderForgotten(Samples.domain)
        }
        #expect(state.domains[Samples.domain]?.issuances == [])
        state.orderStored(Samples.domain, at: url)
        for time: Int64 in 11...15 {
            state.issuanceBegun(Samples.domain, now: time)
            try stop()
        }
        state.orderSucceeded(Samples.domain)
        #expect(state.domains[Samples.domain]?.issuances == [15])
        state.orderStored(Samples.domain, at: url)
        state.issuanceBegun(Samples.domain, now: 21)
        try stop()
        state.orderForgotten(Samples.domain)
        #expect(state.domains[Samples.domain]?.issuances == [15, 21])
    }

    @Test("an order that a CA takes days for counts from when it was continued last", arguments: [true, false])
    func slowOrders(isRestarted: Bool) throws {
        var world = PlanWorld()
        world.state.orderStored(Samples.domain, at: try #require(SecureURL(Samples.base + "/order/1")))
        // Longer pauses than the period that is counted are among them.
        for hours: Int64 in [0, 12, 26, 29, 12] {
            world.now += hours * 3_600
            world.look()
            world.state.issuanceBegun(Samples.domain, now: world.now)
            if isRestarted { world.state = try IssuanceState(json: Array(world.state.json.utf8)) }
        }
        let end = world.now
        world.state.orderSucceeded(Samples.domain)
        world.now += 3_600
        world.look()
        #expect(world.state.domains[Samples.domain]?.issuances == [end])
        world.state.issuanceBegun(Samples.domain, now: world.now)
        world.state.orderSucceeded(Samples.domain)
        world.look()
        #expect(world.ordered.isEmpty)
        world.now = end + Self.day + 1
        world.look()
        #expect(!world.ordered.isEmpty)
    }

    @Test("nothing is asked about certificates that have expired, are gone, or that others have issued")
    func noQuestions() throws {
        var world = PlanWorld()
        world.situation.offersRenewalInfo = true
        world.install(from: -90, to: 0)
        world.look()
        #expect(world.plan.questions.isEmpty)
        #expect(try world.state() == .ordering && world.plan.orders.first?.replaces == nil)
        world.situation.certificates = []
        world.install(directory: Samples.url("/other"))
        world.look()
        #expect(world.plan.questions.isEmpty)
        world.situation.certificates = []
        world.put(["shop.example.com"])
        world.look()
        #expect(world.plan.questions.isEmpty && !world.answer(world.now..<world.now + 1))
    }

    @Test("many certificates are asked about within a minute after a start, few at once")
    func spread() {
        for count in [10, 40] {
            var world = PlanWorld((0..<count).map { "s\($0).example.com" })
            world.situation.offersRenewalInfo = true
            for number in 0..<count { world.install("s\(number).example.com", fingerprint: "f\(number)") }
            world.look()
            for _ in 0..<2 {
                let first = world.plan.questions.count
                #expect(count == 10 ? first == 10 : first < 20)
                var later = world
                later.now += 60
                later.look()
                #expect(later.plan.questions.count == count)
                world.state.scheduleQuestions(now: world.now, random: &world.random)
                world.look()
            }
        }
    }

    @Test("a certificate of another directory is replaced at once, and one that is not valid yet is kept")
    func otherDirectory() throws {
        var world = PlanWorld()
        world.situation.offersRenewalInfo = true
        world.install(directory: Samples.url("/staging"))
        world.look()
        #expect(try world.state() == .renewing && world.plan.orders.first?.replaces == nil)
        world.situation.certificates = []
        world.install(from: 1, to: 90)
        world.look()
        #expect(try world.state() == .valid && world.ordered.isEmpty)
    }

    @Test("a renewal that somebody asks for begins at once, also after failures")
    func requested() throws {
        var world = PlanWorld()
        world.install()
        world.fail()
        world.fail("shop.example.com", .unavailable, scope: .authority)
        world.situation.requested = [Samples.domain]
        world.look()
        #expect(try world.state() == .renewing)
        world.situation.ongoing = [Samples.domain]
        world.look()
        #expect(try world.state() == .renewing && world.ordered.isEmpty)
        world.put(["shop.example.com"])
        world.look()
        #expect(try world.state() == .covered)
    }
}
