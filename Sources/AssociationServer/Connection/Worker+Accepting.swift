internal import EventLoops
internal import OpenSSL
internal import SystemSupport

extension Worker {
    /// So many connections at a time; then those that are open have their turn.
    private static let acceptedAtOnce = 64
    /// At the end, as many as the system's backlog can hold; more come only in a flood.
    private static let acceptedAtEnd = 4_096

    func startListening() {
        for place in listeners { place.resume() }
    }

    func accept(from listener: Listener) {
        for _ in 0..<Self.acceptedAtOnce {
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
        case .connection(let descriptor, let address):
            let peer = address.key
            let refusal = shared.limits.admit(
                peer, connections: settings.connections, perAddress: settings.connectionsPerAddress)
            if let refusal {
                counters.count(.refused(refusal))
                Socket.close(descriptor)
                let limit = refusal == .connections ? settings.connections : settings.connectionsPerAddress
                shared.reportRefusal(refusal, address, limit)
                return true
            }
            counters.count(.connections)
            begin(descriptor, address)
            return true
        }
    }

    private func begin(_ descriptor: Int32, _ address: PeerAddress) {
        let session: TLSSession
        do throws(OpenSSLError) {
            session = try TLSSession(context: snapshot.identities.base, transport: transport)
        } catch {
            counters.count(.refused(.exhausted))
            Socket.close(descriptor)
            shared.limits.release(address.key)
            return
        }
        let connection = makeConnection(descriptor, address, session)
        // The hello is there already: accepting was deferred until it came.
        receive(connection)
        guard connection.pointee.descriptor >= 0 else { return }
        let handler = UnsafeMutableRawPointer(connection)
        connection.pointee.isWatched = loop.add(descriptor, connection.pointee.interest, handler)
        if !connection.pointee.isWatched { close(connection) }
    }

    /// The choice of a certificate, while a client hello is read.
    func context(forServerName serverName: UnsafeBufferPointer<UInt8>?) -> TLSContext? {
        let key = serverName.flatMap { HostKey($0, scratch: scratch) }
        guard let identity = snapshot.identities.identity(for: key) else {
            noteRefusedName(serverName, key)
            return nil
        }
        guard let context = identity.context else { return nil }
        chosen?.release()
        chosen = Unmanaged.passRetained(identity)
        chosenName.release()
        if let key { chosenName.hold(key.bytes, count: key.count) }
        return context
    }

    private func noteRefusedName(_ name: UnsafeBufferPointer<UInt8>?, _ key: HostKey?) {
        guard refusedNames.passes(key?.hash ?? 0, now: now) else { return }
        shared.refusedNames.tell(
            name.map { Array($0.prefix(HostKey.longest)) } ?? [], from: handshakingAddress, now: now)
    }

    // MARK: Without descriptors

    /// Stops watching the listeners: a level-triggered set would report them again and again.
    private func pauseListening(_ error: SystemError) {
        for place in listeners { place.pause() }
        loop.ticking = .quick
        counters.count(.refused(.exhausted))
        shared.reportExhaustion(error)
    }

    /// Stops taking connections, after those that wait in the backlog.
    func endListening() {
        for place in listeners {
            for _ in 0..<Self.acceptedAtEnd {
                guard let listener = place.listener, acceptOne(from: listener) else { break }
            }
            place.end()
        }
    }
}
