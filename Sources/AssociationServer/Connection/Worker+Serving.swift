internal import EventLoops
internal import HTTP1
internal import OpenSSL

// The way of a request: an event of its connection → bytes from the socket → transport → parser → `Responder` → `pending` →
// transport → socket. After each step `ConnectionState` is given the result and says what to do next; here it is done.
extension Worker {
    /// The most full reads in a row; then other connections have their turn.
    private static let readsPerTurn = 4

    /// Something happened to a connection.
    static let connectionIsReady: EventHandler.Function = { handler, flags in
        let connection = handler.assumingMemoryBound(to: Connection.self)
        let readiness = Readiness(bits: flags)
        Unmanaged<Worker>.fromOpaque(connection.pointee.handler.owner)._withUnsafeGuaranteedRef {
            var event = EventScratch(connection, $0.time)
            let action = connection.pointee.state.ready(
                hasFailed: readiness.hasFailed, isWritable: readiness.isWritable,
                isPeerFinished: readiness.isPeerFinished)
            $0.perform(action, &event)
        }
    }

    /// A time may be over.
    func expire(_ connection: Pointer) {
        var event = EventScratch(connection, time)
        perform(connection.pointee.state.timerFired(at: time.now, settings.timeouts), &event)
    }

    /// The server stops.
    func drain(_ connection: Pointer) {
        // A request may have come since the last look.
        if connection.pointee.state.isIdle { receive(connection) }
        // Half a record is a part of a request, too.
        let hasPartialHead = !connection.pointee.unread.isEmpty || connection.pointee.transport.hasPending
        var event = EventScratch(connection, time)
        perform(connection.pointee.state.drain(at: time.now, hasPartialHead: hasPartialHead), &event)
    }

    /// Carries out an action, and all that follow from it.
    func perform(_ first: ConnectionState.Action, _ event: inout EventScratch) {
        var action = first
        while true {
            switch action {
            case .receive: return receive(event.connection)
            case .resumeSending: action = resumeSending(&event)
            case .readProxyHeader: action = readProxyHeader(event)
            case .handshake: action = handshake(event)
            case .sendPlaintextError: action = sendPlaintextError(event)
            case .read: action = read(&event)
            case .respond(let head): action = respond(to: head, &event)
            case .refuse(let status): action = refuse(status, &event)
            case .continueAnswer: action = continueAnswer(&event)
            case .send(let closeNotify, let next): action = send(closeNotify: closeNotify, then: next, &event)
            case .linger: action = linger(event)
            case .command(let command): action = perform(command, &event)
            case .timeOut(let phase, let command):
                counters.count(.timeout(phase))
                action = perform(command, &event)
            case .keepInput:
                keepInput(event)
                action = .wait
            case .wait:
                buffers.transport.pointee.inputCount = 0
                account(event.connection)
                return schedule(event.connection)
            case .ignore: return
            case .close(let reason): return close(event.connection, reason)
            }
        }
    }

    /// Reads what there is, and does everything that follows from it.
    func receive(_ connection: Pointer) {
        for _ in 0..<Self.readsPerTurn {
            var event = EventScratch(connection, time)
            let capacity = LoopBuffers.receivedCapacity
            switch Socket.receive(connection.pointee.descriptor, into: buffers.received, count: capacity) {
            case .bytes(let count):
                show(count, event)
                perform(connection.pointee.state.received(count, first: buffers.received[0]), &event)
                guard connection.pointee.state.mayReceiveMore(wasFull: count == capacity) else { return }
            case .wouldBlock: return perform(.wait, &event)
            case .endOfStream: return perform(connection.pointee.state.endOfStream(), &event)
            case .failed: return perform(connection.pointee.state.interrupted(.failed), &event)
            }
        }
        // Watched anew, it is reported again.
        if connection.pointee.isWatched {
            loop.change(connection.pointee.descriptor, connection.pointee.interest, connection)
        }
    }

    /// Shows the first received bytes to the transport.
    func show(_ count: Int, _ event: EventScratch) {
        buffers.transport.pointee.input = UnsafePointer(buffers.received)
        buffers.transport.pointee.inputCount = count
        buffers.transport.pointee.connection = UnsafeMutableRawPointer(event.connection)
    }

    /// Keeps what was received for the events to come.
    private func keepInput(_ event: EventScratch) {
        let connection = event.connection
        let transport = buffers.transport
        if transport.pointee.inputCount > 0 {
            connection.pointee.unprocessed.assign(transport.pointee.input, count: transport.pointee.inputCount)
        }
        if event.requestsCount > 0 {
            connection.pointee.unread.assign(
                buffers.requests + event.requestsStart, count: event.requestsCount)
        }
    }

    /// The bytes that were read and not yet answered.
    @inline(__always)
    private func requests(_ event: EventScratch) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffers.requests + event.requestsStart, count: event.requestsCount)
    }

    /// Looks for the next request: among the bytes that are there if nobody has looked at them, then in the transport.
    private func read(_ event: inout EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        if connection.pointee.streams != nil { return readStreams(&event) }
        if !connection.pointee.unread.isEmpty {
            event.requestsEnd = connection.pointee.unread.move(into: buffers.requests)
        }
        var mayBeWhole = event.isUnparsed
        event.isUnparsed = false
        while true {
            if mayBeWhole, event.requestsCount > 0 {
                switch RequestParser.parse(requests(event).span) {
                case .request(let head): return connection.pointee.state.read(.request(head))
                case .refused(let status): return connection.pointee.state.read(.refused(status))
                case .incomplete: break
                }
            }
            let seen = event.requestsCount
            if event.requestsStart > 0 {
                buffers.requests.update(from: buffers.requests + event.requestsStart, count: seen)
                (event.requestsStart, event.requestsEnd) = (0, seen)
            }
            guard buffers.transport.pointee.inputCount > 0 || connection.pointee.transport.hasPending else {
                return connection.pointee.state.read(.exhausted(hasPartialHead: seen > 0))
            }
            // Reading can write, too (RFC 8446, section 4.6.3): what is pending must not need the room then.
            var flow = encryptPending(&event)
            if case .flowing = flow {
                let room = LoopBuffers.requestsCapacity - seen
                switch connection.pointee.transport.read(into: buffers.requests + seen, count: room) {
                case .bytes(let count):
                    event.requestsEnd += count
                    flow = flushIfFull(event)
                case .needsInput: return connection.pointee.state.read(.exhausted(hasPartialHead: seen > 0))
                case .needsOutput: return connection.pointee.state.read(.blocked)
                case .closed: return connection.pointee.state.read(.closed)
                case .failed: return connection.pointee.state.read(.failed)
                }
            }
            guard case .flowing = flow else { return connection.pointee.state.interrupted(flow) }
            mayBeWhole = RequestParser.mayDecide(requests(event), seen: seen)
        }
    }

    private func respond(to head: RequestHead, _ event: inout EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        if connection.pointee.streams != nil { return respondOnStream(to: head, event) }
        let flow = makeRoom(&event)
        guard case .flowing = flow else { return connection.pointee.state.interrupted(flow) }
        let bytes = requests(event)
        event.requestsStart += Int(head.count)
        event.isUnparsed = true
        let mustClose = connection.pointee.state.mustClose(
            limit: settings.requestsPerConnection, isDraining: isDraining)
        guard let covered = connection.pointee.covered else {
            return respondInClear(to: head, in: bytes, mustClose: mustClose, &event)
        }
        guard head.host.count > 0 else {
            return respondWithoutHost(to: head, in: bytes, covered, mustClose: mustClose, &event)
        }
        let answer = responder.answer(
            to: head, in: bytes.span, sites: sites, covered: covered, serverName: nil, scratch: buffers.host,
            now: event.time.wallSeconds, mustClose: mustClose)
        return send(answer, to: head, in: bytes, &event)
    }

    @inline(__always)
    private func send(
        _ answer: Responder.Answer, to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ event: inout EventScratch
    ) -> ConnectionState.Action {
        switch answer {
        case .reply(let reply):
            record(reply, to: head, in: bytes, event)
            return enqueue(reply, &event)
        case .links(let question): return respond(by: question, to: head, in: bytes, &event)
        }
    }

    /// The answer to a request that names no host: the server name of the handshake counts, or the default site.
    @inline(never)
    private func respondWithoutHost(
        to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, _ covered: HostTable.View, mustClose: Bool,
        _ event: inout EventScratch
    ) -> ConnectionState.Action {
        let named = event.connection.pointee.serverName.buffer
        let name = named.isEmpty ? settings.defaultSite : Array(named)
        let answer = name.withUnsafeBufferPointer {
            responder.answer(
                to: head, in: bytes.span, sites: sites, covered: covered,
                serverName: HostKey($0, scratch: buffers.host), scratch: buffers.host, now: event.time.wallSeconds,
                mustClose: mustClose)
        }
        return send(answer, to: head, in: bytes, &event)
    }

    /// Answers a request on a connection without a certificate.
    @inline(never)
    private func respondInClear(
        to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, mustClose: Bool, _ event: inout EventScratch
    ) -> ConnectionState.Action {
        let connection = event.connection
        // Over TLS there always is one.
        guard connection.pointee.kind.isPlain else {
            let reply = responder.refusal(.badRequest, of: bytes.span)
            record(reply, to: head, in: bytes, event)
            return enqueue(reply, &event)
        }
        let context = Responder.PlainContext(
            origin: connection.pointee.origin, forwarding: forwarding,
            answersHealth: connection.pointee.kind.answersHealth, redirects: settings.plainRedirect,
            challenges: requestChallenges, mustClose: mustClose)
        let answer = responder.plainAnswer(
            to: head, in: bytes, sites: sites, scratch: buffers.host, now: event.time.wallSeconds, context)
        switch answer {
        case .reply(let reply):
            record(reply, to: head, in: bytes, event)
            return enqueue(reply, &event)
        case .challenge(let reply, let isAnswered):
            counters.count(.challenge(.http01, isAnswered: isAnswered))
            record(reply, to: head, in: bytes, event)
            return enqueue(reply, &event)
        case .health(let question):
            let reply = responder.reply(to: question, in: head, isGood: isGood(question, event.time), context)
            counters.count(.request(reply.response.status))
            counters.count(.request(version(of: head, event)))
            return enqueue(reply, &event)
        case .redirect(let redirect):
            record(redirect, to: head, in: bytes, event)
            event.pendingCount += redirect.write(to: buffers.pending + event.pendingCount, date: date)
            return connection.pointee.state.answered(isLast: redirect.closes, isWhole: true)
        case .links(let question): return respond(by: question, to: head, in: bytes, &event)
        }
    }

    private func isGood(_ question: Responder.HealthQuestion, _ time: BatchTime) -> Bool {
        switch question {
        case .alive: shared.health.isAlive(now: time.now)
        case .ready: isPublished && !isDraining
        }
    }

    /// Answers bytes that are not a request, or that do not become one in time.
    private func refuse(_ status: Status, _ event: inout EventScratch) -> ConnectionState.Action {
        if event.connection.pointee.streams != nil { return refuseOnStream(status, event) }
        let flow = makeRoom(&event)
        guard case .flowing = flow else { return event.connection.pointee.state.interrupted(flow) }
        // It holds the part of a request that has not become whole in time.
        if !event.connection.pointee.unread.isEmpty {
            event.requestsEnd = event.connection.pointee.unread.move(into: buffers.requests)
        }
        let bytes = requests(event)
        let reply = responder.refusal(status, of: bytes.span)
        record(reply, to: nil, in: bytes, event)
        switch status {
        case .requestTimeout: counters.count(.timeout(.header))
        default: if event.connection.pointee.state.requests == 0 { reportProxyHeader(in: bytes, event.connection) }
        }
        return enqueue(reply, &event)
    }

    /// Writes an answer, after those that are pending already.
    private func enqueue(_ reply: Responder.Reply, _ event: inout EventScratch) -> ConnectionState.Action {
        let isWhole = write(
            reply.response.message, sendsBody: reply.sendsBody, reply.connection, &event,
            owner: reply.file.map { UnsafeRawPointer($0.toOpaque()) })
        return event.connection.pointee.state.answered(isLast: reply.closes, isWhole: isWhole)
    }

    /// Writes an answer, as far as there is room for its body.
    ///
    /// - Parameter owner: an object that keeps its memory; nil if that lives as long as the server.
    /// - Returns: whether that is all of it.
    @inline(__always)
    func write(
        _ message: PreparedMessage, sendsBody: Bool, _ field: PreparedResponse.ConnectionField,
        _ event: inout EventScratch, owner: UnsafeRawPointer?
    ) -> Bool {
        let connection = event.connection
        event.pendingCount += message.writeHead(
            to: buffers.pending + event.pendingCount, date: date, connection: field)
        guard sendsBody, message.bodyCount > 0 else { return true }
        let body = message.body
        let fitting = min(body.count, LoopBuffers.pendingCapacity - event.pendingCount)
        UnsafeMutableRawBufferPointer(start: buffers.pending + event.pendingCount, count: fitting)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[..<fitting]))
        event.pendingCount += fitting
        if fitting < body.count {
            connection.pointee.unwritten = UnsafeRawBufferPointer(rebasing: body[fitting...])
            connection.pointee.unwrittenOwner = owner.map { Unmanaged<AnyObject>.fromOpaque($0).retain() }
        }
        return fitting == body.count
    }
}
