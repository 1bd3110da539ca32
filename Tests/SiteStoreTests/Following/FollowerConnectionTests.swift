import Diagnostics
import FuzzingSupport
import SiteStore
import Testing

@Suite("The connection of a node")
struct FollowerConnectionTests {
    @Test(
        "the pause doubles from a quarter of a second to 15, and is shortened by up to a half",
        arguments: [
            (1, 250), (2, 500), (3, 1_000), (6, 8_000), (7, 15_000), (8, 15_000), (1_000_000, 15_000), (0, 250),
        ]
            as [(Int, Int64)])
    func backoff(failures: Int, longest: Int64) {
        var random = SplitMix64(seed: UInt64(failures))
        let delays = (0..<200).map { _ in FollowerBackoff.delay(failures: failures, random: &random) }
        #expect(delays.allSatisfy { $0 >= longest / 2 && $0 <= longest })
        #expect(Set(delays).count > 20)
    }

    @Test("pauses grow while the store is away, and are short again after a minute of good connection")
    func growth() {
        var run = FollowerRun.following()
        func fail() -> Int64 {
            run.after(.failed(FollowerRun.lost))
            #expect(run.action == .close)
            run.after(.closed)
            return run.wait ?? 0
        }
        var pauses = [fail()]
        for _ in 0..<9 {
            run.after(pauses.last ?? 0, .timeOut)
            run.after(.failed(FollowerRun.refused))
            pauses.append(run.wait ?? 0)
        }
        #expect(pauses[0] <= 250 && pauses[9] >= 7_500)
        // A connection that breaks at once does not begin anew.
        run.after(pauses[9], .timeOut)
        run.after(.connected)
        run.after(.failed(FollowerRun.lost))
        run.after(.closed)
        #expect(run.wait ?? 0 >= 7_500)
        run.after(run.wait ?? 0, .timeOut)
        run.follow(to: SampleStore.position(5))
        run.after(60_000, .failed(FollowerRun.lost))
        run.after(.closed)
        #expect(run.wait ?? 0 <= 250)
        #expect(run.state.reconnects == 2)
    }

    @Test("the first failure and each other reason are reported, then a line a minute, and when it is over")
    func complaints() {
        var run = FollowerRun.following()
        run.after(.failed(FollowerRun.lost))
        #expect(run.codes == ["store-unreachable"])
        run.after(.closed)
        // The newest reason is shown, once.
        while run.action != .connect { run.after(run.wait ?? 1, .timeOut) }
        run.after(2_000, .failed(FollowerRun.refused))
        #expect(run.codes == ["-store-unreachable", "store-unreachable"])
        guard case .report(let finding) = run.notices.last else { return #expect(Bool(false)) }
        #expect(finding.message == "connection refused; the store was not followed for 2 s before")
        var lines: [String] = []
        let start = run.now
        while run.now < start + 200_000 {
            if let wait = run.wait { run.after(wait, .timeOut) } else { run.after(.failed(FollowerRun.refused)) }
            #expect(run.codes.isEmpty)
            lines += run.lines
        }
        #expect((2...3).contains(lines.count))
        #expect(lines.allSatisfy { $0.contains("connection refused [store-unreachable] (for ") })
        while run.action != .connect { run.after(run.wait ?? 1, .timeOut) }
        run.after(.connected)
        run.after(.listening)
        run.after(.positionRead(FollowerRun.read(5, atHeld: 5)))
        #expect(run.codes == ["-store-unreachable"])
        #expect(run.lines.count == 1 && run.lines[0].hasPrefix("the store can be followed again, after 2"))
    }

    @Test("another reason is reported in place of the first")
    func change() {
        var run = FollowerRun.following()
        run.after(.failed(FollowerRun.lost))
        run.after(.closed)
        run.after(run.wait ?? 0, .timeOut)
        run.after(.connected)
        run.after(.listening)
        run.after(.failed(StoreError(.schemaNewer, "schema 3")))
        #expect(run.codes == ["-store-unreachable", "store-schema-newer"])
        #expect(run.wait ?? 0 <= 250, "the connection is good, and the next read comes after a pause")
        run.after(run.wait ?? 0, .timeOut)
        #expect(run.action == .readPosition(held: SampleStore.position(5)))
    }

    @Test("a notification that does not arrive is a warning, and the store is polled")
    func broken() {
        var run = FollowerRun.following(hasNotifications: false)
        #expect(run.state.isUp && !run.state.isListening)
        run.after(.failed(FollowerRun.lost))
        run.after(.closed)
        run.after(run.wait ?? 0, .timeOut)
        run.after(.connected)
        run.after(.listening)
        run.after(.positionRead(FollowerRun.read(5, atHeld: 5)))
        while run.action != .testListening { run.answer(5) }
        run.after(.selfTestEnded(hasArrived: true, isNotified: true))
        #expect(run.codes == ["-store-listen-broken"] && run.state.isListening)
        run.after(.heartbeatDone(isNameShared: false))
        #expect(run.action == .readPosition(held: SampleStore.position(5)), "another notification came meanwhile")
    }

    @Test("a self-test that cannot be made is made later")
    func untested() {
        var run = FollowerRun(poll: 30_000)
        while run.action != .testListening { run.step(5) }
        run.after(.failed(StoreError(.other, "too many connections")))
        #expect(run.codes.isEmpty && run.wait ?? 99_999 <= 5_000)
        let start = run.now
        while run.action != .testListening { run.step(5) }
        #expect(run.now - start >= 30_000)
    }

    @Test("a replica is polled, with a note and no warning", arguments: [true, false])
    func replica(isReplica: Bool) {
        var run = FollowerRun()
        run.after(.connected)
        let failure = StoreError(isReplica ? .readOnly : .other, "cannot execute LISTEN during recovery")
        run.after(.failed(failure))
        #expect(run.codes == (isReplica ? [] : ["store-listen-broken"]))
        #expect(run.lines.count == (isReplica ? 1 : 0))
        #expect(run.action == .readEverything)
        run.follow(to: SampleStore.position(5))
        #expect(run.wait ?? 0 <= 5_000 && !run.state.isListening && run.state.isUp)
    }

    @Test("heartbeats come every 10 seconds, and after each snapshot")
    func heartbeats() {
        var run = FollowerRun.following()
        var times: [Int64] = []
        while times.count < 5 {
            if run.action == .heartbeat { times.append(run.now) }
            run.step(5)
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { (9_990...10_010).contains($1 - $0) })
        run.settle(5)
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 5)))
        #expect(run.after(.applied(files: 2, withoutGoodVersion: 0)) == .heartbeat)
    }

    @Test("a heartbeat that is refused is logged once, and costs nothing else")
    func refusedHeartbeats() {
        var run = FollowerRun.following()
        let failure = StoreError(.permissionDenied, "permission denied for table nodes")
        var times: [Int64] = []
        var lines: [String] = []
        while times.count < 3 {
            if run.action == .heartbeat {
                times.append(run.now)
                run.after(.failed(failure))
                lines += run.lines
                #expect(run.codes.isEmpty)
            } else {
                run.step(5)
            }
        }
        #expect(lines.count == 1 && lines[0].hasSuffix("[store-permission-denied]"))
        #expect(times[2] - times[1] >= 60_000 && run.state.isUp)
    }

    @Test("a name that two nodes have is a finding, until it was its own for a minute")
    func names() {
        var run = FollowerRun.following()
        var codes: [String] = []
        func heartbeat(_ isNameShared: Bool) {
            while run.action != .heartbeat { run.step(5) }
            run.after(.heartbeatDone(isNameShared: isNameShared))
            codes += run.codes
        }
        // One of the two may write twice in between.
        for isShared in [true, false, true, true, false] { heartbeat(isShared) }
        #expect(codes == ["store-node-shared"])
        for _ in 0..<7 { heartbeat(false) }
        #expect(codes == ["store-node-shared", "-store-node-shared"])
    }

    @Test("without a fresh key for 2 hours a node makes its own ticket keys", arguments: [true, false])
    func ticketKeys(isAway: Bool) {
        var run = FollowerRun(sharesTicketKeys: true)
        run.follow(to: SampleStore.position(5))
        let start = run.now
        var isOver = false
        while !isOver {
            if isAway {
                if run.wait == nil { run.after(.failed(FollowerRun.lost)) } else { run.after(run.wait ?? 1, .timeOut) }
                if run.action == .close { run.after(.closed) }
            } else if run.action == .renewTicketKeys {
                run.after(.ticketKeysRead(isFresh: run.now < start + 3_600_000))
            } else {
                run.step(5)
            }
            isOver = run.notices.contains(.useOwnTicketKeys)
            guard run.now < start + 10_000_000 else { break }
        }
        #expect(isOver)
        let passed = run.now - start
        #expect(isAway ? (7_180_000...7_230_000).contains(passed) : (3_600_000...3_630_000).contains(passed))
    }
}

extension FollowerRun {
    /// Answers one action as a store does that works, or waits.
    mutating func step(_ generation: Int64) {
        let read = FollowerRun.read(generation, atHeld: state.held?.generation)
        switch action {
        case .wait: after(wait ?? 1, .timeOut)
        case .connect: after(.connected)
        case .listen: after(.listening)
        case .readEverything: after(.everythingRead(read))
        case .readChanges: after(.changesRead(read))
        case .apply, .applyCache, .readOlderVersions: after(.applied(files: 1, withoutGoodVersion: 0))
        case .renewTicketKeys: after(.ticketKeysRead(isFresh: true))
        case .close: after(.closed)
        default: answer(generation)
        }
    }
}
