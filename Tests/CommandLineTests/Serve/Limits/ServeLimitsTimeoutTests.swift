import Glibc
import TLSSamples
import TestSupport
import Testing

/// Handshake, header and idle time-outs (server.md, section 7). In each test only the one that it is about is short.
@Suite("aasa serve: time-outs", .waiting)
struct ServeLimitsTimeoutTests {
    private static let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
    /// A client that sends a byte each time this has passed takes some 15 s for a request of 300 bytes.
    private static let pause: Int32 = 50
    private static let long = "GET /apple-app-site-association HTTP/1.1\r\nX: \(String(repeating: "x", count: 250))\r\n"

    private func serve(_ timeouts: String) throws -> RunningServer {
        try RunningServer(RunningServer.layOut(), configuration: #"{"timeouts": {\#(timeouts)}}"#)
    }

    /// Sends byte after byte until the server answers or ends the connection.
    ///
    /// - Returns: whether that was before the last byte.
    private func trickle(_ pieces: [[UInt8]], to client: HTTPSClient) -> Bool {
        for piece in pieces {
            if !client.socket.send(piece) { return true }
            if client.read(within: Self.pause) || client.ending != nil { return true }
        }
        return false
    }

    @Test(
        "a handshake that does not go on is closed without a word", arguments: [[22], [22, 3, 1, 2, 0]] as [[UInt8]])
    func silentHandshake(bytes: [UInt8]) throws {
        let server = try serve(#""handshake": 0.4, "header": 3600"#)
        let socket = try RawSocket(port: server.port)
        let time = Waiting.measure {
            socket.send(bytes)
            let (bytes, ending) = socket.receiveAll()
            #expect(bytes.isEmpty)
            #expect(ending == .orderly)
        }
        #expect(time > 0.35)
    }

    @Test("a client that sends its hello byte by byte is closed: the time runs from accept")
    func trickledHello() throws {
        let server = try serve(#""handshake": 0.4, "header": 3600"#)
        let client = try HTTPSClient(port: server.port)
        // The hello of a client that offers much; nothing comes back to the part that is sent.
        let hello = client.hello()
        #expect(hello.count > 200)
        let time = Waiting.measure { #expect(trickle(hello.map { [$0] }, to: client)) }
        #expect(time > 0.35)
        #expect(client.ending != nil)
    }

    @Test("a client that says hello and nothing more is closed", arguments: SampleOffer.versions)
    func halfHandshake(version: SampleOffer.Version) throws {
        let server = try serve(#""handshake": 0.4, "header": 3600"#)
        let client = try HTTPSClient(port: server.port, SampleOffer(version))
        client.socket.send(client.hello())
        // The server's part of the handshake, and then nothing but the end.
        let (bytes, ending) = client.socket.receiveAll()
        #expect(bytes.first == 22)
        #expect(ending == .orderly)
    }

    @Test("a client that has shaken hands and asks nothing gets 408", arguments: SampleOffer.versions)
    func silentClient(version: SampleOffer.Version) throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port, SampleOffer(version))
        try client.handshake()
        let time = try Waiting.measure { try expectTimeout(client) }
        #expect(time > 0.3)
    }

    @Test("a head that does not end gets 408, whole, and the connection is closed")
    func unfinishedHead() throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: "GET /apple-app-site")
        let answer = try expectTimeout(client)
        #expect(answer["Date"] != nil)
        #expect(answer.body.count > 0 && answer["Content-Length"] == "\(answer.body.count)")
    }

    @Test("each byte of a head in a record of its own does not renew the time")
    func trickledHead() throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        let time = Waiting.measure { #expect(trickle(Self.long.map { client.sealed(String($0)) }, to: client)) }
        #expect(time > 0.3)
        try expectTimeout(client)
    }

    @Test("nor do the bytes of one record that comes byte by byte")
    func trickledRecord() throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        #expect(trickle(client.sealed(Self.long + "Host: localhost\r\n\r\n").map { [$0] }, to: client))
        try expectTimeout(client)
    }

    @Test("the time of the first request begins when the handshake has ended")
    func firstRequest() throws {
        let server = try serve(#""handshake": 3600, "header": 0.5, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        client.socket.send(client.hello())
        #expect(client.socket.hasSomething())
        // The time of another one, whose handshake ends now, is over.
        let other = try HTTPSClient(port: server.port)
        try other.handshake()
        try expectTimeout(other)
        try client.handshake(andSend: Self.request)
        #expect(try client.answer().status == 200)
    }

    @Test("a later head that does not end gets 408, however long a connection may be idle")
    func laterHead() throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request + "GET /")
        #expect(try client.answer().status == 200)
        try expectTimeout(client)
    }

    @Test("a request that has begun has the time of a head, however short a connection may be idle")
    func begunRequest() throws {
        let server = try serve(#""handshake": 3600, "header": 3600, "idle": 0.4"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request + "GET /")
        #expect(try client.answer().status == 200)
        // The time of another one, which idles from now on, is over.
        let other = try HTTPSClient(port: server.port)
        try other.handshake(andSend: Self.request)
        #expect(try other.answer().status == 200)
        #expect(other.remainingAnswers().isEmpty)
        client.send(Self.request.dropFirst("GET /".count).description)
        #expect(try client.answer().status == 200)
    }

    @discardableResult
    private func expectTimeout(_ client: HTTPSClient) throws -> HTTPAnswer {
        let answer = try client.answer()
        #expect(answer.status == 408)
        #expect(answer.closes)
        #expect(client.remainingAnswers().isEmpty)
        #expect(client.hasGoodbye)
        #expect(client.ending == .orderly)
        return answer
    }

    @Test("a connection on which nothing is asked any more is closed without a word")
    func idleConnection() throws {
        let server = try serve(#""handshake": 3600, "header": 3600, "idle": 0.4"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request)
        #expect(try client.answer().status == 200)
        let time = Waiting.measure { #expect(client.remainingAnswers().isEmpty) }
        #expect(client.ending == .orderly)
        #expect(time > 0.3)
    }

    @Test("requests keep a connection open for longer than it may be idle")
    func renewedIdle() throws {
        // It asks long before the time is over, unless the machine has other things to do.
        let isKept = try Patience.limits.contains { limit in
            let server = try serve(#""handshake": 3600, "header": 3600, "idle": \#(limit)"#)
            let (client, idle) = (try HTTPSClient(port: server.port), try HTTPSClient(port: server.port))
            for client in [client, idle] { try client.handshake(andSend: Self.request) }
            #expect(try client.answer().status == 200 && idle.answer().status == 200)
            while !idle.socket.hasSomething(within: Int32(limit * 200)) {
                guard (try? client.get().status) == 200 else { return false }
            }
            return (try? client.get().status) == 200
        }
        #expect(isKept)
    }

    @Test("bytes of a record that never ends keep no connection open")
    func idleTrickle() throws {
        let server = try serve(#""handshake": 3600, "header": 3600, "idle": 0.4"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request)
        #expect(try client.answer().status == 200)
        #expect(trickle(client.sealed(Self.long).map { [$0] }, to: client))
        #expect(client.ending != nil)
    }

    @Test("a stop waits for a request that has begun, and no longer than the drain takes", arguments: [1, 2])
    func drain(threads: Int) throws {
        let server = try RunningServer(
            RunningServer.layOut(),
            configuration: #"{"timeouts": {"handshake": 3600, "header": 3600, "idle": 3600, "drain": 0.6}}"#,
            threads: threads)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request + "GET /")
        #expect(try client.answer().status == 200)
        let time = Waiting.measure {
            server.signal(SIGTERM)
            #expect(server.exitStatus() == 0)
        }
        #expect(time > 0.55)
        #expect(client.remainingAnswers().isEmpty)
    }

    @Test("a second signal does not wait for it")
    func secondSignal() throws {
        let server = try serve(#""handshake": 3600, "header": 3600, "idle": 3600, "drain": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request + "GET /")
        #expect(try client.answer().status == 200)
        server.signal(SIGTERM)
        #expect(server.waitForLog("stopping"))
        server.signal(SIGINT)
        #expect(server.exitStatus() == 0)
    }
}
