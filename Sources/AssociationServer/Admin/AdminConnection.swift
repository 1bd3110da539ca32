internal import EventLoops
internal import HTTP1

/// One client of the admin listener.
///
/// What was received waits in `unread` for its turn; one answer a turn is made and sent; what the socket does not take waits
/// in `unsent`, and meanwhile nothing is read.
final class AdminConnection {
    let descriptor: Int32
    /// Registered with the loop; it must stay until the batch in which the connection is closed has ended.
    let handler: UnsafeMutablePointer<EventHandler>
    private unowned(unsafe) let server: AdminServer

    var state: ConnectionState
    /// Received, and not yet answered.
    var unread: [UInt8] = []
    /// Of an answer, and not yet taken by the socket.
    var unsent: ArraySlice<UInt8> = []
    var isOpen = true
    /// Whether the socket is watched for room instead of input.
    private var isParked = false
    /// Whether there is input that is processed after the other connections had their turn.
    private var isDue = false

    init(_ descriptor: Int32, server: AdminServer, now: Int64) {
        self.descriptor = descriptor
        self.server = server
        state = ConnectionState(.plain, acceptedAt: now)
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, flags in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<AdminConnection>.fromOpaque(owner).takeUnretainedValue().handle(Readiness(bits: flags))
            })
    }

    deinit { handler.deallocate() }

    private func handle(_ readiness: Readiness) {
        // Closed earlier in this batch.
        guard isOpen else { return }
        if readiness.hasFailed {
            server.close(self)
        } else if isParked {
            send()
        } else if !isDue {
            receive()
        }
    }

    func receive() {
        switch Socket.receive(descriptor, into: server.received, count: AdminServer.headCapacity - unread.count) {
        case .bytes(let count):
            switch state.received(count, first: server.received[0]) {
            case .read:
                unread += UnsafeBufferPointer(start: server.received, count: count)
                answerNext()
            case .close: server.close(self)
            default: return
            }
        case .wouldBlock: return
        // Whole requests are answered before more is read, so none is lost.
        case .endOfStream, .failed: server.close(self)
        }
    }

    /// Answers one request, if a whole one is there.
    private func answerNext() {
        switch state.parsed(RequestParser.parse(unread.span)) {
        case .refuse(let status): refuse(status)
        case .respond(let head):
            let answer = server.answer(head, in: unread.span)
            unread.removeFirst(Int(head.count))
            let closes = head.announcesBody || answer.status == .badRequest || head.persistence == .no
            let field: PreparedResponse.ConnectionField =
                closes ? .close : head.persistence == .asked ? .keepAlive : .none
            send(answer, field, sendsBody: head.method != .head)
        default: finish()
        }
    }

    private func finish() {
        _ = state.sent(.flowing, then: .finish(hasPartialHead: !unread.isEmpty), at: server.now)
    }

    /// Answers bytes that are not a request, or that do not become one, and closes.
    func refuse(_ status: Status) {
        send(AdminResponder.refusal(status), .close, sendsBody: !RequestParser.isHead(unread.span))
    }

    private func send(_ answer: AdminAnswer, _ field: PreparedResponse.ConnectionField, sendsBody: Bool) {
        _ = state.answered(isLast: field == .close, isWhole: true)
        unsent = answer.bytes(field, sendsBody: sendsBody, now: Clock.wallSeconds())[...]
        send()
    }

    private func send() {
        while !unsent.isEmpty {
            let outcome = unsent.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Socket.send(descriptor, $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count):
                unsent = unsent.dropFirst(count)
                state.progressed(at: server.now)
            case .wouldBlock: return park()
            case .endOfStream, .failed: return server.close(self)
            }
        }
        unsent = []
        if isParked {
            isParked = false
            server.loop.change(descriptor, .readable, handler)
        }
        if state.isLastAnswer { return linger() }
        finish()
        if !unread.isEmpty { answerLater() }
    }

    /// The peer has to read some first.
    private func park() {
        guard !isParked else { return }
        isParked = true
        state.progressed(at: server.now)
        server.loop.change(descriptor, .writable, handler)
    }

    /// A client that sends many requests at once does not keep others waiting for all of them.
    private func answerLater() {
        isDue = true
        let due = Due(self)
        server.loop.post {
            guard due.connection.isOpen else { return }
            due.connection.isDue = false
            due.connection.answerNext()
        }
    }

    /// Reads on for a while, because a reset would overtake the last answer.
    private func linger() {
        unread = []
        Socket.endSending(descriptor)
        _ = state.linger(at: server.now)
    }

    /// Takes a connection to a later turn on the same loop.
    private struct Due: @unchecked Sendable {
        let connection: AdminConnection

        init(_ connection: AdminConnection) { self.connection = connection }
    }
}
