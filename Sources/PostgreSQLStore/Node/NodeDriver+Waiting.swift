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
        let payload = Self.randomHex(8)
        do throws(StoreError) {
            // A notification of the same session would arrive even where those of others are lost.
            var second = try StoreConnection(node.settings.address, .node)
            _ = try second.query("SELECT pg_notify($1, $2)", [.text(testChannel), .text(payload)])
        } catch {
            throw StoreError(error.kind, error.message, help: error.help)
        }
        let end = Clock.monotonicMilliseconds() + Self.testMilliseconds
        var isNotified = false
        while true {
            let rest = end - Clock.monotonicMilliseconds()
            guard rest > 0, !node.inbox.isStopping else {
                return .selfTestEnded(hasArrived: false, isNotified: isNotified)
            }
            let notification = try using { (connection) throws(StoreError) in
                try connection.waitForNotification(milliseconds: Int(rest))
            }
            if notification?.channel == testChannel, notification?.payload == payload {
                return .selfTestEnded(hasArrived: true, isNotified: isNotified)
            }
            if notification?.channel == Self.channel { isNotified = true }
        }
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
