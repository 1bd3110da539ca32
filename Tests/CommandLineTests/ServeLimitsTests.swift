import Foundation
import TestSupport
import Testing

/// Time-outs, bounds and large files (server.md, sections 3 and 7).
@Suite("aasa serve: limits")
struct ServeLimitsTests {
    private let short = """
        {"timeouts": {"handshake": 0.5, "header": 0.5, "idle": 0.5, "write": 0.5}}
        """

    @Test("a client that does not shake hands is closed")
    func handshake() throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: short)
        let socket = try RawSocket(port: server.port)
        socket.send([22, 3, 1])
        let (bytes, ending) = socket.receiveAll()
        #expect(bytes.isEmpty)
        #expect(ending == .orderly)
    }

    @Test("a slow head is told so, an idle connection is closed")
    func slowClients() throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: short)
        #expect(try server.hold("GET /apple-app-site").contains("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(try server.hold("").contains("HTTP/1.1 408 Request Timeout\r\n"))
        let idle = try server.hold("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(idle.contains(" 404 "))
        #expect(!idle.contains(" 408 "))
    }

    @Test("connections beyond the limit of an address are closed at once", arguments: ["perAddress", "connections"])
    func connections(limit: String) throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: #"{"limits": {"\#(limit)": 2}}"#)
        var held = [try RawSocket(port: server.port), try RawSocket(port: server.port)]
        for socket in held { socket.send([22]) }
        // The third is served as soon as one of the others has gone, and not before.
        var refused = 0
        for _ in 0..<100 where refused == 0 {
            if try server.curl().status != 0 { refused += 1 }
        }
        #expect(refused == 1)
        held = []
        var answered = false
        for _ in 0..<100 where !answered { answered = try server.curl().status == 0 }
        #expect(answered)
    }

    @Test("a connection ends after its number of requests")
    func requestsPerConnection() throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {"requestsPerConnection": 2}}"#)
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let answer = try server.exchange(request + request + request)
        #expect(answer.matches(of: #/HTTP/1\.1 404 /#).count == 2)
        #expect(answer.matches(of: /Connection: close/).count == 1)
    }

    @Test("a file of any size up to the limit arrives whole", arguments: [1, 15_000, 16_384, 17_000, 65_536, 131_072])
    func sizes(count: Int) throws {
        let frame = #"{"a":""}"#
        let document =
            count < frame.utf8.count
            ? "{}" : #"{"a":""# + String(repeating: "x", count: count - frame.utf8.count) + #""}"#
        let server = try RunningServer(RunningServer.layOut(document: document))
        #expect(try server.curl().text == document)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
        let answer = try server.exchange(
            String(repeating: request + "\r\n", count: 20) + request + "Connection: close\r\n\r\n")
        #expect(answer.components(separatedBy: "\r\n\r\n" + document).count == 22)
    }

    @Test("a client that takes slowly gets everything, and one that takes nothing is closed")
    func slowReaders() throws {
        let document = #"{"a":""# + String(repeating: "~", count: 120_000) + #""}"#
        let server = try RunningServer(RunningServer.layOut(document: document), configuration: short)
        let request = "GET /apple-app-site-association HTTP/1.1\\r\\nHost: localhost\\r\\n"
        let last = request + "Connection: close\\r\\n\\r\\n"
        let all = String(repeating: request + "\\r\\n", count: 60) + last
        let client = "openssl s_client -quiet -servername localhost -connect 127.0.0.1:\(server.port) 2>/dev/null"
        let slow =
            "printf '\(all)' | \(client) | while dd bs=65536 count=8 iflag=fullblock 2>/dev/null | tr -d -c '~' | grep -q '~'; do :; done; echo ended"
        #expect(try Shell.run(["timeout", "30", "sh", "-c", slow]).text == "ended\n")
        let whole = "printf '\(all)' | \(client) | tr -d -c '~' | wc -c"
        #expect(try Shell.run(["sh", "-c", whole]).text.trimmingCharacters(in: .whitespacesAndNewlines) == "7320000")
        // A pipe that nobody reads: the server has to give up, and the client then ends.
        let stuck = "printf '\(all)' | timeout 20 \(client) | (sleep 3; wc -c)"
        let taken =
            Int(
                try Shell.run(["sh", "-c", stuck]).text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        #expect(taken < 7_320_000)
        #expect(try server.curl().status == 0)
    }
}
