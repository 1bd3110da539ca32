import TLSSamples
import TestSupport
import Testing

/// Readers that take little or nothing, and what follows a last answer (server.md, sections 3 and 7).
@Suite("aasa serve: slow readers and last answers", .waiting)
struct ServeLimitsWritingTests {
    private static let request = request("")
    private static let large = #"{"applinks":{"_":""# + String(repeating: "~", count: 131_000) + #""}}"#
    /// More than the system's buffers of both sides can hold.
    private static let flood = String(repeating: request, count: 150)

    private static func request(_ field: String) -> String {
        "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n"
    }

    private func serve(_ timeouts: String, document: String = RunningServer.document) throws -> RunningServer {
        try RunningServer(RunningServer.layOut(document: document), configuration: #"{"timeouts": {\#(timeouts)}}"#)
    }

    @Test(
        "a reader that takes nothing is closed, and nobody else waits for it", arguments: SampleOffer.versions)
    func stuckReader(version: SampleOffer.Version) throws {
        let server = try serve(#""write": 0.6, "idle": 3600, "header": 3600"#, document: Self.large)
        let sockets = server.openSockets
        let stuck = try HTTPSClient(port: server.port, SampleOffer(version), receiveBuffer: 4_096)
        try stuck.handshake()
        #expect(server.openSockets == sockets + 1)
        let time = try Waiting.measure {
            stuck.send(Self.flood)
            let other = try HTTPSClient(port: server.port)
            try other.handshake()
            #expect(try other.get().text == Self.large)
            other.sayGoodbye()
            #expect(other.remainingAnswers().isEmpty)
            #expect(Waiting.until { server.openSockets == sockets })
        }
        #expect(time > 0.55)
        // What was sent to it does not wait for it in the system, nor was it much.
        let answers = stuck.remainingAnswers()
        #expect(stuck.ending == .reset)
        #expect(answers.count < 5)
        #expect(answers.allSatisfy { $0.text == Self.large }, "what was sent was whole")
    }

    @Test("a reader that is slow but steady gets everything, in longer than the time without progress")
    func steadyReader() throws {
        // It reads five times in that time, unless the machine has other things to do; much waits for it all the time.
        let isServed = try Patience.limits.contains { limit in
            let server = try serve(#""write": \#(limit), "idle": 3600, "header": 3600"#, document: Self.large)
            let client = try HTTPSClient(port: server.port, receiveBuffer: 65_536)
            try client.handshake(andSend: Self.flood)
            for _ in 0..<10 {
                guard client.read() else { return false }
                Waiting.idle(milliseconds: Int(limit * 200))
            }
            for _ in 0..<150 { guard (try? client.answer().text) == Self.large else { return false } }
            // Nothing was lost on the way: the connection is as before.
            return (try? client.get().text) == Self.large
        }
        #expect(isServed)
    }

    @Test("requests wait while their answers are not taken, and are all answered then")
    func backPressure() throws {
        let server = try serve(#""write": 3600"#, document: Self.large)
        let client = try HTTPSClient(port: server.port, receiveBuffer: 4_096)
        try client.handshake(andSend: Self.flood)
        // The server has answered as much as it can when it turns to another client.
        for _ in 0..<2 { #expect(try server.curl("/apple-app-site-association").text == Self.large) }
        for _ in 0..<150 { try #require(client.answer().text == Self.large) }
    }

    @Test(
        "a body up to the bound is thrown away, and no reset overtakes the answer",
        arguments: ["Content-Length: 60000", "Transfer-Encoding: chunked"])
    func body(field: String) throws {
        let server = try serve(#""header": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.request(field + "\r\n"))
        // All of it arrives before the client looks for the answer.
        #expect(client.send(String(repeating: "x", count: 60_000)))
        let answer = try client.answer()
        #expect(answer.text == RunningServer.document)
        #expect(answer.closes)
        #expect(client.remainingAnswers().isEmpty)
        #expect(client.hasGoodbye)
        #expect(client.ending == .orderly)
    }

    @Test("a request inside a body is never answered")
    func smuggling() throws {
        let server = try serve(#""header": 3600"#)
        for field in ["Content-Length: \(Self.request.utf8.count)", "Transfer-Encoding: chunked"] {
            let client = try HTTPSClient(port: server.port)
            try client.handshake(andSend: Self.request(field + "\r\n") + Self.request)
            #expect(client.remainingAnswers().count == 1)
        }
    }

    @Test("a body without end is cut at 64 KiB, long before two seconds")
    func endlessBody() throws {
        let server = try RunningServer(RunningServer.layOut())
        var times: [Double] = []
        for _ in 0..<3 {
            let client = try HTTPSClient(port: server.port)
            try client.handshake(andSend: Self.request("Content-Length: 999999999999\r\n"))
            #expect(try client.answer().closes)
            let piece = String(repeating: "x", count: 16_000)
            // More than every buffer on the way holds.
            var sent = 0
            times.append(Waiting.measure { while sent < 3_000, client.send(piece) { sent += 1 } })
            #expect(sent < 3_000)
        }
        // One of them at least, however busy the machine is.
        #expect(times.contains { $0 < 1.5 })
    }

    @Test("the end of the stream comes with the last answer, and two seconds later the connection is gone")
    func linger() throws {
        let server = try serve(#""idle": 3600"#)
        let sockets = server.openSockets
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        let time = Waiting.measure {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(client.remainingAnswers().map(\.status) == [404])
            #expect(client.hasGoodbye)
            #expect(client.ending == .orderly)
            // Bytes do not make it longer.
            let isGone = Waiting.until {
                client.socket.send([0])
                return server.openSockets == sockets
            }
            #expect(isGone)
        }
        #expect(time > 1.9)
    }

    @Test("a client that ends its stream lets the server close at once")
    func lingerEnds() throws {
        let server = try serve(#""idle": 3600"#)
        let sockets = server.openSockets
        var ends: [Double] = []
        for _ in 0..<5 {
            let client = try HTTPSClient(port: server.port)
            try client.handshake(andSend: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(client.remainingAnswers().count == 1)
            ends.append(
                Waiting.measure {
                    client.socket.endSending()
                    #expect(Waiting.until { server.openSockets == sockets })
                })
        }
        // One of them at least, however busy the machine is.
        #expect(ends.contains { $0 < 1 })
    }

    @Test("a half-close after a request is no error", arguments: [true, false])
    func halfClose(saysGoodbye: Bool) throws {
        let server = try serve(#""idle": 3600"#, document: Self.large)
        let client = try HTTPSClient(port: server.port, receiveBuffer: 4_096)
        try client.handshake(andSend: String(repeating: Self.request, count: 20))
        if saysGoodbye { client.sayGoodbye() }
        client.socket.endSending()
        let answers = client.remainingAnswers()
        #expect(answers.count == 20)
        #expect(answers.allSatisfy { $0.text == Self.large })
        #expect(client.ending == .orderly)
    }

    @Test("HTTP in clear and its long body: the answer arrives")
    func clearText() throws {
        let server = try serve(#""idle": 3600"#)
        let socket = try RawSocket(port: server.port)
        socket.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n")
        socket.send(String(repeating: "x", count: 50_000))
        let (bytes, ending) = socket.receiveAll()
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(ending == .orderly)
    }
}
