internal import Diagnostics
internal import EventLoops
internal import SiteStore

extension StoreConnection {
    /// Whether a notification of another session arrives here: one of the same session would also where a pooler loses
    /// those of others (store.md, section 7).
    ///
    /// - Parameters:
    ///   - channel: one that this connection listens to.
    ///   - address: of the other session.
    ///   - milliseconds: how long it is waited for.
    ///   - note: is given the other notifications that come meanwhile.
    ///   - isStopping: whether it is not worth waiting any more.
    func hearsOthers(
        on channel: String, _ address: StoreAddress, milliseconds: Int64, note: (StoreNotification) -> Void,
        isStopping: () -> Bool
    ) throws(StoreError) -> Bool {
        let payload = NodeDriver.randomHex(8)
        do throws(StoreError) {
            let second = try StoreConnection(address, .node)
            _ = try second.query("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
        } catch {
            // Nothing is wrong with this one.
            throw error.on(lostConnection: false)
        }
        let end = Clock.monotonicMilliseconds() + milliseconds
        while true {
            let rest = end - Clock.monotonicMilliseconds()
            guard rest > 0, !isStopping() else { return false }
            guard let notification = try waitForNotification(milliseconds: Int(rest)) else { continue }
            if notification.channel == channel, notification.payload == payload { return true }
            note(notification)
        }
    }
}
