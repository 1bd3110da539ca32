import Foundation
import FrameSamples
import TLSSamples
import TestSupport
import Testing

/// The ends of connections of HTTP/2 (docs/spec/http2.md, section 3). In each test only the time that it is about is short.
@Suite("aasa serve: the ends of HTTP/2 connections", .waiting)
struct ServeHTTP2LifeTests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let goAway = Frame.Kind.goAway

    private func serve(_ timeouts: String, limits: String = "", arguments: [String] = []) throws -> RunningServer {
        try RunningServer(
            RunningServer.layOut(), configuration: #"{"timeouts": {\#(timeouts)}, "limits": {\#(limits)}}"#,
            arguments: arguments)
    }

    /// The last streams of the GOAWAYs that came.
    private func lastStreams(_ client: FrameClient) -> [Int] { client.frames.compactMap(\.lastStream) }

    @Test("SIGTERM ends connections in two steps: what has begun, and what was on its way, is answered")
    func drain() throws {
        let server = try serve(#""drain": 3600"#)
        let (busy, idle) = (try FrameClient(server, settings: [(4, 0)]), try FrameClient(server))
        busy.send(.get(Self.path, stream: 1))
        #expect(busy.wait { $0.type == Frame.Kind.headers } != nil)
        _ = try idle.get(Self.path)
        // The request is on its way while the server begins to end.
        server.signal(SIGSTOP)
        #expect(Waiting.until { server.isStopped })
        busy.send(.get(Self.path, stream: 3))
        server.signal(SIGTERM)
        server.signal(SIGCONT)
        #expect(busy.wait { $0.lastStream == 0x7FFF_FFFF } != nil)
        #expect(busy.wait { $0.lastStream == 3 } != nil)
        busy.send(.get(Self.path, stream: 5), .settings([(4, 100_000)]))
        busy.readToEnd()
        for stream in [UInt32(1), 3] { #expect(try busy.answer(stream).body == Array(RunningServer.document.utf8)) }
        #expect(!busy.frames.contains { $0.stream == 5 })
        #expect(busy.client.hasGoodbye)
        idle.readToEnd()
        #expect(lastStreams(idle) == [0x7FFF_FFFF, 1] && idle.codes(Self.goAway) == [0, 0] && idle.client.hasGoodbye)
        #expect(server.exitStatus() == 0)
    }

    @Test("The last request that a connection may have ends it in two steps, too")
    func requestsPerConnection() throws {
        let client = try FrameClient(serve("", limits: #""requestsPerConnection": 2"#))
        _ = try client.get(Self.path, stream: 1)
        #expect(!client.frames.contains { $0.type == Self.goAway })
        client.send(.get(Self.path, stream: 3), .get(Self.path, stream: 5))
        client.readToEnd()
        #expect(try client.answer(5).fields[":status"] == "200")
        #expect(lastStreams(client) == [0x7FFF_FFFF, 5])
    }

    @Test("What has begun has to go on within 'timeouts.header', and without a stream the end is 'timeouts.idle'")
    func times() throws {
        for (timeouts, bytes) in [
            (#""header": 0.4, "idle": 3600"#, Frame.ping().bytes.prefix(5)), (#""idle": 0.4"#, []),
        ] {
            let client = try FrameClient(serve(timeouts))
            client.send(bytes: Array(bytes))
            client.readToEnd()
            #expect(client.codes(Self.goAway) == [0] && client.client.ending == .orderly)
        }
    }

    @Test("Answers that do not get on are cancelled after 'timeouts.write', and the connection the second time")
    func stalled() throws {
        let server = try serve(#""write": 0.4, "idle": 3600"#, arguments: ["--admin", "127.0.0.1:0"])
        let client = try FrameClient(server, settings: [(4, 0)])
        client.send(.get(Self.path, stream: 1))
        #expect(client.wait { $0.type == Frame.Kind.resetStream } != nil)
        #expect(client.codes(Frame.Kind.resetStream) == [8])
        client.send(.get(Self.path, stream: 3))
        client.readToEnd()
        #expect(client.codes(Self.goAway) == [0xB])
        let metrics = try server.askAdmin("/metrics").text
        #expect(metrics.contains("\naasa_timeouts_total{phase=\"write\"} 2\n"))
        #expect(metrics.contains("\naasa_http2_connections 0\n"))
    }

    @Test("A reload in the middle of an answer changes nothing of it")
    func reload() throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try FrameClient(server, settings: [(4, 10)])
        client.send(.get(Self.path, stream: 1))
        #expect(client.wait { $0.type == Frame.Kind.data } != nil)
        let other = RunningServer.document.replacingOccurrences(of: "example", with: "another")
        try server.folder.write(other, to: "sites/localhost/apple-app-site-association")
        #expect(try Waiting.until { try server.curl().text == other })
        client.send(.windowUpdate(100_000, stream: 1))
        #expect(try client.answer(1).body == Array(RunningServer.document.utf8))
        // Now the window of a stream has to be opened for it.
        client.send(.settings([(4, 65_535)]))
        #expect(try client.get(Self.path, stream: 3).body == Array(other.utf8))
    }
}
