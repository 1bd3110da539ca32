import AssociationServer
import Foundation
import TestSupport
import Testing

/// The answers of links and pages, on real sockets (docs/spec/server.md, section 2).
@Suite("Answers by links and pages", .waiting)
struct LinkAnswersTests {
    private let linked: LinkedServer

    init() throws { linked = try LinkedServer() }

    private static let html = "Accept: text/html\r\n"
    private static let json = "Accept: application/json\r\n"

    @Test(
        "the path decides, in the order of the contract", arguments: [false, true],
        [
            ("/summer", 200, "text/html; charset=utf-8"), ("/summer/", 200, "text/html; charset=utf-8"),
            ("/summer?x=y", 200, "text/html; charset=utf-8"), ("/go", 302, nil), ("/stay", 307, nil),
            ("/p/7", 302, nil),
            ("/nothing", 404, "text/html; charset=utf-8"), ("/", 404, "text/html; charset=utf-8"),
            ("/../summer", 404, "text/html; charset=utf-8"), ("/p/%2e%2E", 404, "text/html; charset=utf-8"),
            ("/_links/0123456789abcdef.png", 404, "text/plain"), ("/.well-known/x", 404, "text/plain"),
            ("/.well-known/", 404, "text/plain"), ("/apple-app-site-association.json", 404, "text/plain"),
            ("/assetlinks.json", 404, "text/plain"), (LinkedServer.association, 200, "application/json"),
            ("/apple-app-site-association", 200, "application/json"),
        ] as [(target: String, status: Int, type: String?)])
    func order(isPlain: Bool, _ expected: (target: String, status: Int, type: String?)) throws {
        let answer = try linked.answer(expected.target, isPlain: isPlain)
        #expect(answer.status == expected.status && answer["Content-Type"] == expected.type, "\(answer.lines)")
        #expect(answer["Set-Cookie"] == nil)
        let head = try linked.answer(expected.target, isPlain: isPlain, method: "HEAD")
        #expect(head.timeless == answer.timeless && head.body.isEmpty)
    }

    @Test(
        "a redirect has the head of the contract, and nothing else",
        arguments: [
            ("/go", "302 Found", "https://www.example.com/go"),
            ("/go?a=1&b=2", "302 Found", "https://www.example.com/go?a=1&b=2"),
            ("/stay?a=1", "307 Temporary Redirect", "https://www.example.com/stay"),
            ("/p/7%2F8", "302 Found", "https://www.example.com/products/7%2F8"),
        ])
    func redirect(target: String, status: String, location: String) throws {
        let answer = try linked.answer(target)
        #expect(
            answer.timeless == [
                "HTTP/1.1 \(status)", "Location: \(location)", "Cache-Control: public, max-age=60",
                "Referrer-Policy: no-referrer", "Vary: Accept", "Content-Length: 0", "Connection: close",
            ])
    }

    @Test("a page has the fields of the contract, and its entity tag answers 304")
    func page() throws {
        let answer = try linked.answer("/summer", fields: Self.html + "Accept-Language: de\r\n")
        #expect(answer.status == 200 && answer.text.contains("Sommer"))
        #expect(answer["Content-Language"] == "de" && answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Vary"] == "Accept, Accept-Language, User-Agent")
        #expect(answer["Cache-Control"] == "public, max-age=60" && answer["Referrer-Policy"] == "no-referrer")
        #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(answer["Content-Length"] == "\(answer.body.count)" && answer["Last-Modified"] == nil)
        let tag = try #require(answer["ETag"])
        let digest = try Shell.run(["sha256sum"], input: Data(answer.body)).text.prefix(64)
        #expect(tag == "\"\(digest)\"")
        let same = "Accept-Language: de\r\nIf-None-Match: \"x\", W/\(tag)\r\n"
        let second = try linked.answer("/summer", fields: same)
        #expect(second.status == 304 && second.body.isEmpty && second["Content-Length"] == nil)
        #expect(second["ETag"] == tag && second["Vary"] == answer["Vary"])
        // Another language is another page; dates are ignored.
        #expect(try linked.answer("/summer", fields: "If-None-Match: \(tag)\r\n").status == 200)
        let dates =
            "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
        #expect(try linked.answer("/summer", fields: dates).status == 200)
        #expect(try linked.answer("/summer", fields: "If-Match: \"x\"\r\n").status == 412)
        let none = try linked.answer("/nothing")
        #expect(try linked.answer("/nothing", fields: "If-None-Match: \(none["ETag"] ?? "")\r\n").status == 404)
    }

    @Test(
        "programs get JSON for links and pages of either kind",
        arguments: [
            ("/summer", 200, "https://www.example.com/sale"), ("/go", 200, "https://www.example.com/go"),
            ("/p/7", 200, "https://www.example.com/products/7"), ("/nothing", 404, nil), ("/../go", 404, nil),
        ] as [(String, Int, String?)])
    func programs(target: String, status: Int, to: String?) throws {
        let answer = try linked.answer(target, fields: Self.json)
        #expect(answer.status == status && answer["Content-Type"] == "application/json")
        #expect(answer["Vary"] == "Accept, Accept-Language" && answer["Location"] == nil && answer["ETag"] != nil)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        #expect(object?["version"] as? Int == 1 && object?["to"] as? String == to)
        if status == 404 { #expect(object?["error"] as? String == "not-found") }
    }

    @Test("an image is at the path that the page names, and never changes there")
    func image() throws {
        let page = try linked.answer("/summer").text
        let path = try #require(page.firstMatch(of: #/https:\/\/localhost(\/_links\/[0-9a-f]{16}\.webp)/#)).output.1
        let answer = try linked.answer(String(path))
        #expect(answer.status == 200 && answer.text == LinkedServer.image("summer"))
        #expect(answer["Content-Type"] == "image/webp" && answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
        let tag = try #require(answer["ETag"])
        #expect(try linked.answer(String(path), fields: "If-None-Match: \(tag)\r\n").status == 304)
    }

    @Test("a method that is none of theirs, and a body, are refused and answered as everywhere")
    func methods() throws {
        #expect(try linked.answer("/summer", method: "POST").status == 405)
        let body = try linked.answer("/go", fields: "Content-Length: 3\r\n")
        #expect(body.status == 302 && body.closes)
        #expect(try linked.answer("/go", fields: "Expect: something\r\n").status == 417)
    }

    @Test("a plain listener redirects to HTTPS before links are asked, unless a proxy says that it was HTTPS")
    func plain() throws {
        linked.served.reload { $0.plainRedirect = true }
        let redirect = try linked.answer("/go", isPlain: true)
        #expect(redirect.status == 308 && redirect["Location"] == "https://localhost/go")
        let secure = try linked.answer("/go", isPlain: true, fields: "X-Forwarded-Proto: https\r\n")
        #expect(secure.status == 302 && secure["Location"] == "https://www.example.com/go")
        for target in [LinkedServer.association, "/.well-known/x", "/assetlinks.jsonx"] {
            let answer = try linked.answer(target, isPlain: true)
            #expect(answer["Location"] == nil && answer.status == (target == LinkedServer.association ? 200 : 404))
        }
    }

    @Test("over HTTP/2 the answers are the same, many at a time")
    func streams() throws {
        let targets = (0..<60).flatMap { ["/summer?\($0)", "/go?x=\($0)", "/nothing/\($0)"] }
        let urls = targets.map { "https://localhost:\(linked.served.port())\($0)" }
        let outcome = try Shell.run(
            [
                "curl", "-sS", "-k", "--http2", "--parallel", "--max-time", "\(Patience.seconds)", "--noproxy", "*",
                "-w", "%{http_code} %{http_version} %{size_download} %{redirect_url}\n",
            ] + urls.flatMap { ["-o", "/dev/null", $0] })
        let found = outcome.text.split(separator: "\n").map(String.init).sorted()
        var expected: [String] = []
        for target in targets {
            let answer = try linked.answer(target)
            let size = answer.body.count
            expected.append("\(answer.status) 2 \(size) \(answer["Location"] ?? "")")
        }
        #expect(found == expected.sorted(), "\(outcome.errors)")
    }

    @Test("many pages and long redirects, pipelined, all come")
    func pipeline() throws {
        let socket = try linked.served.connect(1)
        let query = String(repeating: "q", count: 3_500)
        let count = 60
        Thread.detachNewThread {
            for number in 0..<count {
                socket.send("GET /go?\(query)\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                socket.send("GET /summer?\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            }
            socket.send("GET /go HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        }
        let bytes = socket.receiveAll().bytes
        var (answers, start) = ([HTTPAnswer](), 0)
        while let (answer, count) = HTTPAnswer.read(bytes, from: start, isHead: false) {
            answers.append(answer)
            start += count
        }
        #expect(answers.map(\.status) == (0..<count).flatMap { _ in [302, 200] } + [302])
        let locations = answers.dropLast().compactMap { $0["Location"] }
        #expect(locations == (0..<count).map { "https://www.example.com/go?\(query)\($0)" })
    }
}
