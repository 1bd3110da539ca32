package import AssociationConsole
package import Diagnostics
package import EventLoops
internal import HTTP1
package import SystemSupport

/// A listener for this machine only, over HTTP/1.1 in clear: the health, sites, decisions, metrics and console of a server, or
/// the console of files.
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
    /// Answers what the console does not; nil where files are shown.
    private var responder: AdminResponder?
    /// The path that a request has to be below, with a secret in it; nil where every client on this machine may ask.
    private let secretBase: String?
    private let console: ConsoleWork
    let received = UnsafeMutablePointer<UInt8>.allocate(capacity: AdminServer.headCapacity)
    private var connections: [Int32: AdminConnection] = [:]
    /// Closed in this batch: later events of it may still name them.
    private var closed: [AdminConnection] = []
    /// The time of the batch.
    private(set) var now = Clock.monotonicMilliseconds()

    /// Shows a server.
    ///
    /// - Parameters:
    ///   - listener: at a loopback address.
    ///   - timeouts: all but the one of handshakes and the one of draining are kept.
    package convenience init(
        listener: Listener, source: any AdminSource, limits: AdminLimits = AdminLimits(),
        timeouts: ServerConfiguration.Timeouts = AdminLimits.timeouts
    ) throws(SystemError) {
        try self.init(listener, AdminResponder(source), nil, ConsoleWork(source), limits, timeouts)
    }

    /// Shows files to the owner of a secret, whom clients without it cannot keep out.
    ///
    /// - Parameters:
    ///   - listener: at a loopback address.
    ///   - secretBase: the path that everything is below, with a slash at both ends; any other path is 404.
    ///   - rules: all rules, whose codes a request may name.
    ///   - version: the version of the program.
    package convenience init(
        listener: Listener, files: any ConsoleFiles, secretBase: String, rules: RuleCatalogue, version: String
    ) throws(SystemError) {
        let limits = AdminLimits()
        try self.init(
            listener, nil, secretBase,
            ConsoleWork(files, maxWaiting: limits.connections, rules: rules, version: version), limits,
            AdminLimits.personalTimeouts)
    }

    private init(
        _ listener: Listener, _ responder: AdminResponder?, _ secretBase: String?, _ console: ConsoleWork,
        _ limits: AdminLimits, _ timeouts: ServerConfiguration.Timeouts
    ) throws(SystemError) {
        self.listener = listener
        self.limits = limits
        self.timeouts = ConnectionTimeouts(timeouts)
        (self.responder, self.secretBase) = (responder, secretBase)
        self.console = console
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
            guard mayAccept else { return pauseListening() }
            switch listener.accept() {
            case .none: return
            // It is tried again at a tick.
            case .exhausted: return pauseListening()
            case .connection(let descriptor, _): begin(descriptor)
            }
        }
    }

    /// A level-triggered set would report again and again what is not accepted.
    private func pauseListening() {
        stopListening()
        updateTicking()
    }

    /// Whether there is room for a connection, or another one can be replaced.
    private var mayAccept: Bool {
        connections.count < limits.connections || connections.values.contains { !$0.hasSecret }
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
    /// must not keep the others out, nor the owner of the secret.
    private func makeRoom() {
        guard connections.count >= limits.connections else { return }
        let last = connections.values.filter { !$0.hasSecret }.min {
            if $0.isWorkedFor != $1.isWorkedFor { return $1.isWorkedFor }
            let (one, other) = ($0.state, $1.state)
            if one.isIdle != other.isIdle { return one.isIdle }
            return (one.since, $0.descriptor) < (other.since, $1.descriptor)
        }
        if let last { close(last) }
    }

    package func batchWillBegin() { updateClock() }

    package func batchDidEnd() { closed = [] }

    private func updateClock() { now = Clock.monotonicMilliseconds() }

    package func tick() {
        for connection in connections.values where !connection.isWorkedFor {
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

    /// Whether there is memory left for an answer that can be large.
    private var mayBeLarge: Bool { connections.values.reduce(0) { $0 + $1.unsent.count } < limits.unsentBytes }

    var isServer: Bool { responder != nil }
    var hasSecretBase: Bool { secretBase != nil }

    /// - Returns: `nil` if the target is not a path, or not below the secret one.
    func request(_ head: RequestHead, in bytes: Span<UInt8>) -> ConsoleRequest? {
        ConsoleRequest(head, in: bytes, below: secretBase ?? "/")
    }

    /// Whether the console answers a request, on a thread of its own.
    func isForConsole(_ request: ConsoleRequest) -> Bool { responder?.isForConsole(request) ?? true }

    /// The answer to any other request.
    ///
    /// - Parameter request: the same as the head; nil if its target is not a path, or not below the secret one.
    func answer(_ head: RequestHead, _ request: ConsoleRequest?) -> ConsoleAnswer {
        // It may take a while.
        defer { updateClock() }
        return responder?.answer(head, request, now: Clock.wallSeconds(), mayBeLarge: mayBeLarge)
            ?? .text(.notFound, "not found")
    }

    /// Has a request to the console answered on another thread, and calls back on the loop.
    func work(on request: ConsoleRequest, _ ticket: ConsoleWork.Ticket, for connection: AdminConnection) {
        let due = AdminConnection.Due(connection)
        guard mayBeLarge else {
            return connection.workIsDone(
                .busy("too many answers are waiting for clients to read them", retryAfter: 1))
        }
        console.submit(request, ticket) { [loop] answer in
            loop.post {
                guard due.connection.isOpen else { return }
                due.connection.workIsDone(answer)
            }
        }
    }

    func close(_ connection: AdminConnection) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        // Nothing more is worked on for a client that sees the end.
        connection.forget()
        _ = connection.state.close(.finished)
        // To close alone would not do while a child of the process has a copy.
        loop.remove(connection.descriptor)
        Socket.close(connection.descriptor)
        connections[connection.descriptor] = nil
        closed.append(connection)
        // Others may have waited for its place.
        listen()
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

    /// Those for a person with a browser.
    static var personalTimeouts: ServerConfiguration.Timeouts {
        var timeouts = ServerConfiguration.Timeouts()
        timeouts.header = 10
        timeouts.idle = 60
        timeouts.write = 10
        return timeouts
    }
}
