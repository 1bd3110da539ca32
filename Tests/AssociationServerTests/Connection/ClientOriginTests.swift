import AssociationServer
import DomainNames
import HTTP1
import TestSupport
import Testing

/// The client of a request, and the scheme that it has used (docs/spec/deploy.md, A4).
@Suite("Where a request comes from")
struct ClientOriginTests {
    private static let proxies = CIDRSet(CIDRBlock.loopback + CIDRBlock.private)

    private func withOrigin<Result>(
        _ peer: String?, _ source: String?, _ family: ForwardedFields.Family, _ fields: [String],
        _ proxies: CIDRSet = proxies,
        _ body: (ClientOrigin, RequestHead, Span<UInt8>, Forwarding) -> Result
    ) throws -> Result {
        let text = (["GET / HTTP/1.1", "Host: a.example"] + fields).map { "\($0)\r\n" }.joined() + "\r\n"
        let bytes = Array(text.utf8)
        guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure("refused: \(text)") }
        let memory = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
        let trusted = proxies.allocateView()
        defer {
            memory.deallocate()
            trusted.deallocate()
        }
        var origin = ClientOrigin(peer: peer.flatMap { IPAddress($0) }, trusted: trusted)
        if let source { origin.announce(IPAddress(source), trusted: trusted) }
        return body(origin, head, bytes.span, Forwarding(family, trusted: trusted, fields: memory))
    }

    private func client(
        _ peer: String?, _ source: String?, _ fields: [String], _ family: ForwardedFields.Family = .xForwarded
    ) throws -> String {
        try withOrigin(peer, source, family, fields) { $0.client(of: $1, in: $2, $3)?.description ?? "unix" }
    }

    private func scheme(
        _ peer: String?, _ source: String?, _ fields: [String], _ family: ForwardedFields.Family = .xForwarded
    ) throws -> ForwardedFields.Scheme? {
        try withOrigin(peer, source, family, fields) { $0.scheme(of: $1, in: $2, $3) }
    }

    private static let spoofed = ["X-Forwarded-For: 198.51.100.66", "Forwarded: for=198.51.100.67"]

    @Test(
        "the client is the peer, what a PROXY header says of it, or the first in the chain that is not trusted",
        arguments: [
            ("203.0.113.4", nil, [], "203.0.113.4"),
            // From a peer that is not trusted nothing is believed.
            ("203.0.113.4", nil, spoofed, "203.0.113.4"),
            ("127.0.0.1", nil, ["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
            ("127.0.0.1", nil, [], "127.0.0.1"),
            ("127.0.0.1", nil, ["X-Forwarded-For: 1.1.1.1, 203.0.113.9", "x-forwarded-for: 10.0.0.7"], "203.0.113.9"),
            // A PROXY header, from a proxy that passes the client's own fields through.
            ("10.0.0.1", "203.0.113.9", spoofed, "203.0.113.9"),
            ("10.0.0.1", "203.0.113.9", [], "203.0.113.9"),
            // Another proxy of ours was announced, whose fields are believed.
            ("10.0.0.1", "10.0.0.2", ["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", "10.0.0.2", [], "10.0.0.2"),
            ("10.0.0.1", "10.0.0.2", ["X-Forwarded-For: unknown"], "10.0.0.2"),
            // A Unix socket, with and without a PROXY header.
            (nil, nil, ["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
            (nil, nil, [], "unix"),
            (nil, "203.0.113.9", spoofed, "203.0.113.9"),
            (nil, "10.0.0.2", ["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
        ] as [(String?, String?, [String], String)])
    func clients(peer: String?, source: String?, fields: [String], expected: String) throws {
        #expect(try client(peer, source, fields) == expected)
    }

    @Test("exactly one family is read")
    func families() throws {
        let fields = [
            "X-Forwarded-For: 203.0.113.1", "Forwarded: for=203.0.113.2;proto=http", "X-Forwarded-Proto: https",
        ]
        #expect(try client("127.0.0.1", nil, fields, .xForwarded) == "203.0.113.1")
        #expect(try client("127.0.0.1", nil, fields, .forwarded) == "203.0.113.2")
        #expect(try client("127.0.0.1", nil, fields, .none) == "127.0.0.1")
        #expect(try scheme("127.0.0.1", nil, fields, .xForwarded) == .https)
        #expect(try scheme("127.0.0.1", nil, fields, .forwarded) == .http)
        #expect(try scheme("127.0.0.1", nil, fields, .none) == nil)
    }

    @Test(
        "the scheme is what a trusted peer says, http from any other peer, and else unknown",
        arguments: [
            ("203.0.113.4", nil, [], .http),
            ("203.0.113.4", nil, ["X-Forwarded-Proto: https"], .http),
            ("127.0.0.1", nil, [], nil),
            ("127.0.0.1", nil, ["X-Forwarded-Proto: https"], .https),
            ("127.0.0.1", nil, ["X-Forwarded-Proto: http"], .http),
            ("127.0.0.1", nil, ["X-Forwarded-Proto: http", "X-Forwarded-Proto: http, https"], .https),
            ("127.0.0.1", nil, ["X-Forwarded-Proto: wss"], nil),
            (nil, nil, ["X-Forwarded-Proto: http"], .http),
            (nil, nil, [], nil),
            // The PROXY header says nothing about it, and what is behind it is the client's own.
            ("10.0.0.1", "203.0.113.9", [], nil),
            ("10.0.0.1", "203.0.113.9", ["X-Forwarded-Proto: http"], nil),
            ("10.0.0.1", "10.0.0.2", ["X-Forwarded-Proto: http"], .http),
            (nil, "203.0.113.9", ["X-Forwarded-Proto: http"], nil),
        ] as [(String?, String?, [String], ForwardedFields.Scheme?)])
    func schemes(peer: String?, source: String?, fields: [String], expected: ForwardedFields.Scheme?) throws {
        #expect(try scheme(peer, source, fields) == expected)
    }

    @Test("other proxies are believed from one moment to the next")
    func reload() throws {
        let fields = ["X-Forwarded-For: 203.0.113.9"]
        let clients = try withOrigin("127.0.0.1", nil, .xForwarded, fields) { origin, head, bytes, forwarding in
            var origin = origin
            let before = origin.client(of: head, in: bytes, forwarding)
            CIDRSet().withView { origin.judge($0) }
            let after = origin.client(of: head, in: bytes, forwarding)
            Self.proxies.withView { origin.judge($0) }
            return [before, after, origin.client(of: head, in: bytes, forwarding)].map { $0?.description }
        }
        #expect(clients == ["203.0.113.9", "127.0.0.1", "203.0.113.9"])
    }
}
