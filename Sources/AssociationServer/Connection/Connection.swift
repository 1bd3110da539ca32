internal import EventLoops
internal import HTTP1
internal import OpenSSL

/// One client, as plain memory of its loop: no references to count on the path of a request.
struct Connection: ~Copyable {
    /// First, so that the address of the handler is that of the connection.
    let handler: EventHandler
    var timer: TimerNode
    /// −1 once it is closed; the memory is freed when the batch of events has ended.
    var descriptor: Int32
    let address: PeerAddress
    var state: ConnectionState
    var session: TLSSession?
    /// Of the certificate that was chosen in the handshake.
    var identity: Unmanaged<ServerIdentity>?
    /// The names that it covers; `identity` keeps its memory.
    var covered: HostTable.View?
    /// Of the handshake, in lower case.
    var serverName = HeldBytes()
    /// Of the handshake.
    var isTLS13 = false
    /// Of the handshake.
    var isResumed = false
    /// Why the handshake failed, if the connection ends before it is done.
    var handshakeFailure = HandshakeFailure.closed
    var interest = Readiness.receiving
    /// Whether the loop's set has it.
    var isWatched = false
    /// Whether the first bytes were looked at.
    var isGreeted = false
    /// Whether the peer has ended its stream, in TCP or TLS.
    var isPeerFinished = false
    /// Whether `close_notify` was sent.
    var hasSaidGoodbye = false
    /// The beginning of a request, or requests that wait until the answer before them is taken.
    var unread = HeldBytes()
    /// Received bytes that TLS has not looked at yet.
    var undecrypted = HeldBytes()
    /// Encrypted bytes that the socket did not take.
    var unsent = HeldBytes()
    /// The rest of a body that did not fit.
    var unwritten: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    /// Keeps the memory of `unwritten`.
    var unwrittenFile: Unmanaged<PublishedFile>?
    /// The loop's list of connections, or its free list.
    var next: UnsafeMutablePointer<Connection>?
    var previous: UnsafeMutablePointer<Connection>?

    init(
        handler: EventHandler, timer: TimerNode, descriptor: Int32, address: PeerAddress, now: Int64,
        session: consuming TLSSession
    ) {
        self.handler = handler
        self.timer = timer
        self.descriptor = descriptor
        self.address = address
        self.session = consume session
        state = ConnectionState(acceptedAt: now)
    }
}

/// Bytes that had to be copied because their event is over; none are held most of the time.
struct HeldBytes: BitwiseCopyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var start = 0
    private var end = 0

    var count: Int { end &- start }
    var isEmpty: Bool { start == end }
    var bytes: UnsafePointer<UInt8>? { memory.map { UnsafePointer($0 + start) } }
    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    mutating func hold(_ bytes: UnsafePointer<UInt8>, count: Int) {
        release()
        guard count > 0 else { return }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        memory.initialize(from: bytes, count: count)
        self.memory = memory
        end = count
    }

    mutating func dropFirst(_ count: Int) {
        start &+= count
        if start >= end { release() }
    }

    /// Moves the bytes out.
    ///
    /// - Parameter output: has room for them.
    /// - Returns: how many there were.
    mutating func take(into output: UnsafeMutablePointer<UInt8>) -> Int {
        guard let bytes else { return 0 }
        let count = count
        output.update(from: bytes, count: count)
        release()
        return count
    }

    mutating func release() {
        memory?.deallocate()
        memory = nil
        start = 0
        end = 0
    }
}
