import Foundation
import LinkDelivery
import TestSupport
import Testing

@Suite("calls from inside calls")
@MainActor
struct ReentrancyTests {
    /// Does something at its end, on the main actor, like a view model that cancels what it has.
    @MainActor
    final class Keeper {
        let atEnd: @MainActor () -> Void
        var observed: [Int] = []

        init(_ atEnd: @escaping @MainActor () -> Void) { self.atEnd = atEnd }
        isolated deinit { atEnd() }
    }

    @Test("an observer that another has cancelled is not called any more, and neither is that of a scene that ended")
    func cancelledWhileTelling() {
        let center = UserActivityCenter()
        var second: Subscription?
        let first = center.observe { received in
            second?.cancel()
            center.endScene("left")
        }
        second = center.observe { _ in Issue.record("it was cancelled") }
        let third = center.observe(scene: "left") { _ in Issue.record("its scene has ended") }
        center.receive(.link("/"))
        for subscription in [first, third] { subscription.cancel() }
    }

    @Test("what is released with a subscription may end others and hand over activities")
    func releasedInside() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        func keeper() -> Keeper {
            let other = center.observe { _ in }
            return Keeper {
                other.cancel()
                center.receive(.link("/"))
                center.addGate("late", scene: "left", isOpen: true)
            }
        }
        do {
            let keeper = keeper()
            center.observe { keeper.observed.append($0.number) }.cancel()
        }
        do {
            let keeper = keeper()
            _ = center.observe(scene: "left") { keeper.observed.append($0.number) }
        }
        do {
            let keeper = keeper()
            let observer = center.observe(scene: "left") { keeper.observed.append($0.number) }
            let keepers = [self.keeper(in: center), self.keeper(in: center)]
            let routes = try center.add(scene: "left") { Route("/*") { _ in keepers[0].observed.append(1) } }
            withExtendedLifetime((observer, routes)) {}
            center.endScene("left")
        }
        let shop = try center.add { Route("/*", policy: .sideBySide) { .handled } }
        await wait { center.usage.observers == 0 && results.elements.count == center.lastActivity?.number }
        #expect(results.elements.count >= 3)
        shop.cancel()
    }

    private func keeper(in center: UserActivityCenter) -> Keeper { Keeper { center.endScene("left") } }

    @Test("a newer one that comes while an older one is being cancelled wins")
    func newestInside() async throws {
        let (center, results) = recorded()
        var atWork: Set<Int> = []
        var continuations: [CheckedContinuation<Void, Never>] = []
        let shop = try center.add {
            Route("/*", policy: .newestWins) { match in
                atWork.insert(match.received.number)
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuations.append($0) }
                } onCancel: {
                    guard match.received.number == 1 else { return }
                    MainActor.assumeIsolated { _ = center.receive(.link("/3")) }
                }
                if !Task.isCancelled { atWork.remove(match.received.number) }
            }
        }
        let gate = center.addGate("ready", isOpen: true)
        center.receive(.link("/1"))
        await wait { atWork == [1] }
        gate.isOpen = false
        center.receive(.link("/2"))
        gate.isOpen = true
        await wait { atWork.contains(3) || atWork.contains(2) }
        for _ in 0..<10 { await Task.yield() }
        #expect(atWork == [1, 3])
        for continuation in continuations { continuation.resume() }
        await wait { results.elements.count == 3 }
        #expect(Set(results.outcomes) == ["1 superseded(by: 2)", "2 superseded(by: 3)", #"3 handled(by: "/*")"#])
        shop.cancel()
    }

    @Test("handlers may hand over, add, close gates, end scenes and cancel themselves")
    func handlers() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let gate = center.addGate("ready", isOpen: true)
        var own: Subscription?
        var added: [Subscription] = []
        var said: [String] = []
        own = try center.add {
            Route("/first") { _ in
                gate.isOpen = false
                center.receive(.link("/second"))
                own?.cancel()
                added.append(
                    try center.add { Route("/*") { match in said.append(match.url?.path() ?? "") } })
                center.endScene("left")
                try Task.checkCancellation()
                Issue.record("it has cancelled itself")
            }
        }
        center.receive(.link("/first"), scene: "left")
        await wait { !center.isRunning && center.pendingActivities.map(\.number) == [1, 2] }
        // The scene ended while the handler was at work, so anybody may have it.
        #expect(center.pendingActivities.map(\.scene) == [nil, nil])
        gate.isOpen = true
        await wait { results.elements.count == 2 }
        // Both are for the same route, where the newest wins.
        #expect(said == ["/second"])
        for subscription in added { subscription.cancel() }
    }

    @Test("a handler may release the center, from which nothing is heard any more")
    func centerInside() async throws {
        var center: UserActivityCenter? = UserActivityCenter()
        weak let weakCenter = center
        let results = try Recorder(#require(center).results())
        var isCancelled = false
        let shop = try center?.add {
            Route("/*", policy: .oneAfterAnother) { match in
                #expect(match.received.number == 1)
                center = nil
                isCancelled = Task.isCancelled
            }
        }
        for _ in 0..<3 { center?.receive(.link("/")) }
        await wait { results.isAtEnd }
        #expect(weakCenter == nil)
        #expect(isCancelled)
        #expect(results.elements.isEmpty)
        shop?.cancel()
    }

    @Test("a subscription may be released anywhere")
    func releasedElsewhere() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 1000)))
        for _ in 0..<100 {
            let subscription = try center.add { Route("/*", policy: .oneAfterAnother) { .notHandled } }
            center.receive(.link("/"))
            Task.detached { withExtendedLifetime(subscription) {} }
        }
        let last = try center.add { Route("/*", policy: .oneAfterAnother) { .handled } }
        await wait { center.usage.modules == 1 && results.elements.count + center.pendingActivities.count == 100 }
        await wait { results.elements.count == 100 }
        last.cancel()
    }

    @Test("nothing is kept when everything has gone at once, wherever activities were")
    func nothingIsKept() async throws {
        weak var weakKeeper: Keeper?
        weak var weakCenter: UserActivityCenter?
        var hasEnded = false
        let (states, source) = AsyncStream.makeStream(of: Bool.self)
        do {
            let keeper = Keeper { hasEnded = true }
            let center = UserActivityCenter(
                pending: .all(upTo: 10, for: .seconds(60)), clock: ManualClock(),
                openInBrowser: { _ in
                    keeper.observed.append(0)
                    try? await Task.sleep(for: .seconds(1000))
                })
            (weakKeeper, weakCenter) = (keeper, center)
            let probe = Probe()
            let gate = center.addGate("ready", following: states)
            center.addGate("left", scene: "left")
            source.yield(true)
            await wait { gate.isOpen }
            let shop = try center.add {
                for (policy, path) in [
                    (ExecutionPolicy.newestWins, "/n"), (.oneAfterAnother, "/o"), (.sideBySide, "/s"),
                ] {
                    Route("\(path)/*", policy: policy) { match in
                        keeper.observed.append(match.received.number)
                        return try await probe.handle(match)
                    }
                }
            }
            let observer = center.observe(replayingLast: true) { keeper.observed.append($0.number) }
            for path in ["/n/1", "/n/2", "/o/1", "/o/2", "/s/1", "/s/2", "/browser"] { center.receive(.link(path)) }
            center.receive(.link("/n/3"), scene: "left")
            await wait { keeper.observed.contains(0) && probe.atWork.count == 4 }
            withExtendedLifetime((shop, observer, gate)) {}
        }
        await wait { weakKeeper == nil && weakCenter == nil && hasEnded }
        source.finish()
    }

    @Test("a listener that is slow, or that has stopped, keeps nobody waiting")
    func listeners() async throws {
        let (center, results) = recorded()
        let never = center.results()
        var abandoned: AsyncStream<DeliveryResult>? = center.results()
        withExtendedLifetime(abandoned) {}
        abandoned = nil
        let stopped = Task {
            for await result in center.results() { return result.received.number }
            return 0
        }
        await wait { center.usage.resultSequences == 3 }
        let shop = try center.add { Route("/*", policy: .oneAfterAnother) { .handled } }
        for _ in 0..<100 { center.receive(.link("/")) }
        await wait { results.elements.count == 100 }
        #expect(await stopped.value == 1)
        await wait { center.usage.resultSequences == 2 }
        var late: [Int] = []
        for await result in never.prefix(100) { late.append(result.received.number) }
        #expect(late == Array(1...100))
        shop.cancel()
    }

    @Test("a module that ends while its activities stand in line leaves them to the next, in their order")
    func endInLine() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 100)))
        var seen: [Int] = []
        var own: Subscription?
        own = try center.add {
            Route("/*", policy: .oneAfterAnother) { match in
                if match.received.number == 3 { own?.cancel() }
                return match.received.number < 3 ? .handled : .notHandled
            }
        }
        let next = try center.add {
            Route("/*", policy: .oneAfterAnother) { match in seen.append(match.received.number) }
        }
        for _ in 0..<10 { center.receive(.link("/")) }
        await wait { results.elements.count == 10 }
        // The third was with the module that ended, so it comes behind those that only stood in line.
        #expect(seen == Array(4...10) + [3])
        next.cancel()
    }
}
