import Foundation
import FrameSamples
import TLSSamples
import TestSupport
import Testing

/// The answers of a built server to a client of HTTP/2 (docs/spec/http2.md, sections 1 and 2).
@Suite("aasa serve: HTTP/2", .waiting)
struct ServeHTTP2Tests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let body = Array(RunningServer.document.utf8)

    private func choice(_ server: RunningServer, _ protocols: [String]) throws -> String? {
        let client = try HTTPSClient(port: server.port, SampleOffer { $0.protocols = protocols })
        try client.handshake()
        return client.selectedProtocol
    }

    @Test("h2 is preferred where it is offered, unless server.json says otherwise")
    func negotiation() throws {
        let server = try RunningServer(RunningServer.layOut())
        #expect(try choice(server, ["h2"]) == "h2")
        #expect(try choice(server, ["http/1.1", "spdy/3", "h2"]) == "h2")
        #expect(try choice(server, ["h2", "http/1.1"]) == "h2")
        #expect(try choice(server, ["http/1.1"]) == "http/1.1")
        #expect(try choice(server, []) == nil)
        #expect(throws: TestFailure.self) { try choice(server, ["h3"]) }
        // A prefix of the name, and the name in a longer one, are others.
        #expect(throws: TestFailure.self) { try choice(server, ["h", "h2c", "xh2"]) }
        let old = try RunningServer(RunningServer.layOut(), configuration: #"{"http2": false}"#)
        #expect(try choice(old, ["h2", "http/1.1"]) == "http/1.1")
        #expect(throws: TestFailure.self) { try choice(old, ["h2"]) }
        try old.folder.write(#"{"http2": true}"#, to: "server.json")
        old.signal(SIGHUP)
        #expect(try Waiting.until { try choice(old, ["h2", "http/1.1"]) == "h2" })
    }

    @Test("HTTP/2 is spoken over TLS 1.2 as well", arguments: SampleOffer.versions)
    func version(version: SampleOffer.Version) throws {
        let client = try FrameClient(RunningServer(RunningServer.layOut())) { $0.newest = version }
        let answer = try client.get(Self.path)
        #expect(answer.fields[":status"] == "200" && answer.body == Self.body)
    }

    private static let requests: [(String, String, [(String, String)])] = [
        ("GET", path, []), ("HEAD", path, []), ("GET", "/apple-app-site-association?x", []), ("GET", "/", []),
        ("POST", path, []), ("OPTIONS", "*", []), ("GET", "/.well-known/assetlinks.json", []),
        ("GET", path, [("if-none-match", "*")]), ("GET", path, [("if-match", "\"x\"")]),
        ("GET", path, [("expect", "x")]), ("GET", "/%2ewell-known/apple-app-site-association", []),
        ("GET", "/#", []), ("GET", "/" + String(repeating: "x", count: 4_100), []),
        ("GET", path, (0..<100).map { ("x\($0)", "y") }), ("GET", path, [("host", "localhost:443")]),
    ]

    @Test("Both versions give the same answers, but for the fields of the connection", arguments: requests.indices)
    func sameAnswers(index: Int) throws {
        let (method, path, fields) = Self.requests[index]
        let server = try RunningServer(RunningServer.layOut())
        let host = fields.first { $0.0 == "host" }?.1 ?? "localhost"
        let rest = fields.filter { $0.0 != "host" }
        let old = try HTTPSClient(port: server.port)
        try old.handshake()
        let lines = rest.map { "\($0.0): \($0.1)\r\n" }.joined()
        old.send("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(lines)\r\n")
        let expected = try old.answer(isHead: method == "HEAD")
        let client = try FrameClient(server)
        client.send(.request(HeaderEncoder.pseudo(method: method, path: path, host: host) + rest))
        let answer = try client.answer(1)
        #expect(answer.fields[":status"] == "\(expected.status)")
        #expect(answer.body == expected.body)
        var names = Dictionary(
            expected.lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
            }
        ) { $1 }
        names["connection"] = nil
        #expect(answer.fields["date"] != nil)
        names["date"] = answer.fields["date"]
        names[":status"] = "\(expected.status)"
        #expect(answer.fields == names)
    }

    @Test("A host that the certificate does not cover is 421 on its stream, and the others go on")
    func misdirected() throws {
        let client = try FrameClient(RunningServer(RunningServer.layOut()))
        client.send(.get(Self.path, host: "other.example", stream: 1), .get(Self.path, stream: 3))
        #expect(try client.answer(1).fields[":status"] == "421")
        #expect(try client.answer(3).body == Self.body)
    }

    @Test("A plain port speaks no HTTP/2, nor does a client over TLS that has not asked for it")
    func plain() throws {
        let server = try RunningServer(RunningServer.layOut(), arguments: ["--listen", "http://127.0.0.1:0"])
        let port = try #require(server.logText.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/#)?.1)
        let socket = try RawSocket(port: #require(Int(port)))
        socket.send(Frame.preface + Frame.settings().bytes)
        #expect(String(decoding: socket.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 505 "))
        let upgrade = try RawSocket(port: #require(Int(port)))
        upgrade.send(
            "GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
        #expect(String(decoding: upgrade.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        let https = try RunningServer(RunningServer.layOut())
        let tls = try HTTPSClient(port: https.port)
        try tls.handshake()
        tls.send(Frame.preface + Frame.settings().bytes)
        #expect(try tls.answer().status == 505)
    }

    @Test("Without libnghttp2 the log says so, and clients get HTTP/1.1", arguments: [true, false])
    func missingLibrary(isWanted: Bool) throws {
        let folder = try RunningServer.layOut()
        // The loader finds this one first, and does not look any further.
        try folder.write("\u{7F}ELF, but no library", to: "libraries/libnghttp2.so.14")
        let server = try RunningServer(
            folder, configuration: #"{"http2": \#(isWanted)}"#,
            launcher: ["env", "LD_LIBRARY_PATH=\(folder.path)/libraries"])
        #expect(
            server.logText.contains(" warning: HTTP/2 is off, clients get HTTP/1.1: libnghttp2 cannot be loaded: ")
                == isWanted)
        #expect(server.logText.contains("apt-get install libnghttp2-14") == isWanted)
        #expect(try choice(server, ["h2", "http/1.1"]) == "http/1.1")
        #expect(try server.curl().text == RunningServer.document)
    }

    @Test("A server without HTTPS needs no libnghttp2")
    func plainOnly() throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(folder, listen: "http://127.0.0.1:0")
        let maps = try String(contentsOfFile: "/proc/\(server.processIdentifier)/maps", encoding: .utf8)
        #expect(!maps.contains("libnghttp2"))
    }

    @Test("The access log and the metrics have the version")
    func visible() throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(
            folder, configuration: #"{"log": {"access": "\#(folder.path)/access.log"}}"#,
            arguments: ["--admin", "unix:\(folder.path)/admin.sock"])
        let client = try FrameClient(server)
        _ = try client.get("/x?y", stream: 1, [("user-agent", "one")])
        client.send(.get(stream: 3, [("connection", "close")]))
        #expect(client.wait { $0.type == Frame.Kind.resetStream } != nil)
        _ = try server.curl("/x", ["--http1.1"])
        _ = try server.curl("/x", ["--http1.0", "--no-alpn"])
        func log() -> String { (try? String(contentsOfFile: "\(folder.path)/access.log", encoding: .utf8)) ?? "" }
        #expect(Waiting.until { log().split(separator: "\n").count == 3 })
        let lines = log().split(separator: "\n").map {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(lines.map { $0?["http"] as? String } == ["2", "1.1", "1.0"])
        #expect(lines.first??["target"] as? String == "/x?y" && lines.first??["agent"] as? String == "one")
        #expect(lines.first??["host"] as? String == "localhost" && lines.first??["status"] as? Int == 404)
        let metrics = try server.metrics(socket: "\(folder.path)/admin.sock")
        for line in [
            "aasa_http_requests_total{version=\"2\"} 1", "aasa_http_requests_total{version=\"1.1\"} 1",
            "aasa_http_requests_total{version=\"1.0\"} 1", "aasa_http2_connections 1",
            "aasa_http2_errors_total{reason=\"malformed_request\"} 1", "aasa_http2_errors_total{reason=\"resets\"} 0",
        ] {
            #expect(metrics.contains("\n\(line)\n"), "\(line)")
        }
        withExtendedLifetime(client) {}
    }

    @Test("One of Apple's programs counts as one over HTTP/2, too")
    func appleFetch() throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(folder, arguments: ["--admin", "unix:\(folder.path)/admin.sock"])
        _ = try FrameClient(server).get(Self.path, [("user-agent", "AASA-Bot/1.0.0")])
        let metrics = try server.metrics(socket: "\(folder.path)/admin.sock")
        #expect(
            metrics.contains("aasa_apple_fetches_total{site=\"localhost\",agent=\"AASA-Bot\",code=\"200\"} 1"),
            "\(metrics)")
    }
}
