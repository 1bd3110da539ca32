internal import EventLoops
internal import SiteStore

// How a node hears of changes, and finds out whether it does.
extension NodeDriver {
    func listen() throws(StoreError) -> FollowerEvent {
        let test = "aasa_test_\(Self.randomHex(8))"
        testChannel = test
        try connection.required().run("LISTEN \(Self.channel); LISTEN \(test)")
        return .listening
    }

    func testListening() throws(StoreError) -> FollowerEvent {
        var isNotified = false
        let hasArrived = try connection.required().hearsOthers(
            on: testChannel, node.settings.address, milliseconds: Self.testMilliseconds
        ) {
            if $0.channel == Self.channel { isNotified = true }
        } isStopping: {
            node.inbox.isStopping
        }
        return .selfTestEnded(hasArrived: hasArrived, isNotified: isNotified)
    }

    func wait(until end: Int64) throws(StoreError) -> FollowerEvent {
        let milliseconds = Int(clamping: min(end - Clock.monotonicMilliseconds(), 3_600_000))
        guard let connection else {
            node.inbox.wakeUp.wait(milliseconds: milliseconds)
            return .timeOut
        }
        guard
            var last = try connection.waitForNotification(
                milliseconds: max(1, milliseconds), wakeUp: node.inbox.wakeUp.descriptor)
        else { return .timeOut }
        // Those that have come meanwhile say the same.
        while let next = try connection.waitForNotification(milliseconds: 0) {
            if next.channel == Self.channel { last = next }
        }
        return last.channel == Self.channel ? .notified(generation: Int64(last.payload)) : .timeOut
    }
}
