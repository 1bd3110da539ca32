import Foundation
import TestSupport
import Testing

/// The built server with listeners for proxies (docs/spec/deploy.md, A3 to A5), as server.json describes them; here the
/// tests are the proxies.
@Suite("aasa serve: behind a proxy", .waiting)
struct ServeBehindProxyTests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let line = Array("PROXY TCP4 203.0.113.9 198.51.100.2 8080 443\r\n".utf8)
    private static let binary =
        Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x21, 0x21, 0, 36] + [0x20, 0x01, 0x0D, 0xB8]
        + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 1, count: 20)

    private let folder: TemporaryFolder
    private let server: ServiceProcess
    private let ports: [Int]

    init() throws {
        folder = try RunningServer.layOut()
        server = try ServiceProcess(folder, configuration: Self.configuration(folder, trusted: #""127.0.0.2""#))
        guard server.waitForLog(" ready: "),
            let line = server.logText.split(separator: "\n").last(where: { $0.contains(" ready: ") })
        else { throw TestFailure("the server did not start:\n\(server.logText)") }
        ports = line.matches(of: #/https?:\/\/127\.0\.0\.1:([0-9]+)/#).compactMap { Int($0.output.1) }
    }

    private static func configuration(_ folder: TemporaryFolder, trusted: String) -> String {
        """
        {
          "listen": [
            { "address": "127.0.0.1:0", "proxyProtocol": true },
            { "address": "http://127.0.0.1:0", "proxyProtocol": true },
            "http://127.0.0.1:0",
            { "address": "unix:\(folder.path)/http.sock", "health": true },
            { "address": "unix:\(folder.path)/proxy.sock", "proxyProtocol": true }
          ],
          "trustedProxies": [\(trusted)], "limits": { "perAddress": 4 },
          "log": { "access": "\(folder.path)/access.log" }
        }
        """
    }

    private func https() throws -> RawSocket { try RawSocket(port: try #require(ports.first), from: "127.0.0.2") }
    private func http(_ index: Int, from source: String = "127.0.0.2") throws -> RawSocket {
        try RawSocket(port: try #require(ports.indices.contains(index) ? ports[index] : nil), from: source)
    }
    private func unix(_ name: String = "http") throws -> RawSocket {
        try RawSocket(path: "\(folder.path)/\(name).sock")
    }

    /// The status of the answer, and where it leads.
    private func ask(
        _ socket: RawSocket, _ target: String, _ fields: String = "", host: String = "localhost",
        after header: [UInt8] = []
    ) -> String {
        let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n"
        socket.send(header + Array(request.utf8))
        let lines = String(decoding: socket.receiveAll().bytes, as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.dropFirst(9).prefix(3) ?? "none"
        return ([status] + lines.filter { $0.hasPrefix("Location: ") }.map { $0.dropFirst(10) }).joined(separator: " ")
    }

    /// All lines of the access log; the server is stopped for that.
    private func accessLog() throws -> [[String: String]] {
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let text = try String(contentsOfFile: "\(folder.path)/access.log", encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return object.mapValues { "\($0)" }
        }
    }

    @Test("a proxy on a Unix socket says for whom it asks, and by which scheme")
    func unixSocket() throws {
        let redirect = "308 https://localhost/buy?x=1"
        #expect(ask(try unix(), Self.path) == "200")
        #expect(
            ask(try unix(), Self.path, "X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\nX-Forwarded-Proto: http\r\n")
                == "200")
        #expect(ask(try unix(), "/buy?x=1", "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: http\r\n") == redirect)
        #expect(ask(try unix(), "/buy?x=1", "X-Forwarded-Proto: https\r\n") == "404")
        // Unknown is not redirected, and the other family of fields is not read.
        #expect(ask(try unix(), "/buy?x=1", "Forwarded: for=192.0.2.66;proto=http\r\n") == "404")
        #expect(ask(try unix(), Self.path, host: "other.example") == "404")
        let log = try accessLog()
        #expect(log.map { $0["address"] } == ["unix", "203.0.113.9", "203.0.113.9", "unix", "unix", "unix"])
        #expect(log.map { $0["status"] } == ["200", "200", "308", "404", "404", "404"])
        #expect(log.allSatisfy { $0["peer"] == "unix" && $0["tls"] == "<null>" })
    }

    @Test("a PROXY header, in both versions, on HTTPS, on plain HTTP and on a Unix socket")
    func proxyHeaders() throws {
        // A connection counts until the server has seen its end, so the limit for an address is more than one at a time.
        for header in [Self.line, Self.binary] {
            let client = try HTTPSClient(try https())
            client.socket.send(header + client.hello())
            try client.handshake()
            #expect(try client.get(Self.path).text == RunningServer.document)
            #expect(ask(try http(1), Self.path, after: header) == "200")
            #expect(ask(try unix("proxy"), Self.path, after: header) == "200")
            // Its fields are those of the client, who may lie.
            #expect(
                ask(try http(1), "/x", "X-Forwarded-For: 192.0.2.66\r\nX-Forwarded-Proto: http\r\n", after: header)
                    == "404")
        }
        for socket in [try https(), try http(1), try unix("proxy")] { #expect(ask(socket, Self.path) == "none") }
        #expect(ask(try http(1, from: "127.0.0.3"), Self.path, after: Self.line) == "none")
        #expect(ask(try http(2), Self.path, after: Self.line) == "400")
        for text in [
            "the PROXY header that 'proxyProtocol' requires was missing, malformed or late",
            "such as one from 127.0.0.3: a listener with 'proxyProtocol' accepts connections only from 'trustedProxies'",
            "a PROXY header from 127.0.0.2 was refused: its listener expects none without 'proxyProtocol'",
        ] { #expect(server.waitForLog(text), "\(server.logText)") }
        let log = try accessLog().filter { $0["status"] != "400" }
        #expect(
            log.map { $0["address"] } == ["203.0.113.9", "2001:db8::9"].flatMap { [String](repeating: $0, count: 4) })
        #expect(
            log.map { $0["peer"] } == ["127.0.0.2", "127.0.0.2", "unix", "127.0.0.2"] + [
                "127.0.0.2", "127.0.0.2", "unix", "127.0.0.2",
            ])
        #expect(
            log.map { $0["tls"] } == ["1.3", "<null>", "<null>", "<null>"] + ["1.3", "<null>", "<null>", "<null>"])
    }
}
