import Diagnostics
import SiteStore
import Testing

@Suite("The start of a node")
struct FollowerStartTests {
    @Test("without a cache everything is read, after it listens, and then requests are answered")
    func first() {
        var run = FollowerRun(sharesTicketKeys: true)
        #expect(run.action == .connect)
        #expect(run.after(.connected) == .listen)
        #expect(run.after(.listening) == .readEverything)
        #expect(run.after(60_000, .everythingRead(FollowerRun.read(5))) == .apply && run.ready == nil)
        #expect(run.after(.applied(files: 1, withoutGoodVersion: 0)) == .heartbeat)
        #expect(run.ready == false && run.state.held == SampleStore.position(5))
        #expect(run.after(.heartbeatDone(isNameShared: false)) == .writeCache)
        #expect(run.after(.cacheWritten) == .renewTicketKeys)
        #expect(run.after(.ticketKeysRead(isFresh: true)) == .testListening)
        #expect(!run.state.isListening && run.state.isUp)
        #expect(run.after(.selfTestEnded(hasArrived: true, isNotified: false)) == .heartbeat)
        #expect(run.state.isListening)
        run.after(.heartbeatDone(isNameShared: false))
        #expect(run.wait ?? 0 > 9_000)
    }

    @Test("with a cache what is newer is read, and then requests are answered")
    func cache() {
        let held = SampleStore.position(5)
        var run = FollowerRun(cached: held)
        #expect(run.action == .applyCache)
        #expect(run.after(.applied(files: 3, withoutGoodVersion: 0)) == .connect && run.ready == nil)
        #expect(run.state.isFromCache)
        run.after(.connected)
        #expect(run.after(.listening) == .readPosition(held: held))
        #expect(run.after(.positionRead(FollowerRun.read(7, atHeld: 5))) == .readChanges(held: held))
        #expect(run.after(.changesRead(FollowerRun.read(7, atHeld: 5))) == .apply && run.ready == nil)
        run.after(.applied(files: 3, withoutGoodVersion: 0))
        #expect(run.ready == false && !run.state.isFromCache)
    }

    @Test("with a cache that is current nothing else is read")
    func current() {
        var run = FollowerRun(cached: SampleStore.position(5))
        run.after(.applied(files: 3, withoutGoodVersion: 0))
        run.after(.connected)
        run.after(.listening)
        #expect(run.after(.positionRead(FollowerRun.read(5, atHeld: 5))) != .readEverything)
        #expect(run.ready == false && run.state.isUp)
    }

    @Test("with a cache requests are answered although the store does not answer, and that is said once")
    func away() {
        var run = FollowerRun(cached: SampleStore.position(5))
        run.after(.applied(files: 3, withoutGoodVersion: 0))
        run.after(.failed(FollowerRun.refused))
        #expect(run.ready == true && run.codes == ["store-unreachable"])
        #expect(run.lines == ["serving generation 5 from the cache, as the store does not answer"])
        #expect(run.state.isFromCache && !run.state.isUp)
        let wait = run.wait ?? 0
        #expect(wait >= 125 && wait <= 250)
        run.after(wait, .timeOut)
        #expect(run.action == .connect)
        run.after(.failed(FollowerRun.refused))
        #expect(run.notices.isEmpty)
    }

    @Test("with a cache a slow store delays requests by 5 seconds")
    func slow() {
        var run = FollowerRun(cached: SampleStore.position(5))
        run.after(.applied(files: 3, withoutGoodVersion: 0))
        run.after(3_000, .connected)
        #expect(run.ready == nil)
        run.after(2_500, .listening)
        #expect(run.ready == true)
        #expect(run.action == .readPosition(held: SampleStore.position(5)))
    }

    @Test(
        "without a cache a store that cannot be used ends the node",
        arguments: [
            FollowerRun.refused, StoreError(.notInitialised, "schema \"aasa\" does not exist"),
            StoreError(.permissionDenied, "permission denied for table current"),
        ])
    func nothing(failure: StoreError) {
        var run = FollowerRun()
        if failure.kind != .unreachable {
            run.after(.connected)
            run.after(.listening)
        }
        #expect(run.after(.failed(failure)) == .stop(.nothingToServe(failure)))
        #expect(run.codes == [failure.ruleOfNode.code.rawValue])
    }

    @Test("a store without files is followed, and the first publication is served")
    func empty() {
        var run = FollowerRun()
        run.follow(to: SampleStore.position(0), files: 0)
        #expect(run.state.isReady && run.codes.isEmpty && run.wait != nil)
        run.after(.notified(generation: 1))
        run.after(.positionRead(FollowerRun.read(1)))
        #expect(run.action == .readChanges(held: SampleStore.position(0)))
        run.after(.changesRead(FollowerRun.read(1)))
        #expect(run.action == .apply)
    }

    @Test("a node that is to stop does nothing more")
    func stop() {
        var run = FollowerRun.following()
        #expect(run.after(.stopRequested) == .stop(.requested))
        #expect(run.after(.timeOut) == .stop(.requested))
    }
}
