internal import EventLoops
internal import HTTP1
internal import HTTP2
internal import OpenSSL

// The way of a request in HTTP/2: transport → `ServerSession` → `Responder` → the session → `pending` → transport. The
// session has the part of the parser and of the buffers that wait; what happens when is decided by `ConnectionState` as in
// HTTP/1.1.
extension Worker {
    /// Begins to speak HTTP/2, as the handshake has agreed.
    func openStreams(_ event: EventScratch) {
        guard let buffers = streamBuffers else { return }
        event.connection.pointee.streams = ServerSession(buffers, streams: settings.streams, at: event.time.now)
        if event.connection.pointee.streams != nil { http2Connections += 1 }
    }

    /// Ends the session, if there is one.
    func closeStreams(_ connection: Pointer) {
        guard connection.pointee.streams != nil else { return }
        connection.pointee.streams = nil
        http2Connections -= 1
    }

    /// Looks for the next request, and writes what there is to be written when all of them are answered.
    func readStreams(_ event: inout EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        if !connection.pointee.unread.isEmpty {
            event.requestsEnd = connection.pointee.unread.move(into: buffers.requests)
        }
        while true {
            if event.requestsCount > 0, let reading = receive(&event) { return connection.pointee.state.read(reading) }
            (event.requestsStart, event.requestsEnd) = (0, 0)
            guard buffers.transport.pointee.inputCount > 0 || connection.pointee.transport.hasPending else {
                return writeStreams(&event)
            }
            switch connection.pointee.transport.read(into: buffers.requests, count: LoopBuffers.requestsCapacity) {
            case .bytes(let count):
                event.requestsEnd = count
                let flow = flushIfFull(event)
                guard case .flowing = flow else { return interruptStreams(flow, event) }
            case .needsInput: return writeStreams(&event)
            case .needsOutput: return connection.pointee.state.read(.blocked)
            case .closed: return writeStreams(&event, isPeerFinished: true)
            case .failed: return connection.pointee.state.read(.failed)
            }
        }
    }

    /// Gives the session the bytes that were read.
    ///
    /// - Returns: `nil` if all are used up without a request.
    private func receive(_ event: inout EventScratch) -> ConnectionState.Reading? {
        let bytes = buffers.requests + event.requestsStart
        guard
            let (consumed, reading) = event.connection.pointee.streams?.receive(
                bytes, count: event.requestsCount, at: event.time.now)
        else { return .failed }
        event.requestsStart += consumed
        return switch reading {
        case .needsInput: nil
        case .request(let head): .request(head)
        case .refused(let status): .refused(status)
        }
    }

    func respondOnStream(to head: RequestHead, _ event: EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        guard let bytes = connection.pointee.streams?.head, let covered = connection.pointee.covered else {
            return refuseOnStream(.badRequest, event)
        }
        let answer = responder.answer(
            to: head, in: bytes.span, sites: sites, covered: covered, serverName: nil, scratch: buffers.host,
            now: event.time.wallSeconds, mustClose: false)
        switch answer {
        case .reply(let reply):
            record(reply, to: head, in: bytes, event)
            return answerOnStream(reply, event)
        case .links(let question): return respondOnStream(by: question, to: head, in: bytes, event)
        }
    }

    func refuseOnStream(_ status: Status, _ event: EventScratch) -> ConnectionState.Action {
        guard let bytes = event.connection.pointee.streams?.head else {
            return event.connection.pointee.state.read(.failed)
        }
        let reply = responder.refusal(status, of: bytes.span)
        record(reply, to: nil, in: bytes, event)
        return answerOnStream(reply, event)
    }

    private func answerOnStream(_ reply: Responder.Reply, _ event: EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        connection.pointee.streams?.answer(
            reply.response.message, sendsBody: reply.sendsBody, date: date,
            owner: reply.file.map { UnsafeRawPointer($0.toOpaque()) })
        return connection.pointee.state.streamAnswered(limit: settings.requestsPerConnection, at: event.time.now)
    }

    /// Carries out a step that is not the answer to a request. It may come between two requests that were received together.
    func perform(_ command: ServerSession.Command, _ event: inout EventScratch) -> ConnectionState.Action {
        event.connection.pointee.streams?.perform(command)
        guard !event.connection.pointee.state.isParked else { return interruptStreams(.parked, event) }
        return readStreams(&event)
    }

    /// Writes frames, as far as they flow; the last of them are left to be sent.
    private func writeStreams(_ event: inout EventScratch, isPeerFinished: Bool = false) -> ConnectionState.Action {
        let connection = event.connection
        while true {
            event.pendingCount +=
                connection.pointee.streams?.write(
                    to: buffers.pending + event.pendingCount, room: LoopBuffers.pendingCapacity - event.pendingCount)
                ?? 0
            guard connection.pointee.streams?.needsRoom == true else { break }
            let flow = encryptPending(&event)
            guard case .flowing = flow else { return interruptStreams(flow, event) }
        }
        connection.pointee.streams?.retainAnswers()
        if isPeerFinished { return connection.pointee.state.read(.closed) }
        guard connection.pointee.streams?.isDone == false else { return connection.pointee.state.read(.finished) }
        return connection.pointee.state.streamsWritten(
            hasPartialInput: connection.pointee.streams?.hasPartialInput ?? false,
            hasOpenAnswers: connection.pointee.streams?.openAnswers ?? 0 > 0,
            hasProgressed: connection.pointee.streams?.takeProgress() ?? false, at: event.time.now)
    }

    private func interruptStreams(_ flow: ConnectionState.Flow, _ event: EventScratch) -> ConnectionState.Action {
        event.connection.pointee.streams?.retainAnswers()
        return event.connection.pointee.state.interrupted(flow)
    }
}
