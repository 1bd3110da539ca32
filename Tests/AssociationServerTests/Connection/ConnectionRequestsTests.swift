import AssociationServer
import HTTP1
import OpenSSL
import Testing

/// The worker of a connection without sockets: it carries out the actions on arrays, and keeps a log of them.
private struct ScriptedWorker {
    /// The number of bytes that are written before an answer has to be sent.
    static let pendingCapacity = 1_000
    static let headCount = 100

    var state: ConnectionState
    /// The number of bytes that the socket takes before it is full.
    var room = Int.max
    /// The length of each body.
    var bodyCount = 0
    /// The most requests of the connection; 0 is no limit.
    var limit = 0
    var isDraining = false
    var now: Int64 = 0
    private(set) var log: [String] = []
    /// The number of bytes that the peer has been sent.
    private(set) var sent = 0

    private var input: [UInt8] = []
    private var requests: [UInt8] = []
    private var unread: [UInt8] = []
    private var unprocessed: [UInt8] = []
    private var pending = 0
    private var unwritten = 0
    private var unsent = 0

    init(_ kind: ConnectionState.Kind = .plain) { state = ConnectionState(kind, acceptedAt: 0) }

    var answers: [String] { log.filter { $0.hasPrefix("/") || $0.hasPrefix("refuse") } }

    mutating func receive(_ text: some StringProtocol) {
        let action = state.ready(hasFailed: false, isWritable: false, isPeerFinished: false)
        guard action == .receive else { return log.append("\(action)") }
        input += Array(text.utf8)
        perform(state.received(text.utf8.count, first: input.first ?? 0))
    }

    /// The peer reads, and the socket has so much room again.
    mutating func take(_ count: Int) {
        room += count
        guard state.ready(hasFailed: false, isWritable: true, isPeerFinished: false) == .resumeSending else { return }
        let taken = min(room, unsent)
        (room, unsent, sent) = (room - taken, unsent - taken, sent + taken)
        if unsent == 0 { (input, unprocessed) = (unprocessed, []) }
        perform(state.resumed(isAllSent: unsent == 0, at: now))
    }

    mutating func perform(_ first: ConnectionState.Action) {
        var action = first
        while true {
            switch action {
            case .read: action = read()
            case .respond(let head): action = respond(head)
            case .refuse(let status):
                log.append("refuse \(status.rawValue)")
                pending += Self.headCount
                action = state.answered(isLast: true, isWhole: true)
            case .continueAnswer: action = continueAnswer()
            case .send(let closeNotify, let next):
                if closeNotify, state.takeCloseNotify() { log.append("close_notify") }
                action = state.sent(flush(), then: next, at: now)
            case .linger:
                log.append("linger")
                action = state.linger(at: now)
            case .keepInput:
                unprocessed = input
                if !requests.isEmpty { unread = requests }
                return end()
            case .wait: return end()
            case .close(let reason):
                log.append("close \(reason)")
                _ = state.close(reason)
                return end()
            default: return log.append("\(action)")
            }
        }
    }

    private mutating func end() { (input, requests) = ([], []) }

    private mutating func read() -> ConnectionState.Action {
        requests += unread + input
        (unread, input) = ([], [])
        return switch RequestParser.parse(requests.span) {
        case .request(let head): state.read(.request(head))
        case .refused(let status): state.read(.refused(status))
        case .incomplete: state.read(.exhausted(hasPartialHead: !requests.isEmpty))
        }
    }

    private mutating func respond(_ head: RequestHead) -> ConnectionState.Action {
        log.append(String(decoding: requests[head.path.range], as: UTF8.self))
        requests.removeFirst(Int(head.count))
        let mustClose = state.mustClose(limit: limit, isDraining: isDraining)
        let fitting = min(bodyCount, Self.pendingCapacity)
        pending += Self.headCount + fitting
        unwritten = bodyCount - fitting
        return state.answered(
            isLast: mustClose || head.announcesBody || head.persistence == .no, isWhole: unwritten == 0)
    }

    private mutating func continueAnswer() -> ConnectionState.Action {
        var flow = flush()
        while case .flowing = flow, unwritten > 0 {
            let count = min(unwritten, Self.pendingCapacity)
            (pending, unwritten) = (pending + count, unwritten - count)
            flow = flush()
        }
        return state.answerContinued(flow)
    }

    private mutating func flush() -> ConnectionState.Flow {
        let taken = min(room, pending)
        (room, pending, sent) = (room - taken, pending - taken, sent + taken)
        guard pending > 0 else { return .flowing }
        (unsent, pending) = (pending, 0)
        state.parked(at: now)
        return .parked
    }
}

/// Requests and answers, without a socket: pipelining, bodies, parking, the last answer, and the end.
@Suite("The state of a connection: requests")
struct ConnectionRequestsTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test(
        "requests are answered, refused or waited for, however they come",
        arguments: [
            ([request], ["/"]),
            // A slow header.
            (request.map(String.init), ["/"]),
            // Pipelined requests.
            ([request + request + request], ["/", "/", "/"]),
            ([request + "GE", "T /b HTTP/1.1\r\nHost: a\r\n\r\n"], ["/", "/b"]),
            ([request + "GET / HTTP/1.1\n" + request], ["/", "refuse 400", "linger"]),
            (["GET / HTTP/2.0\r\n"], ["refuse 505", "linger"]),
            (["GET / HTTP/1.1\n"], ["refuse 400", "linger"]),
            (["GET /" + String(repeating: "a", count: 4_096)], ["refuse 414", "linger"]),
            (["\u{16}\u{3}\u{1}"], ["refuse 400", "linger"]),
            (["\r\n" + request], ["/"]),
        ])
    func requests(pieces: [String], expected: [String]) {
        var worker = ScriptedWorker()
        for piece in pieces { worker.receive(piece) }
        #expect(worker.log == expected)
        #expect(worker.state.requests == worker.answers.count)
    }

    private static let pipeline = get("/1") + get("/2") + get("/3") + "GET /4"

    @Test("pipelined requests wait for a peer that takes nothing, and are answered in their order")
    func pipelining() {
        var worker = ScriptedWorker()
        worker.bodyCount = 950
        worker.room = 0
        worker.receive(Self.pipeline)
        // All answers fit into memory, so none of them had to wait.
        #expect(worker.answers == ["/1", "/2", "/3"])
        #expect(worker.state.isParked && worker.state.phase == .sending)
        // Nothing is received meanwhile.
        worker.receive("x")
        #expect(worker.log.last == "ignore")
        worker.take(3_149)
        #expect(worker.state.isParked)
        worker.take(1)
        #expect(!worker.state.isParked && worker.state.phase == .head)
        worker.receive(" HTTP/1.1\r\nHost: a\r\n\r\n")
        worker.take(.max / 2)
        #expect(worker.answers == ["/1", "/2", "/3", "/4"])
        #expect(worker.sent == 4 * 1_050 && worker.state.phase == .idle)
    }

    @Test("a body that does not fit is continued when its peer takes more; requests behind it wait for their turn")
    func bodies() {
        var worker = ScriptedWorker()
        worker.bodyCount = 5_000
        worker.room = 2_500
        worker.receive(Self.pipeline)
        #expect(worker.log == ["/1"] && worker.state.isParked)
        worker.now = 5
        worker.take(600)
        // What the peer takes renews the time.
        #expect(worker.log == ["/1"] && worker.state.isParked && worker.state.since == 5)
        worker.take(7_200)
        #expect(worker.log == ["/1", "/2", "/3"] && worker.state.isParked)
        worker.take(.max / 2)
        #expect(worker.log == ["/1", "/2", "/3"])
        #expect(worker.sent == 3 * 5_100 && worker.state.phase == .head)
    }

    @Test(
        "nothing follows the last answer, also when it has to wait",
        arguments: [
            (pipeline, 2, false, ["/1", "/2", "linger"]), (pipeline, 1, false, ["/1", "linger"]),
            (pipeline, 0, true, ["/1", "linger"]),
            (get("/1") + get("/2", "Connection: close\r\n") + get("/3"), 0, false, ["/1", "/2", "linger"]),
            (get("/1", "Content-Length: 3\r\n") + get("/2"), 0, false, ["/1", "linger"]),
        ], [(0, Int.max), (0, 30), (4_000, Int.max), (4_000, 30)])
    func lastAnswer(
        _ connection: (input: String, limit: Int, isDraining: Bool, log: [String]), _ peer: (body: Int, room: Int)
    ) {
        var worker = ScriptedWorker()
        (worker.limit, worker.isDraining) = (connection.limit, connection.isDraining)
        (worker.bodyCount, worker.room) = (peer.body, peer.room)
        worker.receive(connection.input)
        while worker.state.isParked { worker.take(70) }
        #expect(worker.log == connection.log)
        #expect(worker.state.isLastAnswer && worker.state.phase == .lingering)
        #expect(worker.sent == worker.answers.count * (ScriptedWorker.headCount + peer.body))
        worker.receive(Self.request)
        #expect(worker.log == connection.log)
    }

    @Test(
        "the last answer of a connection is known before it is written",
        arguments: [
            (0, false, [false, false, false]), (1, false, [true, true, true]), (3, false, [false, false, true]),
            (0, true, [true, true, true]), (3, true, [true, true, true]),
        ])
    func keepAliveLimit(limit: Int, isDraining: Bool, expected: [Bool]) {
        var state = ConnectionState(.plain, acceptedAt: 0)
        let closes = expected.indices.map { _ in
            defer { _ = state.answered(isLast: false, isWhole: true) }
            return state.mustClose(limit: limit, isDraining: isDraining)
        }
        #expect(closes == expected)
        #expect(state.requests == expected.count)
    }

    @Test("the answers are the same in whatever pieces requests come and answers are taken", arguments: [0, 40, 3_000])
    func pieces(bodyCount: Int) {
        let input = (1...9).map { Self.get("/\($0)") }.joined() + Self.get("/10", "Connection: close\r\n")
        for piece in [1, 7, 29, 100, 1_000] {
            for room in [1, 13, 500, 1_100, 8_000] {
                var worker = ScriptedWorker()
                (worker.bodyCount, worker.room) = (bodyCount, room)
                var rest = input[...]
                while !rest.isEmpty {
                    worker.receive(rest.prefix(piece))
                    rest = rest.dropFirst(piece)
                    while worker.state.isParked { worker.take(room) }
                }
                #expect(worker.log == (1...10).map { "/\($0)" } + ["linger"])
                #expect(worker.sent == 10 * (ScriptedWorker.headCount + bodyCount))
            }
        }
    }

    @Test("a connection ends with its peer's stream, its transport, or its time")
    func closing() {
        func end(_ kind: ConnectionState.Kind, _ event: (inout ConnectionState) -> ConnectionState.Action) -> [String] {
            var worker = ScriptedWorker(kind)
            if kind == .tls {
                _ = worker.state.received(1, first: 22)
                worker.perform(worker.state.handshakeProgressed(.done, at: 0))
            }
            worker.perform(event(&worker.state))
            return worker.log
        }
        for (kind, goodbye) in [(ConnectionState.Kind.plain, []), (.tls, ["close_notify"])] {
            #expect(end(kind) { $0.endOfStream() } == goodbye + ["close finished"])
            #expect(end(kind) { $0.read(.closed) } == goodbye + ["close finished"])
            #expect(end(kind) { $0.read(.failed) } == ["close failed"])
            #expect(end(kind) { $0.interrupted(.failed) } == ["close failed"])
            #expect(end(kind) { $0.drain(at: 1_000, hasPartialHead: false) } == goodbye + ["close failed"])
            let timeouts = ConnectionTimeouts(ServerConfiguration.Timeouts())
            #expect(
                end(kind) { $0.timerFired(at: 10_000, timeouts) } == ["refuse 408"] + goodbye + ["linger"])
        }
    }

    /// The seam below the protocol: the same requests over a transport that does nothing.
    @Test("a plain transport carries requests and answers as they are")
    func plainTransport() {
        let buffers = TransportBuffers.allocate(outputCapacity: 20)
        defer { TransportBuffers.deallocate(buffers) }
        let transport = Transport.plain(PlainTransport(buffers))
        #expect(transport.handshake() == .done)
        #expect(!transport.hasPending && !transport.isTLS13 && !transport.isResumed)
        var requests = [UInt8](repeating: 0, count: 64)
        let count = Array("\(Self.request)x".utf8).withUnsafeBufferPointer { input in
            if let start = input.baseAddress { buffers.pointee.input = start }
            buffers.pointee.inputCount = input.count
            var count = 0
            // Into small memory piece by piece.
            while case .bytes(let more) = requests.withUnsafeMutableBufferPointer({ output in
                output.baseAddress.map { transport.read(into: $0 + count, count: 10) } ?? .failed
            }) { count += more }
            return count
        }
        #expect(buffers.pointee.inputCount == 0)
        let received = Array(Self.request.utf8) + [UInt8(ascii: "x")]
        #expect(Array(requests[..<count]) == received)
        let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let taken = answer.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { [transport.write($0, count: 19), transport.write($0, count: 19)] } ?? []
        }
        // No more than there is room for.
        #expect(taken == [19, 1])
        transport.sendCloseNotify()
        #expect(
            Array(UnsafeBufferPointer(start: buffers.pointee.output, count: buffers.pointee.outputCount))
                == answer + [UInt8(ascii: "H")])
    }
}
