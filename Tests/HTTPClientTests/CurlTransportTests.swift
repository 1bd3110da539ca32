import DomainNames
import Foundation
import HTTPClient
import OpenSSL
import SystemSupport
import TLSSamples
import TestSupport
import Testing

@Suite("Requests", .waitingApart)
struct CurlTransportTests {
    private func origin(_ body: @escaping @Sendable (StubConnection, String) -> Void) throws -> StubOrigin {
        try StubOrigin(SampleSite.identity()) { connection in
            if let request = connection.request() { body(connection, request) }
        }
    }

    @Test("a request has the fields that it was given, and nothing else")
    func fields() async throws {
        let origin = try origin { connection, _ in connection.answer("{}") }
        let response = try await Client().send("https://localhost:\(origin.port)/.well-known/x?a=%20b&c").get()
        #expect(response.status == 200)
        #expect(response.body == Array("{}".utf8))
        #expect(!response.isTruncated)
        #expect(response.address == Client.loopback)
        #expect(
            origin.requests == [
                "GET /.well-known/x?a=%20b&c HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n"
                    + "User-Agent: AASA-Bot/1.0.0\r\nAccept: */*\r\nAccept-Encoding: identity\r\n\r\n"
            ])
    }

    @Test("without fields there is Host alone, and a path is sent as it is")
    func noFields() async throws {
        let origin = try StubOrigin { connection in
            _ = connection.request()
            connection.answer("")
        }
        _ = try await Client().send("http://localhost:\(origin.port)/a/../b//./c") { $0.fields = [] }.get()
        #expect(origin.requests == ["GET /a/../b//./c HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n"])
    }

    @Test("a body is posted as it is, also one that is large or empty", arguments: [0, 10, 3_000_000])
    func post(count: Int) async throws {
        let origin = try origin { connection, _ in
            connection.send(
                "HTTP/1.1 201 Created\r\nReplay-Nonce: abc\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n")
        }
        let body = (0..<count).map { UInt8(0x41 + $0 % 26) }
        let response = try await Client().send("https://localhost:\(origin.port)/order", method: .post(body)) {
            $0.fields = [HeaderField("User-Agent", "aasa/1"), HeaderField("Content-Type", "application/jose+json")]
        }.get()
        #expect(response.status == 201)
        #expect(response.head["replay-nonce"] == Array("abc".utf8))
        #expect(response.head["Retry-After"] == Array("120".utf8))
        let head =
            "POST /order HTTP/1.1\r\nHost: localhost:\(origin.port)\r\nUser-Agent: aasa/1\r\n"
            + "Content-Type: application/jose+json\r\nContent-Length: \(count)\r\n\r\n"
        #expect(origin.requests == [head + String(decoding: body, as: UTF8.self)])
    }

    @Test("the answer to HEAD has no body, whatever it promises")
    func head() async throws {
        let origin = try origin { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nReplay-Nonce: n\r\nContent-Length: 500\r\n\r\n")
            connection.waitForEnd()
        }
        let response = try await Client().send("https://localhost:\(origin.port)/nonce", method: .head).get()
        #expect(response.body.isEmpty && response.head["Replay-Nonce"] == Array("n".utf8))
        #expect(origin.requests.first?.hasPrefix("HEAD /nonce HTTP/1.1\r\n") == true)
    }

    @Test("fields keep their order and bytes; interim answers, folded lines and trailers do no harm")
    func header() async throws {
        let origin = try origin { connection, _ in
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            connection.send(
                Array("HTTP/1.1 200 Good\r\nX-B: 1\r\nx-a:\t \u{1B}[31m".utf8) + [0xFF, 0xFE]
                    + Array(" \r\nX-B: 2\r\nFolded: one\r\n  two\r\nEmpty:\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            connection.send("3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n")
        }
        let response = try await Client().send("https://localhost:\(origin.port)/").get()
        #expect(response.body == Array("abc".utf8))
        #expect(response.head.statusLine == Array("HTTP/1.1 200 Good".utf8))
        #expect(response.head.values("x-b") == [Array("1".utf8), Array("2".utf8)])
        #expect(response.head["X-A"] == Array("\u{1B}[31m".utf8) + [0xFF, 0xFE])
        #expect(response.head["folded"] == Array("one two".utf8))
        #expect(response.head["empty"] == [])
        #expect(response.head.fields.count == 6)
        #expect(response.head["trailer"] == nil && response.head["link"] == nil)
    }

    @Test("no redirect is followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let origin = try origin { connection, _ in
            connection.send("HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 4\r\n\r\nmove")
        }
        let response = try await Client().send("https://localhost:\(origin.port)/").get()
        #expect(response.status == status)
        #expect(response.head["location"] == Array("/elsewhere".utf8))
        #expect(origin.requests.count == 1)
    }

    @Test("the time of the header and that of all are reported")
    func times() async throws {
        let origin = try origin { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")
            Waiting.idle(milliseconds: 30)
            connection.send("\r\n")
            Waiting.idle(milliseconds: 30)
            connection.send("{}")
        }
        let times = try await Client().send("https://localhost:\(origin.port)/").get().times
        let header = try #require(times.header)
        // Not by how much: a busy client sees late what came in time.
        #expect(header > .zero && times.total > header)
    }

    @Test("the address that was asked for is connected, whatever the name says")
    func pinned() async throws {
        let origin = try StubOrigin(
            SampleSite.identity(SampleSite.leaf(["shop.example.com"])), address: "127.0.0.3",
            // Nobody gets the same one of 127.0.0.1.
            port: FreePort.reserve()
        ) { connection in
            _ = connection.request()
            connection.answer("{}")
        }
        let client = try Client()
        let url = "https://shop.example.com:\(origin.port)/"
        let address = try #require(IPAddress("127.0.0.3"))
        let response = try await client.send(Client.request(url, to: address)).get()
        #expect(response.status == 200 && response.address == address)
        // Another one for the same name at the same time, where nobody listens: nothing is remembered.
        let refused = await client.send(try Client.request(url, to: Client.loopback)).problem
        #expect(refused?.reason == .notConnected(.refused))
        #expect(refused?.address == Client.loopback)
        // An address in a URL is one like a name.
        let swapped = await client.send(
            try Client.request("https://127.0.0.1:\(origin.port)/", to: address)
        ).problem
        #expect(swapped?.reason == .nameMismatch)
        #expect(origin.requests.count == 1)
    }

    @Test("IPv6 addresses are connected as such")
    func ipv6() async throws {
        let origin = try StubOrigin(address: "::1") { connection in
            _ = connection.request()
            connection.answer("{}")
        }
        let loopback = try #require(IPAddress("::1"))
        let client = try Client()
        #expect(await client.send(try Client.request("http://localhost:\(origin.port)/", to: loopback)).value != nil)
        #expect(await client.send(try Client.request("http://[::1]:\(origin.port)/", to: loopback)).value != nil)
        #expect(origin.requests.last?.contains("Host: [::1]:\(origin.port)\r\n") == true)
    }

    @Test("a kept connection is used again by requests that keep it, and by no others")
    func kept() async throws {
        let connections = Locked(0)
        let count: @Sendable () -> Int = { connections.withLock { $0 } }
        let origin = try StubOrigin(SampleSite.identity()) { connection in
            connections.withLock { $0 += 1 }
            while connection.request() != nil { connection.answer("{}") }
        }
        let client = try Client()
        let url = "https://localhost:\(origin.port)/"
        for _ in 0..<3 { _ = try await client.send(url) { $0.keepsConnection = true }.get() }
        #expect(count() == 1)
        for _ in 0..<2 { _ = try await client.send(url).get() }
        #expect(count() == 3)
        _ = try await client.send(url) { $0.keepsConnection = true }.get()
        #expect(count() == 3)
    }

    @Test("after a request that was not answered, connections that were idle all the time are not used again")
    func forgotten() async throws {
        let connections = Locked(0)
        let lost = Locked(0)
        let origin = try StubOrigin(SampleSite.identity()) { connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            while connection.request() != nil {
                // As if a firewall had forgotten the connection.
                guard number > lost.withLock({ $0 }) else { return connection.waitForHangUp() }
                // The first requests need a connection each.
                guard Waiting.until({ connections.withLock { $0 } >= 3 }) else { return }
                connection.answer("{}")
            }
        }
        let client = try Client()
        let url = "https://localhost:\(origin.port)/"
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask { (try? await client.send(url) { $0.keepsConnection = true }.get()) != nil }
            }
            for await isAnswered in group { #expect(isAnswered) }
        }
        #expect(connections.withLock { $0 } == 3)
        lost.withLock { $0 = 3 }
        let failure = try await client.send(url, seconds: 3) { $0.keepsConnection = true }.problem
        #expect(failure?.reason == .timedOut && failure?.phase == .waiting)
        for _ in 0..<3 { _ = try await client.send(url) { $0.keepsConnection = true }.get() }
        #expect(connections.withLock { $0 } == 4)
    }

    @Test("a proxy is used where a request has one: its tunnel reaches the origin, or its status is reported")
    func proxy() async throws {
        let identity = try SampleSite.identity()
        let proxy = try StubOrigin { connection in
            guard let request = connection.request() else { return }
            guard request.contains("Proxy-Authorization: Basic dTpw\r\n") else {
                connection.send("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
                return
            }
            connection.send("HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n")
            guard connection.startTLS(identity), connection.request() != nil else { return }
            connection.answer("{}")
        }
        let client = try Client()
        func route(_ credentials: String?) -> (inout Request) -> Void {
            { $0.route = .proxy(Request.Proxy(address: Client.loopback, port: proxy.port, credentials: credentials)) }
        }
        let response = try await client.send("https://localhost/", route("u:p")).get()
        #expect(response.status == 200 && response.head["X-Proxy"] == nil)
        #expect(proxy.requests.first?.hasPrefix("CONNECT localhost:443 HTTP/1.1\r\n") == true)
        let refused = try await client.send("https://localhost/", route(nil)).problem
        #expect(refused?.reason == .proxyRefused(status: 407))
    }

    @Test("at most so many connections go to one host, in the order in which they were asked for")
    func perHost() async throws {
        let counts = Locked((now: 0, most: 0))
        let origin = try StubOrigin { connection in
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            _ = connection.request()
            Waiting.idle(milliseconds: 5)
            counts.withLock { $0.now -= 1 }
            connection.answer("{}")
        }
        let client = try Client(perHost: 3)
        let request = try Client.request("http://localhost:\(origin.port)/")
        let answers = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<12 { group.addTask { await client.send(request).value?.status == 200 } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answers == 12)
        #expect(counts.withLock { $0.most } <= 3)
    }

    @Test("a cancelled request ends at once, whether it is under way or waits, and its completion is called once")
    func cancelling() async throws {
        let origin = try StubOrigin { connection in
            _ = connection.request()
            connection.waitForEnd()
        }
        let client = try Client(perHost: 1)
        let request = try Client.request("http://localhost:\(origin.port)/")
        let first = Aside.task { await client.send(request) }
        #expect(Waiting.until { origin.requests.count == 1 })
        let second = Aside.task { await client.send(request) }
        second.cancel()
        let waiting = try await second.value.problem
        #expect(waiting?.reason == .cancelled && waiting?.phase == .queued)
        first.cancel()
        let running = try await first.value.problem
        #expect(running?.reason == .cancelled && running?.phase == .waiting)
        // One that is cancelled before it begins.
        let third = Aside.task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.send(request)
        }
        #expect(try await third.value.problem?.reason == .cancelled)
    }

    @Test("a transport that is given up cancels what is under way")
    func givingUp() async throws {
        let origin = try StubOrigin { connection in
            _ = connection.request()
            connection.waitForEnd()
        }
        let results = Locked<[Failure.Reason?]>([])
        var client: Client? = try Client(perHost: 1)
        for _ in 0..<2 {
            _ = client?.transport.start(try Client.request("http://localhost:\(origin.port)/")) { result in
                results.withLock { $0.append(result.problem?.reason) }
            }
        }
        #expect(Waiting.until { origin.requests.count == 1 })
        client = nil
        #expect(Waiting.until { results.withLock { $0.count } == 2 })
        #expect(results.withLock { $0 } == [.cancelled, .cancelled])
    }

    @Test(
        "a field that would end its line, or another Host, is not sent",
        arguments: [
            HeaderField("X", "a\r\nY: b"), HeaderField("X", "a\nb"), HeaderField("X", "a\u{0}b"),
            HeaderField("", "a"), HeaderField("X Y", "a"), HeaderField("X:", "a"), HeaderField("host", "b"),
        ])
    func injection(field: HeaderField) async throws {
        let failure = try await Client().send("http://localhost:9/") { $0.fields.append(field) }.problem
        #expect(failure?.reason == .invalidRequest)
    }

    @Test("a missing library is named with its Debian package")
    func missingLibrary() {
        let error = #expect(throws: MissingLibrary.self) { try CurlLibrary("libcurl-that-is-not-there.so.4") }
        #expect(error?.package == "libcurl4")
        #expect(error?.reason.contains("libcurl-that-is-not-there.so.4") == true)
        // A library without the functions.
        #expect(throws: MissingLibrary.self) { try CurlLibrary("libz.so.1") }
        #expect((try? CurlLibrary("libcurl.so.4")) != nil)
    }

    @Test("nothing is linked with libcurl: it is opened when it is first needed")
    func notLinked() throws {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let executable = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? path
        let outcome = try Shell.run(["readelf", "-d", executable])
        #expect(outcome.text.contains("(NEEDED)"))
        #expect(!outcome.text.contains("libcurl.so"))
    }
}
