import HTTP1
import Testing

struct RefusedHeadTests {
    private static let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { $0 }
    private static let tokenCharacters = Set(
        bytes("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") + letters)

    @Test("A head that could be read in two ways is refused", arguments: RefusedHead.all)
    func refusal(expected: RefusedHead) {
        #expect(parse(expected.head) == .refused(expected.status))
    }

    @Test("A refused head that comes byte by byte waits, then is refused for good", arguments: RefusedHead.all)
    func prefixes(expected: RefusedHead) {
        let input = bytes(expected.head)
        var isRefused = false
        for count in 0...input.count {
            let result = parse(input[..<count])
            if result == .incomplete {
                #expect(!isRefused, "after \(count) bytes")
            } else {
                #expect(result == .refused(expected.status), "after \(count) bytes")
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test("A refused head stays refused, whatever follows it", arguments: RefusedHead.all)
    func followers(expected: RefusedHead) {
        #expect(parse(expected.head + request()) == .refused(expected.status))
    }

    @Test("A value holds no control character but the tab")
    func valueCharacters() {
        for byte in 0...UInt8.max {
            // Behind 0 to 8 bytes: values are read eight at a time.
            for offset in 0...8 {
                let value = bytes(String(repeating: "v", count: offset)) + [byte] + bytes("wwwwwwwww")
                let result = parse(bytes("GET / HTTP/1.1\r\nHost: a\r\nX:") + value + bytes("\r\n\r\n"))
                let isControl = byte != 9 && byte < 0x20 || byte == 0x7F
                #expect((result == .refused(.badRequest)) == isControl, "byte \(byte) behind \(offset)")
            }
        }
    }

    @Test("A target holds visible ASCII without the number sign only")
    func targetCharacters() {
        for byte in 0...UInt8.max {
            for offset in 0...8 {
                let target = bytes("/" + String(repeating: "t", count: offset)) + [byte] + bytes("ttttttttt")
                let result = parse(bytes("GET ") + target + bytes(" HTTP/1.1\r\nHost: a\r\n\r\n"))
                let isVisible = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#")
                #expect((result != .refused(.badRequest)) == isVisible, "byte \(byte) behind \(offset)")
            }
        }
    }

    @Test("Method and field name are tokens")
    func tokens() {
        for byte in 0...UInt8.max {
            let isToken = Self.tokenCharacters.contains(byte)
            let field = parse(bytes("GET / HTTP/1.1\r\nHost: a\r\nX") + [byte] + bytes("X: y\r\n\r\n"))
            #expect(
                (field != .refused(.badRequest)) == (isToken || byte == UInt8(ascii: ":")), "byte \(byte) in a name")
            let method = parse(bytes("G") + [byte] + bytes("T / HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect((method != .refused(.badRequest)) == isToken, "byte \(byte) in a method")
        }
    }
}

/// Bytes that begin no request, and the status that says so.
struct RefusedHead: CustomTestStringConvertible {
    let status: Status
    let head: String

    init(_ head: String, _ status: Status = .badRequest) {
        self.head = head
        self.status = status
    }

    var testDescription: String { "\(status.rawValue) \(head.prefix(200).debugDescription)" }

    static let all = lines + versions + hosts + bodies + fields

    private static let lines: [RefusedHead] = [
        .init("\r\n\r\n" + request()),
        .init("\n" + request()),
        .init("\rGET / HTTP/1.1\r\n\r\n"),
        .init("\r\r\n" + request()),
        .init(" " + request()),
        .init("\t" + request()),
        .init("\0" + request()),
        .init("\u{16}\u{3}\u{1}\u{2}\0"),
        .init(request("GET  / HTTP/1.1")),
        .init(request("GET /  HTTP/1.1")),
        .init(request("GET / HTTP/1.1 ")),
        .init(request("GET\t/ HTTP/1.1")),
        .init(request("GET /\tHTTP/1.1")),
        .init(request("GET /a b HTTP/1.1")),
        .init(request("G(T / HTTP/1.1")),
        .init(request("GET: / HTTP/1.1")),
        .init(request("G\u{C9}T / HTTP/1.1")),
        .init(request("GET")),
        .init(request("GET ")),
        .init(request("GET /")),
        .init(request("GET / ")),
        .init(request("GET /# HTTP/1.1")),
        .init(request("GET /x?y#z HTTP/1.1")),
        .init(request("GET https://b/#x HTTP/1.1")),
        .init(request("GET * HTTP/1.1#")),
        .init(request("GET # HTTP/1.1")),
        .init("GET / HTTP/1.1\nHost: a\r\n\r\n"),
        .init("GET / HTTP/1.1\rHost: a\r\n\r\n"),
        .init("GET / HTTP/1.1\r\rHost: a\r\n\r\n"),
        .init("GET / HTTP/1.1\n\n"),
        .init("GET / HTTP\n"),
        .init("GET / \n"),
        .init("GET /\n"),
        .init("GET\n"),
    ]

    private static let versions: [RefusedHead] = [
        .init(request("GET / HTTP/2.0"), .httpVersionNotSupported),
        .init(request("GET / HTTP/3.1"), .httpVersionNotSupported),
        .init(request("GET / HTTP/0.9"), .httpVersionNotSupported),
        .init(request("GET / HTTP/9.9"), .httpVersionNotSupported),
        .init("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .httpVersionNotSupported),
        .init(request("GET / HTTP/2.0x")),
        .init(request("GET / HTTP/2.00")),
        .init(request("GET / HTTP/2.0 ")),
        .init(request("GET / http/1.1")),
        .init(request("GET / Http/1.1")),
        .init(request("GET / HTTP/1.10")),
        .init(request("GET / HTTP/11")),
        .init(request("GET / HTTP/1,1")),
        .init(request("GET / HTTP/1.x")),
        .init(request("GET / HTTP/x.1")),
        .init(request("GET / HTTP/-1.1")),
        .init(request("GET / HTTP 1.1")),
        .init(request("GET / HTTPS/1.1")),
        .init(request("GET / ICY/1.100")),
    ]

    private static let hosts: [RefusedHead] = [
        .init(request(host: nil)),
        .init(request("GET / HTTP/1.2", host: nil)),
        .init(request("GET \(AcceptedHead.wellKnown) HTTP/1.1", host: nil)),
        .init(request("GET https://b/ HTTP/1.1", host: nil)),
        .init(request(host: "")),
        .init(request(host: " \t")),
        .init(request("GET / HTTP/1.0", host: "")),
        .init(request(["Host: a"])),
        .init(request(["host:b"])),
        .init(request("GET / HTTP/1.0", ["Host: a"])),
        .init(request("GET https://b/ HTTP/1.1", ["Host: b"])),
        .init(request("GET https://b/ HTTP/1.1", host: "u@a")),
        .init(request(host: "u@a")),
        .init(request(host: "u:p@a")),
        .init(request(host: "@a")),
        .init(request(host: ".")),
        .init(request(host: ".:443")),
        .init(request(host: ":443")),
        .init(request(host: "a:x")),
        .init(request(host: "a:-1")),
        .init(request(host: "a:+1")),
        .init(request(host: "a:65536")),
        .init(request(host: "a:99999999999999999999999")),
        .init(request(host: "a:1:1")),
        .init(request(host: "a:1 1")),
        .init(request(host: "a b")),
        .init(request(host: "a/b")),
        .init(request(host: "a?b")),
        .init(request(host: "a#b")),
        .init(request(host: "a\\b")),
        .init(request(host: "a\"")),
        .init(request(host: "<a>")),
        .init(request(host: "a_%4")),
        .init(request(host: "%")),
        .init(request(host: "%4g")),
        .init(request(host: "%x4")),
        .init(request(host: "b\u{FC}cher")),
        .init(request(host: "https://a")),
        .init(request(host: "[]")),
        .init(request(host: "[::1")),
        .init(request(host: "::1")),
        .init(request(host: "[::1]x")),
        .init(request(host: "[::1].")),
        .init(request(host: "[::g]")),
        .init(request(host: "a[::1]")),
        .init(request(host: String(repeating: "a", count: 256))),
    ]

    private static let bodies: [RefusedHead] = [
        .init(request(["Transfer-Encoding: chunked", "Content-Length: 1"])),
        .init(request(["Content-Length: 1", "Transfer-Encoding: chunked"])),
        .init(request(["Content-Length: 0", "Transfer-Encoding: chunked"])),
        .init(request(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"])),
        .init(request(["Transfer-Encoding: chunked, chunked"])),
        .init(request(["Transfer-Encoding: chunked,"])),
        .init(request(["Transfer-Encoding: gzip, chunked"])),
        .init(request(["Transfer-Encoding: identity"])),
        .init(request(["Transfer-Encoding: xchunked"])),
        .init(request(["Transfer-Encoding: \u{B}chunked"])),
        .init(request(["Transfer-Encoding: \"chunked\""])),
        .init(request(["Transfer-Encoding: chunked;a=b"])),
        .init(request(["Transfer-Encoding:"])),
        .init(request("GET / HTTP/1.0", ["Transfer-Encoding: chunked"])),
        .init(request(["Content-Length: 1", "Content-Length: 1"])),
        .init(request(["Content-Length: 0", "content-length: 0"])),
        .init(request(["Content-Length: 1, 1"])),
        .init(request(["Content-Length: 1,"])),
        .init(request(["Content-Length: +1"])),
        .init(request(["Content-Length: -1"])),
        .init(request(["Content-Length: -0"])),
        .init(request(["Content-Length:"])),
        .init(request(["Content-Length: \t"])),
        .init(request(["Content-Length: 1 2"])),
        .init(request(["Content-Length: 0x1"])),
        .init(request(["Content-Length: 1.0"])),
        .init(request(["Content-Length: 1e1"])),
        .init(request(["Content-Length: 9223372036854775808"])),
        .init(request(["Content-Length: 18446744073709551617"])),
        .init(request(["Content-Length: 100000000000000000000000000000000000000001"])),
    ]

    private static let fields: [RefusedHead] = [
        .init("GET / HTTP/1.1\r\nHost: a\n\r\n"),
        .init("GET / HTTP/1.1\r\nHost: a\r\n\n"),
        .init("GET / HTTP/1.1\r\nHost: a\r\n\r\r\n"),
        .init("GET / HTTP/1.1\r\nHost: a\r\nX: y\nZ: w\r\n\r\n"),
        .init("GET / HTTP/1.1\r\nHost: a\r\nX: y\rZ: w\r\n\r\n"),
        .init("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\r\n\r\n"),
        .init("GET \(AcceptedHead.wellKnown) HTTP/1.1\r\nHost: a\n\r\n"),
        .init("GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        .init("GET / HTTP/1.1\r\n\tHost: a\r\n\r\n"),
        .init("GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n"),
        .init(request(["X: y", " folded"])),
        .init(request(["X: y", "\tfolded"])),
        .init(request(["X: y", " Z: folded"])),
        .init(request(["X: y", " "])),
        .init(request(["X : y"])),
        .init(request(["X\t: y"])),
        .init("GET / HTTP/1.1\r\nHost : a\r\n\r\n"),
        .init(request(["Content-Length : 1"])),
        .init(request([": y"])),
        .init(request([":"])),
        .init(request(["X"])),
        .init(request(["X y: z"])),
        .init(request(["X, Y: z"])),
        .init(request(["(X): y"])),
        .init(request(["X\u{E9}: y"])),
        .init(request(["X\0: y"])),
    ]
}
