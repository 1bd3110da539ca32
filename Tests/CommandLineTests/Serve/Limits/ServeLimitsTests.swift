import Glibc
import TLSSamples
import TestSupport
import Testing

/// Times and sizes as a client meets them (server.md, sections 3 and 7); in each test only the limit that it is about is short.
@Suite("aasa serve: limits of times and sizes", .waiting)
struct ServeLimitsTests {
    private static let request = request("")
    private static let large = #"{"applinks":{"_":""# + String(repeating: "~", count: 131_000) + #""}}"#

    private static func request(_ field: String) -> String {
        "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n"
    }

    private func serve(_ timeouts: String, document: String = RunningServer.document) throws -> RunningServer {
        try RunningServer(RunningServer.layOut(document: document), configuration: #"{"timeouts": {\#(timeouts)}}"#)
    }

    // MARK: Times

    @Test(
        "a handshake that does not go on is closed without a word", arguments: [[22], [22, 3, 1, 2, 0]] as [[UInt8]])
    func silentHandshake(bytes: [UInt8]) throws {
        let server = try serve(#""handshake": 0.4, "header": 3600"#)
        let time = try Waiting.measure {
            let socket = try RawSocket(port: server.port)
            socket.send(bytes)
            let (bytes, ending) = socket.receiveAll()
            #expect(bytes.isEmpty)
            #expect(ending == .orderly)
        }
        #expect(time > 0.35)
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

    @Test("a record that comes byte by byte does not renew the time of its head")
    func trickledRecord() throws {
        let server = try serve(#""handshake": 3600, "header": 0.4, "idle": 3600"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        // A client that sends a byte each time this pause is over takes some 15 s.
        let bytes = client.sealed(Self.request("X: \(String(repeating: "x", count: 250))\r\n"))
        let isAnswered = bytes.contains { byte in
            !client.socket.send([byte]) || client.read(within: 50) || client.ending != nil
        }
        #expect(isAnswered)
        try expectTimeout(client)
    }

    @discardableResult
    private func expectTimeout(_ client: HTTPSClient) throws -> HTTPAnswer {
        let answer = try client.answer()
        #expect(answer.status == 408 && answer.closes && client.remainingAnswers().isEmpty)
        #expect(client.hasGoodbye && client.ending == .orderly)
        return answer
    }

    @Test("a connection on which nothing is asked any more is closed without a word")
    func idleConnection() throws {
        let server = try serve(#""handshake": 3600, "header": 3600, "idle": 0.4"#)
        let client = try HTTPSClient(port: server.port)
        let time = try Waiting.measure {
            try client.handshake(andSend: Self.request)
            #expect(try client.answer().status == 200)
            #expect(client.remainingAnswers().isEmpty)
        }
        #expect(client.ending == .orderly)
        #expect(time > 0.3)
    }

    // MARK: Readers

    @Test(
        "a reader that takes nothing is closed, and nobody else waits for it", arguments: SampleOffer.versions)
    func stuckReader(version: SampleOffer.Version) throws {
        let server = try serve(#""write": 0.6, "idle": 3600, "header": 3600"#, document: Self.large)
        let sockets = server.openSockets
        let stuck = try HTTPSClient(port: server.port, SampleOffer(version), receiveBuffer: 4_096)
        try stuck.handshake()
        #expect(server.openSockets == sockets + 1)
        let time = try Waiting.measure {
            // More than the system's buffers of both sides can hold.
            stuck.send(String(repeating: Self.request, count: 150))
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

    // MARK: Sizes

    /// A request with a head of so many bytes.
    private static func head(of count: Int) -> String {
        let rest = count - "GET / HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n".utf8.count
        return "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: rest))\r\n\r\n"
    }

    @Test(
        "a head has at most 8,192 bytes, in whatever pieces, also as the tenth of ten",
        arguments: [100_000, 1_000, 97])
    func head(piece: Int) throws {
        let server = try serve(#""header": 3600"#)
        for (count, status) in [(8_192, 404), (8_193, 431), (12_000, 431)] {
            let client = try HTTPSClient(port: server.port)
            try client.handshake()
            let ten = String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 9)
            var rest = (ten + Self.head(of: count))[...]
            while !rest.isEmpty {
                client.send(String(rest.prefix(piece)))
                rest = rest.dropFirst(piece)
            }
            for _ in 0..<9 { #expect(try client.answer().status == 404) }
            let answer = try client.answer()
            #expect(answer.status == status && answer.closes == (status == 431))
            guard status == 431 else {
                #expect(try client.get().status == 200)
                continue
            }
            #expect(client.remainingAnswers().isEmpty && client.hasGoodbye && client.ending == .orderly)
        }
    }

    @Test("a file of any size up to the limit arrives whole", arguments: [15, 15_000, 16_384, 17_000, 65_536, 131_072])
    func files(count: Int) throws {
        let frame = #"{"applinks":{"_":""}}"#
        let document =
            count < frame.utf8.count
            ? #"{"applinks":{}}"#
            : #"{"applinks":{"_":""# + String(repeating: "x", count: count - frame.utf8.count) + #""}}"#
        let server = try RunningServer(RunningServer.layOut(document: document))
        for version in SampleOffer.versions {
            let client = try HTTPSClient(port: server.port, SampleOffer(version))
            let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
            try client.handshake(
                andSend: String(repeating: request + "\r\n", count: 20) + request + "Connection: close\r\n\r\n")
            let answers = client.remainingAnswers()
            #expect(answers.count == 21)
            #expect(answers.allSatisfy { $0.text == document })
        }
        #expect(try server.curl().text == document)
    }

    @Test("a file that is larger is refused at start and at a reload")
    func largeFile() throws {
        let large = #"{"applinks":{"_":""# + String(repeating: "x", count: 131_052) + #""}}"#
        #expect(large.utf8.count == 131_073)
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        try folder.write(large, to: "sites/a.example/apple-app-site-association")
        let server = try RunningServer(folder)
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        #expect(try client.get(host: "a.example").status == 503)
        try folder.write(large, to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site kept at its last good version (localhost)"))
        #expect(try client.get().text == RunningServer.document)
    }
}
