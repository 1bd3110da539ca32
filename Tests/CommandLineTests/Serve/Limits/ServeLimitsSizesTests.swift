import Glibc
import TLSSamples
import TestSupport
import Testing

/// The sizes that requests, their parts and files may have (server.md, section 3).
@Suite("aasa serve: limits of sizes", .waiting)
struct ServeLimitsSizesTests {
    private static let shared = Result {
        try RunningServer(RunningServer.layOut(), configuration: #"{"limits": {"perAddress": 0}}"#)
    }
    private let server: RunningServer

    init() throws { server = try Self.shared.get() }

    /// Sends text in pieces and returns all answers; `true` if the server had closed, with nothing asked to close.
    private func exchange(_ text: String, piece: Int) throws -> (answers: [HTTPAnswer], isClosed: Bool) {
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        var rest = text[...]
        while !rest.isEmpty {
            client.send(String(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        let first = try client.answer()
        guard first.closes else {
            // Still open: it answers again.
            return ([first, try client.get()], false)
        }
        return ([first] + client.remainingAnswers(), client.hasGoodbye && client.ending == .orderly)
    }

    private func expect(_ text: String, _ status: Int, piece: Int) throws {
        let (answers, isClosed) = try exchange(text, piece: piece)
        if status == 404 {
            #expect(answers.map(\.status) == [404, 200])
        } else {
            #expect(answers.map(\.status) == [status])
            #expect(isClosed)
        }
    }

    private static let pieces = [100_000, 1_000, 97]

    /// `GET /xxx HTTP/1.1` of so many bytes, without its line end.
    private func line(_ count: Int) -> String {
        "GET /\(String(repeating: "x", count: count - "GET / HTTP/1.1".count)) HTTP/1.1"
    }

    @Test(
        "a request line has at most 4,096 bytes", arguments: [(4_096, 404), (4_097, 414), (6_000, 414), (8_000, 414)],
        pieces)
    func requestLine(size: (count: Int, status: Int), piece: Int) throws {
        try expect(line(size.count) + "\r\nHost: localhost\r\n\r\n", size.status, piece: piece)
    }

    @Test("an empty line before it does not count", arguments: [(4_096, 404), (4_097, 414)])
    func emptyLine(count: Int, status: Int) throws {
        try expect("\r\n" + line(count) + "\r\nHost: localhost\r\n\r\n", status, piece: 100_000)
    }

    @Test("a request line that never ends is answered when it is too long", arguments: pieces)
    func endlessLine(piece: Int) throws {
        try expect("GET /" + String(repeating: "x", count: 4_092), 414, piece: piece)
    }

    @Test("a head has at most 8,192 bytes", arguments: [(8_192, 404), (8_193, 431), (12_000, 431)], pieces)
    func head(size: (count: Int, status: Int), piece: Int) throws {
        let frame = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n"
        let value = String(repeating: "x", count: size.count - frame.utf8.count)
        try expect("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(value)\r\n\r\n", size.status, piece: piece)
    }

    @Test("a head of many short fields, too", arguments: [(8_192, 404), (8_193, 431)])
    func headOfFields(count: Int, status: Int) throws {
        var text = "GET / HTTP/1.1\r\nHost: localhost\r\n"
        while text.utf8.count < count - 300 { text += "X-Field: \(String(repeating: "y", count: 100))\r\n" }
        text += "Z: \(String(repeating: "z", count: count - text.utf8.count - "Z: \r\n\r\n".utf8.count))\r\n\r\n"
        #expect(text.utf8.count == count)
        try expect(text, status, piece: 100_000)
    }

    @Test("a head that never ends is answered when it is too long", arguments: ["X: xxxx\r\n", "x"])
    func endlessHead(unit: String) throws {
        let text = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: unit, count: 8_192 / unit.utf8.count)
        try expect(text, 431, piece: 1_000)
    }

    @Test("a head has at most 100 fields", arguments: [(100, 404), (101, 431), (500, 431)], pieces)
    func fields(size: (count: Int, status: Int), piece: Int) throws {
        let fields = String(repeating: "X: y\r\n", count: size.count - 1)
        try expect("GET / HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n", size.status, piece: piece)
    }

    @Test("the longest head is served as the tenth of ten in one record, too")
    func longestPipelined() throws {
        let frame = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n"
        let value = String(repeating: "x", count: 8_192 - frame.utf8.count)
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        client.send(
            String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 9)
                + "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(value)\r\n\r\n")
        for _ in 0..<10 { #expect(try client.answer().status == 404) }
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
