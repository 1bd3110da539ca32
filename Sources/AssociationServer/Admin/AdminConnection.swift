internal import EventLoops

/// One client of the admin listener.
final class AdminConnection {
    let descriptor: Int32
    /// What the loop's set names; it must stay until the batch in which the connection is closed has ended.
    let handler: UnsafeMutablePointer<EventHandler>
    private unowned(unsafe) let server: AdminServer

    var state: ConnectionState
    /// Received, and not yet answered.
    var unread: [UInt8] = []
    /// Of an answer, and not yet taken by the socket.
    var unsent: ArraySlice<UInt8> = []
    var isOpen = true
    /// Whether the socket is watched for room instead of input.
    var isParked = false
    /// Whether there is input whose turn comes when the other connections had theirs.
    var isDue = false

    init(_ descriptor: Int32, server: AdminServer, now: Int64) {
        self.descriptor = descriptor
        self.server = server
        state = ConnectionState(acceptedAt: now)
        // There is no TLS here.
        state.handshakeEnded(at: now)
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, flags in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                let connection = Unmanaged<AdminConnection>.fromOpaque(owner).takeUnretainedValue()
                connection.server.handle(connection, Readiness(bits: flags))
            })
    }

    deinit { handler.deallocate() }
}
