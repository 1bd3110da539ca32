import LinkDelivery
import Testing

@Suite("handlers at work")
@MainActor
struct ExecutionTests {
    @Test("the newest wins: the one at work is cancelled, and what it says does not count")
    func newestWins() async throws {
        let (center, results) = recorded()
        let probe = Probe()
        let shop = try center.add { Route("/buy/*", policy: .newestWins, perform: probe.handle) }
        center.receive(.link("/buy/1"))
        await probe.waitUntilBegun([1])
        center.receive(.link("/buy/2"))
        await probe.waitUntilBegun([1, 2])
        await wait { probe.cancelled == [1] }
        probe.answer(2, .handled)
        await results.waitFor(["1 superseded(by: 2)", #"2 handled(by: "/buy/*")"#])
        // One whose turn never came does not begin.
        center.receive(.link("/buy/3"))
        center.receive(.link("/buy/4"))
        center.receive(.link("/buy/5"))
        await probe.waitUntilBegun([1, 2, 5])
        probe.answer(5, .handled)
        await wait { results.elements.count == 5 }
        #expect(
            results.outcomes.dropFirst(2) == [
                "3 superseded(by: 4)", "4 superseded(by: 5)", #"5 handled(by: "/buy/*")"#,
            ])
        shop.cancel()
    }

    @Test("an older one that another route declined does not supersede a newer one")
    func olderComesLater() async throws {
        let (center, results) = recorded()
        let (first, second) = (Probe(), Probe())
        let modules = try center.add {
            Route("/a/{x}", Int.self) { _ in .notHandled }
            Route("/*", policy: .newestWins, perform: second.handle)
        }
        let early = try center.add { Route("/never", perform: first.handle) }
        _ = early
        // The first is declined asynchronously, when the second has already begun.
        center.receive(.link("/a/1"))
        center.receive(.link("/b"))
        await results.waitFor(["1 superseded(by: 2)"])
        await probe(second, begun: [2])
        second.answer(2, .handled)
        await results.waitFor(["1 superseded(by: 2)", #"2 handled(by: "/*")"#])
        modules.cancel()
    }

    private func probe(_ probe: Probe, begun: [Int]) async { await probe.waitUntilBegun(begun) }

    @Test("one after another: each waits for those before it, also for those that fail or decline")
    func oneAfterAnother() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let probe = Probe()
        let shop = try center.add { Route("/buy/*", policy: .oneAfterAnother, perform: probe.handle) }
        for number in 1...4 { center.receive(.link("/buy/\(number)")) }
        await probe.waitUntilBegun([1])
        #expect(center.pendingActivities.map(\.number) == [1, 2, 3, 4])
        probe.answer(1, .handled)
        await probe.waitUntilBegun([1, 2])
        probe.fail(2, HandlerError())
        await probe.waitUntilBegun([1, 2, 3])
        probe.answer(3, .notHandled)
        await probe.waitUntilBegun([1, 2, 3, 4])
        probe.answer(4, .openInBrowser)
        await results.waitFor([
            #"1 handled(by: "/buy/*")"#, #"2 failed(at: "/buy/*")"#, "3 unhandled", "4 unhandled",
        ])
        #expect(probe.cancelled.isEmpty)
        shop.cancel()
    }

    @Test("side by side: all run at the same time, and end as they like")
    func sideBySide() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 10)))
        let probe = Probe()
        let shop = try center.add { Route("/buy/*", policy: .sideBySide, perform: probe.handle) }
        for number in 1...3 { center.receive(.link("/buy/\(number)")) }
        await probe.waitUntilBegun([1, 2, 3])
        #expect(probe.atWork == [1, 2, 3])
        for number in [2, 3, 1] {
            probe.answer(number, .handled)
            await wait { results.elements.last?.received.number == number }
        }
        #expect(results.elements.map(\.received.number) == [2, 3, 1])
        shop.cancel()
    }

    @Test("routes do not wait for each other")
    func routesAreApart() async throws {
        let center = UserActivityCenter()
        let (buying, selling) = (Probe(), Probe())
        let shop = try center.add {
            Route("/buy/*", policy: .newestWins, perform: buying.handle)
            Route("/sell/*", policy: .oneAfterAnother, perform: selling.handle)
        }
        center.receive(.link("/buy/1"))
        center.receive(.link("/sell/2"))
        await buying.waitUntilBegun([1])
        await selling.waitUntilBegun([2])
        #expect(buying.cancelled.isEmpty)
        buying.answer(1, .handled)
        selling.answer(2, .handled)
        await center.idle()
        shop.cancel()
    }

    @Test("whether something runs and the errors are sequences apart from the results")
    func sequences() async throws {
        let (center, results) = recorded()
        let failures = Recorder(center.failures())
        let states = Recorder(center.runningStates())
        let probe = Probe()
        let shop = try center.add { Route("/*", perform: probe.handle) }
        await wait { states.elements == [false] }
        #expect(!center.isRunning)
        center.receive(.link("/1"))
        #expect(center.isRunning)
        await wait { states.elements == [false, true] }
        await probe.waitUntilBegun([1])
        probe.fail(1, HandlerError())
        await wait { states.elements == [false, true, false] }
        #expect(!center.isRunning)
        await wait { !failures.elements.isEmpty }
        #expect(failures.elements.map(\.source) == [.route("/*")])
        #expect(failures.elements.first?.received?.number == 1)
        #expect(failures.elements.first?.error is HandlerError)
        await results.waitFor([#"1 failed(at: "/*")"#])
        shop.cancel()
    }

    @Test("an error of a parameter that a handler asks for is reported with its name and value")
    func parameterError() async throws {
        let center = UserActivityCenter()
        let failures = Recorder(center.failures())
        let shop = try center.add { Route("/buy/{product}") { match in _ = try match.value("product", as: Int.self) } }
        center.receive(.link("/buy/x"))
        await wait { !failures.elements.isEmpty }
        #expect(
            failures.elements.first.map { "\($0.error)" }
                == "'product' is 'x' in '/buy/{product}'; expected a whole number")
        shop.cancel()
    }

    @Test("a handler that goes on although it was cancelled keeps nothing from the newer one")
    func stubbornHandler() async throws {
        let (center, results) = recorded()
        let failures = Recorder(center.failures())
        var continuation: CheckedContinuation<Void, Never>?
        let shop = try center.add {
            Route("/{number}", Int.self) { number in
                guard number == 1 else { return }
                await withCheckedContinuation { continuation = $0 }
                throw HandlerError()
            }
        }
        center.receive(.link("/1"))
        await wait { continuation != nil }
        center.receive(.link("/2"))
        await results.waitFor(["1 superseded(by: 2)", #"2 handled(by: "/{number}")"#])
        #expect(center.isRunning)
        continuation?.resume()
        await center.idle()
        #expect(results.outcomes.count == 2)
        // Nor does the error: that of the next handler is the first that is reported.
        let other = try center.add { Route("/fail/*") { _ in throw HandlerError() } }
        center.receive(.link("/fail/now"))
        await wait { !failures.elements.isEmpty }
        #expect(failures.elements.map(\.source) == [.route("/fail/*")])
        shop.cancel()
        other.cancel()
    }
}
