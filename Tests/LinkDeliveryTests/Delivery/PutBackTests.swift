import Foundation
import LinkDelivery
import TestSupport
import Testing

@Suite("activities that wait again")
@MainActor
struct PutBackTests {
    @Test("what a handler gives back is bound by the same rules as what waits")
    func bounds() async throws {
        for (policy, kept) in [(PendingPolicy.latest, [4]), (.all(upTo: 2), [3, 4]), (.all(upTo: 9), [1, 2, 3, 4])] {
            let (center, results) = recorded(UserActivityCenter(pending: policy))
            let gate = center.addGate("logged in", isOpen: true)
            let probe = Probe()
            let shop = try center.add { Route("/*", policy: .oneAfterAnother, perform: probe.handle) }
            for _ in 1...3 { center.receive(.link("/")) }
            await probe.waitUntilBegun([1])
            gate.isOpen = false
            center.receive(.link("/"))
            probe.answer(1, .notHandled)
            await center.idle()
            #expect(center.pendingActivities.map(\.number) == kept)
            await wait { results.elements.count == 4 - kept.count }
            #expect(results.elements.allSatisfy { $0.outcome == .dropped })
            shop.cancel()
        }
    }

    @Test("a handler that is slow to decline costs an activity nothing while the gates are open")
    func slowHandler() async throws {
        let clock = ManualClock()
        let (center, results) = recorded(UserActivityCenter(pending: .latest(for: .seconds(10)), clock: clock))
        let gate = center.addGate("logged in", isOpen: true)
        let probe = Probe()
        let shop = try center.add { Route("/*", perform: probe.handle) }
        let other = try center.add { Route("/a/*") { .handled } }
        center.receive(.link("/a/1"))
        await probe.waitUntilBegun([1])
        clock.advance(by: .seconds(11))
        probe.answer(1, .notHandled)
        await results.waitFor([#"1 handled(by: "/a/*")"#])
        // But behind a closed gate it has waited for too long.
        center.receive(.link("/a/2"))
        await probe.waitUntilBegun([1, 2])
        clock.advance(by: .seconds(11))
        gate.isOpen = false
        probe.answer(2, .notHandled)
        await results.waitFor([#"1 handled(by: "/a/*")"#, "2 expired"])
        for subscription in [shop, other] { subscription.cancel() }
    }

    @Test("whoever wants no waiting, or endless waiting, gets it")
    func lifetimes() async throws {
        for lifetime in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
            let (center, results) = recorded(UserActivityCenter(pending: .latest(for: lifetime)))
            let shop = try center.add { Route("/*") { .handled } }
            center.receive(.link("/1"))
            await results.waitFor([#"1 handled(by: "/*")"#])
            let gate = center.addGate("logged in")
            center.receive(.link("/2"))
            if lifetime > .zero {
                for _ in 0..<10 { await Task.yield() }
                #expect(center.pendingActivities.map(\.number) == [2])
            } else {
                await results.waitFor([#"1 handled(by: "/*")"#, "2 expired"])
            }
            gate.remove()
            shop.cancel()
        }
    }

    @Test("what handlers of an ended scene had, or would have had, goes to any other scene")
    func endOfScene() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let probe = Probe()
        let left = try center.add(scene: "left") { Route("/*", policy: .oneAfterAnother, perform: probe.handle) }
        for _ in 1...3 { center.receive(.link("/"), scene: "left") }
        await probe.waitUntilBegun([1])
        center.endScene("left")
        let right = try center.add(scene: "right") { Route("/*", policy: .sideBySide) { .handled } }
        await wait { results.elements.count == 3 }
        #expect(Set(results.outcomes) == Set((1...3).map { #"\#($0) handled(by: "/*")"# }))
        for subscription in [left, right] { subscription.cancel() }
    }

    @Test("an activity whose scene ends while it is reported goes to any other scene")
    func endOfSceneWhileTelling() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let observer = center.observe { received in
            if received.number == 1 { center.receive(.link("/2"), scene: "left") }
            if received.number == 1 { center.endScene("left") }
        }
        let right = try center.add(scene: "right") { Route("/*", policy: .sideBySide) { .handled } }
        center.receive(.link("/1"), scene: "left")
        await wait { results.elements.count == 2 }
        #expect(results.elements.count == 2)
        for subscription in [observer, right] { subscription.cancel() }
    }

    @Test("the gate of a scene that has ended follows nothing any more")
    func gateOfScene() async throws {
        let center = UserActivityCenter()
        let (states, source) = AsyncStream.makeStream(of: Bool.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        source.onTermination = { _ in end.finish() }
        let gate = center.addGate("interface", scene: "left", following: states)
        source.yield(true)
        await wait { gate.isOpen }
        center.endScene("left")
        for await _ in ends {}
        source.yield(false)
        #expect(gate.isOpen)
    }

    @Test("only web links go to the browser, since the system would send others back")
    func otherSchemes() async throws {
        let (center, results) = recorded(
            UserActivityCenter(openInBrowser: { _ in Issue.record("it is for no browser") }))
        let shop = try center.add { Route("/*") { .openInBrowser } }
        for link in ["shop://buy/7", "tel:1", "/buy"] {
            center.receive(UserActivity(browsing: try #require(URL(string: link))))
        }
        await results.waitFor(["1 unhandled", "2 unhandled", "3 unhandled"])
        shop.cancel()
    }
}
