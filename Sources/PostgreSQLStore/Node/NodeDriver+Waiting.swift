internal import EventLoops
internal import Glibc
internal import SiteStore

// How a node hears of changes, and finds out whether it does.
extension NodeDriver {
    mutating func listen() throws(StoreError) -> FollowerEvent {
        let test = "aasa_test_\(Self.randomHex(8))"
        testChannel = test
        try using { (connection) throws(StoreError) in
            try connection.run("LISTEN \(Self.channel); LISTEN \(test)")
        }
        return .listening
    }

    mutating func testListening() throws(StoreError) -> FollowerEvent {
        let address = node.settings.address
        let inbox = node.inbox
        let test = testChannel
        var isNotified = false
        let hasArrived = try using { (connection) throws(StoreError) in
            try connection.hearsOthers(on: test, address, milliseconds: Self.testMilliseconds) {
                if $0.channel == Self.channel { isNotified = true }
            } isStopping: {
                inbox.isStopping
            }
        }
        return .selfTestEnded(hasArrived: hasArrived, isNotified: isNotified)
    }

    mutating func wait(until end: Int64) throws(StoreError) -> FollowerEvent {
        let milliseconds = Int(clamping: min(end - Clock.monotonicMilliseconds(), 3_600_000))
        guard connection != nil else {
            var entry = pollfd(fd: node.inbox.wakeUp, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(clamping: max(0, milliseconds)))
            return .timeOut
        }
        let wakeUp = node.inbox.wakeUp
        return try using { (connection) throws(StoreError) in
            guard
                var last = try connection.waitForNotification(milliseconds: max(1, milliseconds), wakeUp: wakeUp)
            else { return .timeOut }
            // Those that have come meanwhile say the same.
            while let next = try connection.waitForNotification(milliseconds: 0) {
                if next.channel == Self.channel { last = next }
            }
            return last.channel == Self.channel ? .notified(generation: Int64(last.payload)) : .timeOut
        }
    }
}
