import DomainDoctor
import SystemSupport
import TestSupport
import Testing

@Suite("The queue of examinations")
struct ExaminationQueueTests {
    private func targets(_ count: Int) throws -> [Target] {
        try (0..<count).map { try Target.of("h\($0).example.com") }
    }

    @Test(
        "results come in the order of the targets, however they finish; progress counts what is done",
        arguments: [1, 3, 64])
    func order(width: Int) async throws {
        let targets = try targets(20)
        let finished = Locked<[String]>([])
        let counts = Locked<[Int]>([])
        await ExaminationQueue(width: width).run(targets) { target in
            // The later ones are quicker.
            let number = Int(target.host.dropFirst().prefix { $0 != "." }) ?? 0
            for _ in 0..<(20 - number) * 20 { await Task.yield() }
            return target.host
        } progress: { done in
            counts.withLock { $0.append(done) }
        } finished: { host in
            finished.withLock { $0.append(host) }
        }
        #expect(finished.withLock { $0 } == targets.map(\.host))
        #expect(counts.withLock { $0 } == Array(1...20))
    }

    @Test("a result is handed over as soon as it and all before it are there")
    func early() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let finished = Locked<[String]>([])
        let isOpen = Locked(false)
        let task = Task { [targets = try targets(3)] in
            await ExaminationQueue(width: 3).run(targets) { target in
                if target.host.hasPrefix("h1") { for await _ in gate.stream {} }
                return target.host
            } finished: { host in
                finished.withLock { $0.append(host) }
                if host.hasPrefix("h1") { #expect(isOpen.withLock { $0 }) }
            }
        }
        while finished.withLock({ $0.isEmpty }) { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(finished.withLock { $0 } == ["h0.example.com"])
        isOpen.withLock { $0 = true }
        gate.continuation.finish()
        await task.value
        #expect(finished.withLock { $0.count } == 3)
    }

    @Test("so many are under way at a time, and no more", arguments: [1, 2, 8])
    func width(width: Int) async throws {
        let state = Locked((now: 0, most: 0))
        await ExaminationQueue(width: width).run(try targets(40)) { _ in
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            for _ in 0..<20 { await Task.yield() }
            state.withLock { $0.now -= 1 }
        } finished: { _ in
        }
        #expect(state.withLock { $0.most } <= width && state.withLock { $0.most } >= 1)
    }

    @Test("without targets there is nothing to wait for")
    func empty() async {
        await ExaminationQueue(width: 8).run([]) {
            $0.host
        } finished: { _ in
            Issue.record("there is none")
        }
    }

    @Test("what is seen of a domain is gone once it is judged")
    func memory() async throws {
        final class Seen: Sendable {
            static let alive = Locked((now: 0, most: 0))

            init() {
                Self.alive.withLock { alive in
                    alive.now += 1
                    alive.most = max(alive.most, alive.now)
                }
            }

            deinit { Self.alive.withLock { $0.now -= 1 } }
        }
        await ExaminationQueue(width: 4).run(try targets(100)) { target in
            let seen = Seen()
            for _ in 0..<10 { await Task.yield() }
            return withExtendedLifetime(seen) { target.host }
        } finished: { _ in
        }
        #expect(Seen.alive.withLock { $0.most } <= 4 && Seen.alive.withLock { $0.now } == 0)
    }
}
