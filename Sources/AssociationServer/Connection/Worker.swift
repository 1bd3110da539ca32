internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import HTTP2
internal import OpenSSL
internal import SystemSupport

/// One event loop with its listeners and connections, which it accepts, times, and ends.
///
/// What happens on one connection is in `Worker+Serving.swift`. After `start` everything happens on the loop.
final class Worker: EventLoopClient, TLSContextSelector, @unchecked Sendable {
    typealias Pointer = UnsafeMutablePointer<Connection>

    /// The state that all workers of a server share.
    struct Shared: Sendable {
        let limits = ConnectionLimits()
        let standard = StandardResponses()
        let health = LoopHealth()
        let held = HeldMemory()
        let memoryReturns = MemoryReturns()
        /// The counters of loops that have ended.
        let retired = RetiredLoopCounters()
        /// Descriptors or memory have run out.
        let reportExhaustion: @Sendable (SystemError) -> Void
        /// A connection is refused; the last argument is the limit, if it is for one.
        let reportRefusal: @Sendable (ConnectionRefusal, IPAddress?, Int) -> Void
        /// A PROXY header has come from a peer to a listener that expects none.
        let reportUnexpectedHeader: @Sendable (IPAddress?) -> Void
        /// Server names that no certificate covers.
        let refusedNames: RefusedNameLog
    }

    let shared: Shared
    /// The snapshot that is served now.
    private(set) var snapshot: ServerSnapshot
    /// A view of the snapshot's sites, so that a request counts no reference.
    private(set) var sites: SiteTable.View
    /// The domains by the numbers of their sites; memory of the snapshot.
    private(set) var siteNames: SiteNames.View
    private(set) var settings: Settings
    /// A view of the settings' trusted proxies, so that a request counts no reference.
    private(set) var trusted: CIDRSet.View
    /// Whether any site has something to serve.
    private(set) var isPublished: Bool
    /// The challenges that a CA may ask for now.
    private(set) var challenges = PendingChallenges()
    /// The same for requests, which count no reference; `nil` if none can ask for any.
    private(set) var requestChallenges: Unmanaged<PendingChallenges>?
    let counters = LoopCounters()
    /// `nil` if there is no access log.
    private var log: AccessLogBuffer?
    /// The same for the path of a request, which counts no reference.
    private(set) var logReference: Unmanaged<AccessLogBuffer>?
    let responder: Responder
    let loop: EventLoop
    let buffers = LoopBuffers()
    /// The answers by links and pages.
    var links = LinkAnswers()
    /// The memory of HTTP/2 sessions, from when it is first spoken.
    private(set) var streamBuffers: UnsafeMutablePointer<StreamBuffers>?
    /// The open connections that speak HTTP/2.
    var http2Connections = 0
    /// The server names that were lately refused.
    var refusedNames = RefusedNameFilter()

    private(set) var time = BatchTime(isPrecise: false)
    /// The time in the words of HTTP.
    let date = UnsafeMutablePointer<UInt8>.allocate(capacity: HTTPDate.count)
    private var dateSeconds: Int64 = -1

    private var wheel: TimerWheel
    private(set) var listeners: [ListenerRegistration] = []
    /// All open connections.
    private var first: Pointer?
    private var connectionCount = 0
    var freed = FreedMemory()
    var holding = HoldingConnections()
    /// Closed in this batch: events of it may still name them.
    private var closed: Pointer?
    /// Memory to use again.
    private var spare: Pointer?
    private(set) var isDraining = false
    private var whenDrained: (@Sendable () -> Void)?

    init(
        label: String, snapshot: ServerSnapshot, settings: Settings, shared: Shared, listeners: [ServingListener],
        log: AccessLogBuffer? = nil
    ) throws(SystemError) {
        self.shared = shared
        self.snapshot = snapshot
        self.settings = settings
        self.log = log
        logReference = log.map(Unmanaged.passUnretained)
        sites = snapshot.sites.view
        siteNames = snapshot.sites.names.view
        trusted = settings.trustedProxies.allocateView()
        isPublished = snapshot.isPublished
        responder = Responder(standard: shared.standard.view)
        wheel = TimerWheel(tickMilliseconds: EventLoop.tickMilliseconds, now: time.now)
        loop = try EventLoop(label: label)
        buffers.transport.pointee.selector = self
        offerHTTP2()
        self.listeners = listeners.map { ListenerRegistration($0, worker: self) }
        updateTime()
        counters.keep(sites: siteNames.count)
    }

    deinit {
        recycle()
        while let connection = spare {
            spare = connection.pointee.next
            connection.deinitialize(count: 1)
            connection.deallocate()
        }
        buffers.deallocate()
        if let streamBuffers { StreamBuffers.deallocate(streamBuffers) }
        date.deallocate()
        trusted.deallocate()
    }

    func start() {
        loop.start(client: self)
        loop.post { [self] in startListening() }
    }

    /// Serves another snapshot from now on; call it on the loop, or before `start`.
    ///
    /// Between two events nothing points into a snapshot: a connection retains its identity, whose names and `SSL_CTX`
    /// it uses, and the file whose body it has not written out yet.
    func use(_ snapshot: ServerSnapshot, _ settings: Settings) {
        if settings.trustedProxies != self.settings.trustedProxies { trust(settings.trustedProxies) }
        if snapshot.sites !== self.snapshot.sites { links.cache.removeAll() }
        let namesBefore = self.snapshot.sites.names
        self.snapshot = snapshot
        self.settings = settings
        offerHTTP2()
        sites = snapshot.sites.view
        siteNames = snapshot.sites.names.view
        isPublished = snapshot.isPublished
        guard snapshot.sites.names !== namesBefore else { return }
        // Counts of sites that are gone are not those of others which get their numbers.
        for number in snapshot.sites.names.freed(since: namesBefore) { counters.forget(site: number) }
        counters.keep(sites: siteNames.count)
    }

    /// Offers HTTP/2 in the handshakes to come, or no longer.
    private func offerHTTP2() {
        if streamBuffers == nil, let library = settings.http2 { streamBuffers = StreamBuffers.allocate(library) }
        buffers.transport.pointee.offersHTTP2 = settings.http2 != nil
    }

    /// Answers other challenges from now on; call it on the loop, or before `start`.
    func use(_ challenges: PendingChallenges) {
        self.challenges = challenges
        buffers.transport.pointee.hasChallenges = challenges.hasHandshakes
        requestChallenges = challenges.hasRequests ? Unmanaged.passUnretained(challenges) : nil
    }

    var forwarding: Forwarding { Forwarding(settings.forwardedHeader, trusted: trusted, fields: buffers.fields) }

    /// Believes other proxies, also on connections that are open.
    private func trust(_ proxies: CIDRSet) {
        trusted.deallocate()
        trusted = proxies.allocateView()
        var next = first
        while let connection = next {
            connection.pointee.origin.judge(trusted)
            next = connection.pointee.next
        }
    }

    /// Writes to another access log from now on; call it on the loop.
    func use(_ log: AccessLogBuffer?) {
        self.log?.flush()
        self.log = log
        logReference = log.map(Unmanaged.passUnretained)
        updateTime()
    }

    /// Adds the counts so far to those of other loops; call it on the loop.
    func add(to sum: inout LoopReport) {
        if let streamBuffers {
            for fault in StreamFault.allCases { counters.set(.http2Error(fault), to: streamBuffers.pointee[fault]) }
        }
        counters.add(to: &sum, connections: connectionCount, http2Connections: http2Connections)
    }

    func batchWillBegin() { updateTime() }

    func batchDidEnd() {
        if shared.held.total > settings.bufferedBytes { endLongestWaiting() }
        if closed != nil { recycle() }
    }

    private func updateTime() {
        // Only the access log wants to know how long an answer takes.
        time = BatchTime(isPrecise: log != nil)
        guard time.wallSeconds != dateSeconds else { return }
        dateSeconds = time.wallSeconds
        HTTPDate.write(dateSeconds, to: date)
        counters.begin(minute: dateSeconds / 60)
    }

    /// - Returns: a connection that is counted, listed and timed, but not yet watched.
    func makeConnection(
        _ descriptor: Int32, _ kind: ListenerKind, _ origin: ClientOrigin, _ limitKey: PeerKey?,
        _ transport: consuming Transport
    ) -> Pointer {
        let connection = spare ?? Pointer.allocate(capacity: 1)
        let isNew = spare == nil
        if !isNew { spare = connection.pointee.next }
        let made = Connection(
            handler: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque(), function: Self.connectionIsReady),
            timer: TimerNode(owner: connection), descriptor: descriptor, kind: kind, origin: origin,
            limitKey: limitKey,
            state: ConnectionState(
                kind.isPlain ? .plain : .tls, expectsProxyHeader: kind.expectsProxyHeader, acceptedAt: time.now),
            transport: transport)
        if isNew {
            connection.initialize(to: made)
        } else {
            connection.pointee = made
        }
        connection.pointee.next = first
        first?.pointee.previous = connection
        first = connection
        connectionCount += 1
        freed.note(connections: connectionCount)
        if loop.ticking == .off { loop.ticking = .steady }
        return connection
    }

    /// Closes the socket, and lets go of everything that the connection holds.
    func close(_ connection: Pointer, _ reason: CloseReason) {
        guard connection.pointee.descriptor >= 0 else { return }
        switch reason {
        case .timeout(let phase?): counters.count(.timeout(phase))
        case .notTLS: reportProxyHeader(connection)
        case .finished, .failed, .timeout, .forced, .proxyHeader, .refused: break
        }
        let closing = connection.pointee.state.close(reason)
        if let failure = closing.failure { counters.count(.handshakeFailed(failure)) }
        if let refusal = closing.refusal { recordRefusal(refusal, of: connection.pointee.origin.address) }
        // To close alone would not do while a child of the process has a copy.
        if connection.pointee.isWatched { loop.remove(connection.pointee.descriptor) }
        if closing.resets {
            Socket.reset(connection.pointee.descriptor)
        } else {
            Socket.close(connection.pointee.descriptor)
        }
        connection.pointee.descriptor = -1
        closeStreams(connection)
        connection.pointee.releaseAll()
        if connection.pointee.held > 0 { note(0, of: connection) }
        buffers.transport.pointee.inputCount = 0
        buffers.transport.pointee.outputCount = 0
        wheel.cancel(&connection.pointee.timer)
        shared.limits.release(connection.pointee.limitKey)
        drop(connection)
        // Now there is a descriptor again.
        if !isDraining { startListening() }
        stopTickingIfIdle()
        endDrainIfDone()
    }

    /// Takes a connection off the list; its memory is free when the batch has ended.
    private func drop(_ connection: Pointer) {
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

    func schedule(_ connection: Pointer) {
        guard connection.pointee.descriptor >= 0 else { return }
        // The wheel keeps the address: the memory of a connection stays where it is as long as the worker lives.
        wheel.schedule(&connection.pointee.timer, deadline: connection.pointee.state.deadline(settings.timeouts))
    }

    /// Milliseconds until a line of the access log is handed over.
    private static let longestWaitOfLines: Int64 = 1_000

    func tick() {
        while let node = wheel.nextDue(now: time.now) {
            expire(node.pointee.owner.assumingMemoryBound(to: Connection.self))
        }
        log?.flushIfOlder(than: Self.longestWaitOfLines, now: time.now)
        if isDraining { closeIdle() } else { startListening() }
        stopTickingIfIdle()
    }

    /// A loop sleeps without connections, unless a listener waits to be watched again, or lines to be handed over.
    private func stopTickingIfIdle() {
        if listeners.contains(where: \.isPaused) { return }
        var hasFreeMemory = freed.isMuch(connections: connectionCount, bytes: holding.bytes)
        if hasFreeMemory, shared.memoryReturns.begin() {
            freed.giveBack(connections: connectionCount, bytes: holding.bytes)
            hasFreeMemory = false
        }
        let isIdle = connectionCount == 0 && log?.isEmpty ?? true && !hasFreeMemory
        let ticking: EventLoop.Ticking = isIdle ? .off : .steady
        if loop.ticking != ticking { loop.ticking = ticking }
    }

    /// Takes no more connections, and closes those that have nothing to do.
    ///
    /// - Parameter whenDrained: is called once, when the last connection is closed and the loop has ended.
    func drain(_ whenDrained: @escaping @Sendable () -> Void) {
        guard !isDraining else { return }
        isDraining = true
        self.whenDrained = whenDrained
        endListening()
        closeIdle()
        endDrainIfDone()
    }

    /// Closes all connections, whatever they do.
    func forceClose() {
        while let connection = first { close(connection, .forced) }
    }

    private func closeIdle() {
        var next = first
        while let connection = next {
            next = connection.pointee.next
            drain(connection)
        }
    }

    private func endDrainIfDone() {
        guard isDraining, connectionCount == 0, let whenDrained else { return }
        self.whenDrained = nil
        log?.flush()
        shared.retired.add(self)
        loop.stop(whenDrained)
    }
}
