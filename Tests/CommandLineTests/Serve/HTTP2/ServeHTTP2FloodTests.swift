import Foundation
import FrameSamples
import SystemSupport
import TestSupport
import Testing

/// Clients of HTTP/2 that do what costs them little, until the server ends their connections (docs/spec/http2.md, section 4).
@Suite("aasa serve: floods in HTTP/2", .waiting)
struct ServeHTTP2FloodTests {
    /// The frames that a client sends again and again.
    struct Flood: CustomTestStringConvertible, Sendable {
        let name: String
        var settings: [(Int, Int)] = []
        let frames: @Sendable (Int) -> [Frame]

        var testDescription: String { name }
    }

    private static func stream(_ number: Int) -> UInt32 { UInt32(2 * number + 1) }

    private static let begun = Frame(
        Frame.Kind.headers, flags: 1, stream: 1, HeaderEncoder.encode(HeaderEncoder.pseudo()))
    private static let post = Frame.request(HeaderEncoder.pseudo(method: "POST"), flags: Frame.Flag.endHeaders)
    private static let large = HeaderEncoder.encodeIndexed([("x", String(repeating: "y", count: 3_900))])

    private static let floods = [
        Flood(name: "rapid reset", frames: { [.get(stream: stream($0)), .resetStream(stream($0))] }),
        Flood(
            name: "resets that are provoked", frames: { [.get(stream: stream($0), [("te", "gzip")])] }),
        Flood(
            name: "CONTINUATION", frames: { $0 == 0 ? [begun] : [Frame(Frame.Kind.continuation, stream: 1, [])] }),
        Flood(name: "PING", frames: { _ in [.ping()] }),
        Flood(name: "SETTINGS", frames: { _ in [.settings([(4, 1_000)])] }),
        Flood(
            name: "empty DATA", settings: [(4, 0)], frames: { $0 == 0 ? [post] : [.data(0)] }),
        Flood(name: "unknown frames", frames: { _ in [Frame(0xEE, [0])] }),
        Flood(name: "WINDOW_UPDATE", frames: { _ in [.windowUpdate(1)] }),
        Flood(
            name: "streams that wait for a window", settings: [(4, 0)], frames: { [.get("/x", stream: stream($0))] }),
        Flood(
            name: "header lists that decompress to many times their size",
            frames: {
                let block = HeaderEncoder.encode(HeaderEncoder.pseudo())
                let bomb = $0 == 0 ? large : [UInt8](repeating: 0xBE, count: 16_000)
                return [
                    Frame(Frame.Kind.headers, flags: 5, stream: stream($0), block + bomb), .resetStream(stream($0)),
                ]
            }),
    ]

    private func residentKilobytes(_ server: RunningServer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
        return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }

    @Test("A flood ends its connection, while others are served, and its memory comes back", arguments: floods)
    func flood(example: Flood) throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"timeouts": {"header": 1, "idle": 60, "write": 1}}"#)
        #expect(try server.curl().status == 0)
        let before = try residentKilobytes(server)
        let clients = try (0..<4).map { _ in try FrameClient(server, settings: example.settings) }
        let done = DispatchGroup()
        let ended = Locked(0)
        for client in clients {
            done.enter()
            Thread {
                let limit = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
                var number = 0
                // It reads nothing while it sends, and what there is at the end.
                while Date() < limit {
                    guard client.send(bytes: example.frames(number).flatMap(\.bytes)) else {
                        ended.withLock { $0 += 1 }
                        break
                    }
                    number += 1
                }
                done.leave()
            }.start()
        }
        repeat {
            #expect(try server.curl().text == RunningServer.document)
        } while done.wait(timeout: .now()) == .timedOut
        #expect(ended.withLock { $0 } == clients.count)
        let other = try FrameClient(server)
        #expect(try other.get("/.well-known/apple-app-site-association").fields[":status"] == "200")
        if !Patience.isSanitizing { #expect(try residentKilobytes(server) - before < 8_192) }
    }

    /// A hundred requests of many small fields, which are a byte each, and whose answers the client does not let through.
    private static let bomb: [UInt8] = (0..<100).flatMap { number in
        let pseudo = HeaderEncoder.encode(HeaderEncoder.pseudo(path: "/.well-known/apple-app-site-association"))
        let cookies = HeaderEncoder.encodeIndexed([("cookie", "a")]) + [UInt8](repeating: 0xBE, count: 80)
        return Frame(Frame.Kind.headers, flags: 5, stream: stream(number), pseudo + cookies).bytes
    }

    @Test("Connections that wait for windows end before they hold too much memory together, the oldest first")
    func heldMemory() throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(
            folder,
            configuration: """
                {"limits": {"bufferedBytes": 1048576}, "timeouts": {"write": 3600},
                 "admin": "unix:\(folder.path)/admin.sock"}
                """)
        #expect(try server.curl().status == 0)
        let before = try residentKilobytes(server)
        let clients = try (0..<80).map { _ in
            let client = try FrameClient(server, settings: [(4, 0)])
            client.send(bytes: Self.bomb)
            return client
        }
        // The last one is answered but for bodies, so the server has read all that came before.
        #expect(clients[79].wait { $0.type == Frame.Kind.headers } != nil)
        #expect(try server.curl().text == RunningServer.document)
        clients[0].readToEnd()
        let ended =
            try Int(
                #require(
                    server.metrics(socket: "\(folder.path)/admin.sock")
                        .firstMatch(of: /aasa_connections_refused_total\{reason="buffered_bytes"\} (\d+)/)
                ).1) ?? 0
        // What 80 of them would hold is four times what is allowed.
        #expect(40..<80 ~= ended)
        if !Patience.isSanitizing { #expect(try residentKilobytes(server) - before < 8_192) }
    }
}
