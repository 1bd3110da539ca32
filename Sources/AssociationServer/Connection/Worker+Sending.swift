internal import EventLoops
internal import HTTP1
internal import OpenSSL

// The way back: `pending` → transport → socket, and what a connection holds until its peer has taken it.
extension Worker {
    /// Makes sure that there is room for a head.
    func makeRoom(_ event: inout EventScratch) -> ConnectionState.Flow {
        guard event.pendingCount > 0 else { return .flowing }
        let longest =
            event.connection.pointee.kind.isPlain ? RedirectResponse.longest : PreparedResponse.longestHead
        let isTight = event.pendingCount + longest > LoopBuffers.pendingCapacity
        return isTight ? encryptPending(&event) : .flowing
    }

    /// Gives the transport what is pending. There is always room for it: what takes the room away flushes.
    @inline(__always)
    func encryptPending(_ event: inout EventScratch) -> ConnectionState.Flow {
        let count = event.pendingCount
        event.pendingCount = 0
        return count > 0 ? encrypt(buffers.pending, count, event) : .flowing
    }

    private func encrypt(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ event: EventScratch) -> ConnectionState.Flow {
        var done = 0
        while done < count {
            let written = event.connection.pointee.transport.write(bytes + done, count: count - done)
            guard written > 0 else { return .failed }
            done += written
        }
        return flushIfFull(event)
    }

    /// Writes the rest of a body that was too long.
    func continueAnswer(_ event: inout EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        var flow = encryptPending(&event)
        while case .flowing = flow, let start = connection.pointee.unwritten.baseAddress,
            connection.pointee.unwritten.count > 0
        {
            let rest = connection.pointee.unwritten
            let count = min(rest.count, LoopBuffers.pendingCapacity)
            connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: rest[count...])
            flow = encrypt(start.assumingMemoryBound(to: UInt8.self), count, event)
        }
        if case .flowing = flow { connection.pointee.releaseBody() }
        return connection.pointee.state.answerContinued(flow)
    }

    func send(
        closeNotify: Bool, then next: ConnectionState.Next, _ event: inout EventScratch
    ) -> ConnectionState.Action {
        let connection = event.connection
        var flow = encryptPending(&event)
        if case .flowing = flow {
            if closeNotify, connection.pointee.state.takeCloseNotify() {
                connection.pointee.transport.sendCloseNotify()
            }
            flow = flush(event)
        }
        return connection.pointee.state.sent(flow, then: next, at: event.time.now)
    }

    @inline(__always)
    func flushIfFull(_ event: EventScratch) -> ConnectionState.Flow {
        buffers.transport.pointee.roomForOutput < TransportBuffers.roomForRecord ? flush(event) : .flowing
    }

    /// Sends the transport's output; what the socket does not take is held by the connection.
    private func flush(_ event: EventScratch) -> ConnectionState.Flow {
        let connection = event.connection
        let transport = buffers.transport
        let count = transport.pointee.outputCount
        guard count > 0 else { return .flowing }
        transport.pointee.outputCount = 0
        let sent: Int
        switch Socket.send(connection.pointee.descriptor, transport.pointee.output, count: count) {
        case .bytes(let some):
            counters.count(.sentBytes, some)
            if some == count { return .flowing }
            sent = some
        case .wouldBlock: sent = 0
        case .endOfStream, .failed: return .failed
        }
        connection.pointee.unsent.assign(transport.pointee.output + sent, count: count - sent)
        connection.pointee.state.parked(at: event.time.now)
        watch(connection, for: .writable)
        return .parked
    }

    /// The socket takes bytes again.
    func resumeSending(_ event: inout EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        guard let bytes = connection.pointee.unsent.bytes else { return .ignore }
        switch Socket.send(connection.pointee.descriptor, bytes, count: connection.pointee.unsent.count) {
        case .bytes(let count):
            counters.count(.sentBytes, count)
            connection.pointee.unsent.dropFirst(count)
        case .wouldBlock: return .ignore
        case .endOfStream, .failed: return connection.pointee.state.interrupted(.failed)
        }
        if connection.pointee.unsent.isEmpty {
            watch(connection, for: .receiving)
            show(connection.pointee.unprocessed.move(into: buffers.received), event)
            event.isUnparsed = true
        }
        return connection.pointee.state.resumed(isAllSent: connection.pointee.unsent.isEmpty, at: event.time.now)
    }

    private func watch(_ connection: Pointer, for interest: Readiness) {
        guard connection.pointee.interest != interest else { return }
        connection.pointee.interest = interest
        if connection.pointee.isWatched { loop.change(connection.pointee.descriptor, interest, connection) }
    }

    func linger(_ event: EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        Socket.endSending(connection.pointee.descriptor)
        connection.pointee.transport = .closed
        closeStreams(connection)
        connection.pointee.unprocessed.release()
        return connection.pointee.state.linger(at: event.time.now)
    }
}
