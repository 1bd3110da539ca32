internal import EventLoops
internal import OpenSSL
internal import ProxySupport
internal import SystemSupport

// How connections come in: listeners, limits, and the certificate that a client gets.
extension Worker {
    /// How many connections are accepted in a row; then those that are open have their turn.
    private static let acceptsPerTurn = 64
    /// At the end, as many as the system's backlog can hold; more come only in a flood.
    private static let acceptsAtEnd = 4_096

    func startListening() {
        for listener in listeners { listener.resume() }
    }

    fileprivate func accept(from listener: Listener) {
        for _ in 0..<Self.acceptsPerTurn {
            guard acceptOne(from: listener) else { return }
        }
    }

    /// - Returns: whether another one may wait.
    private func acceptOne(from listener: Listener) -> Bool {
        switch listener.accept() {
        case .none: return false
        case .exhausted(let error):
            pauseListening(error)
            return false
        case .connection(let descriptor, let peer):
            // On a Unix socket all clients would be one.
            let address = peer ?? IPAddress(ipv4: 0)
            let refusal = shared.limits.admit(
                address.key, connections: settings.connections,
                perAddress: peer == nil ? 0 : settings.connectionsPerAddress)
            if let refusal {
                counters.count(.refused(refusal))
                Socket.close(descriptor)
                let limit = refusal == .connections ? settings.connections : settings.connectionsPerAddress
                shared.reportRefusal(refusal, address, limit)
                return true
            }
            counters.count(.connections)
            open(descriptor, address)
            return true
        }
    }

    private func open(_ descriptor: Int32, _ address: IPAddress) {
        let transport: Transport
        do throws(OpenSSLError) {
            transport = .tls(try TLSSession(context: snapshot.identities.base, buffers: buffers.transport))
        } catch {
            counters.count(.refused(.exhausted))
            Socket.close(descriptor)
            shared.limits.release(address.key)
            return
        }
        let connection = makeConnection(descriptor, address, .tls, transport)
        // The hello is there already: accepting was deferred until it came.
        receive(connection)
        guard connection.pointee.descriptor >= 0 else { return }
        let handler = UnsafeMutableRawPointer(connection)
        connection.pointee.isWatched = loop.add(descriptor, connection.pointee.interest, handler)
        if !connection.pointee.isWatched { close(connection, .failed) }
    }

    /// Chooses a certificate, while a client hello is read.
    func context(
        forServerName serverName: UnsafeBufferPointer<UInt8>?, of connection: UnsafeMutableRawPointer?
    ) -> TLSContext? {
        guard let connection = connection?.assumingMemoryBound(to: Connection.self) else { return nil }
        let key = serverName.flatMap { HostKey($0, scratch: buffers.host) }
        guard let identity = snapshot.identities.identity(for: key) else {
            recordRefusedName(serverName, key, connection.pointee.address)
            return nil
        }
        guard let context = identity.context else { return nil }
        connection.pointee.identity?.release()
        connection.pointee.identity = Unmanaged.passRetained(identity)
        connection.pointee.serverName.release()
        if let key { connection.pointee.serverName.assign(key.bytes, count: key.count) }
        return context
    }

    private func recordRefusedName(_ name: UnsafeBufferPointer<UInt8>?, _ key: HostKey?, _ address: IPAddress) {
        guard refusedNames.passes(key?.hash ?? 0, now: time.now) else { return }
        shared.refusedNames.report(
            name.map { Array($0.prefix(HostKey.longest)) } ?? [], from: address, now: time.now)
    }

    /// Without descriptors: stops watching the listeners, which a level-triggered set would report again and again.
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
                guard let listener = registration.listener, acceptOne(from: listener) else { break }
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

    /// Whether it should be watched, and is not.
    var isPaused: Bool { listener != nil && !isWatched }

    private func isReady() {
        if let listener { worker.accept(from: listener) }
    }

    /// Of the loops that watch a listener, one is woken for a connection.
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
