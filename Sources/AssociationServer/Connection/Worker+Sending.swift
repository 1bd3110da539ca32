internal import EventLoops
internal import HTTP1
internal import OpenSSL

// The way out: answers are written into `record`; `seal` encrypts it into the transport's output; `flush` sends that.
// What the socket does not take is held by the connection, and nothing more is written until it is taken.
extension Worker {
    /// Makes sure that the record has room for a head.
    func makeRoom(_ connection: Pointer) -> Flow {
        recordCount + PreparedResponse.longestHead > Self.recordCapacity ? seal(connection) : .flowing
    }

    /// Writes an answer, behind those that wait in the record already.
    func give(_ reply: Responder.Reply, to connection: Pointer) -> Flow {
        connection.pointee.state.answered(isLast: reply.closes)
        recordCount += reply.response.writeHead(to: record + recordCount, date: date, connection: reply.connection)
        guard reply.sendsBody, reply.response.bodyCount > 0 else { return .flowing }
        let body = reply.response.body
        let fitting = min(body.count, Self.recordCapacity - recordCount)
        UnsafeMutableRawBufferPointer(start: record + recordCount, count: fitting)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[..<fitting]))
        recordCount += fitting
        if fitting == body.count { return .flowing }
        connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: body[fitting...])
        connection.pointee.unwrittenFile = reply.file?.retain()
        let flow = seal(connection)
        return flow == .flowing ? writeRest(connection) : flow
    }

    /// Encrypts the record. There is always room for it in the output: what takes the room away flushes.
    func seal(_ connection: Pointer) -> Flow {
        let count = recordCount
        recordCount = 0
        return encrypt(connection, record, count) ? flushIfFull(connection) : .closed
    }

    /// Goes on with a body that was too long for its record.
    private func writeRest(_ connection: Pointer) -> Flow {
        while let start = connection.pointee.unwritten.baseAddress, connection.pointee.unwritten.count > 0 {
            let rest = connection.pointee.unwritten
            let count = min(rest.count, Self.recordCapacity)
            guard encrypt(connection, start.assumingMemoryBound(to: UInt8.self), count) else { return .closed }
            connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: rest[count...])
            let flow = flushIfFull(connection)
            if flow != .flowing { return flow }
        }
        connection.pointee.unwritten = UnsafeRawBufferPointer(start: nil, count: 0)
        connection.pointee.unwrittenFile?.release()
        connection.pointee.unwrittenFile = nil
        return .flowing
    }

    /// - Returns: `false` if that failed; then the connection is closed.
    private func encrypt(_ connection: Pointer, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var done = 0
        while done < count {
            let written = connection.pointee.session?.write(bytes + done, count: count - done) ?? 0
            guard written > 0 else {
                close(connection)
                return false
            }
            done += written
        }
        return true
    }

    func flushIfFull(_ connection: Pointer) -> Flow {
        transport.pointee.roomForOutput < TLSTransport.roomForRecord ? flush(connection) : .flowing
    }

    /// Sends the output.
    func flush(_ connection: Pointer) -> Flow {
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
        case .endOfStream, .failed:
            close(connection)
            return .closed
        }
        connection.pointee.unsent.hold(transport.pointee.output + sent, count: count - sent)
        connection.pointee.state.parked(at: now)
        // Nothing is read from a peer that does not take its answers.
        watch(connection, for: .writable)
        schedule(connection)
        return .parked
    }

    /// The socket takes bytes again.
    func resumeSending(_ connection: Pointer) {
        guard let bytes = connection.pointee.unsent.bytes else { return }
        switch Socket.send(connection.pointee.descriptor, bytes, count: connection.pointee.unsent.count) {
        case .bytes(let count):
            counters.count(.sentBytes, count)
            connection.pointee.unsent.dropFirst(count)
        case .wouldBlock: return
        case .endOfStream, .failed: return close(connection)
        }
        connection.pointee.state.progressed(at: now)
        guard connection.pointee.unsent.isEmpty else { return schedule(connection) }
        watch(connection, for: .receiving)
        transport.pointee.input = UnsafePointer(received)
        transport.pointee.inputCount = connection.pointee.undecrypted.take(into: received)
        defer { transport.pointee.inputCount = 0 }
        if connection.pointee.state.phase == .handshake {
            if shakeHands(connection) { serve(connection, isResumed: true) }
            return
        }
        guard writeRest(connection) == .flowing else { return holdInput(connection) }
        if connection.pointee.state.isLastAnswer { return finish(connection) }
        serve(connection, isResumed: true)
    }

    /// Keeps the received bytes that TLS has not looked at.
    func holdInput(_ connection: Pointer) {
        guard connection.pointee.descriptor >= 0 else { return }
        connection.pointee.undecrypted.hold(transport.pointee.input, count: transport.pointee.inputCount)
    }

    func watch(_ connection: Pointer, for interest: Readiness) {
        guard connection.pointee.interest != interest else { return }
        connection.pointee.interest = interest
        if connection.pointee.isWatched { loop.change(connection.pointee.descriptor, interest, connection) }
    }
}
