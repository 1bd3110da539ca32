internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import HTTP2
internal import OpenSSL

/// One client, as plain memory of its loop: no references to count on the path of a request.
struct Connection: ~Copyable {
    /// First, so that the address of the handler is that of the connection.
    let handler: EventHandler
    var timer: TimerNode
    /// −1 once it is closed; the memory is freed when the batch of events has ended.
    var descriptor: Int32
    /// The kind of its listener.
    let kind: ListenerKind
    var origin: ClientOrigin
    /// The key under which it counts among the connections from one address; `nil` if it does not count.
    var limitKey: PeerKey?
    var state: ConnectionState
    var transport: Transport
    /// The session of HTTP/2; `nil` on a connection that speaks HTTP/1.1.
    var streams: ServerSession?
    /// The identity that was chosen in the handshake.
    var identity: Unmanaged<ServerIdentity>?
    /// The names that it covers; `identity` keeps its memory.
    var covered: HostTable.View?
    /// The server name of the handshake, in lower case.
    var serverName = OwnedBuffer()
    /// The version of TLS, for the access log.
    var tls = AccessLogEntry.TLS.none
    /// Whether the handshake has resumed a session.
    var isResumed = false
    /// Whether the handshake answers a challenge of a CA, and nothing is sent after it.
    var isChallenge = false
    var interest = Readiness.receiving
    /// Whether the loop's set has it.
    var isWatched = false
    /// The beginning of a request, or requests that wait until the answer before them is taken.
    var unread = OwnedBuffer()
    /// Received bytes that the transport has not looked at yet.
    var unprocessed = OwnedBuffer()
    /// Bytes of the transport that the socket did not take.
    var unsent = OwnedBuffer()
    /// The rest of a body that did not fit.
    var unwritten: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    /// Keeps the memory of `unwritten`.
    var unwrittenOwner: Unmanaged<AnyObject>?
    /// The bytes that nobody but this connection may be keeping.
    var unwrittenBytes = 0
    /// The bytes that it was counted to hold; above 0 it is in a list of the loop's `HoldingConnections`.
    var held = 0
    /// Whether that list is the one of those that rest.
    var restsHolding = false
    var older: UnsafeMutablePointer<Connection>?
    var younger: UnsafeMutablePointer<Connection>?
    /// The loop's list of connections, or its free list.
    var next: UnsafeMutablePointer<Connection>?
    var previous: UnsafeMutablePointer<Connection>?

    init(
        handler: EventHandler, timer: TimerNode, descriptor: Int32, kind: ListenerKind, origin: ClientOrigin,
        limitKey: PeerKey?, state: ConnectionState, transport: consuming Transport
    ) {
        self.handler = handler
        self.timer = timer
        self.descriptor = descriptor
        self.kind = kind
        self.origin = origin
        self.limitKey = limitKey
        self.state = state
        self.transport = transport
    }

    /// Lets go of everything but the descriptor.
    mutating func releaseAll() {
        transport = .closed
        identity?.release()
        identity = nil
        covered = nil
        serverName.release()
        unread.release()
        unprocessed.release()
        unsent.release()
        releaseBody()
    }

    mutating func releaseBody() {
        unwritten = UnsafeRawBufferPointer(start: nil, count: 0)
        unwrittenOwner?.release()
        unwrittenOwner = nil
        unwrittenBytes = 0
    }
}

/// Bytes that had to be copied because their event is over; most of the time there are none.
///
/// It is plain memory: its owner calls `release`.
struct OwnedBuffer: BitwiseCopyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var start = 0
    private var end = 0
    /// The size of its memory, which does not shrink with what is left.
    private(set) var allocated = 0

    var count: Int { end &- start }
    var isEmpty: Bool { start == end }
    var bytes: UnsafePointer<UInt8>? { memory.map { UnsafePointer($0 + start) } }
    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    /// Replaces what it has by a copy of these bytes.
    mutating func assign(_ bytes: UnsafePointer<UInt8>, count: Int) {
        release()
        guard count > 0 else { return }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        memory.initialize(from: bytes, count: count)
        self.memory = memory
        end = count
        allocated = count
    }

    mutating func dropFirst(_ count: Int) {
        start &+= count
        if start >= end { release() }
    }

    /// Moves the bytes out.
    ///
    /// - Parameter output: has room for them.
    /// - Returns: how many there were.
    mutating func move(into output: UnsafeMutablePointer<UInt8>) -> Int {
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
        allocated = 0
    }
}

/// The memory that the events of a loop work in, one after the other; between events nothing of it is in use.
struct LoopBuffers: BitwiseCopyable {
    static let receivedCapacity = 32_768
    /// Room for a head that is too long.
    static let requestsCapacity = RequestParser.longestHead + 64
    /// One full record of TLS.
    static let pendingCapacity = 16_384
    /// Four full records: what one `send` carries.
    private static let outputCapacity = 4 * TransportBuffers.roomForRecord

    /// Bytes as the socket gave them, with room for the first pieces of a PROXY header.
    let received = UnsafeMutablePointer<UInt8>.allocate(
        capacity: LoopBuffers.receivedCapacity + ProxyHeader.longestBinary)
    /// The bytes of requests that the transport has read from them.
    let requests = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopBuffers.requestsCapacity)
    /// Answers that the transport has not got yet.
    let pending = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopBuffers.pendingCapacity)
    /// Room for a host name in lower case.
    let host = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
    /// Room for the values of forwarded fields.
    let fields = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
    let transport = TransportBuffers.allocate(outputCapacity: LoopBuffers.outputCapacity)

    func deallocate() {
        TransportBuffers.deallocate(transport)
        for memory in [received, requests, pending, host] { memory.deallocate() }
        fields.deallocate()
    }
}

/// The state of one event of one connection: it is passed along, and gone when the event is over.
struct EventScratch: BitwiseCopyable {
    let connection: UnsafeMutablePointer<Connection>
    let time: BatchTime
    /// The part of `LoopBuffers.requests` that is not yet answered.
    var requestsStart = 0
    var requestsEnd = 0
    /// Whether there may be a whole request in it that nobody has looked at.
    var isUnparsed = false
    /// The number of bytes in `LoopBuffers.pending`.
    var pendingCount = 0

    var requestsCount: Int { requestsEnd &- requestsStart }

    init(_ connection: UnsafeMutablePointer<Connection>, _ time: BatchTime) {
        self.connection = connection
        self.time = time
    }
}

/// When a batch of events has begun: the clocks are read once for all of them.
struct BatchTime: BitwiseCopyable {
    /// Milliseconds on a clock that never goes back.
    let now: Int64
    /// Milliseconds since 1970, UTC.
    let wallMilliseconds: Int64
    /// Nanoseconds on a precise clock that never goes back; 0 unless they are asked for.
    let preciseNanoseconds: Int64
    /// Seconds since 1970, UTC.
    let wallSeconds: Int64

    init(isPrecise: Bool) {
        now = Clock.monotonicMilliseconds()
        wallMilliseconds = Clock.wallMilliseconds()
        wallSeconds = wallMilliseconds / 1_000
        preciseNanoseconds = isPrecise ? Clock.preciseNanoseconds() : 0
    }
}
