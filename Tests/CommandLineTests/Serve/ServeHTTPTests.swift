import Foundation
import TestSupport
import Testing

/// HTTP/1 as it is on the wire (server.md, section 3), sent as bytes over TLS.
@Suite("aasa serve: HTTP/1", .waiting)
struct ServeHTTPTests {
    private static let shared = Result {
        // A connection that is kept ends soon, and with it the client's wait.
        try RunningServer(RunningServer.layOut(), configuration: #"{"timeouts": {"idle": 0.3}}"#)
    }
    private let server: RunningServer
    private static let get = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"

    init() throws { server = try Self.shared.get() }

    private func statuses(_ answer: String) -> [Int] {
        answer.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.1) }
    }

    @Test(
        "what could be read in two ways is refused, and closes",
        arguments: [
            (get + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET / HTTP/3.1\r\nHost: localhost\r\n\r\n", 505),
            ("GET /" + String(repeating: "a", count: 4_097), 414),
            (get + "X: " + String(repeating: "a", count: 8_192), 431),
            (get + "Expect: 200-ok\r\n\r\n" + get + "Connection: close\r\n\r\n", 417),
        ])
    func refusals(request: String, status: Int) throws {
        let answer = try server.exchange(request)
        #expect(statuses(answer).first == status, "\(answer)")
        if status != 417 {
            #expect(statuses(answer).count == 1)
            #expect(answer.contains("\r\nConnection: close\r\n"))
        }
        #expect(answer.contains("\r\nContent-Length: "))
    }

    @Test("a HEAD that is refused has no body either")
    func refusedHead() throws {
        #expect(try server.exchange("HEAD / HTTP/1.1\r\n\r\n").hasSuffix("\r\n\r\n"))
        #expect(try server.exchange("\r\nHEAD / HTTP/3.0\r\n\r\n").hasSuffix("\r\n\r\n"))
        #expect(try server.exchange("GET / HTTP/1.1\r\n\r\n").hasSuffix("\r\n\r\nbad request\n"))
    }

    @Test("HTTP/1.0 closes, unless the client asks to keep the connection")
    func version10() throws {
        let request = "GET /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n"
        #expect(try server.exchange(request + "\r\n").contains("\r\nConnection: close\r\n"))
        let kept = try server.exchange(request + "Connection: keep-alive\r\n\r\n" + request + "\r\n")
        #expect(statuses(kept) == [200, 200])
        #expect(kept.contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test(
        "a body is never taken for a request",
        arguments: ["Content-Length: 27", "Transfer-Encoding: chunked"])
    func body(field: String) throws {
        let hidden = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let answer = try server.exchange(Self.get + field + "\r\n\r\n" + hidden)
        #expect(statuses(answer) == [200])
        #expect(answer.contains("\r\nConnection: close\r\n"))
        let post = Self.get.replacingOccurrences(of: "GET", with: "POST")
        #expect(statuses(try server.exchange(post + field + "\r\n\r\n" + hidden)) == [405])
    }

    @Test("HTTP in clear is told that this port speaks HTTPS")
    func clear() throws {
        let socket = try RawSocket(port: server.port)
        socket.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let (bytes, ending) = socket.receiveAll()
        let answer = String(decoding: bytes, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nthis port speaks HTTPS\n"))
        #expect(ending == .orderly)
    }

    @Test("other bytes are closed without a word", arguments: [[0], [0x80, 0x2E, 1], [0xFF, 0xFF]] as [[UInt8]])
    func noise(bytes: [UInt8]) throws {
        let socket = try RawSocket(port: server.port)
        socket.send(bytes)
        #expect(socket.receiveAll().bytes.isEmpty)
    }
}
