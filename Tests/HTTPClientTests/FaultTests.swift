import DomainNames
import Foundation
import HTTPClient
import OpenSSL
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// Servers that misbehave: each costs bounded time and memory, and is told apart from the others.
@Suite("Faults of servers", .waitingApart)
struct FaultTests {
    /// Sends something to a server with TLS that does `body` after the request.
    private func failure(
        seconds: Double? = nil, _ body: @escaping @Sendable (StubConnection) -> Void
    ) async throws -> Failure {
        let origin = try StubOrigin(SampleSite.identity()) { connection in
            if connection.request() != nil { body(connection) }
        }
        let result = try await Client().send("https://localhost:\(origin.port)/", seconds: seconds)
        return try #require(result.problem)
    }

    private func response(_ body: @escaping @Sendable (StubConnection) -> Void) async throws -> Response {
        let origin = try StubOrigin(SampleSite.identity()) { connection in
            if connection.request() != nil { body(connection) }
        }
        return try await Client().send("https://localhost:\(origin.port)/").get()
    }

    @Test("a time limit says how far it got")
    func timeLimits() async throws {
        // Each of them comes as far as it can, unless the machine has other things to do.
        func timeOut(
            _ phase: Failure.Phase, _ body: @escaping @Sendable (StubConnection) -> Void
        ) async throws -> Failure {
            try await Patience.withLimit {
                try await failure(seconds: $0, body)
            } until: {
                $0.phase == phase
            }
        }
        let silent = try await timeOut(.waiting) { $0.waitForEnd() }
        #expect(silent.reason == .timedOut && silent.phase == .waiting && silent.headerBytes == 0)
        // libcurl counts in milliseconds, and some of them have passed when it begins.
        #expect(silent.times.total > .seconds(Patience.limits[0]) - .milliseconds(100))
        let header = try await timeOut(.header) { connection in
            connection.send("HTTP/1.1 200 OK\r\nServer: x\r\n")
            while connection.send("X-Slow: a\r\n") { Waiting.idle(milliseconds: 20) }
        }
        #expect(header.reason == .timedOut && header.phase == .header && header.headerBytes > 28)
        #expect(header.head == nil)
        let body = try await timeOut(.body) { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1")
            connection.waitForEnd()
        }
        #expect(body.reason == .timedOut && body.phase == .body && body.bodyBytes == 6)
        #expect(body.head?.status == 200 && body.times.header != nil)
    }

    @Test("no answer to a connection, or to a handshake, is told apart from the rest")
    func silentConnection() async throws {
        // Nobody accepts, and there is no room for those who wait.
        let full = try BoundSocket(isListening: false)
        #expect(listen(full.descriptor, 0) == 0)
        let others = try (0..<2).map { _ in try NonblockingSocket(port: full.port) }
        let url = "https://localhost:\(full.port)/"
        let connect = try #require(await Client().send(url, seconds: Patience.limits[0]).problem)
        #expect(connect.reason == .timedOut && connect.phase == .connecting)
        withExtendedLifetime(others) {}
        let mute = try StubOrigin { while $0.receiveRaw() != nil {} }
        // The limit for all, and the limit for connecting alone.
        for isForAll in [true, false] {
            let failure = try await Patience.withLimit { limit in
                try #require(
                    await Client().send("https://localhost:\(mute.port)/", seconds: isForAll ? limit : nil) {
                        if !isForAll { $0.connectLimit = .seconds(limit) }
                    }.problem)
            } until: {
                $0.phase == .handshaking
            }
            #expect(failure.reason == .timedOut && failure.phase == .handshaking)
        }
    }

    @Test("errors of connecting are told apart")
    func connecting() async throws {
        let closed = try BoundSocket(isListening: false)
        let client = try Client()
        let refused = try #require(await client.send("https://localhost:\(closed.port)/").problem)
        #expect(refused.reason == .notConnected(.refused) && refused.phase == .connecting)
        // The broadcast address, to which TCP has no route.
        let nowhere = try Client.request("https://localhost/", to: IPAddress(ipv4: 0xFFFF_FFFF))
        let unreachable = try #require(await client.send(nowhere).problem)
        #expect(unreachable.reason == .notConnected(.networkUnreachable))
    }

    @Test("an endless body is read up to the limit, and its beginning is the answer")
    func endlessBody() async throws {
        let chunk = [UInt8](repeating: 0x61, count: 10_000)
        let response = try await response { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(chunk) {}
        }
        #expect(response.isTruncated && response.body.count == 131_072)
        let other = try await self.response { connection in
            connection.send("HTTP/1.1 503 Busy\r\n\r\n")
            while connection.send(chunk) {}
        }
        #expect(other.status == 503 && other.isTruncated && other.body.count == 4_096)
    }

    @Test("a body as large as the limit is complete, one byte more is not")
    func exactLimit() async throws {
        let exact = try await response { $0.answer(String(repeating: "a", count: 131_072)) }
        #expect(!exact.isTruncated && exact.body.count == 131_072)
        let more = try await response { $0.answer(String(repeating: "a", count: 131_073)) }
        #expect(more.isTruncated && more.body.count == 131_072)
    }

    @Test("a body that unpacks to much more costs no more than the limit")
    func bomb() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/bomb"
        try Shell.run(["sh", "-c", "head -c 8000000 /dev/zero | gzip -1 | gzip -9 >\(path)"])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let response = try await response { connection in
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(bytes)
        }
        #expect(response.isTruncated && response.body.count == 131_072)
        #expect(response.head.contentCodings == ["gzip", "gzip"])
        #expect(response.body.allSatisfy { $0 == 0 })
    }

    /// `hello` in each coding.
    static let encodings: [(coding: String, bytes: [UInt8])] = [
        (
            "gzip",
            [
                0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36,
                0x05, 0, 0, 0,
            ]
        ),
        ("deflate", [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15]),
        ("br", [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]),
        ("Identity", Array("hello".utf8)),
    ]

    @Test("a coding that was not requested is undone, and named", arguments: encodings)
    func decoding(coding: String, bytes: [UInt8]) async throws {
        let response = try await response { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(bytes)
        }
        #expect(response.body == Array("hello".utf8))
        #expect(response.head.contentCodings == (coding == "Identity" ? [] : [coding]))
    }

    @Test(
        "a coding that nobody knows, or that is damaged, is one that cannot be decoded",
        arguments: ["lzw", "gzip", "br"])
    func undecodable(coding: String) async throws {
        let failure = try await failure { connection in
            connection.answer("hello, this is not encoded", fields: "Content-Encoding: \(coding)\r\n")
        }
        #expect(failure.reason == .undecodableBody)
        #expect(failure.head?.contentCodings == [coding])
    }

    @Test("a stream that ends early is reported with what was promised and what came")
    func shortBody() async throws {
        let short = try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1") }
        #expect(short.reason == .incompleteBody(expected: 100, received: 6))
        #expect(short.bodyBytes == 6 && short.head?.status == 200)
        let cut = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1")
            connection.cutOff()
        }
        #expect(cut.reason == .incompleteBody(expected: 100, received: 6))
        let chunked = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc")
        }
        #expect(chunked.reason == .incompleteBody(expected: nil, received: 3))
        let header = try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Le") }
        #expect(header.reason == .closed && header.phase == .header)
        let nothing = try await failure { _ in }
        #expect(nothing.reason == .closed && nothing.phase == .waiting && nothing.headerBytes == 0)
    }

    @Test("without a promised length the end of the stream is the end of the body, with close_notify and without")
    func openEnd() async throws {
        for isCutOff in [false, true] {
            let response = try await response { connection in
                connection.send("HTTP/1.1 200 OK\r\n\r\n{}")
                if isCutOff { connection.cutOff() }
            }
            #expect(response.body == Array("{}".utf8))
        }
    }

    @Test("a reset is reported, wherever it comes")
    func reset() async throws {
        let after = try await failure { $0.resetAtEnd() }
        #expect(after.reason == .reset && after.phase == .waiting)
        let middle = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            // The client has it before the reset throws away what has not been read.
            Waiting.idle(milliseconds: 100)
            connection.resetAtEnd()
        }
        #expect(middle.reason == .reset && middle.phase == .body)
        let before = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.resetAtEnd()
        }
        let handshake = try await Client().send("https://localhost:\(before.port)/").problem
        #expect(handshake?.reason == .tls(.reset))
        let plain = try await Client().send("http://localhost:\(before.port)/").problem
        #expect(plain?.reason == .reset)
    }

    @Test("what is not TLS on a port for it is reported")
    func notTLS() async throws {
        let plain = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.waitForEnd()
        }
        let http = try await Client().send("https://localhost:\(plain.port)/").problem
        #expect(http?.reason == .tls(.notTLS))
        let closing = try StubOrigin { _ = $0.receiveRaw() }
        let closed = try await Client().send("https://localhost:\(closing.port)/").problem
        #expect(closed?.reason == .tls(.closed))
        let alerting = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.sendRaw([21, 3, 3, 0, 2, 2, 40])
            connection.waitForEnd()
        }
        let alert = try await Client().send("https://localhost:\(alerting.port)/").problem
        #expect(alert?.reason == .tls(.alert(40)))
        #expect(alert?.description == "TLS alert handshake_failure")
    }

    @Test("what is not HTTP is told apart from a header that is damaged")
    func garbage() async throws {
        let garbage = try await failure { connection in
            connection.send([UInt8](repeating: 0x80, count: 3_000))
            connection.waitForEnd()
        }
        #expect(garbage.reason == .notHTTP)
        let other = try await failure { connection in
            connection.send("SSH-2.0-OpenSSH_9.2\r\n")
            connection.waitForEnd()
        }
        #expect(other.reason == .notHTTP)
        for line in ["no colon", ": empty", "na me: x", "X\u{1}: y", " folded: before any"] {
            let damaged = try await failure { connection in
                connection.send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\n{}")
            }
            #expect(damaged.reason == .malformedHeader, "\(line)")
        }
        let length = try await failure {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5x\r\nContent-Length: -1\r\n\r\n{}")
        }
        #expect(length.reason == .malformedHeader)
    }

    @Test("a header above its limit ends the connection, in many lines, in one, and in interim answers")
    func largeHeader() async throws {
        let line = "X: " + String(repeating: "a", count: 1_000) + "\r\n"
        let lines = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send(line) {}
        }
        #expect(lines.reason == .headerTooLarge && lines.headerBytes <= 34_000)
        let single = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nX: ")
            while connection.send(line.replacing("\r\n", with: "")) {}
        }
        #expect(single.reason == .headerTooLarge)
        let interim = try await failure { connection in
            while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
        }
        #expect(interim.reason == .headerTooLarge)
        let trailers = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            while connection.send(line) {}
        }
        #expect(trailers.reason == .headerTooLarge)
    }

    /// The surroundings of an answer without end, before and after its head.
    static let surroundings: [(name: String, head: String, flood: [UInt8])] = [
        ("an extension of a chunk", "Transfer-Encoding: chunked\r\n\r\n1;", [UInt8](repeating: 0x41, count: 16_000)),
        (
            "extensions of many chunks", "Transfer-Encoding: chunked\r\n\r\n",
            Array("1;\(String(repeating: "A", count: 16_000))\r\na\r\n".utf8)
        ),
        (
            // Stored blocks of deflate without content.
            "a body that unpacks to nothing", "Content-Encoding: deflate\r\n\r\n",
            [0x78, 0x9C] + [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: 3_000).flatMap { $0 }
        ),
    ]

    @Test("what surrounds an answer is limited, too", arguments: surroundings)
    func limitedSurroundings(name: String, head: String, flood: [UInt8]) async throws {
        let sent = Locked(0)
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\(head)")
            var part = flood
            while connection.send(part) {
                sent.withLock { $0 += part.count }
                part = flood.starts(with: [0x78]) ? Array(flood.dropFirst(2)) : flood
            }
        }
        #expect(failure.reason == .tooMuchReceived && failure.phase == .body, "\(failure)")
        #expect(failure.description == "too many bytes around the answer")
        let limit = Request.Limits(body: 131_072, otherBody: 4_096).received
        #expect(limit == 1_376_256)
        // The sockets' buffers take some more.
        #expect((limit / 2..<8 * limit).contains(sent.withLock { $0 }))
    }

    @Test("small chunks are not too much, nor is the next answer on a kept connection")
    func smallChunks() async throws {
        let chunk = "10;some=extension\r\n\(String(repeating: "a", count: 16))\r\n"
        let chunks = String(repeating: chunk, count: 8_192)
        let origin = try StubOrigin(SampleSite.identity()) { connection in
            while connection.request() != nil {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
            }
        }
        let client = try Client()
        for _ in 0..<6 {
            let response = try await client.send("https://localhost:\(origin.port)/") { $0.keepsConnection = true }
                .get()
            #expect(response.body.count == 131_072 && !response.isTruncated)
        }
        #expect(origin.connections == 1)
    }

    @Test("a certificate that is not trusted, or for another name, gets no request")
    func certificates() async throws {
        let stranger = try StubOrigin(SampleSite.identity(SampleSite.leaf(issuer: SampleSite.otherRoot), chain: [])) {
            _ = $0.request()
        }
        let untrusted = try await Client().send("https://localhost:\(stranger.port)/").problem
        // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        #expect(untrusted?.reason == .certificateRefused(20))
        let other = try StubOrigin(SampleSite.identity(SampleSite.leaf(["other.example.com"]))) { _ = $0.request() }
        let mismatch = try await Client().send("https://localhost:\(other.port)/").problem
        #expect(mismatch?.reason == .nameMismatch)
        let expired = try StubOrigin(SampleSite.identity(SampleSite.leaf(notAfter: -1))) { _ = $0.request() }
        let old = try await Client().send("https://localhost:\(expired.port)/").problem
        // X509_V_ERR_CERT_HAS_EXPIRED
        #expect(old?.reason == .certificateRefused(10))
        #expect(stranger.requests.isEmpty && other.requests.isEmpty && expired.requests.isEmpty)
    }
}

/// A client that begins to connect, and does not wait for it.
private final class NonblockingSocket {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        _ = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }
}
