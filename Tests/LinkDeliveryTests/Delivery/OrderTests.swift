import Foundation
import FuzzingSupport
import LinkDelivery
import TestSupport
import Testing

@Suite("order under load")
@MainActor
struct OrderTests {
    @Test("activities from many tasks are handled once each, one after another in the order in which they came")
    func oneAfterAnother() async throws {
        let (center, results) = recorded(UserActivityCenter(pending: .all(upTo: 100_000)))
        let seen = Recorder(center.activities())
        let gate = center.addGate("ready")
        var handled: [Int] = []
        var isAtWork = false
        let shop = try center.add {
            Route("/{number}", policy: .oneAfterAnother) { match in
                #expect(!isAtWork)
                isAtWork = true
                for _ in 0..<(match.received.number % 3) { await Task.yield() }
                isAtWork = false
                handled.append(match.received.number)
                return match.received.number % 5 == 0 ? .notHandled : .handled
            }
            Route("/*", policy: .oneAfterAnother) { _ in await Task.yield() }
        }
        let (senders, count) = (8, 200)
        let tasks = (0..<senders).map { sender in
            Task.detached {
                for number in 0..<count {
                    await center.receive(.link("/\(sender * count + number)"))
                    if number % 7 == 0 { await Task.yield() }
                }
            }
        }
        for _ in 0..<200 {
            gate.isOpen.toggle()
            await Task.yield()
        }
        for task in tasks { await task.value }
        gate.isOpen = true
        await wait {
            results.elements.count == senders * count && seen.elements.count == senders * count && !center.isRunning
        }
        #expect(handled == Array(1...(senders * count)))
        // Each sender's activities came in its order.
        #expect(seen.elements.map(\.number) == handled)
        let numbers = seen.elements.compactMap { $0.activity.webpageURL.flatMap { Int($0.lastPathComponent) } }
        for sender in 0..<senders {
            #expect(numbers.filter { $0 / count == sender } == Array((sender * count)..<((sender + 1) * count)))
        }
        #expect(Set(results.elements.map(\.received.number)).count == senders * count)
        for result in results.elements {
            let route = result.received.number % 5 == 0 ? "/*" : "/{number}"
            #expect(result.outcome == .handled(by: route))
        }
        #expect(center.pendingActivities.isEmpty)
        shop.cancel()
    }

    @Test(
        "whatever happens, each activity has one result, and nothing is delivered after the end of a module",
        arguments: TestSeeds.of(0...29))
    func random(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let policies: [ExecutionPolicy] = [.newestWins, .oneAfterAnother, .sideBySide]
        let pending: PendingPolicy = seed % 2 == 0 ? .all(upTo: 8, for: .seconds(50)) : .latest
        let (center, results) = recorded(
            UserActivityCenter(pending: pending, clock: clock, openInBrowser: { _ in await Task.yield() }))
        let gates = (0..<2).map { center.addGate("gate \($0)", isOpen: true) }
        var modules: [(subscription: Subscription, probe: Probe, policy: ExecutionPolicy)] = []
        var ended: [(probe: Probe, count: Int)] = []
        var last = 0

        func add() throws {
            let probe = Probe()
            let policy = policies[random.number(below: 3)]
            let subscription = try center.add { Route("/*", policy: policy, perform: probe.handle) }
            modules.append((subscription, probe, policy))
        }

        for _ in 0..<300 {
            switch random.number(below: 12) {
            case 0...3:
                center.receive(.link("/\(last)"))
                last += 1
            case 4: gates[random.number(below: 2)].isOpen.toggle()
            case 5: try add()
            case 6:
                guard !modules.isEmpty else { continue }
                let module = modules.remove(at: random.number(below: modules.count))
                if random.chance(50) { module.subscription.cancel() }
                ended.append((module.probe, module.probe.begun.count))
            case 7: clock.advance(by: .seconds(random.number(1...29)))
            default:
                guard let probe = modules.randomElement(using: &random)?.probe,
                    let number = probe.atWork.randomElement(using: &random)
                else { break }
                switch random.number(below: 4) {
                case 0: probe.fail(number, HandlerError())
                case 1: probe.answer(number, .notHandled)
                case 2: probe.answer(number, .openInBrowser)
                default: probe.answer(number, .handled)
                }
            }
            for _ in 0..<random.number(below: 4) { await Task.yield() }
            for module in modules where module.policy == .oneAfterAnother { #expect(module.probe.atWork.count <= 1) }
        }

        for gate in gates { gate.isOpen = true }
        try add()
        await wait {
            for module in modules { for number in module.probe.atWork { module.probe.answer(number, .handled) } }
            return results.elements.count >= last && !center.isRunning
        }
        #expect(results.elements.map(\.received.number).sorted() == Array(1...last))
        #expect(center.pendingActivities.isEmpty)
        for (probe, count) in ended { #expect(probe.begun.count == count) }
        let begun = (modules.map(\.probe) + ended.map(\.probe)).map(\.begun)
        // Nobody was asked twice, also not by way of another.
        for numbers in begun { #expect(Set(numbers).count == numbers.count) }
        for (index, module) in modules.enumerated() where module.policy == .oneAfterAnother && index == 0 {
            #expect(module.probe.begun.allSatisfy { $0 <= last })
        }
        let handled = results.elements.filter { if case .handled = $0.outcome { true } else { false } }
        #expect(handled.allSatisfy { result in begun.contains { $0.contains(result.received.number) } })
    }
}
