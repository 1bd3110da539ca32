internal import EventLoops
internal import HTTP1
internal import OpenSSL

extension Worker {
    /// Something happened to a connection.
    func handle(_ connection: Pointer, _ readiness: Readiness) {
        // Closed earlier in this batch.
        guard connection.pointee.descriptor >= 0 else { return }
        if readiness.hasFailed {
            close(connection)
        } else if readiness.isWritable {
            resumeSending(connection)
        } else if connection.pointee.unsent.isEmpty {
            // Otherwise it was parked in this batch, and is reported again when it is watched for input again.
            if readiness.isPeerFinished { connection.pointee.isPeerFinished = true }
            receive(connection)
        }
    }

    /// So many full reads in a row; then other connections have their turn.
    private static let readsAtOnce = 4

    /// Reads what there is, and does all that follows from it.
    ///
    /// The set reports a change once, so the socket has to be read until it is empty. A short read says that it is, but
    /// for the end of the stream.
    func receive(_ connection: Pointer) {
        for _ in 0..<Self.readsAtOnce {
            guard receiveOnce(connection) else { return }
        }
        // Watched anew, it is reported again.
        if connection.pointee.isWatched {
            loop.change(connection.pointee.descriptor, connection.pointee.interest, connection)
        }
    }

    /// - Returns: whether there may be more to receive.
    private func receiveOnce(_ connection: Pointer) -> Bool {
        switch Socket.receive(connection.pointee.descriptor, into: received, count: Self.receiveCapacity) {
        case .bytes(let count):
            take(connection, count)
            return connection.pointee.descriptor >= 0 && connection.pointee.unsent.isEmpty
                && (count == Self.receiveCapacity || connection.pointee.isPeerFinished)
        case .wouldBlock: schedule(connection)
        case .endOfStream: endOfStream(connection)
        case .failed: close(connection)
        }
        return false
    }

    private func take(_ connection: Pointer, _ count: Int) {
        if connection.pointee.state.phase == .lingering {
            if !connection.pointee.state.discard(count) { close(connection) }
            return
        }
        transport.pointee.input = UnsafePointer(received)
        transport.pointee.inputCount = count
        defer { transport.pointee.inputCount = 0 }
        if connection.pointee.state.phase == .handshake {
            guard greet(connection), shakeHands(connection) else { return }
        }
        serve(connection, isResumed: false)
    }

    // MARK: The handshake

    /// Looks at the first byte of a connection; `false` if it is not TLS.
    private func greet(_ connection: Pointer) -> Bool {
        if connection.pointee.isGreeted { return true }
        connection.pointee.isGreeted = true
        switch ConnectionState.greeting(received[0]) {
        case .tls: return true
        case .http:
            tellInClear(connection)
            return false
        case .other:
            connection.pointee.handshakeFailure = .notTLS
            close(connection)
            return false
        }
    }

    /// Goes on with the handshake; `true` when it is done.
    func shakeHands(_ connection: Pointer) -> Bool {
        handshakingAddress = connection.pointee.address
        while true {
            let progress = connection.pointee.session?.handshake() ?? .failed(.malformed)
            if let chosen {
                connection.pointee.identity?.release()
                connection.pointee.identity = chosen
                self.chosen = nil
                connection.pointee.serverName.release()
                connection.pointee.serverName = chosenName
                chosenName = HeldBytes()
            }
            switch progress {
            case .done:
                connection.pointee.covered = coverage(connection)
                noteHandshake(connection)
                connection.pointee.state.handshakeEnded(at: now)
                return true
            case .needsInput:
                if flush(connection) == .flowing { schedule(connection) }
                return false
            case .needsOutput:
                guard flush(connection) == .flowing else {
                    holdInput(connection)
                    return false
                }
            case .failed(let reason):
                connection.pointee.handshakeFailure = reason
                // The alert in the output says why.
                giveUp(connection)
                return false
            }
        }
    }

    private func coverage(_ connection: Pointer) -> HostTable.View? {
        guard let identity = connection.pointee.identity?.takeUnretainedValue() else { return nil }
        let presented = identity.context.flatMap { connection.pointee.session?.presentedCertificate(of: $0) }
        return identity.coverage(of: presented)
    }

    // MARK: Requests

    /// Answers all requests that the transport's input and the connection's unread bytes hold.
    ///
    /// - Parameter isResumed: whether there may be whole requests among the unread bytes, because their turn had not come.
    func serve(_ connection: Pointer, isResumed: Bool) {
        var have = connection.pointee.unread.take(into: heads)
        var judged = isResumed ? 0 : have
        while true {
            if RequestParser.mayDecide(UnsafeBufferPointer(start: heads, count: have), seen: judged) {
                guard answer(connection, &have) else { return }
            }
            judged = have
            guard transport.pointee.inputCount > 0 || connection.pointee.session?.hasPending == true else { break }
            // Reading can write, too (RFC 8446, section 4.6.3): the record must not need the room then.
            var flow = recordCount > 0 ? seal(connection) : .flowing
            if flow == .flowing {
                switch connection.pointee.session?.read(into: heads + have, count: Self.headCapacity - have) {
                case .bytes(let count)?:
                    have += count
                    flow = flushIfFull(connection)
                case .needsOutput?: flow = flush(connection)
                case .needsInput?: return settle(connection, have)
                case .closed?: return end(connection)
                case .failed?, nil: return giveUp(connection)
                }
            }
            if flow == .parked { holdAll(connection, from: 0, to: have) }
            if flow != .flowing { return }
        }
        settle(connection, have)
    }

    /// Keeps what has to wait until the peer has taken what is parked.
    private func holdAll(_ connection: Pointer, from start: Int, to end: Int) {
        connection.pointee.unread.hold(heads + start, count: end - start)
        holdInput(connection)
    }

    /// Answers the whole requests among the first `have` bytes, and moves what is left to the front.
    ///
    /// - Returns: `false` if the connection has to wait, or is closing: then all is arranged.
    private func answer(_ connection: Pointer, _ have: inout Int) -> Bool {
        var start = 0
        while true {
            var flow = makeRoom(connection)
            if flow == .flowing {
                let reply: Responder.Reply
                let waiting = UnsafeBufferPointer(start: heads + start, count: have - start)
                let bytes = waiting.span
                switch connection.pointee.state.next(bytes) {
                case .wait:
                    if start > 0 { heads.update(from: heads + start, count: have - start) }
                    have -= start
                    return true
                case .refuse(let status):
                    reply = responder.refusal(status, of: bytes)
                    note(reply, to: nil, in: waiting, connection)
                case .answer(let head):
                    reply = self.reply(connection, to: head, in: bytes)
                    note(reply, to: head, in: waiting, connection)
                    start += Int(head.count)
                }
                flow = give(reply, to: connection)
                if reply.closes {
                    if flow == .flowing { finish(connection) }
                    return false
                }
            }
            if flow == .flowing { continue }
            if flow == .parked { holdAll(connection, from: start, to: have) }
            return false
        }
    }

    @inline(__always)
    private func reply(_ connection: Pointer, to head: RequestHead, in bytes: Span<UInt8>) -> Responder.Reply {
        guard let covered = connection.pointee.covered else { return responder.refusal(.badRequest, of: bytes) }
        let served = connection.pointee.state.requests
        let mustClose =
            isDraining || settings.requestsPerConnection > 0 && served &+ 1 >= settings.requestsPerConnection
        guard head.host.count == 0 else {
            return responder.reply(
                to: head, in: bytes, sites: sites, covered: covered, serverName: nil, scratch: scratch,
                now: wallSeconds, mustClose: mustClose)
        }
        let named = UnsafeBufferPointer(
            start: connection.pointee.serverName.bytes, count: connection.pointee.serverName.count)
        let name = named.isEmpty ? settings.defaultSite : Array(named)
        return name.withUnsafeBufferPointer {
            responder.reply(
                to: head, in: bytes, sites: sites, covered: covered, serverName: HostKey($0, scratch: scratch),
                scratch: scratch, now: wallSeconds, mustClose: mustClose)
        }
    }

    /// Sends what there is to send, and keeps what is left of the input.
    private func settle(_ connection: Pointer, _ have: Int) {
        var flow = recordCount > 0 ? seal(connection) : .flowing
        if flow == .flowing { flow = flush(connection) }
        if flow == .closed { return }
        if have > 0 { connection.pointee.unread.hold(heads, count: have) }
        guard flow == .flowing else { return }
        connection.pointee.state.settled(hasPartialHead: have > 0, at: now)
        schedule(connection)
    }
}
