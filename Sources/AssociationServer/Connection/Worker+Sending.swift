internal import EventLoops
internal import OpenSSL

// The way back: `pending` → transport → socket, and what a connection holds until its peer has taken it.
extension Worker {
    /// Gives the transport what is pending. There is always room for it: what takes the room away flushes.
    func encryptPending(_ event: inout EventScratch) -> TransportState.Flow {
        let count = event.pendingCount
        guard count > 0 else { return .flowing }
        event.pendingCount = 0
        return write(buffers.pending, count, event) ? flushIfFull(event) : .failed
    }

    /// Goes on with a body that was too long.
    func writeBody(_ event: EventScratch) -> TransportState.Flow {
        let connection = event.connection
        guard connection.pointee.unwrittenFile != nil || connection.pointee.unwritten.count > 0 else { return .flowing }
        while let start = connection.pointee.unwritten.baseAddress, connection.pointee.unwritten.count > 0 {
            let rest = connection.pointee.unwritten
            let count = min(rest.count, LoopBuffers.pendingCapacity)
            guard write(start.assumingMemoryBound(to: UInt8.self), count, event) else { return .failed }
            connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: rest[count...])
            let flow = flushIfFull(event)
            guard case .flowing = flow else { return flow }
        }
        connection.pointee.releaseBody()
        return .flowing
    }

    private func write(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ event: EventScratch) -> Bool {
        var done = 0
        while done < count {
            let written = event.connection.pointee.transport.write(bytes + done, count: count - done)
            guard written > 0 else { return false }
            done += written
        }
        return true
    }

    func send(
        closeNotify: Bool, then next: TransportState.Next, _ event: inout EventScratch
    ) -> TransportState.Action {
        let connection = event.connection
        var flow = connection.pointee.state.transport.isParked ? .parked : encryptPending(&event)
        if case .flowing = flow {
            if closeNotify, connection.pointee.state.transport.takeCloseNotify() {
                connection.pointee.transport.sendCloseNotify()
            }
            flow = flush(event)
        }
        return connection.pointee.state.transport.sent(flow, then: next)
    }

    func flushIfFull(_ event: EventScratch) -> TransportState.Flow {
        buffers.transport.pointee.roomForOutput < TransportBuffers.roomForRecord ? flush(event) : .flowing
    }

    /// Sends the transport's output; what the socket does not take is held by the connection.
    func flush(_ event: EventScratch) -> TransportState.Flow {
        let transport = buffers.transport
        let count = transport.pointee.outputCount
        guard count > 0 else { return .flowing }
        transport.pointee.outputCount = 0
        let sent: Int
        switch Socket.send(event.connection.pointee.descriptor, transport.pointee.output, count: count) {
        case .bytes(let some):
            counters.count(.sentBytes, some)
            if some == count { return .flowing }
            sent = some
        case .wouldBlock: sent = 0
        case .endOfStream, .failed: return .failed
        }
        park(UnsafeBufferPointer(start: transport.pointee.output + sent, count: count - sent), event)
        return .parked
    }

    /// Keeps all that is needed to go on when the peer has taken these bytes; nothing is read from it until then.
    private func park(_ unsent: UnsafeBufferPointer<UInt8>, _ event: EventScratch) {
        let connection = event.connection
        guard let start = unsent.baseAddress else { return }
        connection.pointee.unsent.assign(start, count: unsent.count)
        if !connection.pointee.state.http.isLastAnswer {
            let transport = buffers.transport
            connection.pointee.unprocessed.assign(transport.pointee.input, count: transport.pointee.inputCount)
        }
        connection.pointee.state.transport.parked()
        connection.pointee.state.http.progressed(at: event.time.now)
        watch(connection, for: .writable)
        schedule(connection)
    }

    /// The socket takes bytes again.
    func resumeSending(_ connection: Pointer) {
        guard let bytes = connection.pointee.unsent.bytes else { return }
        switch Socket.send(connection.pointee.descriptor, bytes, count: connection.pointee.unsent.count) {
        case .bytes(let count):
            counters.count(.sentBytes, count)
            connection.pointee.unsent.dropFirst(count)
        case .wouldBlock: return
        case .endOfStream, .failed: return close(connection, .failed)
        }
        connection.pointee.state.http.progressed(at: time.now)
        guard connection.pointee.unsent.isEmpty else { return schedule(connection) }
        watch(connection, for: .receiving)
        var event = EventScratch(connection, time)
        event.isResumed = true
        begin(connection.pointee.unprocessed.move(into: buffers.received), event)
        perform(connection.pointee.state.transport.resumed(), &event)
        buffers.transport.pointee.inputCount = 0
    }

    private func watch(_ connection: Pointer, for interest: Readiness) {
        guard connection.pointee.interest != interest else { return }
        connection.pointee.interest = interest
        if connection.pointee.isWatched { loop.change(connection.pointee.descriptor, interest, connection) }
    }

    func linger(_ event: EventScratch) -> TransportState.Action {
        let connection = event.connection
        Socket.endSending(connection.pointee.descriptor)
        connection.pointee.transport = .closed
        connection.pointee.unprocessed.release()
        connection.pointee.state.transport.linger(at: event.time.now)
        return .wait
    }
}
