import AssociationServer
import Diagnostics
import Foundation
import Glibc
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// Clients that are slow, hasty, many or hostile.
@Suite("The admin listener's connections")
struct AdminHTTPTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let last = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private func statuses(_ answer: String) -> [Int] {
        answer.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.1) }
    }

    /// A site whose report is several megabytes.
    private static let largeSite = SiteFacts.sample(
        "a.example", .refused, findings: [.error("a", String(repeating: "x", count: 2 << 20))])

    @Test("many requests at once are answered in order")
    func pipelining() throws {
        let request = String(repeating: Self.get + "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 500)
        let answer = try RunningAdmin().exchange(request + Self.last)
        let statuses = statuses(answer)
        #expect(statuses.count == 1_001)
        #expect(statuses.dropLast().enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0 ? 200 : 404) })
        #expect(answer.hasSuffix("\r\nConnection: close\r\n\r\nready\n"))
    }

    @Test("a connection is kept between requests, however their bytes arrive")
    func keepAlive() throws {
        let admin = try RunningAdmin()
        defer { withExtendedLifetime(admin) {} }
        let client = try RawSocket(port: admin.port)
        for _ in 0..<3 {
            for byte in Self.get.utf8 { client.send([byte]) }
            var answer = ""
            while !answer.hasSuffix("\r\n\r\nok\n") {
                guard case .bytes(let more) = client.receive() else { throw TestFailure("no answer") }
                answer += String(decoding: more, as: UTF8.self)
            }
            #expect(statuses(answer) == [200])
        }
    }

    @Test("a client that ends its stream after its requests gets all answers")
    func halfClose() throws {
        let admin = try RunningAdmin()
        defer { withExtendedLifetime(admin) {} }
        let answer = try admin.exchange(String(repeating: Self.get, count: 20), endsSending: true)
        #expect(statuses(answer) == [Int](repeating: 200, count: 20))
        #expect(try admin.exchange("GET /hea", endsSending: true).isEmpty)
        #expect(try admin.exchange("", endsSending: true).isEmpty)
    }

    @Test(
        "what is no request is refused, and closes",
        arguments: [
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}", 400), ("\0\0\0\0", 400), ("hello\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: localhost\n\n", 400),
            ("GET /# HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
        ])
    func garbage(request: String, status: Int) throws {
        let answer = try RunningAdmin().exchange(request)
        #expect(statuses(answer) == [status], "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n"))
    }

    @Test(
        "a head has limits",
        arguments: [
            ("GET /", "a", 4_100, 414), ("GET / HTTP/1.1\r\nX: ", "a", 9_000, 431),
            ("GET / HTTP/1.1\r\nX: ", "a", 60_000, 431),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n", "X: a\r\n", 101, 431),
        ])
    func limits(start: String, piece: String, count: Int, status: Int) throws {
        let answer = try RunningAdmin().exchange(start + String(repeating: piece, count: count))
        #expect(statuses(answer) == [status])
    }

    @Test("a request with a body is answered from its head, and nothing in the body is a request")
    func body() throws {
        let length = Self.get.utf8.count
        let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n" + Self.get
        let answer = try RunningAdmin().exchange(request)
        #expect(statuses(answer) == [200])
        #expect(answer.hasSuffix("\r\nConnection: close\r\n\r\nready\n"))
    }

    @Test("a long body does not make a reset overtake the answer")
    func longBody() throws {
        let admin = try RunningAdmin()
        defer { withExtendedLifetime(admin) {} }
        let socket = try RawSocket(port: admin.port)
        socket.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
        socket.send([UInt8](repeating: 0x41, count: 60_000))
        let (bytes, ending) = socket.receiveAll()
        #expect(statuses(String(decoding: bytes, as: UTF8.self)) == [405])
        #expect(ending == .orderly)
    }

    @Test("a head that does not end is given up, an idle connection closed")
    func slowness() throws {
        let admin = try RunningAdmin { $0.header = 0.3 }
        defer { withExtendedLifetime(admin) {} }
        #expect(statuses(try admin.exchange("GET /healthz HTTP/1.1\r\nHost: lo")) == [408])
        // No further byte renews the time.
        let slow = try RawSocket(port: admin.port)
        let isAnswered = Waiting.until {
            slow.send("a")
            return slow.hasSomething(within: 50)
        }
        #expect(isAnswered)
        #expect(statuses(String(decoding: slow.receiveAll().bytes, as: UTF8.self)) == [408])
        let other = try RunningAdmin { $0.idle = 0.3 }
        defer { withExtendedLifetime(other) {} }
        let idle = try RawSocket(port: other.port)
        idle.send(Self.get)
        let (bytes, ending) = idle.receiveAll()
        #expect(statuses(String(decoding: bytes, as: UTF8.self)) == [200])
        #expect(ending == .orderly)
    }

    @Test("of 200 connections 64 are served; when they are gone, others are")
    func many() throws {
        let admin = try RunningAdmin()
        defer { withExtendedLifetime(admin) {} }
        var sockets = try (0..<200).map { _ in try RawSocket(port: admin.port) }
        // Without a byte a connection is not even accepted at once.
        for socket in sockets { socket.send("G") }
        for socket in sockets { socket.send(String(Self.last.dropFirst())) }
        let answered = sockets.filter { statuses(String(decoding: $0.receiveAll().bytes, as: UTF8.self)) == [200] }
        #expect(answered.count >= 64)
        sockets = []
        #expect(Waiting.until { (try? admin.get("/healthz").status) == 200 })
    }

    @Test("64 clients that say half a word do not keep others out", arguments: [64, 300])
    func crowd(count: Int) throws {
        // Whoever waits for the time of the others waits longer than the test.
        let admin = try RunningAdmin {
            $0.header = 3_600
            $0.idle = 3_600
        }
        defer { withExtendedLifetime(admin) {} }
        let crowd = try (0..<count).map { _ in try RawSocket(port: admin.port) }
        for socket in crowd { socket.send("GET /") }
        for _ in 0..<20 { #expect(try admin.get("/healthz").status == 200) }
    }

    @Test("where there is no room the one that idles goes before one whose request has begun")
    func idleGoesFirst() throws {
        let (admin, slow) = try holding()
        defer { withExtendedLifetime(admin) {} }
        let idle = try RawSocket(port: admin.port)
        idle.send(Self.get)
        #expect(idle.hasSomething())
        #expect(try admin.get("/healthz").status == 200)
        let (bytes, ending) = idle.receiveAll()
        #expect(statuses(String(decoding: bytes, as: UTF8.self)) == [200])
        #expect(ending == .orderly)
        slow.send(String(Self.last.dropFirst()))
        #expect(statuses(String(decoding: slow.receiveAll().bytes, as: UTF8.self)) == [200])
    }

    @Test("where none idles the oldest goes")
    func oldestGoes() throws {
        let (admin, first) = try holding()
        defer { withExtendedLifetime(admin) {} }
        // Another millisecond.
        usleep(5_000)
        let second = try RawSocket(port: admin.port)
        second.send("G")
        #expect(try admin.get("/healthz").status == 200)
        #expect(first.receiveAll().bytes.isEmpty)
        second.send(String(Self.last.dropFirst()))
        #expect(statuses(String(decoding: second.receiveAll().bytes, as: UTF8.self)) == [200])
    }

    /// A listener with room for two, and one client whose request has begun.
    private func holding() throws -> (RunningAdmin, RawSocket) {
        var limits = AdminLimits()
        limits.connections = 2
        // A busy machine may take longer than a client has.
        let admin = try RunningAdmin(FakeAdminSource(), limits) { ($0.header, $0.idle) = (60, 60) }
        let socket = try RawSocket(port: admin.port)
        // Of two requests: the answer to the first shows that the second has begun.
        socket.send(Self.get + "G")
        guard case .bytes(let answer) = socket.receive() else { throw TestFailure("no answer") }
        #expect(statuses(String(decoding: answer, as: UTF8.self)) == [200])
        return (admin, socket)
    }

    @Test("a client of the admin has five seconds for a request, and between two")
    func times() {
        #expect(AdminLimits.timeouts.header == 5)
        #expect(AdminLimits.timeouts.idle == 5)
    }

    @Test("an answer of megabytes reaches a client that takes little at a time, and others need not wait for it")
    func largeAnswer() throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.sites = [Self.largeSite] })
        defer { withExtendedLifetime(admin) {} }
        let slow = try RawSocket(port: admin.port, receiveBuffer: 4_096)
        slow.send("GET /sites HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.last)
        #expect(slow.hasSomething())
        #expect(try admin.get("/healthz") == (200, "ok\n"))
        let text = String(decoding: slow.receiveAll().bytes, as: UTF8.self)
        #expect(statuses(text) == [200, 200])
        let length = try #require(text.firstMatch(of: #/Content-Length: (\d+)\r\n/#).flatMap { Int($0.1) })
        #expect(length > 4 << 20)
        let body = try #require(text.range(of: "\r\n\r\n")).upperBound
        #expect(text[body...].utf8.dropFirst(length - 1).starts(with: "\nHTTP/1.1 200 OK\r\n".utf8))
        #expect(text.hasSuffix("\r\n\r\nready\n"))
    }

    @Test("what waits for clients that take nothing is bounded, and they are given up")
    func parked() throws {
        var limits = AdminLimits()
        limits.unsentBytes = 1 << 20
        let admin = try RunningAdmin(FakeAdminSource { $0.sites = [Self.largeSite] }, limits) { $0.write = 0.5 }
        defer { withExtendedLifetime(admin) {} }
        let idle = try RawSocket(port: admin.port, receiveBuffer: 4_096)
        idle.send("GET /sites HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(idle.hasSomething())
        #expect(try admin.get("/metrics") == (503, "too many answers are waiting for clients to read them\n"))
        #expect(try admin.get("/healthz").status == 200)
        #expect(try Waiting.until { try admin.get("/metrics").status == 200 })
        #expect(idle.receiveAll().bytes.count < 4 << 20)
    }

    @Test("stopping closes everything and says so")
    func stop() async throws {
        let admin = try RunningAdmin()
        defer { withExtendedLifetime(admin) {} }
        let waiting = try RawSocket(port: admin.port)
        waiting.send("GET /")
        #expect(try admin.get("/readyz").status == 200)
        await withCheckedContinuation { done in admin.stop { done.resume() } }
        #expect(waiting.receiveAll().bytes.isEmpty)
        #expect(throws: (any Error).self) { try RawSocket(port: admin.port) }
    }
}
