import LinkDelivery
import TestSupport
import Testing

@Suite("activities that wait")
@MainActor
struct PendingTests {
    @Test("an activity waits until all gates are open, and again when one has closed")
    func gates() async throws {
        let (center, results) = recorded()
        let interface = center.addGate("interface ready")
        let login = center.addGate("logged in")
        let shop = try center.add { Route("/*") { .handled } }
        #expect(center.receive(.link("/1")))
        #expect(center.closedGates() == ["interface ready", "logged in"])
        interface.isOpen = true
        #expect(center.closedGates() == ["logged in"])
        #expect(center.pendingActivities.map(\.number) == [1])
        login.isOpen = true
        await results.waitFor([#"1 handled(by: "/*")"#])
        login.isOpen = false
        center.receive(.link("/2"))
        #expect(!center.isRunning)
        login.remove()
        await results.waitFor([#"1 handled(by: "/*")"#, #"2 handled(by: "/*")"#])
        shop.cancel()
    }

    @Test("gates follow sequences: closed up to the first element, as the last one says, closed by a failure")
    func sequences() async throws {
        let center = UserActivityCenter()
        let failures = Recorder(center.failures())
        let (active, activity) = AsyncStream.makeStream(of: Bool.self)
        let (login, session) = AsyncThrowingStream.makeStream(of: Bool.self)
        let activeGate = center.addGate("active", following: active)
        let loginGate = center.addGate("logged in", following: login)
        #expect(center.closedGates() == ["active", "logged in"])
        activity.yield(true)
        session.yield(false)
        session.yield(true)
        await wait { activeGate.isOpen && loginGate.isOpen }
        activity.finish()
        session.finish(throwing: HandlerError())
        await wait { !failures.elements.isEmpty }
        #expect(failures.elements.first?.source == .gate("logged in"))
        #expect(failures.elements.first?.error is HandlerError)
        #expect(activeGate.isOpen)
        #expect(!loginGate.isOpen)
    }

    @Test("only the latest of each scene waits, or all up to a number")
    func bounds() async throws {
        let latest = UserActivityCenter(pending: .latest)
        let latestResults = Recorder(latest.results())
        for scene in ["left", "right", nil, "left", nil] { latest.receive(.link("/"), scene: scene) }
        #expect(latest.pendingActivities.map(\.number) == [2, 4, 5])
        await latestResults.waitFor(["1 dropped", "3 dropped"])

        let all = UserActivityCenter(pending: .all(upTo: 3))
        let allResults = Recorder(all.results())
        for _ in 1...5 { all.receive(.link("/")) }
        #expect(all.pendingActivities.map(\.number) == [3, 4, 5])
        await allResults.waitFor(["1 dropped", "2 dropped"])

        let none = UserActivityCenter(pending: .all(upTo: 0))
        for _ in 1...2 { none.receive(.link("/")) }
        #expect(none.pendingActivities.map(\.number) == [2])
    }

    @Test("all that waited are delivered in the order in which they came")
    func order() async throws {
        let center = UserActivityCenter(pending: .all(upTo: 100))
        let gate = center.addGate("ready")
        var handled: [Int] = []
        let shop = try center.add {
            Route("/*", policy: .oneAfterAnother) { match in handled.append(match.received.number) }
        }
        for _ in 1...100 { center.receive(.link("/")) }
        gate.isOpen = true
        await wait { handled.count == 100 }
        #expect(handled == Array(1...100))
        shop.cancel()
    }

    @Test("an activity that has waited for too long is given up, at that time and not before")
    func expiry() async throws {
        let clock = ManualClock()
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10, for: .seconds(60)), clock: clock))
        let gate = center.addGate("logged in")
        let shop = try center.add { Route("/*") { .handled } }
        center.receive(.link("/1"))
        clock.advance(by: .seconds(20))
        center.receive(.link("/2"))
        await wait { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(39))
        #expect(center.pendingActivities.count == 2)
        clock.advance(by: .seconds(1))
        await results.waitFor(["1 expired"])
        #expect(center.pendingActivities.map(\.number) == [2])
        await wait { clock.sleeperCount == 1 }
        // Not only a timer sees to it.
        gate.isOpen = false
        clock.advance(by: .seconds(19))
        gate.isOpen = true
        await results.waitFor(["1 expired", #"2 handled(by: "/*")"#])
        // Nobody waits any more for what has been delivered.
        await wait { clock.sleeperCount == 0 }
        shop.cancel()
    }

    @Test("the time at a handler does not count as waiting, so that the next one is asked all the same")
    func noExpiryAtWork() async throws {
        let clock = ManualClock()
        let (center, results) = recorded(UserActivityCenter(pending: .latest(for: .seconds(60)), clock: clock))
        let probe = Probe()
        let shop = try center.add { Route("/*", policy: .oneAfterAnother, perform: probe.handle) }
        let other = try center.add { Route("/*", policy: .oneAfterAnother) { .handled } }
        center.receive(.link("/"))
        center.receive(.link("/"))
        await probe.waitUntilBegun([1])
        clock.advance(by: .seconds(70))
        probe.answer(1, .notHandled)
        await probe.waitUntilBegun([1, 2])
        shop.cancel()
        await results.waitFor([#"1 handled(by: "/*")"#, #"2 handled(by: "/*")"#])
        other.cancel()
    }

    @Test("an activity is kept until a handler has taken it")
    func clearedAfterwards() async throws {
        let (center, results) = recorded()
        let probe = Probe()
        let shop = try center.add { Route("/*", perform: probe.handle) }
        let gate = center.addGate("logged in", isOpen: true)
        center.receive(.link("/1"))
        await probe.waitUntilBegun([1])
        #expect(center.pendingActivities.map(\.number) == [1])
        // Declined, it waits for the gate before the next is asked.
        let other = try center.add { Route("/*") { .handled } }
        gate.isOpen = false
        probe.answer(1, .notHandled)
        await center.idle()
        #expect(center.pendingActivities.map(\.number) == [1])
        #expect(results.outcomes.isEmpty)
        gate.isOpen = true
        await results.waitFor([#"1 handled(by: "/*")"#])
        #expect(probe.begun == [1])
        #expect(center.pendingActivities.isEmpty)
        shop.cancel()
        other.cancel()
    }

    @Test("those whose turn has not come wait on when a gate closes")
    func gateClosesInTheMeantime() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let probe = Probe()
        let gate = center.addGate("logged in", isOpen: true)
        let shop = try center.add { Route("/*", policy: .oneAfterAnother, perform: probe.handle) }
        for _ in 1...3 { center.receive(.link("/")) }
        await probe.waitUntilBegun([1])
        gate.isOpen = false
        probe.answer(1, .handled)
        await center.idle()
        #expect(probe.begun == [1])
        #expect(center.pendingActivities.map(\.number) == [2, 3])
        gate.isOpen = true
        await probe.waitUntilBegun([1, 2])
        probe.answer(2, .handled)
        await probe.waitUntilBegun([1, 2, 3])
        probe.answer(3, .handled)
        await results.waitFor((1...3).map { #"\#($0) handled(by: "/*")"# })
        shop.cancel()
    }

    @Test("a handler that has not begun when a gate closes does not begin")
    func gateClosesAtOnce() async throws {
        for policy in [ExecutionPolicy.newestWins, .oneAfterAnother, .sideBySide] {
            let (center, results) = recorded()
            let gate = center.addGate("logged in", isOpen: true)
            let shop = try center.add { Route("/*", policy: policy) { match in #expect(gate.isOpen) } }
            center.receive(.link("/"))
            gate.isOpen = false
            await center.idle()
            #expect(center.pendingActivities.map(\.number) == [1])
            gate.isOpen = true
            await results.waitFor([#"1 handled(by: "/*")"#])
            shop.cancel()
        }
    }
}
