internal import AssociationConsole
internal import EventLoops
internal import HTTP1
internal import SystemSupport

/// One client of the admin listener.
///
/// What was received waits in `unread` for its turn; one answer a turn is made and sent; what the socket does not take waits
/// in `unsent`, and meanwhile nothing is read. A request to the console may have a body, and is answered by another thread.
final class AdminConnection {
    let descriptor: Int32
    /// Registered with the loop; it must stay until the batch in which the connection is closed has ended.
    let handler: UnsafeMutablePointer<EventHandler>
    private unowned(unsafe) let server: AdminServer

    var state: ConnectionState
    /// Received, and not yet answered.
    var unread: [UInt8] = []
    /// The rest of an answer, which the socket has not taken yet.
    var unsent: ArraySlice<UInt8> = []
    var isOpen = true
    /// Whether the socket is watched for room instead of input.
    private var isParked = false
    /// Whether there is input that is processed after the other connections had their turn.
    private var isDue = false
    /// Whether the socket is not watched: more is sent than is kept while a request is worked on.
    private var isDeaf = false
    /// Whether a request has shown the secret.
    private(set) var hasSecret = false
    /// The request to the console whose answer, or body, is due.
    private var console: ConsoleExchange?

    private struct ConsoleExchange {
        var request: ConsoleRequest
        /// The length of the body in bytes; 0 once it is read.
        var missing: Int
        let field: PreparedResponse.ConnectionField
        /// The work on it; `nil` until that begins.
        var ticket: ConsoleWork.Ticket?
    }

    /// Whether another thread makes an answer.
    var isWorkedFor: Bool { console?.ticket != nil }

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
        let room = max(AdminServer.headCapacity, console?.missing ?? 0) - unread.count
        guard room > 0 else { return listen(false) }
        switch Socket.receive(descriptor, into: server.received, count: min(room, AdminServer.headCapacity)) {
        case .bytes(let count):
            switch state.received(count, first: server.received[0]) {
            case .read:
                unread += UnsafeBufferPointer(start: server.received, count: count)
                if console == nil { answerNext() } else { continueBody() }
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
        switch RequestParser.parse(unread.span) {
        case .incomplete: finish()
        case .refused(let status): refuse(status)
        case .request(let head):
            let request = server.request(head, in: unread.span)
            unread.removeFirst(Int(head.count))
            if request != nil, server.hasSecretBase { hasSecret = true }
            if let request, server.isForConsole(request) { return begin(request, head) }
            let answer = server.answer(head, request)
            let field = Self.field(head, closes: head.announcesBody || answer.status == .badRequest)
            send(answer, field, sendsBody: head.method != .head)
        }
    }

    private static func field(_ head: RequestHead, closes: Bool) -> PreparedResponse.ConnectionField {
        closes || head.persistence == .no ? .close : head.persistence == .asked ? .keepAlive : .none
    }

    // MARK: The console

    private func begin(_ request: ConsoleRequest, _ head: RequestHead) {
        guard !head.hasUnknownExpectation else {
            return send(
                ConsoleAnswer.text(.expectationFailed, "expectation failed"), .close, sendsBody: !request.isHead)
        }
        switch RequestGuard.check(request, isServer: server.isServer) {
        case .refuse(let answer):
            send(answer, Self.field(head, closes: head.announcesBody), sendsBody: !request.isHead)
        case .proceed:
            console = ConsoleExchange(
                request: request, missing: 0, field: Self.field(head, closes: head.announcesBody))
            work()
        case .readBody(let count):
            console = ConsoleExchange(request: request, missing: count, field: Self.field(head, closes: false))
            unread.reserveCapacity(count)
            if request.expectsContinue, unread.isEmpty { sendContinue() }
            continueBody()
        }
    }

    /// A client that waits for it has sent nothing yet, so that the socket has room for so few bytes.
    private func sendContinue() {
        let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        _ = line.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { Socket.send(descriptor, $0, count: bytes.count) }
        }
    }

    /// Looks whether the body is whole.
    private func continueBody() {
        guard let missing = console?.missing, console?.ticket == nil else { return }
        guard unread.count >= missing else {
            _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: server.now)
            return
        }
        console?.request.body = Array(unread.prefix(missing))
        console?.missing = 0
        unread.removeFirst(missing)
        work()
    }

    private func work() {
        guard let request = console?.request else { return }
        let ticket = ConsoleWork.Ticket()
        console?.ticket = ticket
        server.work(on: request, ticket, for: self)
    }

    func workIsDone(_ answer: ConsoleAnswer) {
        guard let exchange = console else { return }
        console = nil
        listen(true)
        guard isOpen else { return }
        send(answer, exchange.field, sendsBody: !exchange.request.isHead)
    }

    /// Watches the socket for input, or leaves it alone for a while.
    private func listen(_ wants: Bool) {
        guard isDeaf == wants else { return }
        isDeaf = !wants
        if wants {
            if !server.loop.add(descriptor, .readable, handler) { server.close(self) }
        } else {
            server.loop.remove(descriptor)
        }
    }

    /// Nobody is there any more.
    func forget() {
        unread = []
        unsent = []
        console?.ticket?.abandon()
        console = nil
    }

    private func finish() {
        _ = state.sent(.flowing, then: .finish(hasPartialHead: !unread.isEmpty), at: server.now)
    }

    /// Answers bytes that are not a request, or that do not become one, and closes.
    func refuse(_ status: Status) {
        send(AdminResponder.refusal(status), .close, sendsBody: !RequestParser.isHead(unread.span))
    }

    private func send(_ answer: ConsoleAnswer, _ field: PreparedResponse.ConnectionField, sendsBody: Bool) {
        send(answer.bytes(field, sendsBody: sendsBody, now: Clock.wallSeconds()), isLast: field == .close)
    }

    private func send(_ bytes: [UInt8], isLast: Bool) {
        _ = state.answered(isLast: isLast, isWhole: true)
        unsent = bytes[...]
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
    struct Due: @unchecked Sendable {
        let connection: AdminConnection

        init(_ connection: AdminConnection) { self.connection = connection }
    }
}
