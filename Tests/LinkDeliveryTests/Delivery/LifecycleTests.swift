import LinkDelivery
import TestSupport
import Testing

@Suite("subscriptions")
@MainActor
struct LifecycleTests {
    @Test("nothing is delivered to a module whose subscription was released or cancelled")
    func end() async throws {
        let (center, results) = recorded()
        var asked: [String] = []
        var first: Subscription? = try center.add { Route("/*") { _ in asked.append("first") } }
        let second = try center.add { Route("/*") { _ in asked.append("second") } }
        var observer: Subscription? = center.observe { _ in asked.append("observer") }
        center.receive(.link("/1"))
        await center.idle()
        // Released, not cancelled: it counts at once, whether or not the center has tidied up.
        first = nil
        observer = nil
        _ = (first, observer)
        center.receive(.link("/2"))
        await center.idle()
        second.cancel()
        second.cancel()
        center.receive(.link("/3"))
        await center.idle()
        #expect(asked == ["observer", "first", "second"])
        await wait { results.elements.count == 2 }
        #expect(center.pendingActivities.map(\.number) == [3])
    }

    @Test("a handler that has not begun when its subscription is released does not begin")
    func endBeforeTheBeginning() async throws {
        let center = UserActivityCenter()
        var shop: Subscription? = try center.add { Route("/*") { _ in Issue.record("it has ended") } }
        _ = shop
        center.receive(.link("/"))
        shop = nil
        await center.idle()
        #expect(center.pendingActivities.map(\.number) == [1])
    }

    @Test("what a module has not handled when it ends goes to the others")
    func handedOn() async throws {
        for isReleased in [true, false] {
            let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
            let probe = Probe()
            var shop: Subscription? = try center.add {
                Route("/*", policy: .oneAfterAnother, perform: probe.handle)
            }
            for _ in 1...3 { center.receive(.link("/")) }
            await probe.waitUntilBegun([1])
            let other = try center.add { Route("/*", policy: .oneAfterAnother) { .openInBrowser } }
            if !isReleased { shop?.cancel() }
            shop = nil
            await wait { results.elements.count == 3 }
            #expect(probe.begun == [1])
            #expect(probe.cancelled == [1])
            #expect(results.elements.map(\.received.number).sorted() == [1, 2, 3])
            #expect(results.elements.allSatisfy { $0.outcome == .unhandled })
            other.cancel()
        }
    }

    @Test("what a handler has handled although its module was ending is not delivered again")
    func handledAtTheEnd() async throws {
        let (center, results) = recorded()
        var continuation: CheckedContinuation<Void, Never>?
        let shop = try center.add {
            Route("/*") { _ in await withCheckedContinuation { continuation = $0 } }
        }
        let other = try center.add { Route("/*") { _ in Issue.record("it was handled") } }
        center.receive(.link("/"))
        await wait { continuation != nil }
        shop.cancel()
        #expect(center.pendingActivities.map(\.number) == [1])
        continuation?.resume()
        await results.waitFor([#"1 handled(by: "/*")"#])
        #expect(center.pendingActivities.isEmpty)
        other.cancel()
    }

    @Test("routes of a task end with the task")
    func task() async throws {
        let (center, results) = recorded()
        let table = try RouteTable { Route("/*") { .handled } }
        let task = Task { await center.handle(table) }
        await wait { center.receive(.link("/first")) && !results.elements.isEmpty }
        task.cancel()
        await task.value
        let count = results.elements.count
        center.receive(.link("/last"))
        #expect(center.pendingActivities.map(\.activity) == [.link("/last")])
        #expect(results.elements.count == count)
        // A task that is over adds nothing.
        let late = Task { await center.handle(table) }
        late.cancel()
        await late.value
        await center.idle()
        #expect(center.usage.modules == 0)
    }

    @Test("observing sequences end with their tasks")
    func sequences() async {
        let center = UserActivityCenter()
        let task = Task { for await _ in center.activities() {} }
        let other = Task { for await _ in center.results() {} }
        await wait { center.usage.activitySequences == 1 && center.usage.resultSequences == 1 }
        task.cancel()
        other.cancel()
        await wait { center.usage.activitySequences == 0 && center.usage.resultSequences == 0 }
    }

    @Test("everything ends with the center")
    func centerEnds() async throws {
        var center: UserActivityCenter? = UserActivityCenter(pending: .latest(for: .seconds(60)), clock: ManualClock())
        weak let weakCenter = center
        let recorder = try Recorder(#require(center).activities())
        let states = try Recorder(#require(center).runningStates())
        let probe = Probe()
        let subscription = try center?.add { Route("/*", perform: probe.handle) }
        let gate = center?.addGate("ready", following: AsyncStream { $0.yield(true) })
        center?.receive(.link("/1"))
        await probe.waitUntilBegun([1])
        gate?.isOpen = false
        center?.receive(.link("/2"))
        center = nil
        #expect(weakCenter == nil)
        await wait { recorder.isAtEnd && states.isAtEnd && probe.cancelled == [1] }
        #expect(recorder.elements.count == 2)
        subscription?.cancel()
        gate?.isOpen = true
        gate?.remove()
    }

    @Test("nothing keeps an owner that keeps its subscription, and nothing else is left behind")
    func noLeaks() async throws {
        final class Shop {
            var subscription: Subscription?
            var shown: [Int] = []
        }
        let center = UserActivityCenter()
        weak var weakShop: Shop?
        weak var weakProbe: Probe?
        do {
            let shop = Shop()
            let probe = Probe()
            (weakShop, weakProbe) = (shop, probe)
            shop.subscription = try center.add {
                Route("/buy/{product}", Int.self, owner: shop) { shop, product in shop.shown.append(product) }
                Route("/wait", perform: probe.handle)
            }
            center.receive(.link("/buy/7"))
            await center.idle()
            #expect(shop.shown == [7])
            center.receive(.link("/wait"))
            await probe.waitUntilBegun([2])
        }
        #expect(weakShop == nil)
        await wait { weakProbe == nil && center.usage.modules == 0 && center.usage.tasks == 0 }
    }
}
