internal import Dispatch
internal import EventLoops
internal import HTTP1
internal import OpenSSL
internal import SystemSupport

/// One event loop with its connections: the shell that carries out what `ConnectionState` and `Responder` decide.
///
/// After `start` everything happens on the loop.
final class Worker: EventLoopClient, TLSContextSelector, @unchecked Sendable {
    typealias Pointer = UnsafeMutablePointer<Connection>

    /// What all workers of a server share.
    struct Shared: Sendable {
        let limits = ConnectionLimits()
        let standard = StandardResponses()
        /// What loops that have ended had counted.
        let ended = EndedLoops()
        /// Descriptors or memory have run out.
        let reportExhaustion: @Sendable (SystemError) -> Void
        /// A connection is refused for a limit, which is told, too.
        let reportRefusal: @Sendable (ConnectionRefusal, PeerAddress, Int) -> Void
        /// Server names that no certificate covers are told.
        let refusedNames: RefusedNameLog

        /// Has free memory given back, aside.
        func giveBackMemory() { DispatchQueue.global(qos: .utility).async { Machine.giveBackMemory() } }
    }

    /// What became of the bytes for a client.
    enum Flow {
        /// They are on their way; more can follow.
        case flowing
        /// The client has to take some first. Its connection holds all that is needed to go on.
        case parked
        /// The connection is no more.
        case closed
    }

    static let receiveCapacity = 32_768
    /// Room for a head that is too long.
    static let headCapacity = RequestParser.longestHead + 64
    static let recordCapacity = 16_384
    /// Four full records: what one `send` carries.
    static let outputCapacity = 4 * TLSTransport.roomForRecord

    let shared: Shared
    /// What is served now.
    private(set) var snapshot: ServerSnapshot
    /// A view of the snapshot's sites, so that a request counts no reference.
    private(set) var sites: SiteTable.View
    /// The domains by the numbers of their sites; memory of the snapshot.
    private(set) var siteNames: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>
    private(set) var settings: WorkerSettings
    let counters = LoopCounters()
    /// `nil` if there is no access log.
    private(set) var log: AccessLogBuffer?
    /// The same for the path of a request, which counts no reference.
    private(set) var logReference: Unmanaged<AccessLogBuffer>?
    let responder: Responder
    let loop: EventLoop
    let transport: UnsafeMutablePointer<TLSTransport>
    /// The identity that the client hello which is being read has chosen.
    var chosen: Unmanaged<ServerIdentity>?
    /// The server name of that hello.
    var chosenName = HeldBytes()
    /// Who has sent it.
    var handshakingAddress = PeerAddress(ipv4: 0)
    /// The server names that were lately refused.
    var refusedNames = RefusedNameFilter()

    // What one event works with; between events all of it is empty.
    let received = UnsafeMutablePointer<UInt8>.allocate(capacity: Worker.receiveCapacity)
    let heads = UnsafeMutablePointer<UInt8>.allocate(capacity: Worker.headCapacity)
    let record = UnsafeMutablePointer<UInt8>.allocate(capacity: Worker.recordCapacity)
    var recordCount = 0
    let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)

    // The time of the batch.
    var now = Clock.monotonicMilliseconds()
    private(set) var wallSeconds: Int64 = -1
    private(set) var wallMilliseconds: Int64 = 0
    /// Precise, on the monotonic clock; only for the access log.
    private(set) var batchBegan: Int64 = 0
    let date = UnsafeMutablePointer<UInt8>.allocate(capacity: HTTPDate.count)

    var wheel: TimerWheel
    var listeners: [ListenerPlace] = []
    /// All open connections.
    var first: Pointer?
    var connectionCount = 0
    /// Since there was none.
    var mostConnections = 0
    /// Closed in this batch: events of it may still name them.
    private var closed: Pointer?
    /// Memory to use again.
    private var spare: Pointer?
    var isDraining = false
    var whenDrained: (@Sendable () -> Void)?

    init(
        label: String, snapshot: ServerSnapshot, settings: WorkerSettings, shared: Shared, listeners: [Listener],
        log: AccessLogBuffer? = nil
    ) throws(SystemError) {
        self.shared = shared
        self.snapshot = snapshot
        self.settings = settings
        self.log = log
        logReference = log.map(Unmanaged.passUnretained)
        sites = snapshot.sites.view
        siteNames = snapshot.sites.names.names
        responder = Responder(standard: shared.standard.view)
        wheel = TimerWheel(tickMilliseconds: EventLoop.tickMilliseconds, now: now)
        loop = try EventLoop(label: label)
        transport = TLSTransport.allocate(outputCapacity: Self.outputCapacity)
        transport.pointee.selector = self
        self.listeners = listeners.map { ListenerPlace($0, worker: self) }
        updateClock()
        useSiteNumbers()
    }

    deinit {
        recycle()
        while let connection = spare {
            spare = connection.pointee.next
            connection.deinitialize(count: 1)
            connection.deallocate()
        }
        TLSTransport.deallocate(transport)
        for memory in [received, heads, record, scratch, date] { memory.deallocate() }
    }

    func start() {
        loop.start(client: self)
        loop.post { [self] in startListening() }
    }

    /// Serves another snapshot from now on; call it on the loop, or before `start`.
    ///
    /// Between two events nothing points into a snapshot: a connection retains its identity, whose names and `SSL_CTX`
    /// it uses, and the file whose body it has not written out yet.
    func use(_ snapshot: ServerSnapshot, _ settings: WorkerSettings) {
        self.snapshot = snapshot
        self.settings = settings
        sites = snapshot.sites.view
        siteNames = snapshot.sites.names.names
        useSiteNumbers()
    }

    /// Writes to another access log from now on; call it on the loop.
    func use(_ log: AccessLogBuffer?) {
        self.log?.flush()
        self.log = log
        logReference = log.map(Unmanaged.passUnretained)
        updateClock()
    }

    private func useSiteNumbers() { counters.keep(sites: siteNames.count) { !siteNames[$0].isEmpty } }

    /// What was counted so far; call it on the loop.
    func report() -> LoopReport { counters.report(connections: connectionCount) }

    // MARK: The batch

    func batchWillBegin() { updateClock() }

    func batchDidEnd() { if closed != nil { recycle() } }

    private func updateClock() {
        now = Clock.monotonicMilliseconds()
        wallMilliseconds = Clock.wallMilliseconds()
        if log != nil { batchBegan = Clock.preciseNanoseconds() }
        let seconds = wallMilliseconds / 1_000
        guard seconds != wallSeconds else { return }
        wallSeconds = seconds
        HTTPDate.write(seconds, to: date)
    }

    // MARK: The memory of connections

    /// - Returns: a connection that is counted, listed and timed, but not yet watched.
    func makeConnection(_ descriptor: Int32, _ address: PeerAddress, _ session: consuming TLSSession) -> Pointer {
        let connection = spare ?? Pointer.allocate(capacity: 1)
        let isNew = spare == nil
        if !isNew { spare = connection.pointee.next }
        let made = Connection(
            handler: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque(), function: Self.connectionIsReady),
            timer: TimerNode(owner: connection), descriptor: descriptor, address: address, now: now, session: session)
        if isNew {
            connection.initialize(to: made)
        } else {
            connection.pointee = made
        }
        connection.pointee.next = first
        first?.pointee.previous = connection
        first = connection
        connectionCount += 1
        mostConnections = max(mostConnections, connectionCount)
        if loop.ticking == .off { loop.ticking = .steady }
        return connection
    }

    /// Takes a connection that holds nothing any more off the list; its memory is free when the batch has ended.
    func dropConnection(_ connection: Pointer) {
        if let previous = connection.pointee.previous {
            previous.pointee.next = connection.pointee.next
        } else {
            first = connection.pointee.next
        }
        connection.pointee.next?.pointee.previous = connection.pointee.previous
        connection.pointee.previous = nil
        connection.pointee.next = closed
        closed = connection
        connectionCount -= 1
    }

    private func recycle() {
        while let connection = closed {
            closed = connection.pointee.next
            connection.pointee.next = spare
            spare = connection
        }
    }

    private static let connectionIsReady: EventHandler.Function = { handler, flags in
        let connection = handler.assumingMemoryBound(to: Connection.self)
        Unmanaged<Worker>.fromOpaque(connection.pointee.handler.owner)._withUnsafeGuaranteedRef {
            $0.handle(connection, Readiness(bits: flags))
        }
    }
}
