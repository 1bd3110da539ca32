internal import EventLoops
internal import HTTP1
internal import OpenSSL

extension Worker {
    // MARK: How a connection ends

    /// After the last answer: says so, and reads on for a while, because a reset would overtake the answer.
    func finish(_ connection: Pointer) {
        if recordCount > 0, seal(connection) != .flowing { return }
        sayGoodbye(connection)
        if flush(connection) == .flowing { linger(connection) }
    }

    /// The peer has said `close_notify`.
    func end(_ connection: Pointer) {
        connection.pointee.state.peerEnded()
        if recordCount > 0, seal(connection) != .flowing { return }
        // Nobody would read an answer to it when the stream has ended too.
        if !connection.pointee.isPeerFinished { sayGoodbye(connection) }
        if flush(connection) == .flowing { close(connection) }
    }

    /// Writes `close_notify`, once: a second call of libssl would read.
    private func sayGoodbye(_ connection: Pointer) {
        guard !connection.pointee.hasSaidGoodbye else { return }
        connection.pointee.hasSaidGoodbye = true
        connection.pointee.session?.close()
    }

    /// The peer's stream has ended, without a word in TLS.
    func endOfStream(_ connection: Pointer) {
        switch connection.pointee.state.phase {
        case .handshake, .lingering, .closed: break
        case .head, .idle, .sending:
            connection.pointee.state.peerEnded()
            sayGoodbye(connection)
            if flush(connection) != .flowing { return }
        }
        close(connection)
    }

    /// TLS has failed: sends what can still be sent.
    func giveUp(_ connection: Pointer) {
        if recordCount > 0 { _ = seal(connection) }
        if connection.pointee.descriptor >= 0, connection.pointee.unsent.isEmpty { _ = flush(connection) }
        close(connection)
    }

    /// Answers a client that speaks HTTP on the TLS port, in its language.
    func tellInClear(_ connection: Pointer) {
        counters.count(.handshakeFailed(.http))
        let response = responder.standard.speaksHTTPS
        var count = response.writeHead(to: record, date: date, connection: .close)
        UnsafeMutableRawBufferPointer(start: record + count, count: response.bodyCount).copyMemory(from: response.body)
        count += response.bodyCount
        if case .bytes(let sent) = Socket.send(connection.pointee.descriptor, record, count: count) {
            counters.count(.sentBytes, sent)
        }
        linger(connection)
    }

    private func linger(_ connection: Pointer) {
        Socket.endSending(connection.pointee.descriptor)
        connection.pointee.session = nil
        connection.pointee.undecrypted.release()
        connection.pointee.state.linger(from: now)
        schedule(connection)
    }

    /// Lets go of all that a connection holds.
    ///
    /// One whose peer does not take what was sent is reset: that would stay in the system otherwise, uncounted.
    func close(_ connection: Pointer, isStuck: Bool = false) {
        guard connection.pointee.descriptor >= 0 else { return }
        // To close alone would not do while a child of the process has a copy.
        if connection.pointee.isWatched { loop.remove(connection.pointee.descriptor) }
        if isStuck {
            Socket.reset(connection.pointee.descriptor)
        } else {
            Socket.close(connection.pointee.descriptor)
        }
        connection.pointee.descriptor = -1
        if connection.pointee.state.phase == .handshake {
            counters.count(.handshakeFailed(connection.pointee.handshakeFailure))
        }
        connection.pointee.state.close()
        connection.pointee.session = nil
        connection.pointee.identity?.release()
        connection.pointee.identity = nil
        connection.pointee.covered = nil
        connection.pointee.serverName.release()
        connection.pointee.unread.release()
        connection.pointee.undecrypted.release()
        connection.pointee.unsent.release()
        connection.pointee.unwrittenFile?.release()
        connection.pointee.unwrittenFile = nil
        wheel.cancel(timer(of: connection))
        shared.limits.release(connection.pointee.address.key)
        dropConnection(connection)
        recordCount = 0
        transport.pointee.inputCount = 0
        transport.pointee.outputCount = 0
        // Now there is a descriptor again.
        if !isDraining { startListening() }
        stopTickingIfIdle()
        endDrainIfDone()
    }

    // MARK: Time

    func schedule(_ connection: Pointer) {
        wheel.schedule(timer(of: connection), deadline: connection.pointee.state.deadline(settings.timeouts))
    }

    private func timer(of connection: Pointer) -> UnsafeMutablePointer<TimerNode> {
        // The memory of a connection stays where it is as long as the worker lives.
        withUnsafeMutablePointer(to: &connection.pointee.timer) { $0 }
    }

    /// Milliseconds until a line of the access log is handed over.
    private static let longestWaitOfLines: Int64 = 1_000

    func tick() {
        while let node = wheel.nextDue(now: now) {
            let connection = node.pointee.owner.assumingMemoryBound(to: Connection.self)
            let expiry = connection.pointee.state.expiry(at: now, settings.timeouts)
            if case .notBefore(let deadline) = expiry {
                wheel.schedule(node, deadline: deadline)
            } else {
                expire(connection, expiry)
            }
        }
        log?.flushIfOlder(than: Self.longestWaitOfLines, now: now)
        if isDraining { closeIdle() } else { startListening() }
        stopTickingIfIdle()
    }

    private func expire(_ connection: Pointer, _ expiry: ConnectionState.Expiry) {
        switch connection.pointee.state.phase {
        case .handshake:
            connection.pointee.handshakeFailure = .timeout
            counters.count(.timeout(.handshake))
        case .head: counters.count(.timeout(.header))
        case .idle: counters.count(.timeout(.idle))
        case .sending: counters.count(.timeout(.write))
        case .lingering, .closed: break
        }
        // Where something is parked nothing can follow.
        let isStuck = !connection.pointee.unsent.isEmpty
        guard expiry == .requestTimeout, !isStuck else { return close(connection, isStuck: isStuck) }
        let unread = UnsafeBufferPointer(
            start: connection.pointee.unread.bytes, count: connection.pointee.unread.count)
        let reply = responder.refusal(.requestTimeout, of: unread.span)
        note(reply, to: nil, in: unread, connection)
        if give(reply, to: connection) == .flowing { finish(connection) }
    }

    /// So many at a time leave memory behind that is worth to be given back to the system when all have gone.
    private static let manyConnections = 64

    /// A loop sleeps without connections, unless a listener waits to be watched again, or lines to be handed over.
    private func stopTickingIfIdle() {
        if listeners.contains(where: \.isPaused) { return }
        let isIdle = connectionCount == 0 && log?.isEmpty ?? true
        let ticking: EventLoop.Ticking = isIdle ? .off : .steady
        if loop.ticking != ticking { loop.ticking = ticking }
        if connectionCount == 0, mostConnections >= Self.manyConnections {
            mostConnections = 0
            shared.giveBackMemory()
        }
    }

    // MARK: The end of all

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
    func cut() {
        while let connection = first { close(connection, isStuck: !connection.pointee.unsent.isEmpty) }
    }

    private func closeIdle() {
        var next = first
        while let connection = next {
            next = connection.pointee.next
            // A request may have come since the last look.
            if connection.pointee.state.phase == .idle, connection.pointee.unsent.isEmpty { receive(connection) }
            guard connection.pointee.descriptor >= 0 else { continue }
            // Half a record is a part of a request, too.
            let hasPartialHead =
                !connection.pointee.unread.isEmpty || connection.pointee.session?.hasPending == true
            guard connection.pointee.state.mayCloseForDrain(at: now, hasPartialHead: hasPartialHead) else { continue }
            sayGoodbye(connection)
            giveUp(connection)
        }
    }

    private func endDrainIfDone() {
        guard isDraining, connectionCount == 0, let whenDrained else { return }
        self.whenDrained = nil
        log?.flush()
        shared.ended.add(report())
        loop.stop(whenDrained)
    }
}
