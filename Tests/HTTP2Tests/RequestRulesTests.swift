import FrameSamples
import HTTP1
import HTTP2
import Testing

/// The fields of a request (RFC 9113, sections 8.1 to 8.5), and what they become.
struct RequestRulesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let rule: String
        let fields: [(String, String)]

        init(_ rule: String, _ fields: [(String, String)]) { (self.rule, self.fields) = (rule, fields) }

        var testDescription: String { rule }
    }

    private static let base = HeaderEncoder.pseudo()

    private static func without(_ name: String) -> [(String, String)] { base.filter { $0.0 != name } }

    private static let malformed = [
        Case("8.2.1: a name in upper case", base + [("User-Agent", "x")]),
        Case("8.2.1: a name that is not a token", base + [("a b", "x")]),
        Case("8.2.1: an empty name", base + [("", "x")]),
        Case("8.2.1: NUL in a value", base + [("x", "a\0b")]), Case("8.2.1: CR in a value", base + [("x", "a\rb")]),
        Case("8.2.1: LF in a value", base + [("x", "a\nb")]),
        Case("8.2.1: white space before a value", base + [("x", " a")]),
        Case("8.2.1: white space after a value", base + [("x", "a\t")]),
        Case("8.2.2: connection", base + [("connection", "close")]),
        Case("8.2.2: keep-alive", base + [("keep-alive", "1")]),
        Case("8.2.2: proxy-connection", base + [("proxy-connection", "close")]),
        Case("8.2.2: transfer-encoding", base + [("transfer-encoding", "chunked")]),
        Case("8.2.2: upgrade", base + [("upgrade", "h2c")]), Case("8.2.2: te", base + [("te", "gzip")]),
        Case("8.3: a pseudo-header field after others", [("x", "y")] + base),
        Case("8.3: an unknown pseudo-header field", base + [(":unknown", "x")]),
        Case("8.3: one of a response", base + [(":status", "200")]),
        Case("8.3: :method twice", base + [(":method", "GET")]), Case("8.3: :path twice", base + [(":path", "/")]),
        Case("8.3: :scheme twice", base + [(":scheme", "https")]),
        Case("8.3: :authority twice", base + [(":authority", "localhost")]),
        Case("8.3.1: no :method", without(":method")), Case("8.3.1: no :scheme", without(":scheme")),
        Case("8.3.1: no :path", without(":path")), Case("8.3.1: neither :authority nor host", without(":authority")),
        Case("8.3.1: an empty :method", without(":method") + [(":method", "")]),
        Case("8.3.1: an empty :scheme", without(":scheme") + [(":scheme", "")]),
        Case("8.3.1: an empty :path", without(":path") + [(":path", "")]),
        Case("8.3.1: a :path that does not begin with a slash", without(":path") + [(":path", "x")]),
        Case("8.3.1: a :path with a scheme", without(":path") + [(":path", "https://localhost/")]),
        Case("8.3.1: a :path of *", without(":path") + [(":path", "*")]),
        Case("8.5: CONNECT with a path", HeaderEncoder.pseudo(method: "CONNECT")),
        Case("8.5: CONNECT without an authority", [(":method", "CONNECT")]),
        Case("8.1.1: a content-length without a body", base + [("content-length", "1")]),
        Case("8.1.1: content-length twice", base + [("content-length", "0"), ("content-length", "0")]),
        Case("8.1.1: a content-length that is not a number", base + [("content-length", "x")]),
        Case("8.1.1: a negative content-length", base + [("content-length", "-1")]),
    ]

    @Test("8.1.1: a malformed request is reset with PROTOCOL_ERROR, and the others go on", arguments: malformed)
    func isReset(example: Case) throws {
        let peer = try SessionPeer()
        let sent = peer.send(.request(example.fields, stream: 1), .get("/next", stream: 3))
        #expect(sent.first == .resetStream(1, code: Code.protocolError))
        #expect(peer.heads == ["GET /next HTTP/1.1\r\nhost: localhost\r\n\r\n"])
        #expect(sent.contains { $0.stream == 3 && $0.endsStream })
        #expect(peer.buffers.pointee[.malformedRequest] == 1)
        #expect(!peer.isDone)
    }

    private static let refused: [(Case, Status)] = [
        (Case("a scheme other than https", HeaderEncoder.pseudo(scheme: "http")), .badRequest),
        (Case("a scheme in upper case", HeaderEncoder.pseudo(scheme: "HTTPS")), .badRequest),
        (Case("host and :authority that differ", base + [("host", "other.example")]), .badRequest),
        (Case("an authority with user information", HeaderEncoder.pseudo(host: "a@localhost")), .badRequest),
        (Case("an empty authority", HeaderEncoder.pseudo(host: "")), .badRequest),
        (Case("two hosts without :authority", without(":authority") + [("host", "a"), ("host", "a")]), .badRequest),
        (Case("a fragment in the path", HeaderEncoder.pseudo(path: "/#x")), .badRequest),
        (Case("a byte above ASCII in the path", HeaderEncoder.pseudo(path: "/\u{E9}")), .badRequest),
        (
            Case("a path that is too long", HeaderEncoder.pseudo(path: "/" + String(repeating: "x", count: 4_096))),
            .uriTooLong
        ),
        (
            Case("101 fields", base + (1...101).map { ("x\($0)", "y") }), .requestHeaderFieldsTooLarge
        ),
        (
            Case("a header list of more than 8,192 bytes", base + [("x", String(repeating: "y", count: 8_000))]),
            .requestHeaderFieldsTooLarge
        ),
    ]

    @Test("What HTTP/1.1 refuses is refused with the same status on its stream", arguments: refused)
    func isRefused(example: Case, status: Status) throws {
        let peer = try SessionPeer()
        let sent = peer.send(.request(example.fields, stream: 1))
        if peer.refusals.isEmpty {
            // The library has done it already.
            #expect(sent == [.resetStream(1, code: Code.protocolError)])
            #expect(status == .badRequest)
        } else {
            #expect(peer.refusals == [status])
            #expect(try peer.fields(sent.first)[":status"] == "\(status.rawValue)")
        }
        #expect(peer.send(.get(stream: 3)).contains { $0.stream == 3 && $0.endsStream })
        #expect(!peer.isDone)
    }

    private static let heads: [(Case, String)] = [
        (
            Case("a request", base + [("user-agent", "curl"), ("accept", "*/*")]),
            "GET / HTTP/1.1\r\nhost: localhost\r\nuser-agent: curl\r\naccept: */*\r\n\r\n"
        ),
        (
            Case(
                ":authority last",
                [(":path", "/a?b"), (":scheme", "https"), (":method", "HEAD"), (":authority", "x:8443")]),
            "HEAD /a?b HTTP/1.1\r\nhost: x:8443\r\n\r\n"
        ),
        (
            Case("host instead of :authority", without(":authority") + [("host", "x")]),
            "GET / HTTP/1.1\r\nhost: x\r\n\r\n"
        ),
        (Case("host besides :authority", base + [("host", "LOCALHOST")]), "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        (
            Case("CONNECT", [(":method", "CONNECT"), (":authority", "x:1")]),
            "CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n"
        ),
        (
            Case("OPTIONS", HeaderEncoder.pseudo(method: "OPTIONS", path: "*")),
            "OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n"
        ),
        (
            Case("te: trailers, and no body", base + [("te", "trailers"), ("content-length", "0")]),
            "GET / HTTP/1.1\r\nhost: localhost\r\nte: trailers\r\n\r\n"
        ),
        (Case("an empty value", base + [("x", "")]), "GET / HTTP/1.1\r\nhost: localhost\r\nx: \r\n\r\n"),
        (
            Case("cookies", base + [("cookie", "a=b"), ("cookie", "c=d")]),
            "GET / HTTP/1.1\r\nhost: localhost\r\ncookie: a=b\r\ncookie: c=d\r\n\r\n"
        ),
    ]

    @Test(
        "A header block becomes the head of HTTP/1.1, in whatever pieces it comes", arguments: heads, [Int.max, 1, 7])
    func isComposed(example: (Case, String), pieces: Int) throws {
        let peer = try SessionPeer()
        let sent = peer.send(bytes: Frame.request(example.0.fields).bytes, pieces: pieces)
        #expect(peer.heads == [example.1])
        #expect(try peer.fields(sent.first)[":status"] == "200")
    }

    @Test("6.10: a block in several frames, with other connections in between", arguments: [Int.max, 1])
    func continuation(pieces: Int) throws {
        let peer = try SessionPeer()
        let block = HeaderEncoder.encode(Self.base + [("user-agent", "x")])
        let cuts = [0, 3, 20, 21, block.count]
        let frames = zip(cuts, cuts.dropFirst()).enumerated().map { index, cut in
            Frame(
                index == 0 ? Frame.Kind.headers : Frame.Kind.continuation,
                flags: (index == 0 ? Frame.Flag.endStream : 0) | (index == 3 ? Frame.Flag.endHeaders : 0), stream: 1,
                Array(block[cut.0..<cut.1]))
        }
        for (index, frame) in frames.enumerated() {
            peer.send(bytes: frame.bytes, pieces: pieces)
            // The loop's memory is used by another connection meanwhile.
            peer.overwriteHead()
            #expect(peer.hasPartialInput == (index < 3))
        }
        #expect(peer.heads == ["GET / HTTP/1.1\r\nhost: localhost\r\nuser-agent: x\r\n\r\n"])
    }

    @Test("RFC 7541, 2.3.2: the dynamic table lasts from request to request")
    func dynamicTable() throws {
        let peer = try SessionPeer()
        let first = HeaderEncoder.encodeIndexed(Self.base + [("user-agent", "x")])
        peer.send(Frame(Frame.Kind.headers, flags: 5, stream: 1, first))
        // From the newest entry to the oldest: user-agent is 62.
        peer.send(Frame(Frame.Kind.headers, flags: 5, stream: 3, [0xC2, 0xC1, 0xC0, 0xBF, 0xBE]))
        #expect(peer.heads.count == 2 && peer.heads[0] == peer.heads[1])
        // 4.3: a table without room forgets all.
        let resized = peer.send(Frame(Frame.Kind.headers, flags: 5, stream: 5, [0x20, 0xC2]))
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: resized) == Code.compression)
    }

    @Test("Trailers are ignored, and so are priorities")
    func ignored() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 0)]))
        peer.send(.request(HeaderEncoder.pseudo(method: "POST"), flags: Frame.Flag.endHeaders))
        let sent = peer.send(
            .data(3), .request([("x", "y")], flags: Frame.Flag.endHeaders | Frame.Flag.endStream),
            Frame(Frame.Kind.priority, stream: 9, [0, 0, 0, 1, 1]), Frame(0x10, [0, 0, 0, 1, 0x75, 0x3D, 0x30]))
        #expect(sent.isEmpty)
        #expect(peer.heads.count == 1)
        #expect(peer.send(.get(stream: 3, [("priority", "u=7")])).count == 1)
        #expect(peer.heads.count == 2)
    }
}
