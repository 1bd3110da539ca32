internal import DomainNames
package import EventLoops
internal import OpenSSL
internal import SystemSupport

// How connections come in: listeners, limits, and the certificate that a client gets.
extension Worker {
    /// The most connections that are accepted in a row; then those that are open have their turn.
    private static let acceptsPerTurn = 64
    /// At the end, as many as the system's backlog can hold; more come only in a flood.
    private static let acceptsAtEnd = 4_096

    func startListening() {
        for listener in listeners { listener.resume() }
    }

    fileprivate func accept(from listener: Listener, _ kind: ListenerKind) {
        for _ in 0..<Self.acceptsPerTurn {
            guard acceptOne(from: listener, kind) else { return }
        }
    }

    /// - Returns: whether another one may wait.
    private func acceptOne(from listener: Listener, _ kind: ListenerKind) -> Bool {
        switch listener.accept() {
        case .none: return false
        case .exhausted(let error):
            pauseListening(error)
            return false
        case .connection(let descriptor, let peer):
            let origin = ClientOrigin(peer: peer, trusted: trusted)
            // With a PROXY header its source counts, when that is known.
            let limitKey = kind.expectsProxyHeader ? nil : origin.limitKey
            if let refusal = refusal(of: origin, kind, limitKey) {
                recordRefusal(refusal, of: peer)
                Socket.close(descriptor)
                return true
            }
            counters.count(.connections)
            open(descriptor, kind, origin, limitKey)
            return true
        }
    }

    private func refusal(of origin: ClientOrigin, _ kind: ListenerKind, _ limitKey: PeerKey?) -> ConnectionRefusal? {
        if kind.expectsProxyHeader, !origin.isPeerTrusted { return .untrustedProxy }
        return shared.limits.admit(
            limitKey, connections: settings.connections, perAddress: settings.connectionsPerAddress)
    }

    /// - Parameter client: `nil` if all that is known is a Unix socket.
    func recordRefusal(_ refusal: ConnectionRefusal, of client: IPAddress?) {
        counters.count(.refused(refusal))
        let limit =
            switch refusal {
            case .connections: settings.connections
            case .bufferedBytes: settings.bufferedBytes
            case .perAddress, .exhausted, .untrustedProxy, .proxyHeader: settings.connectionsPerAddress
            }
        shared.reportRefusal(refusal, client, limit)
    }

    private func open(_ descriptor: Int32, _ kind: ListenerKind, _ origin: ClientOrigin, _ limitKey: PeerKey?) {
        let transport: Transport
        do throws(OpenSSLError) {
            transport =
                kind.isPlain
                ? .plain(PlainTransport(buffers.transport))
                : .tls(try TLSSession(context: snapshot.identities.base, buffers: buffers.transport))
        } catch {
            counters.count(.refused(.exhausted))
            Socket.close(descriptor)
            shared.limits.release(limitKey)
            return
        }
        let connection = makeConnection(descriptor, kind, origin, limitKey, transport)
        // The hello is there already: accepting was deferred until it came, or until the PROXY header did.
        receive(connection)
        guard connection.pointee.descriptor >= 0 else { return }
        let handler = UnsafeMutableRawPointer(connection)
        connection.pointee.isWatched = loop.add(descriptor, connection.pointee.interest, handler)
        if !connection.pointee.isWatched { close(connection, .failed) }
    }

    /// Takes what a PROXY header says of the client.
    ///
    /// - Returns: whether the client has no more connections than it may have.
    func announce(_ source: IPAddress?, of connection: Pointer) -> Bool {
        connection.pointee.origin.announce(source, trusted: trusted)
        guard let key = source?.key else { return true }
        guard shared.limits.assign(key, perAddress: settings.connectionsPerAddress) else { return false }
        connection.pointee.limitKey = key
        return true
    }

    /// Chooses a certificate, while a client hello is read.
    func context(
        forServerName serverName: UnsafeBufferPointer<UInt8>?, of connection: UnsafeMutableRawPointer?
    ) -> TLSContext? {
        guard let connection = connection?.assumingMemoryBound(to: Connection.self) else { return nil }
        let key = serverName.flatMap { HostKey($0, scratch: buffers.host) }
        guard let identity = snapshot.identities.identity(for: key) else {
            recordRefusedName(serverName, key, connection.pointee.origin.address)
            return nil
        }
        guard let context = identity.context else { return nil }
        // A second hello may come when the challenge of the first one is over.
        connection.pointee.isChallenge = false
        connection.pointee.identity?.release()
        connection.pointee.identity = Unmanaged.passRetained(identity)
        connection.pointee.serverName.release()
        if let key { connection.pointee.serverName.assign(key.bytes, count: key.count) }
        return context
    }

    /// Answers a challenge, while a client hello is read.
    func challenge(
        forServerName serverName: UnsafeBufferPointer<UInt8>, of connection: UnsafeMutableRawPointer?
    ) -> TLSChallenge? {
        guard let connection = connection?.assumingMemoryBound(to: Connection.self),
            let key = HostKey(serverName, scratch: buffers.host), let challenge = challenges.handshake(for: key)
        else { return nil }
        connection.pointee.isChallenge = true
        return challenge
    }

    private func recordRefusedName(_ name: UnsafeBufferPointer<UInt8>?, _ key: HostKey?, _ address: IPAddress?) {
        guard refusedNames.passes(key?.hash ?? 0, now: time.now) else { return }
        shared.refusedNames.report(
            name.map { Array($0.prefix(HostKey.longest)) } ?? [], from: address, now: time.now)
    }

    /// Stops watching the listeners while descriptors are missing: level-triggered, they would be reported again and
    /// again.
    private func pauseListening(_ error: SystemError) {
        for listener in listeners { listener.pause() }
        loop.ticking = .quick
        counters.count(.refused(.exhausted))
        shared.reportExhaustion(error)
    }

    /// Stops taking connections, after those that wait in the backlog.
    func endListening() {
        for registration in listeners {
            for _ in 0..<Self.acceptsAtEnd {
                guard let listener = registration.listener, acceptOne(from: listener, registration.kind) else { break }
            }
            registration.end()
        }
    }
}

/// A listener in the set of one loop.
final class ListenerRegistration {
    /// `nil` once the worker takes no more connections.
    private(set) var listener: Listener?
    let kind: ListenerKind
    private unowned(unsafe) let worker: Worker
    private let handler: UnsafeMutablePointer<EventHandler>
    private var isWatched = false

    init(_ listener: ServingListener, worker: Worker) {
        self.listener = listener.listener
        kind = listener.kind
        self.worker = worker
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, _ in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<ListenerRegistration>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.isReady() }
            })
    }

    deinit { handler.deallocate() }

    /// Whether the listener is in use but not watched.
    var isPaused: Bool { listener != nil && !isWatched }

    private func isReady() {
        if let listener { worker.accept(from: listener, kind) }
    }

    /// Watches the listener: one of the loops that do is woken for a connection.
    func resume() {
        guard !isWatched, let listener else { return }
        isWatched = worker.loop.add(listener.descriptor, .accepting, handler)
    }

    func pause() {
        guard isWatched, let listener else { return }
        worker.loop.remove(listener.descriptor)
        isWatched = false
    }

    /// The listener's socket is closed when the last loop has released it.
    func end() {
        pause()
        listener = nil
    }
}

/// The kind of a listener's connections.
package enum ListenerKind: Hashable, Sendable, BitwiseCopyable {
    /// TLS, in which HTTP is spoken.
    /// - Parameter proxyProtocol: Whether each connection has to begin with a PROXY header.
    case https(proxyProtocol: Bool)
    /// HTTP/1.1 as it is, from a proxy that terminates TLS.
    /// - Parameters:
    ///   - proxyProtocol: Whether each connection has to begin with a PROXY header.
    ///   - health: Whether `/healthz` and `/readyz` are answered, for load balancers.
    case plain(proxyProtocol: Bool, health: Bool)

    package var expectsProxyHeader: Bool {
        switch self {
        case .https(let proxyProtocol), .plain(let proxyProtocol, _): proxyProtocol
        }
    }

    /// Whether `/healthz` and `/readyz` are answered.
    package var answersHealth: Bool {
        switch self {
        case .https: false
        case .plain(_, let health): health
        }
    }

    /// Whether HTTP is spoken without TLS.
    package var isPlain: Bool {
        switch self {
        case .https: false
        case .plain: true
        }
    }
}

/// A listening socket, and what its connections are.
package struct ServingListener: Sendable {
    package let listener: Listener
    package let kind: ListenerKind

    package init(_ listener: Listener, _ kind: ListenerKind) {
        self.listener = listener
        self.kind = kind
    }
}
