internal import EventLoops
internal import HTTP1

// A connection's way: what was received waits in `unread` for its turn; one answer a turn is made and sent; what the
// socket does not take waits in `unsent`, and meanwhile nothing is read.
extension AdminServer {
    func handle(_ connection: AdminConnection, _ readiness: Readiness) {
        // Closed earlier in this batch.
        guard connection.isOpen else { return }
        if readiness.hasFailed {
            close(connection)
        } else if connection.isParked {
            send(connection)
        } else if !connection.isDue {
            receive(connection)
        }
    }

    func receive(_ connection: AdminConnection) {
        let room = Self.headCapacity - connection.unread.count
        switch Socket.receive(connection.descriptor, into: received, count: room) {
        case .bytes(let count) where connection.state.phase == .lingering:
            if !connection.state.discard(count) { close(connection) }
        case .bytes(let count):
            connection.unread += UnsafeBufferPointer(start: received, count: count)
            answerNext(connection)
        case .wouldBlock: return
        // Whole requests are answered before more is read, so none is lost.
        case .endOfStream, .failed: close(connection)
        }
    }

    /// Answers one request, if a whole one is there.
    private func answerNext(_ connection: AdminConnection) {
        switch connection.state.next(connection.unread.span) {
        case .wait: connection.state.settled(hasPartialHead: !connection.unread.isEmpty, at: now)
        case .refuse(let status): refuse(connection, status)
        case .answer(let head):
            let unsent = connections.values.reduce(0) { $0 + $1.unsent.count }
            let answer = responder.answer(
                head, in: connection.unread.span, now: Clock.wallSeconds(), mayBeLarge: unsent < limits.unsentBytes)
            connection.unread.removeFirst(Int(head.count))
            // It may have taken a while.
            updateClock()
            let closes = head.announcesBody || answer.status == .badRequest || head.persistence == .no
            let field: PreparedResponse.ConnectionField =
                closes ? .close : head.persistence == .asked ? .keepAlive : .none
            give(answer, field, sendsBody: head.method != .head, to: connection)
        }
    }

    /// Answers bytes that are no request, or that do not become one, and closes.
    func refuse(_ connection: AdminConnection, _ status: Status) {
        let sendsBody = !RequestParser.isHead(connection.unread.span)
        give(AdminResponder.refusal(status), .close, sendsBody: sendsBody, to: connection)
    }

    private func give(
        _ answer: AdminAnswer, _ field: PreparedResponse.ConnectionField, sendsBody: Bool,
        to connection: AdminConnection
    ) {
        connection.state.answered(isLast: field == .close)
        connection.unsent = answer.bytes(field, sendsBody: sendsBody, now: Clock.wallSeconds())[...]
        send(connection)
    }

    private func send(_ connection: AdminConnection) {
        while !connection.unsent.isEmpty {
            let outcome = connection.unsent.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Socket.send(connection.descriptor, $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count):
                connection.unsent = connection.unsent.dropFirst(count)
                connection.state.progressed(at: now)
            case .wouldBlock: return park(connection)
            case .endOfStream, .failed: return close(connection)
            }
        }
        connection.unsent = []
        if connection.isParked {
            connection.isParked = false
            loop.change(connection.descriptor, .readable, connection.handler)
        }
        if connection.state.isLastAnswer { return linger(connection) }
        connection.state.settled(hasPartialHead: !connection.unread.isEmpty, at: now)
        if !connection.unread.isEmpty { answerLater(connection) }
    }

    /// The peer has to take some first.
    private func park(_ connection: AdminConnection) {
        guard !connection.isParked else { return }
        connection.isParked = true
        connection.state.parked(at: now)
        loop.change(connection.descriptor, .writable, connection.handler)
    }

    /// A client that asks much at once does not keep others waiting for all of it.
    private func answerLater(_ connection: AdminConnection) {
        connection.isDue = true
        let due = Due(connection)
        loop.post { [self] in
            guard due.connection.isOpen else { return }
            due.connection.isDue = false
            answerNext(due.connection)
        }
    }

    /// Reads on for a while, because a reset would overtake the last answer.
    private func linger(_ connection: AdminConnection) {
        connection.unread = []
        Socket.endSending(connection.descriptor)
        connection.state.linger(from: now)
    }

    /// Takes a connection to a later turn on the same loop.
    private struct Due: @unchecked Sendable {
        let connection: AdminConnection

        init(_ connection: AdminConnection) { self.connection = connection }
    }
}
