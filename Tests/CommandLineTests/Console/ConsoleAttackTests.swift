import Foundation
import TestSupport
import Testing

/// The answers that a page of another site, another user of the machine, and a client that keeps no rule get from `aasa console`
/// (console.md, sections 1 and 2).
@Suite("aasa console under attack", .waitingForSeconds)
struct ConsoleAttackTests {
    private let folder: TemporaryFolder
    private let console: RunningConsole

    init() throws {
        folder = try TemporaryFolder()
        console = try RunningConsole(
            [try folder.write(BuiltTool.sound, to: "apple-app-site-association")], in: folder.url)
    }

    private static let request = #"{"text":"{}"}"#

    @Test("a name that was made to lead here is refused")
    func rebinding() throws {
        for host in ["evil.test", "127.evil.test", "evil.test:\(console.port)"] {
            #expect(try console.ask("GET", "console/", host: host).status == 421)
            let api = try console.ask("POST", "api/v1/validate", body: Self.request, host: host)
            #expect(api.status == 421 && api.text.contains(#""code":"misdirected""#))
        }
    }

    @Test("forms and scripts of other sites are refused, also of another port of this machine")
    func crossSite() throws {
        for origin in ["http://evil.test", "http://127.0.0.1:\(console.port + 1)", "null"] {
            let fetch = try console.ask("POST", "api/v1/validate", ["Origin: \(origin)"], body: Self.request)
            #expect(fetch.status == 403 && fetch["Access-Control-Allow-Origin"] == nil)
        }
        let form = try console.ask(
            raw:
                "POST \(console.base)api/v1/validate HTTP/1.1\r\nHost: 127.0.0.1:\(console.port)\r\nConnection: close\r\n"
                + "Content-Type: text/plain\r\nContent-Length: 13\r\n\r\n\(Self.request)")
        #expect(form.status == 415)
        #expect(try console.ask("OPTIONS", "api/v1/validate", ["Origin: http://evil.test"]).status == 403)
        #expect(try console.ask("OPTIONS", "api/v1/validate").status == 405)
        let framed = try console.ask(
            "GET", "console/", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"])
        #expect(framed.status == 403)
        let link = try console.ask(
            "GET", "console/", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"])
        #expect(link.status == 200 && link["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
    }

    @Test("a body that is announced too long is not read; one that never comes, or is too short, ends the connection")
    func bodies() throws {
        let head =
            "POST \(console.base)api/v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        #expect(try console.ask(raw: head + "Content-Length: 300000\r\n\r\n").status == 413)
        #expect(try console.ask(raw: head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").status == 411)
        let short = try RawSocket(port: console.port)
        short.send(head + "Content-Length: 100\r\n\r\n{}")
        short.endSending()
        #expect(short.receiveAll().bytes.isEmpty)
        let slow = try RawSocket(port: console.port)
        slow.send(head + "Content-Length: 100\r\n\r\n")
        // Others are answered meanwhile.
        #expect(try console.ask("GET", "console/").status == 200)
        slow.send("{")
        #expect(String(decoding: slow.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    }

    @Test("what follows a body is another request, and pipelined ones are answered in order")
    func pipelining() throws {
        let head =
            "POST \(console.base)api/v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        let one = head + "Content-Length: \(Self.request.utf8.count)\r\n\r\n\(Self.request)"
        let socket = try RawSocket(port: console.port)
        socket.send(
            String(repeating: one, count: 50) + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let text = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 51)
        #expect(text.components(separatedBy: "HTTP/1.1 404 Not Found").count == 2)
    }

    @Test("100 Continue comes after the head was looked at, and only then")
    func expectation() throws {
        let head =
            "POST \(console.base)api/v1/validate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
        let socket = try RawSocket(port: console.port)
        socket.send(head + "Content-Type: application/json\r\nContent-Length: \(Self.request.utf8.count)\r\n\r\n")
        #expect(socket.receive() == .bytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
        socket.send(Self.request)
        #expect(String(decoding: socket.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK"))
        #expect(try console.ask(raw: head + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n").status == 415)
    }

    @Test("a hundred posts at once are all answered")
    func parallel() throws {
        let post =
            "POST \(console.base)api/v1/validate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(Self.request.utf8.count)\r\n\r\n\(Self.request)"
        let sockets = try (0..<100).map { _ in
            let socket = try RawSocket(port: console.port)
            socket.send(post)
            return socket
        }
        for socket in sockets {
            #expect(String(decoding: socket.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("connections of another user of the machine make room for the owner's, the oldest first")
    func lockOut() throws {
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        /// Whether the connection is open, and answered without the secret.
        func isAnswered(_ socket: RawSocket) -> Bool {
            socket.send(request)
            guard case .bytes(let bytes) = socket.receive() else { return false }
            return String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 404 ")
        }
        let sockets = try (0..<64).map { _ in try RawSocket(port: console.port) }
        for socket in sockets { #expect(isAnswered(socket)) }
        #expect(try console.ask("GET", "console/").status == 200)
        // Otherwise it would have waited until these have been idle for a minute.
        #expect(isAnswered(sockets[63]))
        #expect(sockets[0].receive() == .ended(.orderly))
    }

    @Test(
        "bytes that are not a request are refused, and the program goes on",
        arguments: [
            ("\u{0}\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET / HTTP/3.0\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\n\r\n", 400),
        ])
    func garbage(bytes: String, status: Int) throws {
        #expect(try console.ask(raw: bytes).status == status)
        #expect(try console.ask("GET", "console/").status == 200)
    }
}
