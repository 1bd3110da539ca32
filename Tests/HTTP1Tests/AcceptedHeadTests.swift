import HTTP1
import Testing

struct AcceptedHeadTests {
    @Test("A well-formed head is read for what it says", arguments: AcceptedHead.all)
    func reading(expected: AcceptedHead) throws {
        let input = bytes(expected.head)
        let head = try #require(requestHead(expected.head))
        #expect(head.method == expected.method)
        #expect(head.target == expected.target)
        #expect(text(head.path, of: input) == expected.path)
        #expect(text(head.host, of: input) == expected.host)
        #expect(head.persistence == expected.persistence)
        #expect(head.announcesBody == expected.flags.contains(.body))
        #expect(head.hasConditions == expected.flags.contains(.conditions))
        #expect(head.hasUnknownExpectation == expected.flags.contains(.expectation))
        #expect(head.isExpectedLine == expected.flags.contains(.expectedLine))
        #expect(Int(head.count) == input.count)
    }

    @Test(
        "A request of aasa doctor is known by its field, whatever the value and the case",
        arguments: [
            ("Aasa-Doctor: 0.6.1\r\n", true), ("AASA-DOCTOR:\r\n", true), ("aasa-doctor: x\r\nAccept: */*\r\n", true),
            ("Aasa-Docto: 1\r\n", false), ("Aasa-Doctors: 1\r\n", false), ("X: Aasa-Doctor: 1\r\n", false), ("", false),
        ])
    func doctor(fields: String, isFromDoctor: Bool) throws {
        for path in [AcceptedHead.wellKnown, "/x"] {
            let head = try #require(requestHead("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
            #expect(head.isFromDoctor == isFromDoctor)
        }
    }

    @Test("Every proper prefix of a head waits for more", arguments: AcceptedHead.all)
    func prefixes(expected: AcceptedHead) {
        let input = bytes(expected.head)
        for count in 0..<input.count {
            let result = parse(input[..<count])
            #expect(result == .incomplete, "of \(count) bytes")
        }
    }

    @Test("What follows a head changes nothing", arguments: AcceptedHead.all)
    func followers(expected: AcceptedHead) {
        let input = bytes(expected.head)
        let result = parse(input)
        for follower in [
            "\r\n", "\n", "\0", " folded", "X: y\r\n\r\n", "\u{FF}\u{16}\u{3}", request("GET /x HTTP/1.0"),
        ] {
            #expect(parse(input + bytes(follower)) == result, "before \(follower.debugDescription)")
        }
    }

    @Test("Pipelined heads are read one after the other")
    func pipelining() throws {
        var rest = AcceptedHead.all.flatMap { bytes($0.head) }[...]
        for expected in AcceptedHead.all {
            guard case .request(let head) = parse(Array(rest)) else {
                Issue.record("no request: \(expected.testDescription)")
                return
            }
            #expect(Int(head.count) == bytes(expected.head).count)
            rest = rest.dropFirst(Int(head.count))
        }
        #expect(rest.isEmpty)
    }

    @Test("The fields begin behind the request line", arguments: ["", "\r\n"])
    func fields(emptyLine: String) throws {
        for line in ["GET / HTTP/1.1", "GET \(AcceptedHead.wellKnown) HTTP/1.1"] {
            let head = try #require(requestHead(emptyLine + request(line)))
            #expect(Int(head.fields) == emptyLine.utf8.count + line.utf8.count + 2)
        }
    }
}

/// A head that is a request, and what is to be found in it.
struct AcceptedHead: CustomTestStringConvertible {
    struct Flags: OptionSet {
        let rawValue: Int
        static let body = Flags(rawValue: 1)
        static let conditions = Flags(rawValue: 2)
        static let expectation = Flags(rawValue: 4)
        static let expectedLine = Flags(rawValue: 8)
    }

    let head: String
    var method = RequestHead.Method.get
    var target = RequestHead.Target.origin
    var path = "/"
    var host = "a"
    var persistence = RequestHead.Persistence.byDefault
    var flags: Flags = []

    var testDescription: String { head.debugDescription }

    static let wellKnown = "/.well-known/apple-app-site-association"

    static let all = lines + authorities + hosts + connections + bodies + others

    private static let lines: [AcceptedHead] = [
        .init(head: request("GET \(wellKnown) HTTP/1.1"), path: wellKnown, flags: .expectedLine),
        .init(head: "\r\n" + request("GET \(wellKnown) HTTP/1.1"), path: wellKnown, flags: .expectedLine),
        .init(head: request("GET \(wellKnown)? HTTP/1.1"), path: wellKnown),
        .init(head: request("GET \(wellKnown)?a=b?c HTTP/1.1"), path: wellKnown),
        .init(head: request("HEAD \(wellKnown) HTTP/1.1"), method: .head, path: wellKnown),
        .init(head: request("GET \(wellKnown) HTTP/1.0"), path: wellKnown, persistence: .no),
        .init(head: request("GET \(wellKnown) HTTP/1.2"), path: wellKnown),
        .init(head: request("GET \(wellKnown)/ HTTP/1.1"), path: wellKnown + "/"),
        .init(head: request("GET / HTTP/1.1")),
        .init(head: "\r\n" + request("GET / HTTP/1.1")),
        .init(head: request("GET / HTTP/1.9")),
        .init(head: request("GET //a/../%2F%zz?%23 HTTP/1.1"), path: "//a/../%2F%zz"),
        .init(
            head: request("GET /!\"$%&'()*+,-./:;<=>@[\\]^_`{|}~ HTTP/1.1"), path: "/!\"$%&'()*+,-./:;<=>@[\\]^_`{|}~"),
        .init(head: request("get / HTTP/1.1"), method: .other),
        .init(head: request("GETS / HTTP/1.1"), method: .other),
        .init(head: request("HEAT / HTTP/1.1"), method: .other),
        .init(head: request("!#$%&'*+-.^_`|~09azAZ / HTTP/1.1"), method: .other),
        .init(head: request("OPTIONS * HTTP/1.1"), method: .other, target: .unsupported, path: ""),
        .init(head: request("CONNECT a:443 HTTP/1.1"), method: .other, target: .unsupported, path: ""),
        .init(head: request("GET a HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET ?/ HTTP/1.1"), target: .unsupported, path: ""),
    ]

    private static let authorities: [AcceptedHead] = [
        .init(head: request("GET https://b.example/x?y HTTP/1.1"), target: .absolute, path: "/x", host: "b.example"),
        .init(head: request("GET HttpS://B:8443/ HTTP/1.1"), target: .absolute, host: "B"),
        .init(head: request("GET https://b./ HTTP/1.1"), target: .absolute, host: "b"),
        .init(head: request("GET https://b?/x HTTP/1.1"), target: .absolute, path: "", host: "b"),
        .init(head: request("GET https://b HTTP/1.1"), target: .absolute, path: "", host: "b"),
        .init(head: request("GET https://[::1]:1/ HTTP/1.1"), target: .absolute, host: "[::1]"),
        .init(
            head: request("GET https://b/ HTTP/1.0", host: nil), target: .absolute, host: "b", persistence: .no),
        .init(head: request("GET http://b/ HTTP/1.1"), target: .absoluteInClear, path: "/", host: "b"),
        .init(
            head: request("GET hTTp://B.example.:8080/x?y HTTP/1.1"), target: .absoluteInClear, path: "/x",
            host: "B.example"),
        .init(head: request("GET http://b?x HTTP/1.1"), target: .absoluteInClear, path: "", host: "b"),
        .init(
            head: request("GET http://b HTTP/1.0", host: nil), target: .absoluteInClear, path: "", host: "b",
            persistence: .no),
        .init(head: request("GET http:// HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET http://u@b/ HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET httpx://b/ HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET https:/b/ HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET https:// HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET https:///x HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET https://u@b/ HTTP/1.1"), target: .unsupported, path: ""),
        .init(head: request("GET https://b:65536/ HTTP/1.1"), target: .unsupported, path: ""),
    ]

    private static let hosts: [AcceptedHead] = [
        .init(head: request(host: "A.Example"), host: "A.Example"),
        .init(head: request(host: "a.example:443"), host: "a.example"),
        .init(head: request(host: "a.example.:443"), host: "a.example"),
        .init(head: request(host: "a.example:"), host: "a.example"),
        .init(head: request(host: "a:65535")),
        .init(head: request(host: " \t a \t ")),
        .init(head: request(host: "192.0.2.1:80"), host: "192.0.2.1"),
        .init(head: request(host: "[2001:db8::1]:443"), host: "[2001:db8::1]"),
        .init(head: request(host: "%41-._~!$&'()*+,;="), host: "%41-._~!$&'()*+,;="),
        .init(head: "GET / HTTP/1.1\r\nhOST:a\r\n\r\n"),
        .init(head: request("GET / HTTP/1.0", host: nil), host: "", persistence: .no),
        .init(head: "GET / HTTP/1.1\r\nX: y\r\nHost: a\r\n\r\n"),
    ]

    private static let connections: [AcceptedHead] = [
        .init(head: request(["Connection: close"]), persistence: .no),
        .init(head: request(["CONNECTION: CLOSE"]), persistence: .no),
        .init(head: request(["Connection: x ,\tclose, y"]), persistence: .no),
        .init(head: request(["Connection: keep-alive"])),
        .init(head: request(["Connection: closed, not close"])),
        .init(head: request(["Connection:"])),
        .init(head: request(["Connection: ,,"])),
        .init(head: request(["Connection: keep-alive", "Connection: close"]), persistence: .no),
        .init(head: request(["Connection: close", "Connection: keep-alive"]), persistence: .no),
        .init(head: request("GET / HTTP/1.0", ["Connection: Keep-Alive"]), persistence: .asked),
        .init(head: request("GET / HTTP/1.0", ["Connection: x, keep-alive"]), persistence: .asked),
        .init(head: request("GET / HTTP/1.0", ["Connection: x"]), persistence: .no),
        .init(head: request("GET / HTTP/1.0", ["Connection: keep-alive, close"]), persistence: .no),
        .init(
            head: request("GET / HTTP/1.0", ["Connection: close", "Connection: keep-alive"]), persistence: .no),
    ]

    private static let bodies: [AcceptedHead] = [
        .init(head: request("POST / HTTP/1.1", ["Content-Length: 1"]), method: .other, flags: .body),
        .init(head: request(["Content-Length: 0"])),
        .init(head: request(["Content-Length: 000"])),
        .init(head: request(["Content-Length: 007"]), flags: .body),
        .init(head: request(["content-length:\t9223372036854775807 "]), flags: .body),
        .init(head: request(["Transfer-Encoding: chunked"]), flags: .body),
        .init(head: request(["transfer-encoding: CHUNKED"]), flags: .body),
        .init(head: request("GET / HTTP/1.0", ["Content-Length: 5"]), persistence: .no, flags: .body),
        .init(head: request(["Content-Lengths: x", "Transfer-Encodings: y", "Hosts: z"])),
    ]

    private static let others: [AcceptedHead] = [
        .init(head: request(["Expect: 100-continue"])),
        .init(head: request(["expect: 100-CONTINUE"])),
        .init(head: request(["Expect: 100-continue", "Expect: 200-ok"]), flags: .expectation),
        .init(head: request(["Expect: x"]), flags: .expectation),
        .init(head: request(["If-Match: x"]), flags: .conditions),
        .init(head: request(["IF-NONE-MATCH: x"]), flags: .conditions),
        .init(head: request(["If-Modified-Since: x"]), flags: .conditions),
        .init(head: request(["If-Unmodified-Since: x"]), flags: .conditions),
        .init(head: request(["If-Range: x", "Range: bytes=0-1", "Accept-Encoding: gzip"])),
        .init(head: request(["X:", "X: ", "X:\t\t", "!#$%&'*+-.^_`|~09azAZ: \u{80}\u{FF}~! \t(\"x\") :"])),
        .init(
            head: request("HEAD / HTTP/1.1", ["Expect: x", "If-Match: *", "Content-Length: 3", "Connection: close"]),
            method: .head, persistence: .no, flags: [.body, .conditions, .expectation]),
    ]
}
