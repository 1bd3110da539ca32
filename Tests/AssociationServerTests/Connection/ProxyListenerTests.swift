import AssociationServer
import DomainNames
import EventLoops
import Foundation
import HTTP1
import OpenSSL
import TestSupport
import Testing

/// The PROXY protocol on real sockets (docs/spec/deploy.md, A3).
@Suite("Listeners that expect a PROXY header", .waiting)
struct ProxyListenerTests {
    private static let kinds = [
        ListenerKind.plain(proxyProtocol: true, health: false), .https(proxyProtocol: true),
    ]
    private static let request = "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let text = Array("PROXY TCP4 203.0.113.9 198.51.100.2 8080 443\r\n".utf8)

    private static func binary(_ command: UInt8, _ family: UInt8, _ block: [UInt8]) -> [UInt8] {
        Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [
            0x20 | command, family, UInt8(block.count >> 8), UInt8(block.count & 0xFF),
        ]
            + block
    }

    private static let binary = binary(1, 0x11, [203, 0, 113, 9, 198, 51, 100, 2, 0x1F, 0x90, 0x01, 0xBB])
    private static let local = binary(0, 0, [UInt8](repeating: 7, count: 300))
    /// The longest header: as many bytes after the addresses as there may be.
    private static let longest = binary(
        1, 0x21,
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 1, count: 4_064))

    enum Delivery: CaseIterable {
        case together, apart, byteByByte
    }

    private static func send(_ header: [UInt8], _ rest: [UInt8], _ delivery: Delivery, on socket: RawSocket) {
        switch delivery {
        case .together: socket.send(header + rest)
        case .apart:
            socket.send(header)
            Waiting.idle(milliseconds: 20)
            socket.send(rest)
        case .byteByByte:
            for byte in header { socket.send([byte]) }
            for byte in rest.prefix(5) { socket.send([byte]) }
            socket.send(Array(rest.dropFirst(5)))
        }
    }

    @Test("a header in any pieces, with what follows it in the same segment or not", arguments: Delivery.allCases)
    func headers(delivery: Delivery) throws {
        let served = try ServedListeners(Self.kinds)
        let headers = [Self.text, Self.binary, Self.local, Array("PROXY UNKNOWN\r\n".utf8), Self.longest]
        for header in headers {
            let socket = try served.connect(0)
            Self.send(header, Array(Self.request.utf8), delivery, on: socket)
            let answer = try socket.receive(until: RunningServer.document)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            let client = try HTTPSClient(try served.connect(1))
            Self.send(header, client.hello(), delivery, on: client.socket)
            try client.handshake(andSend: Self.request)
            #expect(try client.answer().text == RunningServer.document)
            // What follows is not looked at as a header again.
            client.socket.endSending()
        }
        #expect(served.count(.refused(.proxyHeader)) == 0)
        let log = try served.accessLog()
        #expect(log.allSatisfy { $0["peer"] as? String == "127.0.0.1" })
        let addresses = log.compactMap { $0["address"] as? String }
        let expected = ["203.0.113.9", "203.0.113.9", "127.0.0.1", "127.0.0.1", "2001:db8::9"]
        // Loops write their lines when they please.
        #expect(addresses.sorted() == (expected + expected).sorted())
        #expect(Set(log.map { "\($0["tls"] ?? "")" }) == ["<null>", "1.3"])
    }

    @Test(
        "what is not a header is closed without a byte, counted, and logged with the peer",
        arguments: [
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0", "PROXY TCP4 203.0.113.9\r\n",
            "PROXY TCP4 203.0.113.9 198.51.100.2 8080 443\nGET / HTTP/1.1\r\n",
            "\r\n\r\n\0\r\nQUIT\n!\u{11}\u{10}\u{1}", String(repeating: "P", count: 5_000),
            "PROXY UNKNOWN " + String(repeating: "x", count: 100),
        ])
    func malformed(text: String) throws {
        let served = try ServedListeners(Self.kinds)
        for index in Self.kinds.indices {
            let socket = try served.connect(index, from: "127.0.0.5")
            socket.send(Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
            #expect(socket.receiveAll().bytes.isEmpty)
        }
        #expect(Waiting.until { served.count(.refused(.proxyHeader)) == 2 })
        let line = "one from 127.0.0.5: the PROXY header that 'proxyProtocol' requires was missing, malformed or late"
        #expect(served.log.wait(for: line))
        #expect(served.log.lines.count { $0.contains("PROXY") } == 1)
        #expect(served.count(.handshakeFailed(.closed)) == 0 && served.count(.handshakeFailed(.notTLS)) == 0)
        #expect(try served.accessLog().isEmpty)
    }

    @Test("a header that does not end in time is late, and one that ends in the middle is missing")
    func late() throws {
        let served = try ServedListeners(Self.kinds) { $0.timeouts.proxyHeader = 0.3 }
        for index in Self.kinds.indices {
            let socket = try served.connect(index)
            socket.send(Array(Self.text.dropLast()))
            #expect(socket.receiveAll().bytes.isEmpty)
            let broken = try served.connect(index)
            broken.send(Array(Self.binary.dropLast()))
            broken.endSending()
            #expect(broken.receiveAll().bytes.isEmpty)
        }
        #expect(Waiting.until { served.count(.refused(.proxyHeader)) == 4 })
        #expect(served.count(.timeout(.handshake)) == 0 && served.count(.timeout(.header)) == 0)
    }

    @Test("after the header the handshake and the first request have their own time")
    func timeAfterHeader() throws {
        let served = try ServedListeners(Self.kinds) {
            $0.timeouts.handshake = 0.3
            $0.timeouts.header = 0.3
        }
        let plain = try served.connect(0)
        plain.send(Self.text)
        #expect(plain.rest().hasPrefix("HTTP/1.1 408 "))
        let secure = try served.connect(1)
        secure.send(Self.text)
        #expect(secure.receiveAll().bytes.isEmpty)
        #expect(served.count(.timeout(.handshake)) == 1 && served.count(.refused(.proxyHeader)) == 0)
    }

    @Test("a peer that is not trusted is closed before it is read, and after a reload it is not")
    func untrusted() throws {
        let served = try ServedListeners(Self.kinds, trusted: [try CIDRBlock("127.0.0.2")])
        func isServed(_ source: String) throws -> Bool {
            let socket = try served.connect(0, from: source)
            socket.send(Self.text + Array(Self.request.utf8))
            if case .bytes = socket.receive() { return true }
            return false
        }
        #expect(try isServed("127.0.0.2"))
        #expect(try !isServed("127.0.0.3"))
        #expect(served.count(.refused(.untrustedProxy)) == 1)
        #expect(served.count(.connections) == 1)
        #expect(
            served.log.wait(
                for: "such as one from 127.0.0.3: a listener with 'proxyProtocol' accepts connections only from"))
        served.reload { $0.trustedProxies = CIDRSet(CIDRBlock.loopback) }
        #expect(try isServed("127.0.0.3"))
    }

    @Test("the limit for each address counts the source that was announced, and nothing without one")
    func limits() throws {
        let served = try ServedListeners(Self.kinds) { $0.limits.perAddress = 1 }
        func open(_ header: [UInt8]) throws -> (socket: RawSocket, isServed: Bool) {
            let socket = try served.connect(0)
            socket.send(header + Array(Self.request.utf8))
            if case .bytes = socket.receive() { return (socket, true) }
            return (socket, false)
        }
        let other = Array("PROXY TCP4 203.0.113.10 198.51.100.2 8080 443\r\n".utf8)
        let all = try [Self.text, Self.binary, other, Self.local, Self.local, Self.text].map(open)
        #expect(all.map(\.isServed) == [true, false, true, true, true, false])
        #expect(served.count(.refused(.perAddress)) == 2 && served.count(.refused(.proxyHeader)) == 0)
        #expect(served.log.wait(for: "one from 203.0.113.9: 1 are open from there ('limits.perAddress')"))
        // What is closed does not count any more.
        all[0].socket.endSending()
        #expect(Waiting.until { (try? open(Self.binary).isServed) ?? false })
    }

    @Test("behind a header there may be forwarded fields of another proxy, or of the client")
    func forwarded() throws {
        let served = try ServedListeners(Self.kinds)
        let fields =
            "GET /x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.77\r\nX-Forwarded-Proto: http\r\n\r\n"
        let header = Array("PROXY TCP4 127.0.0.9 198.51.100.2 8080 443\r\n".utf8)
        for (header, status) in [(header, "308"), (Self.text, "404")] {
            let socket = try served.connect(0)
            socket.send(header + Array(fields.utf8))
            #expect(try socket.receive(until: "\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
        }
        let addresses = try served.accessLog().compactMap { $0["address"] as? String }
        #expect(Set(addresses) == ["192.0.2.77", "203.0.113.9"])
    }
}
