import AssociationConsole
import EventLoops
import Glibc
import HTTP1
import SystemSupport

/// HTTP/1.1 for one person on this machine: one thread, a few connections, everything bounded.
///
/// Every path outside of the secret one is 404.
final class ConsoleServer {
    /// One more replaces the oldest that has not shown the secret, and waits if all have: another user of the machine must
    /// not lock the owner out.
    private static let mostConnections = 64
    private static let acceptedPerTurn = 16
    /// Milliseconds: for a request once it has begun, for a connection that waits, and for a client that reads nothing.
    private static let requestTime: Int64 = 10_000
    private static let idleTime: Int64 = 60_000
    private static let lingerTime: Int64 = 1_000
    private static let headCapacity = RequestParser.longestHead + 64

    private let listener: Listener
    private let base: String
    private let responder: ConsoleResponder
    private let content: ConsoleContent
    private var connections: [Connection] = []
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 16_384)

    /// A client.
    private final class Connection {
        enum Phase {
            /// A head is read, or waited for.
            case head
            /// The rest of a body is read.
            case body(ConsoleRequest, count: Int)
            /// An answer is sent.
            case sending(closes: Bool)
            /// Everything that still comes is read and forgotten: a reset would overtake the answer.
            case lingering
        }

        let descriptor: Int32
        var phase = Phase.head
        var input: [UInt8] = []
        var output: ArraySlice<UInt8> = []
        var deadline: Int64
        var isOpen = true
        /// Whether a request has shown the secret.
        var isOwners = false
        var persistence = PreparedResponse.ConnectionField.none

        init(_ descriptor: Int32, deadline: Int64) {
            self.descriptor = descriptor
            self.deadline = deadline
        }

        var wantsToSend: Bool { !output.isEmpty }
    }

    init(_ listener: Listener, base: String, _ responder: ConsoleResponder, _ content: ConsoleContent) {
        self.listener = listener
        self.base = base
        self.responder = responder
        self.content = content
    }

    deinit { buffer.deallocate() }

    /// Answers until the process ends.
    func run() -> Never {
        while true { turn() }
    }

    private func turn() {
        var entries = connections.map { connection in
            pollfd(
                fd: connection.descriptor, events: Int16(connection.wantsToSend ? POLLOUT : POLLIN), revents: 0)
        }
        let isListening = mayAccept
        if isListening { entries.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)) }
        let now = Clock.monotonicMilliseconds()
        let wait = connections.map { max(0, $0.deadline - now) }.min().map { Int32(min($0 + 1, 60_000)) } ?? -1
        guard poll(&entries, nfds_t(entries.count), wait) >= 0 else { return }
        let waiting = connections
        for (connection, entry) in zip(waiting, entries) where entry.revents != 0 { handle(connection) }
        if isListening, entries[waiting.count].revents != 0 { accept() }
        let later = Clock.monotonicMilliseconds()
        for connection in connections where connection.deadline <= later { close(connection) }
    }

    private var mayAccept: Bool {
        connections.count < Self.mostConnections || connections.contains { !$0.isOwners }
    }

    private func accept() {
        for _ in 0..<Self.acceptedPerTurn {
            guard mayAccept, case .connection(let descriptor, _) = listener.accept() else { return }
            if connections.count >= Self.mostConnections, let oldest = connections.first(where: { !$0.isOwners }) {
                close(oldest)
            }
            let connection = Connection(descriptor, deadline: Clock.monotonicMilliseconds() + Self.idleTime)
            connections.append(connection)
            // Its request is there: it shows the secret before another connection can replace it.
            handle(connection)
        }
    }

    private func close(_ connection: Connection) {
        connection.isOpen = false
        connections.removeAll { $0 === connection }
        Socket.close(connection.descriptor)
    }

    private func handle(_ connection: Connection) {
        if connection.wantsToSend {
            send(connection)
            return process(connection)
        }
        switch Socket.receive(connection.descriptor, into: buffer, count: 16_384) {
        case .bytes(let count):
            if case .lingering = connection.phase { return }
            if connection.input.isEmpty, case .head = connection.phase {
                connection.deadline = Clock.monotonicMilliseconds() + Self.requestTime
            }
            connection.input += UnsafeBufferPointer(start: buffer, count: count)
            process(connection)
        case .wouldBlock: return
        case .endOfStream, .failed: close(connection)
        }
    }

    /// Answers what was received, one request after the other, as long as the client takes the answers.
    private func process(_ connection: Connection) {
        while connection.isOpen, !connection.wantsToSend, !connection.input.isEmpty {
            switch connection.phase {
            case .head: guard readHead(connection) else { return }
            case .body(let request, let count):
                guard connection.input.count >= count else { return }
                answer(request, connection, body: count)
            case .sending, .lingering: return
            }
        }
    }

    /// - Returns: False if more has to be received first.
    private func readHead(_ connection: Connection) -> Bool {
        switch RequestParser.parse(connection.input.span) {
        case .incomplete: return false
        case .refused(let status):
            connection.input = []
            reply(.text(status, status.reasonPhrase.lowercased()), connection, sendsBody: true, .close)
        case .request(let head):
            let bytes = connection.input.prefix(Int(head.count))
            connection.input.removeFirst(Int(head.count))
            connection.persistence =
                head.persistence == .no ? .close : head.persistence == .asked ? .keepAlive : .none
            if head.hasUnknownExpectation {
                reply(.text(.expectationFailed, "expectation failed"), connection, sendsBody: true, .close)
            } else if let request = ConsoleRequest(head: bytes, base: base) {
                connection.isOwners = true
                check(request, connection, announcesBody: head.announcesBody)
            } else {
                let field = head.announcesBody ? .close : connection.persistence
                reply(.text(.notFound, "not found"), connection, sendsBody: head.method != .head, field)
            }
        }
        return true
    }

    private func check(_ request: ConsoleRequest, _ connection: Connection, announcesBody: Bool) {
        switch RequestGuard.check(request, isServer: content.isServer) {
        case .refuse(let answer):
            let field = announcesBody ? .close : connection.persistence
            reply(answer, connection, sendsBody: !request.isHead, field)
        case .readBody(let count):
            guard count > connection.input.count else { return answer(request, connection, body: count) }
            connection.phase = .body(request, count: count)
            connection.input.reserveCapacity(count)
            guard request.expectsContinue, connection.input.isEmpty else { return }
            connection.output = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]
            send(connection)
        case .proceed:
            if announcesBody { connection.persistence = .close }
            answer(request, connection, body: 0)
        }
    }

    private func answer(_ request: ConsoleRequest, _ connection: Connection, body count: Int) {
        var request = request
        request.body = Array(connection.input.prefix(count))
        connection.input.removeFirst(min(count, connection.input.count))
        let answer = responder.answer(request, content, now: Clock.wallSeconds())
        reply(answer, connection, sendsBody: !request.isHead, connection.persistence)
    }

    private func reply(
        _ answer: ConsoleAnswer, _ connection: Connection, sendsBody: Bool,
        _ field: PreparedResponse.ConnectionField
    ) {
        connection.phase = .sending(closes: field == .close)
        connection.output = answer.bytes(field, sendsBody: sendsBody, now: Clock.wallSeconds())[...]
        connection.deadline = Clock.monotonicMilliseconds() + Self.requestTime
        send(connection)
    }

    private func send(_ connection: Connection) {
        while !connection.output.isEmpty {
            let outcome = connection.output.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Socket.send(connection.descriptor, $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count):
                connection.output = connection.output.dropFirst(count)
                connection.deadline = Clock.monotonicMilliseconds() + Self.requestTime
            case .wouldBlock: return
            case .endOfStream, .failed: return close(connection)
            }
        }
        connection.output = []
        guard case .sending(let closes) = connection.phase else { return }
        if closes {
            Socket.endSending(connection.descriptor)
            connection.input = []
            connection.phase = .lingering
            connection.deadline = Clock.monotonicMilliseconds() + Self.lingerTime
        } else {
            connection.phase = .head
            connection.deadline =
                Clock.monotonicMilliseconds() + (connection.input.isEmpty ? Self.idleTime : Self.requestTime)
        }
    }
}
