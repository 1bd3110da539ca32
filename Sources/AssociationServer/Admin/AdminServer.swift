package import EventLoops
internal import HTTP1
package import SystemSupport

/// The admin listener: health, sites, decisions and metrics, over HTTP/1.1 in clear, for this machine only.
///
/// It has an event loop of its own, which may wait for the others and take its time for a large answer. After `start`
/// everything happens on that loop.
package final class AdminServer: EventLoopClient, @unchecked Sendable {
    /// Room for a head that is too long.
    static let headCapacity = RequestParser.longestHead + 64
    private static let acceptedAtOnce = 64

    let loop: EventLoop
    private var listener: Listener?
    private let listenerHandler: UnsafeMutablePointer<EventHandler>
    private var isListening = false
    private var isStopping = false
    private let limits: AdminLimits
    private let timeouts: ConnectionTimeouts
    private var responder: AdminResponder
    let received = UnsafeMutablePointer<UInt8>.allocate(capacity: AdminServer.headCapacity)
    private var connections: [Int32: AdminConnection] = [:]
    /// Closed in this batch: later events of it may still name them.
    private var closed: [AdminConnection] = []
    /// The time of the batch.
    private(set) var now = Clock.monotonicMilliseconds()

    /// - Parameters:
    ///   - listener: at a loopback address.
    ///   - timeouts: all but the one of handshakes and the one of draining are kept.
    package init(
        listener: Listener, source: any AdminSource, limits: AdminLimits = AdminLimits(),
        timeouts: ServerConfiguration.Timeouts = AdminLimits.timeouts
    ) throws(SystemError) {
        self.listener = listener
        self.limits = limits
        self.timeouts = ConnectionTimeouts(timeouts)
        responder = AdminResponder(source)
        listenerHandler = .allocate(capacity: 1)
        loop = try EventLoop(label: "aasa.admin")
        listenerHandler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, _ in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<AdminServer>.fromOpaque(owner).takeUnretainedValue().accept()
            })
    }

    deinit {
        listenerHandler.deallocate()
        received.deallocate()
    }

    /// Begins to answer. Call it once.
    package func start() {
        loop.start(client: self)
        loop.post { [self] in listen() }
    }

    /// Closes the listener and all connections, whatever they do. Call it after `start`.
    ///
    /// - Parameter whenStopped: is called once, when the loop has ended.
    package func stop(_ whenStopped: @escaping @Sendable () -> Void = {}) {
        loop.post { [self] in
            guard !isStopping else { return }
            isStopping = true
            stopListening()
            listener = nil
            for connection in connections.values { close(connection) }
            loop.ticking = .off
            loop.stop(whenStopped)
        }
    }

    private func listen() {
        guard !isListening, let listener else { return }
        isListening = loop.add(listener.descriptor, .readable, listenerHandler)
    }

    private func stopListening() {
        guard isListening, let listener else { return }
        loop.remove(listener.descriptor)
        isListening = false
    }

    private func accept() {
        for _ in 0..<Self.acceptedAtOnce {
            guard let listener else { return }
            switch listener.accept() {
            case .none: return
            case .exhausted:
                // A level-triggered set would report it again and again; it is tried again at a tick.
                stopListening()
                return updateTicking()
            case .connection(let descriptor, _): begin(descriptor)
            }
        }
    }

    private func begin(_ descriptor: Int32) {
        makeRoom()
        let connection = AdminConnection(descriptor, server: self, now: now)
        guard loop.add(descriptor, .readable, connection.handler) else { return Socket.close(descriptor) }
        connections[descriptor] = connection
        updateTicking()
        // Accepting was deferred until the request came: it is answered before another connection can replace it.
        connection.receive()
    }

    /// Closes the connection that has been idle, or else without progress, for longest: a client with many connections
    /// must not keep the others out.
    private func makeRoom() {
        guard connections.count >= limits.connections else { return }
        let last = connections.values.min {
            let (one, other) = ($0.state, $1.state)
            if one.isIdle != other.isIdle { return one.isIdle }
            return one.since < other.since
        }
        if let last { close(last) }
    }

    package func batchWillBegin() { updateClock() }

    package func batchDidEnd() { closed = [] }

    private func updateClock() { now = Clock.monotonicMilliseconds() }

    package func tick() {
        for connection in connections.values {
            switch connection.state.timerFired(at: now, timeouts) {
            case .refuse(let status): connection.refuse(status)
            case .close: close(connection)
            default: continue
            }
        }
        listen()
        updateTicking()
    }

    /// The loop sleeps while there are no connections.
    private func updateTicking() {
        let ticking: EventLoop.Ticking = listener != nil && !isListening ? .quick : connections.isEmpty ? .off : .steady
        if loop.ticking != ticking { loop.ticking = ticking }
    }

    func answer(_ head: RequestHead, in bytes: Span<UInt8>) -> AdminAnswer {
        let unsent = connections.values.reduce(0) { $0 + $1.unsent.count }
        // It may take a while.
        defer { updateClock() }
        return responder.answer(
            head, in: bytes, now: Clock.wallSeconds(), mayBeLarge: unsent < limits.unsentBytes)
    }

    func close(_ connection: AdminConnection) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        _ = connection.state.close(.finished)
        // To close alone would not do while a child of the process has a copy.
        loop.remove(connection.descriptor)
        Socket.close(connection.descriptor)
        connections[connection.descriptor] = nil
        closed.append(connection)
        connection.unread = []
        connection.unsent = []
        updateTicking()
    }
}

/// The limits on clients of the admin listener.
package struct AdminLimits: Equatable, Sendable {
    /// One more replaces another.
    package var connections = 64
    /// Once so many bytes wait for clients to read them, no answer is made that can be large.
    package var unsentBytes = 64 << 20

    package init() {}

    /// Shorter than those of other listeners: clients are on this machine, and ask at once.
    package static var timeouts: ServerConfiguration.Timeouts {
        var timeouts = ServerConfiguration.Timeouts()
        timeouts.header = 5
        timeouts.idle = 5
        return timeouts
    }
}

/// One client of the admin listener.
///
/// What was received waits in `unread` for its turn; one answer a turn is made and sent; what the socket does not take waits
/// in `unsent`, and meanwhile nothing is read.
final class AdminConnection {
    let descriptor: Int32
    /// Registered with the loop; it must stay until the batch in which the connection is closed has ended.
    let handler: UnsafeMutablePointer<EventHandler>
    private unowned(unsafe) let server: AdminServer

    var state: ConnectionState
    /// Received, and not yet answered.
    var unread: [UInt8] = []
    /// The rest of an answer, which the socket has not taken yet.
    var unsent: ArraySlice<UInt8> = []
    var isOpen = true
    /// Whether the socket is watched for room instead of input.
    private var isParked = false
    /// Whether there is input that is processed after the other connections had their turn.
    private var isDue = false

    init(_ descriptor: Int32, server: AdminServer, now: Int64) {
        self.descriptor = descriptor
        self.server = server
        state = ConnectionState(.plain, acceptedAt: now)
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, flags in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<AdminConnection>.fromOpaque(owner).takeUnretainedValue().handle(Readiness(bits: flags))
            })
    }

    deinit { handler.deallocate() }

    private func handle(_ readiness: Readiness) {
        // Closed earlier in this batch.
        guard isOpen else { return }
        if readiness.hasFailed {
            server.close(self)
        } else if isParked {
            send()
        } else if !isDue {
            receive()
        }
    }

    func receive() {
        switch Socket.receive(descriptor, into: server.received, count: AdminServer.headCapacity - unread.count) {
        case .bytes(let count):
            switch state.received(count, first: server.received[0]) {
            case .read:
                unread += UnsafeBufferPointer(start: server.received, count: count)
                answerNext()
            case .close: server.close(self)
            default: return
            }
        case .wouldBlock: return
        // Whole requests are answered before more is read, so none is lost.
        case .endOfStream, .failed: server.close(self)
        }
    }

    /// Answers one request, if a whole one is there.
    private func answerNext() {
        switch RequestParser.parse(unread.span) {
        case .incomplete: finish()
        case .refused(let status): refuse(status)
        case .request(let head):
            let answer = server.answer(head, in: unread.span)
            unread.removeFirst(Int(head.count))
            let closes = head.announcesBody || answer.status == .badRequest || head.persistence == .no
            let field: PreparedResponse.ConnectionField =
                closes ? .close : head.persistence == .asked ? .keepAlive : .none
            send(answer, field, sendsBody: head.method != .head)
        }
    }

    private func finish() {
        _ = state.sent(.flowing, then: .finish(hasPartialHead: !unread.isEmpty), at: server.now)
    }

    /// Answers bytes that are not a request, or that do not become one, and closes.
    func refuse(_ status: Status) {
        send(AdminResponder.refusal(status), .close, sendsBody: !RequestParser.isHead(unread.span))
    }

    private func send(_ answer: AdminAnswer, _ field: PreparedResponse.ConnectionField, sendsBody: Bool) {
        _ = state.answered(isLast: field == .close, isWhole: true)
        unsent = answer.bytes(field, sendsBody: sendsBody, now: Clock.wallSeconds())[...]
        send()
    }

    private func send() {
        while !unsent.isEmpty {
            let outcome = unsent.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Socket.send(descriptor, $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count):
                unsent = unsent.dropFirst(count)
                state.progressed(at: server.now)
            case .wouldBlock: return park()
            case .endOfStream, .failed: return server.close(self)
            }
        }
        unsent = []
        if isParked {
            isParked = false
            server.loop.change(descriptor, .readable, handler)
        }
        if state.isLastAnswer { return linger() }
        finish()
        if !unread.isEmpty { answerLater() }
    }

    /// The peer has to read some first.
    private func park() {
        guard !isParked else { return }
        isParked = true
        state.progressed(at: server.now)
        server.loop.change(descriptor, .writable, handler)
    }

    /// A client that sends many requests at once does not keep others waiting for all of them.
    private func answerLater() {
        isDue = true
        let due = Due(self)
        server.loop.post {
            guard due.connection.isOpen else { return }
            due.connection.isDue = false
            due.connection.answerNext()
        }
    }

    /// Reads on for a while, because a reset would overtake the last answer.
    private func linger() {
        unread = []
        Socket.endSending(descriptor)
        _ = state.linger(at: server.now)
    }

    /// Takes a connection to a later turn on the same loop.
    private struct Due: @unchecked Sendable {
        let connection: AdminConnection

        init(_ connection: AdminConnection) { self.connection = connection }
    }
}
