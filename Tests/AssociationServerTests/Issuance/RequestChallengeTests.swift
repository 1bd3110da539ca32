import AssociationServer
import Foundation
import TLSSamples
import TestSupport
import Testing

/// HTTP-01 (RFC 8555, section 8.3; acme.md, section 4).
@Suite("Challenges in requests", .waiting)
struct RequestChallengeTests {
    private static let plain = ListenerKind.plain(proxyProtocol: false, health: false)
    private static let folder = "/.well-known/acme-challenge/"

    private func request(_ path: String, host: String = "localhost", method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    }

    private func ask(_ socket: RawSocket, _ request: String) -> String {
        socket.send(request)
        return socket.rest()
    }

    @Test("the key authorization is answered exactly, by every loop", arguments: ["localhost", "new.example"])
    func answered(host: String) throws {
        let served = try ServedListeners([Self.plain])
        try served.publish([
            SampleChallenge.http(host, token: "first-token_1"), SampleChallenge.http(host, token: "second"),
            SampleChallenge.http("other.example", token: "third"),
        ])
        for (token, spelling) in [("first-token_1", host), ("second", "\(host):80"), ("second", host.uppercased())] {
            for _ in 0..<4 {
                let answer = ask(try served.connect(), request("\(Self.folder)\(token)", host: spelling))
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n\(token).thumbprint"))
                #expect(answer.contains("\r\nContent-Type: application/octet-stream\r\n"))
                #expect(answer.contains("\r\nCache-Control: no-store\r\n"))
                #expect(answer.contains("\r\nContent-Length: \(token.utf8.count + 11)\r\n"))
            }
        }
        let head = ask(try served.connect(), request("\(Self.folder)second", host: host, method: "HEAD"))
        #expect(
            head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: 17\r\n")
                && head.hasSuffix("\r\n\r\n"))
        #expect(served.count(.challenge(.http01, isAnswered: true)) == 13)
        #expect(served.count(.challenge(.http01, isAnswered: false)) == 0)
        #expect(try served.accessLog().count == 13)
    }

    @Test(
        "anything else below the path is 404, and never a redirect",
        arguments: [
            ("localhost", "unknown"), ("localhost", "third"), ("other.example", "first"), ("none.example", "first"),
            ("localhost", "first/"), ("localhost", "first/x"), ("localhost", "First"), ("localhost", "firs"),
            ("localhost", ""),
            ("localhost", "first%2F"), ("x.localhost", "first"),
        ])
    func others(host: String, token: String) throws {
        let served = try ServedListeners([Self.plain])
        try served.publish([
            SampleChallenge.http("localhost", token: "first"), SampleChallenge.http("other.example", token: "third"),
        ])
        for method in ["GET", "HEAD"] {
            let answer = ask(try served.connect(), request("\(Self.folder)\(token)", host: host, method: method))
            #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
        }
        let other = ask(try served.connect(), request("\(Self.folder)first", method: "POST"))
        #expect(other.hasPrefix("HTTP/1.1 405 "))
        #expect(served.count(.challenge(.http01, isAnswered: false)) == 2)
    }

    @Test("with none pending, and over HTTPS, the path is 404")
    func notPending() throws {
        let served = try ServedListeners([.https(proxyProtocol: false), Self.plain], trusted: [])
        let path = "\(Self.folder)first"
        #expect(ask(try served.connect(1), request(path)).hasPrefix("HTTP/1.1 404 "))
        let challenge = try #require(SampleChallenge.http("localhost", token: "first"))
        try served.publish([challenge])
        #expect(ask(try served.connect(1), request(path)).hasPrefix("HTTP/1.1 200 "))
        let client = try HTTPSClient(port: served.port())
        try client.handshake()
        #expect(try client.get(path).status == 404)
        // Another challenge of the same token takes its place.
        let other = PendingChallenge(name: "localhost", .http01(token: "first", keyAuthorization: "other"))
        try served.publish([other])
        #expect(ask(try served.connect(1), request(path)).hasSuffix("\r\n\r\nother"))
        served.server.withdraw([challenge])
        try served.publish([])
        #expect(ask(try served.connect(1), request(path)).hasSuffix("\r\n\r\nother"))
        served.server.withdraw([try #require(other)])
        try served.publish([])
        #expect(ask(try served.connect(1), request(path)).hasPrefix("HTTP/1.1 404 "))
        // The other paths are as they were.
        #expect(ask(try served.connect(1), request("/x")).hasPrefix("HTTP/1.1 308 "))
    }

    @Test("a Unix socket answers, too")
    func unix() throws {
        let folder = try RunningServer.layOut()
        let path = "\(folder.path)/http.sock"
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = [ListenerConfiguration("unix:\(path)")]
        configuration.threads = 1
        configuration.log.access = .none
        let server = try LinkServer(configuration, logger: RecordedLog().logger)
        server.publish([try #require(SampleChallenge.http("new.example", token: "abc"))]) {}
        try server.start()
        let answer = ask(try RawSocket(path: path), request("\(Self.folder)abc", host: "new.example"))
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("abc.thumbprint"))
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    @Test("a thousand are pending at a time, also for one host")
    func thousand() throws {
        let served = try ServedListeners([Self.plain])
        try served.publish(
            (0..<1_000).map {
                SampleChallenge.http($0 < 500 ? "localhost" : "site-\($0).example", token: "token-\($0)")
            })
        for number in [0, 1, 250, 499, 500, 777, 999] {
            let host = number < 500 ? "localhost" : "site-\(number).example"
            let answer = ask(try served.connect(), request("\(Self.folder)token-\(number)", host: host))
            #expect(answer.hasSuffix("\r\n\r\ntoken-\(number).thumbprint"))
        }
    }

    @Test("pipelined requests are answered in order, the longest answers among them")
    func pipelined() throws {
        let served = try ServedListeners([Self.plain])
        let body = String(repeating: "x", count: 1_024)
        try served.publish([PendingChallenge(name: "localhost", .http01(token: "t", keyAuthorization: body))])
        let socket = try served.connect()
        let one = "GET \(Self.folder)t HTTP/1.1\r\nHost: localhost\r\n\r\n"
        socket.send(String(repeating: one, count: 60) + request("/apple-app-site-association"))
        let text = socket.rest()
        #expect(text.components(separatedBy: body).count == 61)
        #expect(text.hasSuffix(RunningServer.document))
    }
}
