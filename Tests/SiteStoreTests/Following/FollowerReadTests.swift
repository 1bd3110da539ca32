import Diagnostics
import SiteStore
import Testing

@Suite("What a node reads")
struct FollowerReadTests {
    @Test(
        "a notification has the position compared, whatever its number: a store that was made anew counts from 1",
        arguments: [nil, 1, 4, 5, 6] as [Int64?])
    func triggers(generation: Int64?) {
        var run = FollowerRun.following()
        let held = SampleStore.position(5)
        #expect(run.after(.notified(generation: generation)) == .readPosition(held: held))
        // The same number with another token is another generation.
        var other = run
        let position = StorePosition(storeID: held.storeID, generation: held.generation, token: "other")
        other.after(.positionRead(FollowerRead(position: position, tokenAtHeld: "other")))
        #expect(other.action == .readEverything && other.codes == ["store-history-rewritten"])
        run.after(.positionRead(FollowerRun.read(5, atHeld: 5)))
        #expect(run.wait != nil, "nothing is new, and one look is enough")
    }

    @Test(
        "polls are as far apart as is set, and 5 seconds where notifications do not arrive", arguments: [true, false])
    func polls(hasNotifications: Bool) {
        var run = FollowerRun.following(hasNotifications: hasNotifications)
        var times: [Int64] = []
        while times.count < 5 {
            if case .readPosition = run.action { times.append(run.now) }
            if let wait = run.wait { run.after(wait, .timeOut) } else { run.answer(5) }
        }
        for (earlier, later) in zip(times, times.dropFirst()) {
            let expected: Int64 = hasNotifications ? 30_000 : 5_000
            #expect((expected...expected + 20).contains(later - earlier))
        }
    }

    @Test("files without a good version are looked for in the history, once")
    func older() {
        var run = FollowerRun.following()
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 5)))
        #expect(run.after(.applied(files: 2, withoutGoodVersion: 1)) == .readOlderVersions)
        #expect(run.after(.applied(files: 2, withoutGoodVersion: 1)) == .heartbeat)
    }

    @Test("where that fails, the first answer holds, and everything is read later")
    func olderFails() {
        var run = FollowerRun.following()
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.applied(files: 2, withoutGoodVersion: 1))
        run.after(.failed(StoreError(.other, "canceling statement due to statement timeout")))
        #expect(run.action == .heartbeat && run.codes == ["store-unreachable"])
        #expect(run.state.held == SampleStore.position(6))
        run.after(.heartbeatDone(isNameShared: false))
        run.after(.cacheWritten)
        run.after(run.wait ?? 0, .timeOut)
        #expect(run.action == .readEverything)
    }

    @Test(
        "a history that was rewritten is read anew, with a warning",
        arguments: [
            (SampleStore.position(4), nil, "the store is at generation 4, and was at 5; all of it is read anew"),
            (
                SampleStore.position(9), "other",
                "generation 5 of the store is another one than before; all of it is read anew"
            ),
            (
                SampleStore.position(9, store: "other"), "token-5",
                "the store is another one than before; all of it is read anew"
            ),
        ] as [(StorePosition, String?, String)])
    func rewritten(position: StorePosition, token: String?, message: String) {
        var run = FollowerRun.following()
        run.after(.notified(generation: 9))
        run.after(.positionRead(FollowerRead(position: position, tokenAtHeld: token)))
        #expect(run.action == .readEverything && run.codes == ["store-history-rewritten"])
        if case .report(let finding) = run.notices.first {
            #expect(finding.message == message && finding.path == FollowerRun.address)
        }
        run.after(.everythingRead(FollowerRead(position: position, tokenAtHeld: nil, files: 2, rows: 2)))
        #expect(run.action == .apply)
        run.follow(to: position)
        #expect(run.state.held == position && run.codes.isEmpty)
        // The next change of the new history ends it.
        let next = StorePosition(storeID: position.storeID, generation: position.generation + 1, token: "next")
        run.after(.notified(generation: next.generation))
        let read = FollowerRead(position: next, tokenAtHeld: position.token, files: 1, rows: 1)
        run.after(.positionRead(read))
        run.after(.changesRead(read))
        run.after(.applied(files: 2, withoutGoodVersion: 0))
        #expect(run.codes == ["-store-history-rewritten"])
    }

    @Test("a history that is rewritten between position and changes is noticed, too")
    func race() {
        var run = FollowerRun.following()
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 4)))
        #expect(run.action == .readEverything && run.codes == ["store-history-rewritten"])
    }

    @Test("a store that was emptied takes nothing away, until something is published")
    func emptied() {
        var run = FollowerRun.following()
        let restored = SampleStore.position(1, store: "restored")
        run.after(.notified(generation: 9))
        run.after(.positionRead(FollowerRead(position: restored, tokenAtHeld: nil)))
        run.after(.everythingRead(FollowerRead(position: restored, tokenAtHeld: nil)))
        #expect(run.codes == ["store-emptied"])
        #expect(run.action != .apply && run.state.held == SampleStore.position(5))
        // Polls say nothing new.
        for _ in 0..<3 {
            run.settle(5)
            run.after(31_000, .timeOut)
            run.settleUntilRead(5)
            run.after(.positionRead(FollowerRead(position: restored, tokenAtHeld: nil)))
            #expect(run.action == .readEverything && run.codes.isEmpty)
            run.after(.everythingRead(FollowerRead(position: restored, tokenAtHeld: nil)))
            #expect(run.action != .apply && run.codes.isEmpty)
        }
        run.settle(5)
        run.after(.fullReadRequested)
        let published = StorePosition(storeID: "restored", generation: 2, token: "t")
        run.after(.everythingRead(FollowerRead(position: published, tokenAtHeld: nil, files: 1, rows: 1)))
        #expect(run.action == .apply)
        run.after(.applied(files: 1, withoutGoodVersion: 0))
        #expect(run.codes == ["-store-emptied"] && run.state.held == published)
    }

    /// A node that has read a change of many sites at a generation.
    private static func heldBack(_ removal: MassRemoval) -> FollowerRun {
        var run = FollowerRun.following()
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(removing(removal, 6)))
        return run
    }

    private static func removing(_ removal: MassRemoval, _ generation: Int64, confirmed: Int64? = nil) -> FollowerRead {
        FollowerRead(
            position: SampleStore.position(generation), tokenAtHeld: SampleStore.position(5).token, files: 1, rows: 1,
            removal: removal, confirmed: confirmed)
    }

    @Test("a change that ends many sites is held back until it is confirmed, and read once")
    func massRemoval() {
        let removal = MassRemoval(sites: 20, of: 100, generation: 6, isDated: true)
        var run = Self.heldBack(removal)
        #expect(run.codes == ["store-mass-removal"] && run.action != .apply)
        #expect(run.state.held == SampleStore.position(5) && run.state.isUp)
        guard case .report(let finding) = run.notices.first else { return #expect(Bool(false)) }
        #expect(finding.message == "generation 6 of the store would end 20 of 100 sites; what was served before stays")
        #expect(finding.diagnostic.advice?.contains("'aasa store confirm 6'") == true)
        // A look at the same position reads nothing again.
        run.settle(5)
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        #expect(run.wait != nil && run.codes.isEmpty)
        // Another change does, and the finding stays.
        run.after(.notified(generation: 7))
        #expect(run.after(.positionRead(FollowerRun.read(7, atHeld: 5))) == .readChanges(held: SampleStore.position(5)))
        run.after(.changesRead(Self.removing(removal, 7, confirmed: 5)))
        #expect(run.action != .apply && run.codes.isEmpty)
        run.settle(5)
        run.after(.notified(generation: 8))
        run.after(.positionRead(FollowerRun.read(8, atHeld: 5)))
        #expect(run.after(.changesRead(FollowerRun.read(8, atHeld: 5))) == .apply)
        run.after(.applied(files: 80, withoutGoodVersion: 0))
        #expect(run.codes == ["-store-mass-removal"] && run.state.held == SampleStore.position(8))
    }

    @Test("a store that goes on is confirmed by the generation that was named first, a later removal by its own")
    func confirmation() {
        func undated(_ generation: Int64) -> MassRemoval {
            MassRemoval(sites: 20, of: 100, generation: generation, isDated: false)
        }
        var run = Self.heldBack(undated(6))
        run.after(.fullReadRequested)
        run.settleUntilRead()
        run.after(.everythingRead(Self.removing(undated(8), 8, confirmed: 5)))
        #expect(run.action != .apply && run.codes.isEmpty)
        run.after(.fullReadRequested)
        run.settleUntilRead()
        #expect(run.after(.everythingRead(Self.removing(undated(8), 9, confirmed: 6))) == .apply)
        run = Self.heldBack(undated(6))
        run.after(.fullReadRequested)
        run.settleUntilRead()
        let later = MassRemoval(sites: 30, of: 100, generation: 8, isDated: true)
        run.after(.everythingRead(Self.removing(later, 9, confirmed: 6)))
        #expect(run.action != .apply && run.codes == ["-store-mass-removal", "store-mass-removal"])
    }

    @Test("files that were removed one by one are gone")
    func removed() {
        var run = FollowerRun.following()
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 5, files: 0)))
        #expect(run.action == .apply)
        run.after(.applied(files: 0, withoutGoodVersion: 0))
        run.settle(6)
        run.after(.fullReadRequested)
        run.after(.everythingRead(FollowerRun.read(6, files: 0)))
        #expect(run.action == .apply && run.codes.isEmpty)
    }

    @Test("SIGHUP has everything read, also while the store is away")
    func fullRead() {
        var run = FollowerRun.following()
        #expect(run.after(.fullReadRequested) == .readEverything)
        run = .following()
        run.after(.failed(FollowerRun.lost))
        run.after(.closed)
        #expect(run.after(.fullReadRequested) == .connect)
        run.after(.connected)
        #expect(run.after(.listening) == .readEverything)
    }

    @Test("a cache that cannot be written is reported once, and tried again with each change and each poll")
    func cache() {
        var run = FollowerRun.following()
        let finding = LocatedDiagnostic(.storeCacheUnwritable, "/cache", "the cache cannot be written: disk full")
        run.after(.notified(generation: 6))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.changesRead(FollowerRun.read(6, atHeld: 5)))
        run.after(.applied(files: 2, withoutGoodVersion: 0))
        #expect(run.after(.heartbeatDone(isNameShared: false)) == .writeCache)
        run.after(.cacheFailed(finding))
        #expect(run.codes == ["store-cache-unwritable"] && run.wait != nil)
        run.after(.notified(generation: 7))
        run.after(.positionRead(FollowerRun.read(6, atHeld: 6)))
        #expect(run.action == .writeCache)
        run.after(.cacheFailed(finding))
        #expect(run.codes.isEmpty)
        // Also while the store is away.
        run.after(.failed(FollowerRun.lost))
        run.after(.closed)
        #expect(run.after(31_000, .timeOut) == .writeCache)
        run.after(.cacheWritten)
        #expect(run.codes == ["-store-cache-unwritable"])
    }
}

extension FollowerRun {
    /// Answers one action as a store does at a generation.
    mutating func answer(_ generation: Int64) {
        let read = FollowerRun.read(generation, atHeld: state.held?.generation)
        switch action {
        case .readPosition: after(.positionRead(read))
        case .heartbeat: after(.heartbeatDone(isNameShared: false))
        case .writeCache: after(.cacheWritten)
        case .testListening: after(.selfTestEnded(hasArrived: true, isNotified: false))
        default: after(.timeOut)
        }
    }

    /// Answers what is no read, until the node waits.
    mutating func settle(_ generation: Int64) { while wait == nil { answer(generation) } }

    /// Answers what is no read, until everything is to be read.
    mutating func settleUntilRead() {
        while action != .readEverything { if let wait { after(wait, .timeOut) } else { answer(5) } }
    }

    /// Answers what is no read, until the position is to be read.
    mutating func settleUntilRead(_ generation: Int64) {
        while true {
            if case .readPosition = action { return }
            if let wait { after(wait, .timeOut) } else { answer(generation) }
        }
    }
}
