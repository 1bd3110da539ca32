import AssociationServer
import DomainNames
import EventLoops
import Foundation
import HTTP1
import OpenSSL
import TestSupport
import Testing

/// HTTP without TLS on real sockets (docs/spec/deploy.md, A4 and A5).
@Suite("Plain listeners", .waiting)
struct PlainListenerTests {
    private static let plain = ListenerKind.plain(proxyProtocol: false, health: false)
    private static let path = "/.well-known/apple-app-site-association"

    private static func request(_ target: String, _ fields: String = "", method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test("files, redirects and errors come over one connection, pipelined and in pieces")
    func answers() throws {
        let served = try ServedListeners([Self.plain], trusted: [])
        let socket = try served.connect()
        let requests = [
            Self.request(Self.path), Self.request("/buy?x=1"), Self.request("/buy", method: "HEAD"),
            Self.request("/x", method: "DELETE"), Self.request(Self.path, "If-None-Match: *\r\n"),
            Self.request("http://localhost/apple-app-site-association"),
            "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n", "GET /y HTTP/1.0\r\nHost: LOCALHOST:80\r\n\r\n",
        ].joined()
        for piece in stride(from: 0, to: requests.utf8.count, by: 7) {
            socket.send(Array(Array(requests.utf8)[piece..<min(piece + 7, requests.utf8.count)]))
        }
        let text = socket.rest()
        let statuses = text.matches(of: #/HTTP\/1\.1 ([0-9]{3}) /#).map { String($0.output.1) }
        #expect(statuses == ["200", "308", "308", "405", "304", "200", "404", "308"])
        #expect(text.contains("Location: https://localhost/buy?x=1\r\n"))
        #expect(text.hasSuffix("\r\nConnection: close\r\n\r\nmoved permanently to https\n"))
        #expect(!text.contains("Strict-Transport-Security"))
        #expect(served.count(.redirects) == 3 && served.count(.request(.ok)) == 2)
        #expect(served.count(.handshakeFailed(.closed)) == 0)
        let log = try served.accessLog()
        #expect(log.map { "\($0["status"] ?? "")" } == statuses)
        #expect(log.allSatisfy { $0["tls"] is NSNull && $0["peer"] as? String == "127.0.0.1" })
        #expect(log[1]["bytes"] as? Int == 27 && log[2]["bytes"] as? Int == 0)
        #expect(log.map { $0["site"] as? String } == [String?](repeating: "localhost", count: 6) + [nil, "localhost"])
    }

    @Test("many redirects with long targets in one segment all come")
    func longPipeline() throws {
        let served = try ServedListeners([Self.plain], trusted: [])
        let socket = try served.connect()
        let target = "/" + String(repeating: "t", count: 3_900)
        let count = 40
        Thread.detachNewThread {
            for number in 0..<count { socket.send(Self.request("\(target)\(number)")) }
            socket.send(Self.request("/last", "Connection: close\r\n"))
        }
        let text = socket.rest()
        let locations = text.matches(of: #/Location: https:\/\/localhost\/(t+)([0-9]+)\r\n/#)
        #expect(locations.map { Int($0.output.2) } == (0..<count).map { $0 })
        #expect(locations.allSatisfy { $0.output.1.count == 3_900 })
        #expect(text.contains("Location: https://localhost/last\r\n"))
    }

    @Test("what is not a request is 400, and a request that does not end is 408")
    func refusals() throws {
        let served = try ServedListeners([Self.plain]) { $0.timeouts.header = 0.3 }
        for text in ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}", "GET /x HTTP/1.0\r\n\r\n", "PRI *\r\n"] {
            let socket = try served.connect()
            socket.send(text)
            #expect(socket.rest().hasPrefix("HTTP/1.1 400 "), "\(text.debugDescription)")
        }
        let slow = try served.connect()
        slow.send("GET /")
        #expect(slow.rest().hasPrefix("HTTP/1.1 408 "))
    }

    @Test("the client that a trusted proxy names is logged; from others its words count for nothing")
    func clients() throws {
        let served = try ServedListeners([Self.plain], trusted: [try CIDRBlock("127.0.0.2")])
        let fields =
            "X-Forwarded-For: 198.51.100.9, 203.0.113.9\r\nForwarded: for=192.0.2.66\r\nX-Forwarded-Proto: http\r\n"
        for source in ["127.0.0.2", "127.0.0.3"] {
            let socket = try served.connect(from: source)
            socket.send(
                Self.request(Self.path, fields) + Self.request("/x")
                    + Self.request("/y", fields + "Connection: close\r\n"))
            let statuses = socket.rest().matches(of: #/HTTP\/1\.1 ([0-9]{3}) /#).map { String($0.output.1) }
            // What a proxy does not say is unknown, and unknown is not redirected.
            #expect(statuses == ["200", source == "127.0.0.2" ? "404" : "308", "308"])
        }
        let log = try served.accessLog().map { ["\($0["address"] ?? "")", "\($0["peer"] ?? "")"] }
        #expect(
            Set(log) == [["203.0.113.9", "127.0.0.2"], ["127.0.0.2", "127.0.0.2"], ["127.0.0.3", "127.0.0.3"]])
    }

    @Test("a reload changes who is believed, what is read and whether there are redirects, on open connections too")
    func reload() throws {
        let served = try ServedListeners([Self.plain], trusted: [])
        let socket = try served.connect()
        func status(_ fields: String = "") throws -> String {
            socket.send(Self.request("/x", fields))
            let text = try socket.receive(until: "\n\r\n")
            return String(text.dropFirst(9).prefix(3))
        }
        #expect(try status("X-Forwarded-Proto: https\r\n") == "308")
        served.reload { $0.trustedProxies = CIDRSet(CIDRBlock.loopback) }
        #expect(try status("X-Forwarded-Proto: https\r\n") == "404")
        #expect(try status("X-Forwarded-Proto: http\r\n") == "308")
        served.reload {
            $0.trustedProxies = CIDRSet(CIDRBlock.loopback)
            $0.forwardedHeader = .forwarded
        }
        #expect(try status("X-Forwarded-Proto: http\r\n") == "404")
        #expect(try status("Forwarded: proto=http\r\n") == "308")
        served.reload { $0.plainRedirect = false }
        #expect(try status() == "404")
    }

    @Test("health is answered to whoever asks, and is not logged")
    func health() throws {
        let served = try ServedListeners([Self.plain, .plain(proxyProtocol: false, health: true)], trusted: [])
        func get(_ path: String, _ index: Int, host: String = "10.1.2.3") throws -> String {
            let socket = try served.connect(index)
            socket.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            return socket.rest()
        }
        for (path, body) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
            let answer = try get(path, 1)
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n\(body)"))
            #expect(try get(path, 0).hasPrefix("HTTP/1.1 404 "))
        }
        // Nothing is published any more.
        try FileManager.default.removeItem(atPath: "\(served.folder.path)/sites/localhost")
        served.reload { _ in }
        for _ in 0..<2 {
            let answer = try get("/readyz", 1)
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.hasSuffix("\r\n\r\nunavailable\n"))
        }
        #expect(try get("/healthz", 1).hasPrefix("HTTP/1.1 200 "))
        #expect(served.count(.request(.serviceUnavailable)) == 2)
        #expect(try served.accessLog().map { $0["status"] as? Int } == [404, 404])
    }

    @Test("a look at the port, and one that says nothing for a while, leave no trace")
    func probes() throws {
        let served = try ServedListeners([Self.plain, .plain(proxyProtocol: true, health: false)])
        for index in [0, 1] {
            for resets in [false, true] {
                let socket = try served.connect(index)
                if resets { socket.resetAtEnd() }
            }
        }
        // They are over when another connection has been answered.
        let socket = try served.connect()
        socket.send(Self.request(Self.path, "Connection: close\r\n"))
        #expect(socket.rest().hasPrefix("HTTP/1.1 200 "))
        #expect(Waiting.until { (served.server.ask(milliseconds: 1_000) ?? []).allSatisfy { $0.connections == 0 } })
        #expect(served.count(.refused(.proxyHeader)) == 0)
        #expect(served.log.lines.allSatisfy { !$0.contains("PROXY") })
        #expect(try served.accessLog().count == 1)
    }

    @Test("a PROXY header that nobody expects is refused, and logged", arguments: [false, true])
    func unexpectedHeader(isPlain: Bool) throws {
        for header in [
            "PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n", "\r\n\r\n\0\r\nQUIT\n!\u{11}\0\u{C}abcdefghijkl",
        ] {
            let served = try ServedListeners([isPlain ? Self.plain : .https(proxyProtocol: false)])
            let socket = try served.connect()
            socket.send(header + Self.request(Self.path))
            let answer = socket.rest()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") || !isPlain && answer.isEmpty && header.first != "P")
            #expect(served.log.wait(for: "a PROXY header from 127.0.0.1 was refused"))
            #expect(!served.log.lines.contains { $0.contains("192.0.2.1") })
        }
    }

    @Test("the connections of a trusted proxy carry many clients, and do not count for its address")
    func limits() throws {
        let served = try ServedListeners([Self.plain], trusted: [try CIDRBlock("127.0.0.2")]) {
            $0.limits.perAddress = 1
        }
        func open(_ source: String) throws -> (RawSocket, Bool) {
            let socket = try served.connect(from: source)
            socket.send(Self.request(Self.path))
            guard case .bytes = socket.receive() else { return (socket, false) }
            return (socket, true)
        }
        let trusted = try (0..<3).map { _ in try open("127.0.0.2") }
        #expect(trusted.allSatisfy { $0.1 })
        let others = try (0..<3).map { _ in try open("127.0.0.3") }
        #expect(others.map { $0.1 } == [true, false, false])
        #expect(served.count(.refused(.perAddress)) == 2)
        #expect(served.log.wait(for: "from 127.0.0.3: 1 are open from there ('limits.perAddress')"))
    }
}
