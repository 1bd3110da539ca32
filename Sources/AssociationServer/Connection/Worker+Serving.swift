internal import EventLoops
internal import HTTP1
internal import OpenSSL

// The way of a request: an event of its connection → bytes from the socket → transport → protocol → `Responder` →
// `pending` → transport → socket. `TransportState` and `HTTPConnection` say what to do next; here it is done.
extension Worker {
    /// How many full reads there are in a row; then other connections have their turn.
    private static let readsPerTurn = 4

    /// Something happened to a connection.
    func handle(_ connection: Pointer, _ readiness: Readiness) {
        let action = connection.pointee.state.transport.ready(
            hasFailed: readiness.hasFailed, isWritable: readiness.isWritable,
            isPeerFinished: readiness.isPeerFinished)
        switch action {
        case .receive: receive(connection)
        case .resumeSending: resumeSending(connection)
        case .ignore: break
        case .close(let reason): close(connection, reason)
        }
    }

    /// Reads what there is, and does everything that follows from it.
    func receive(_ connection: Pointer) {
        var event = EventScratch(connection, time)
        for _ in 0..<Self.readsPerTurn {
            let capacity = LoopBuffers.receivedCapacity
            switch Socket.receive(connection.pointee.descriptor, into: buffers.received, count: capacity) {
            case .bytes(let count):
                process(count, &event)
                guard connection.pointee.state.transport.mayReceiveMore(wasFull: count == capacity) else { return }
            case .wouldBlock: return schedule(connection)
            case .endOfStream: return perform(connection.pointee.state.endOfStream(), &event)
            case .failed: return close(connection, .failed)
            }
        }
        // Watched anew, it is reported again.
        if connection.pointee.isWatched {
            loop.change(connection.pointee.descriptor, connection.pointee.interest, connection)
        }
    }

    private func process(_ count: Int, _ event: inout EventScratch) {
        let action = event.connection.pointee.state.transport.received(count, first: buffers.received[0])
        begin(count, event)
        perform(action, &event)
        buffers.transport.pointee.inputCount = 0
    }

    /// Shows the first received bytes to the transport.
    func begin(_ count: Int, _ event: EventScratch) {
        buffers.transport.pointee.input = UnsafePointer(buffers.received)
        buffers.transport.pointee.inputCount = count
        buffers.transport.pointee.connection = UnsafeMutableRawPointer(event.connection)
    }

    /// Carries out an action, and all that follow from it.
    func perform(_ action: TransportState.Action, _ event: inout EventScratch) {
        var action = action
        while true {
            switch action {
            case .readProxyHeader: action = readProxyHeader(event)
            case .handshake: action = handshake(event)
            case .deliver: action = serve(&event)
            case .send(let closeNotify, let next): action = send(closeNotify: closeNotify, then: next, &event)
            case .sendPlaintextError: action = sendPlaintextError(event)
            case .linger: action = linger(event)
            case .wait: return schedule(event.connection)
            case .close(let reason):
                if case .notTLS = reason { reportProxyHeader(event) }
                return close(event.connection, reason)
            }
        }
    }

    /// Answers all requests that the transport's input and the connection's unread bytes hold.
    private func serve(_ event: inout EventScratch) -> TransportState.Action {
        let connection = event.connection
        let bodyFlow = writeBody(event)
        guard case .flowing = bodyFlow else { return after(bodyFlow) }
        if connection.pointee.state.http.isLastAnswer { return .send(closeNotify: true, then: .linger) }
        event.requestsCount = connection.pointee.unread.move(into: buffers.requests)
        var seen = event.isResumed ? 0 : event.requestsCount
        while true {
            let requests = UnsafeBufferPointer(start: buffers.requests, count: event.requestsCount)
            if RequestParser.mayDecide(requests, seen: seen), let action = respond(&event) { return action }
            seen = event.requestsCount
            guard buffers.transport.pointee.inputCount > 0 || connection.pointee.transport.hasPending else { break }
            // Reading can write, too (RFC 8446, section 4.6.3): what is pending must not need the room then.
            var flow = encryptPending(&event)
            if case .flowing = flow {
                let room = LoopBuffers.requestsCapacity - event.requestsCount
                switch connection.pointee.transport.read(into: buffers.requests + event.requestsCount, count: room) {
                case .bytes(let count):
                    event.requestsCount += count
                    flow = flushIfFull(event)
                case .needsOutput: flow = flush(event)
                case .needsInput: return finishRead(&event)
                case .closed: return connection.pointee.state.peerClosed()
                case .failed: return connection.pointee.state.transport.failed()
                }
            }
            switch flow {
            case .flowing: continue
            case .parked: holdRequests(from: 0, event)
            case .failed: break
            }
            return after(flow)
        }
        return finishRead(&event)
    }

    /// Answers the whole requests that are there, and moves what is left to the front.
    ///
    /// - Returns: `nil` to read on.
    private func respond(_ event: inout EventScratch) -> TransportState.Action? {
        let connection = event.connection
        var start = 0
        while true {
            var flow = makeRoom(&event)
            if case .flowing = flow {
                let closes: Bool
                let waiting = UnsafeBufferPointer(start: buffers.requests + start, count: event.requestsCount - start)
                let bytes = waiting.span
                switch connection.pointee.state.http.next(bytes) {
                case .read:
                    if start > 0 { buffers.requests.update(from: buffers.requests + start, count: waiting.count) }
                    event.requestsCount = waiting.count
                    return nil
                case .refuse(let status):
                    let reply = responder.refusal(status, of: bytes)
                    record(reply, to: nil, in: waiting, event)
                    if connection.pointee.state.http.requests == 0 { reportProxyHeader(in: waiting, event) }
                    closes = true
                    flow = enqueue(reply, &event)
                case .respond(let head):
                    start += Int(head.count)
                    if let covered = connection.pointee.covered {
                        let reply = self.reply(connection, covered, to: head, in: bytes, event.time)
                        record(reply, to: head, in: waiting, event)
                        closes = reply.closes
                        flow = enqueue(reply, &event)
                    } else {
                        closes = respondInClear(to: head, in: waiting, &event, &flow)
                    }
                }
                if closes, case .flowing = flow { return .send(closeNotify: true, then: .linger) }
            }
            switch flow {
            case .flowing: continue
            case .parked: holdRequests(from: start, event)
            case .failed: break
            }
            return after(flow)
        }
    }

    @inline(__always)
    private func reply(
        _ connection: Pointer, _ covered: HostTable.View, to head: RequestHead, in bytes: Span<UInt8>,
        _ time: BatchTime
    ) -> Responder.Reply {
        let mustClose = mustClose(connection)
        guard head.host.count == 0 else {
            return responder.reply(
                to: head, in: bytes, sites: sites, covered: covered, serverName: nil, scratch: buffers.host,
                now: time.wallSeconds, mustClose: mustClose)
        }
        let named = connection.pointee.serverName.buffer
        let name = named.isEmpty ? settings.defaultSite : Array(named)
        return name.withUnsafeBufferPointer {
            responder.reply(
                to: head, in: bytes, sites: sites, covered: covered, serverName: HostKey($0, scratch: buffers.host),
                scratch: buffers.host, now: time.wallSeconds, mustClose: mustClose)
        }
    }

    @inline(__always)
    private func mustClose(_ connection: Pointer) -> Bool {
        connection.pointee.state.http.mustClose(limit: settings.requestsPerConnection, isDraining: isDraining)
    }

    /// Answers a request on a connection without a certificate.
    ///
    /// - Returns: whether it was the last one.
    @inline(never)
    private func respondInClear(
        to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, _ event: inout EventScratch,
        _ flow: inout TransportState.Flow
    ) -> Bool {
        let connection = event.connection
        // Over TLS there always is one.
        guard connection.pointee.kind.isPlain else {
            let reply = responder.refusal(.badRequest, of: bytes.span)
            record(reply, to: head, in: bytes, event)
            flow = enqueue(reply, &event)
            return true
        }
        let context = Responder.PlainContext(
            origin: connection.pointee.origin, forwarding: forwarding,
            answersHealth: connection.pointee.kind.answersHealth, redirects: settings.plainRedirect,
            challenges: requestChallenges, mustClose: mustClose(connection))
        let answer = responder.plainAnswer(
            to: head, in: bytes, sites: sites, scratch: buffers.host, now: event.time.wallSeconds, context)
        switch answer {
        case .reply(let reply):
            record(reply, to: head, in: bytes, event)
            flow = enqueue(reply, &event)
            return reply.closes
        case .challenge(let reply, let isAnswered):
            counters.count(.challenge(.http01, isAnswered: isAnswered))
            record(reply, to: head, in: bytes, event)
            flow = enqueue(reply, &event)
            return reply.closes
        case .health(let question):
            let reply = responder.reply(to: question, in: head, isGood: isGood(question, event.time), context)
            counters.count(.request(reply.response.status))
            flow = enqueue(reply, &event)
            return reply.closes
        case .redirect(let redirect):
            record(redirect, to: head, in: bytes, event)
            connection.pointee.state.http.answered(isLast: redirect.closes)
            event.pendingCount += redirect.write(to: buffers.pending + event.pendingCount, date: date)
            return redirect.closes
        }
    }

    private func isGood(_ question: Responder.HealthQuestion, _ time: BatchTime) -> Bool {
        switch question {
        case .alive: shared.health.isAlive(now: time.now)
        case .ready: isPublished && !isDraining
        }
    }

    /// Sends what there is to send, and keeps what is left of the input.
    private func finishRead(_ event: inout EventScratch) -> TransportState.Action {
        let connection = event.connection
        var flow = encryptPending(&event)
        if case .flowing = flow { flow = flush(event) }
        if case .failed = flow { return after(flow) }
        if event.requestsCount > 0 { connection.pointee.unread.assign(buffers.requests, count: event.requestsCount) }
        if case .flowing = flow {
            connection.pointee.state.http.finishRead(hasPartialHead: event.requestsCount > 0, at: event.time.now)
        }
        return .wait
    }

    /// Keeps requests whose turn comes when the peer has taken what is parked.
    private func holdRequests(from start: Int, _ event: EventScratch) {
        guard !event.connection.pointee.state.http.isLastAnswer else { return }
        event.connection.pointee.unread.assign(buffers.requests + start, count: event.requestsCount - start)
    }

    /// What to do when bytes do not flow.
    private func after(_ flow: TransportState.Flow) -> TransportState.Action {
        if case .failed = flow { .close(.failed) } else { .wait }
    }

    /// Makes sure that there is room for a head.
    private func makeRoom(_ event: inout EventScratch) -> TransportState.Flow {
        guard event.pendingCount > 0 else { return .flowing }
        let longest =
            event.connection.pointee.kind.isPlain ? RedirectResponse.longest : PreparedResponse.longestHead
        let isTight = event.pendingCount + longest > LoopBuffers.pendingCapacity
        return isTight ? encryptPending(&event) : .flowing
    }

    /// Writes an answer, after those that are pending already.
    private func enqueue(_ reply: Responder.Reply, _ event: inout EventScratch) -> TransportState.Flow {
        let connection = event.connection
        connection.pointee.state.http.answered(isLast: reply.closes)
        event.pendingCount += reply.response.writeHead(
            to: buffers.pending + event.pendingCount, date: date, connection: reply.connection)
        guard reply.sendsBody, reply.response.bodyCount > 0 else { return .flowing }
        let body = reply.response.body
        let fitting = min(body.count, LoopBuffers.pendingCapacity - event.pendingCount)
        UnsafeMutableRawBufferPointer(start: buffers.pending + event.pendingCount, count: fitting)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[..<fitting]))
        event.pendingCount += fitting
        if fitting == body.count { return .flowing }
        connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: body[fitting...])
        connection.pointee.unwrittenFile = reply.file?.retain()
        let flow = encryptPending(&event)
        if case .flowing = flow { return writeBody(event) }
        return flow
    }

    /// A time may be over.
    func expire(_ connection: Pointer) {
        switch connection.pointee.state.expiry(at: time.now, settings.timeouts) {
        case .wait: schedule(connection)
        case .close(let reason): close(connection, reason)
        case .refuse(let status):
            counters.count(.timeout(.header))
            var event = EventScratch(connection, time)
            let unread = connection.pointee.unread.buffer
            let reply = responder.refusal(status, of: unread.span)
            record(reply, to: nil, in: unread, event)
            _ = enqueue(reply, &event)
            perform(.send(closeNotify: true, then: .linger), &event)
        }
    }

    /// Closes a connection that has nothing to do, because the server stops.
    func closeIfIdle(_ connection: Pointer) {
        let state = connection.pointee.state
        // A request may have come since the last look.
        if state.isIdle, !state.transport.isParked { receive(connection) }
        guard !connection.pointee.state.transport.isClosed else { return }
        // Half a record is a part of a request, too.
        let hasPartialHead = !connection.pointee.unread.isEmpty || connection.pointee.transport.hasPending
        guard connection.pointee.state.mayCloseForDrain(at: time.now, hasPartialHead: hasPartialHead) else { return }
        var event = EventScratch(connection, time)
        perform(.send(closeNotify: true, then: .abort), &event)
    }
}
