/// What clients of the admin listener can use up.
package struct AdminLimits: Equatable, Sendable {
    /// One more takes the place of another.
    package var connections = 64
    /// Once so many bytes wait for clients to take them, no answer is made that can be large.
    package var unsentBytes = 64 << 20

    package init() {}

    /// Shorter than those of other listeners: who asks here is near, and asks at once.
    package static var timeouts: ServerConfiguration.Timeouts {
        var timeouts = ServerConfiguration.Timeouts()
        timeouts.header = 5
        timeouts.idle = 5
        return timeouts
    }
}
