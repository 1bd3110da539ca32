import AssociationServer
import DomainNames
import FuzzingSupport
import HTTP1
import TestSupport
import Testing

/// The answers of a plain listener (docs/spec/deploy.md, A5): the pure function, without a socket.
@Suite("Answers on a plain listener")
struct PlainAnswersTests {
    private let table: SiteTable
    private let sites: SitesFolder
    private static let standard = StandardResponses()
    private static let proxies = CIDRSet(CIDRBlock.loopback)

    init() throws {
        sites = try SitesFolder()
        sites.configuration.wellKnown = [
            ServerConfiguration.WellKnownFile(name: "security.txt", contentType: "text/plain; charset=utf-8")
        ]
        try sites.write(SitesFolder.document, "a.example")
        try sites.write(SitesFolder.links, "a.example", "assetlinks.json")
        try sites.write("Contact", "a.example", "security.txt")
        try sites.write("{", "bad.example")
        try sites.write(SitesFolder.document, "_wildcard.b.example")
        try sites.load()
        table = SiteTable(SiteList(sites.sites))
    }

    private struct Setting {
        var peer: String? = "203.0.113.4"
        var health = false
        var redirects = true
        var mustClose = false
        var isGood = true
    }

    private struct Answer: Equatable {
        enum Kind { case reply, health, redirect }

        let kind: Kind
        let status: UInt16
        let head: [String]
        let body: String
        let site: Int32

        func field(_ name: String) -> String? {
            head.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.utf8.count + 2)) }
        }
    }

    private func answer(_ text: String, _ setting: Setting = Setting()) throws -> Answer {
        let bytes = Array(text.utf8)
        guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure("refused: \(text)") }
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
        let fields = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
        let trusted = Self.proxies.allocateView()
        defer {
            scratch.deallocate()
            fields.deallocate()
            trusted.deallocate()
        }
        let context = Responder.PlainContext(
            origin: ClientOrigin(peer: setting.peer.flatMap { IPAddress($0) }, trusted: trusted),
            forwarding: Forwarding(.xForwarded, trusted: trusted, fields: fields), answersHealth: setting.health,
            redirects: setting.redirects, mustClose: setting.mustClose)
        let responder = Responder(standard: Self.standard.view)
        return try bytes.withUnsafeBufferPointer { bytes in
            let answer = responder.plainAnswer(
                to: head, in: bytes, sites: table.view, scratch: scratch, now: 2_000_000_000, context)
            switch answer {
            case .reply(let reply), .challenge(let reply, _): return written(reply, .reply)
            case .health(let question):
                return written(responder.reply(to: question, in: head, isGood: setting.isGood, context), .health)
            case .redirect(let redirect): return written(redirect)
            case .links: throw TestFailure("links answer: \(text)")
            }
        }
    }

    private static let date = [UInt8](repeating: UInt8(ascii: "d"), count: HTTPDate.count)

    private func written(_ reply: Responder.Reply, _ kind: Answer.Kind) -> Answer {
        let head = Self.bytes(PreparedResponse.longestHead) {
            reply.response.writeHead(to: $0, date: Self.date, connection: reply.connection)
        }
        return Answer(
            kind: kind, status: reply.response.status.rawValue, head: Self.lines(head),
            body: reply.sendsBody ? String(decoding: reply.response.body, as: UTF8.self) : "", site: reply.site)
    }

    private func written(_ redirect: RedirectResponse) -> Answer {
        let all = Self.bytes(RedirectResponse.longest) { redirect.write(to: $0, date: Self.date) }
        let body = String(decoding: all, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
            .dropFirst().joined()
        #expect(body.utf8.count == redirect.bodyCount)
        return Answer(
            kind: .redirect, status: 308, head: Self.lines(Array(all.dropLast(body.utf8.count))), body: body,
            site: redirect.site)
    }

    /// The bytes that are written, with a look beyond the room for them.
    private static func bytes(_ room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room + 64)
        memory.initialize(repeating: 0xEE)
        defer { memory.deallocate() }
        guard let start = memory.baseAddress else { return [] }
        let count = write(start)
        #expect(count <= room && memory[room...].allSatisfy { $0 == 0xEE })
        return Array(memory[..<count])
    }

    private static func lines(_ head: [UInt8]) -> [String] {
        String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    private func get(
        _ target: String, host: String = "a.example", method: String = "GET", fields: String = "",
        _ setting: Setting = Setting()
    ) throws -> Answer {
        try answer("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n", setting)
    }

    private func number(_ domain: String) -> Int32 { Int32(sites.site(domain)?.number ?? -2) }

    private static let anyScheme: [(peer: String?, fields: String)] = [
        ("203.0.113.4", ""), ("203.0.113.4", "X-Forwarded-Proto: https\r\n"), ("127.0.0.1", ""),
        ("127.0.0.1", "X-Forwarded-Proto: http\r\n"), ("127.0.0.1", "X-Forwarded-Proto: https\r\n"), (nil, ""),
        (nil, "X-Forwarded-Proto: http\r\n"),
    ]

    @Test(
        "an association path is answered as over HTTPS, whatever the scheme, and never by a redirect",
        arguments: [
            ("/.well-known/apple-app-site-association", "a.example", 200),
            ("/apple-app-site-association?x=y", "a.example", 200),
            ("/.well-known/apple-app-site-associatio%6E", "A.example.", 200),
            ("/.well-known/assetlinks.json", "a.example:80", 200), ("/.well-known/security.txt", "a.example", 200),
            ("/.well-known/apple-app-site-association", "x.b.example", 200),
            ("/.well-known/assetlinks.json", "x.b.example", 404),
            ("/.well-known/apple-app-site-association", "bad.example", 503),
            ("/apple-app-site-association", "unknown.example", 404),
        ])
    func associations(target: String, host: String, status: UInt16) throws {
        let covered = HostTable(
            ["a.example", "bad.example", "*.b.example", "unknown.example"].enumerated().map { ($0.element, $0.offset) })
        for (peer, fields) in Self.anyScheme {
            let found = try get(target, host: host, fields: fields, Setting(peer: peer))
            #expect(found.kind == .reply && found.status == status)
            let secure = try overHTTPS("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n", covered)
            #expect(found == secure)
        }
        let tag = try get(target, host: host).field("ETag") ?? "none"
        let conditional = try get(target, host: host, fields: "If-None-Match: \(tag)\r\n")
        #expect(conditional.status == (status == 200 ? 304 : status) && conditional.kind == .reply)
    }

    private func overHTTPS(_ text: String, _ covered: HostTable) throws -> Answer {
        let bytes = Array(text.utf8)
        guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure("refused: \(text)") }
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
        defer { scratch.deallocate() }
        let answer = Responder(standard: Self.standard.view).answer(
            to: head, in: bytes.span, sites: table.view, covered: covered.view, serverName: nil, scratch: scratch,
            now: 2_000_000_000, mustClose: false)
        guard case .reply(let reply) = answer else { throw TestFailure("links answer: \(text)") }
        return written(reply, .reply)
    }

    private static let nearPaths = [
        "/.well-known/", "/.well-known/x", "/.well-known/acme-challenge/token",
        "/.well-known/apple-app-site-association/",
        "/.well-known/apple-app-site-association.json", "/%2Ewell-known/x", "/.well%2Dknown/",
        "/.well-known/change-password",
        "/apple-app-site-association/", "/apple-app-site-association.json", "/apple-app-site-associationx",
        "/%61pple-app-site-association.json", "/assetlinks.json", "/assetlinks.json/", "/assetlinks%2Ejson",
        "/assetlinks.jsonx?y", "http://a.example/.well-known/x", "https://a.example/assetlinks.json",
    ]

    @Test("a path near to association files is 404, whatever the scheme", arguments: nearPaths)
    func reserved(target: String) throws {
        for (peer, fields) in Self.anyScheme {
            let found = try get(target, fields: fields, Setting(peer: peer))
            #expect(found.kind == .reply && found.status == 404 && found.site == number("a.example"))
        }
    }

    @Test(
        "another path of a known site is redirected, with its target as it came",
        arguments: [
            ("/", "a.example", "https://a.example/"),
            ("/buy/1?x=%20y&z", "a.example", "https://a.example/buy/1?x=%20y&z"),
            ("/", "A.EXAMPLE.:8080", "https://a.example/"),
            ("//evil.example/x", "a.example", "https://a.example//evil.example/x"),
            ("/@evil.example", "a.example", "https://a.example/@evil.example"),
            ("/%0d%0aSet-Cookie:x", "a.example", "https://a.example/%0d%0aSet-Cookie:x"),
            ("/.well-known", "a.example", "https://a.example/.well-known"),
            ("/Apple-app", "a.example", "https://a.example/Apple-app"),
            ("/x", "shop.B.example", "https://shop.b.example/x"),
            ("/healthz", "a.example", "https://a.example/healthz"),
            // In absolute form the scheme of the target says nothing, and its host replaces the field's.
            ("http://a.example/x?y", "other.example", "https://a.example/x?y"),
            ("https://a.example:8443/x", "other.example", "https://a.example/x"),
            ("http://A.example.", "other.example", "https://a.example/"),
            ("http://a.example?q", "other.example", "https://a.example/?q"),
        ])
    func redirects(target: String, host: String, location: String) throws {
        let found = try get(target, host: host)
        #expect(found.kind == .redirect && found.site >= 0)
        #expect(
            found.head == [
                "HTTP/1.1 308 Permanent Redirect", "Date: ddddddddddddddddddddddddddddd", "Location: \(location)",
                "Content-Type: text/plain", "Cache-Control: private, max-age=3600", "X-Content-Type-Options: nosniff",
                "Content-Length: \(found.body.utf8.count)",
            ])
        #expect(found.body == "moved permanently to https\n")
        // Off, it is 404.
        let off = try get(target, host: host, Setting(redirects: false))
        #expect(off.kind == .reply && off.status == 404 && off.site == found.site)
    }

    @Test("only a client that used http is redirected", arguments: anyScheme)
    func schemes(peer: String?, fields: String) throws {
        let isHTTP = peer == "203.0.113.4" || fields.hasSuffix(" http\r\n")
        let found = try get("/x", fields: fields, Setting(peer: peer))
        #expect(found.status == (isHTTP ? 308 : 404) && found.site == number("a.example"))
    }

    @Test("HEAD is answered as GET is, without the body; a connection that has to close says so")
    func head() throws {
        let head = try get("/x", method: "HEAD", Setting(mustClose: true))
        #expect(head.status == 308 && head.body.isEmpty && head.field("Content-Length") == "27")
        #expect(head.field("Connection") == "close")
        #expect(try get("/x", fields: "Content-Length: 5\r\n").field("Connection") == "close")
        let old = try answer("GET /x HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\n\r\n")
        #expect(old.status == 308 && old.field("Connection") == "keep-alive")
    }

    @Test(
        "an unknown host is 404 for every path",
        arguments: [
            "/", "/.well-known/apple-app-site-association", "/.well-known/acme-challenge/x", "/assetlinks.json",
        ])
    func unknownHosts(target: String) throws {
        for host in ["unknown.example", "a.example.evil.example", "192.0.2.1", "[::1]:80", ".a.example"] {
            let found = try get(target, host: host)
            #expect(found.kind == .reply && found.status == 404 && found.site == Responder.noSite)
        }
    }

    @Test(
        "a wildcard covers names that no host has; they are not redirected to",
        arguments: ["a%2fb.b.example", "$(x).b.example", "x;.b.example", "'.b.example", "*.b.example", "a,b.b.example"])
    func oddHosts(host: String) throws {
        let found = try get("/x", host: host)
        #expect(found.kind == .reply && found.status == 404 && found.site == number("*.b.example"))
        #expect(try get("/x", host: "a-b_1.b.example").kind == .redirect)
    }

    @Test(
        "what is wrong with a request is answered as over HTTPS",
        arguments: [
            ("POST / HTTP/1.1\r\nHost: a.example\r\n\r\n", 405), ("PUT /healthz HTTP/1.1\r\nHost: b\r\n\r\n", 405),
            ("OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n", 405), ("GET * HTTP/1.1\r\nHost: a.example\r\n\r\n", 400),
            ("GET ftp://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a.example\r\nExpect: x\r\n\r\n", 417),
            // There is no server name to take its place.
            ("GET /apple-app-site-association HTTP/1.0\r\n\r\n", 400),
            ("GET /apple-app-site-association HTTP/1.0\r\nHost: a.example\r\n\r\n", 200),
        ] as [(String, UInt16)])
    func refusals(text: String, status: UInt16) throws {
        let found = try answer(text, Setting(health: true))
        #expect(found.kind == .reply && found.status == status)
        #expect((found.field("Connection") == "close") == (status == 400 || text.contains("HTTP/1.0")))
    }

    @Test("health is answered where the listener has it, for any host, without the reason")
    func health() throws {
        for target in ["/healthz", "/readyz", "/healthz?x", "/%72eadyz"] {
            for host in ["a.example", "unknown.example", "[::1]:8080", "10.0.0.1"] {
                let good = try get(target, host: host, Setting(health: true))
                #expect(good.kind == .health && good.status == 200 && good.site == Responder.noSite)
                #expect(good.body == (target.contains("eadyz") ? "ready\n" : "ok\n"))
                #expect(good.field("Cache-Control") == "no-store")
                let bad = try get(target, host: host, Setting(health: true, isGood: false))
                #expect(bad.kind == .health && bad.status == 503 && bad.body == "unavailable\n")
            }
            #expect(try get(target, method: "HEAD", Setting(health: true)).body.isEmpty)
            #expect(try get(target, host: "unknown.example").status == 404)
            let old = try answer("GET \(target) HTTP/1.0\r\n\r\n", Setting(health: true))
            #expect(old.kind == .health && old.field("Connection") == "close")
        }
        #expect(try get("/healthz/", Setting(health: true)).kind == .redirect)
        #expect(try get("/.well-known/apple-app-site-association", Setting(health: true)).kind == .reply)
    }

    @Test("the longest target and the longest host fit")
    func longest() throws {
        let label = String(repeating: "l", count: 240)
        let target = "/" + String(repeating: "x", count: RequestParser.longestRequestLine - "GET / HTTP/1.1".utf8.count)
        let found = try get(target, host: "\(label).b.example")
        #expect(found.kind == .redirect && found.field("Location") == "https://\(label).b.example\(target)")
    }

    /// The promise of the types, seen from outside: no target that decodes to an association path, or to one near it,
    /// gets a redirect, and no redirect has more than one line for its location.
    @Test("no target that leads to an association file is redirected", arguments: TestSeeds.of(0...1))
    func anyTargets(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "/.well-known/", "/apple-app-site-association", "/assetlinks.json", "apple-app-site-association", "%2E",
            "%2e",
            "%61", "%2F", "%25", "%", "?", "/", ".", "x", "security.txt", "//", "%70", "http://a.example", "healthz",
            ":",
            "%0D%0A", "&", "@", "\\",
        ]
        var counts = [0, 0]
        for _ in 0..<1_500 {
            let target = (random.chance(80) ? "/" : "") + random.list(of: pieces, upTo: 5).joined()
            guard !target.isEmpty, let found = try? get(target) else { continue }
            let path = target.hasPrefix("http://a.example") ? String(target.dropFirst(16)) : target
            let decoded = Self.decoded(String(path.prefix { $0 != "?" }))
            let isNear = ["/.well-known/", "/apple-app-site-association", "/assetlinks.json"].contains {
                decoded.hasPrefix($0)
            }
            let isPath = path.first == "/" || path != target && (path.isEmpty || path.first == "?")
            let isOther = !isNear && isPath
            #expect((found.kind == .redirect) == isOther, "\(target)")
            counts[isOther ? 1 : 0] += 1
            guard isOther else { continue }
            #expect(found.field("Location") == "https://a.example\(path.first == "/" ? "" : "/")\(path)")
            #expect(found.head.count == 7)
        }
        #expect(counts.allSatisfy { $0 > 200 })
    }

    /// The path with percent-encoded unreserved characters decoded, once.
    private static func decoded(_ path: String) -> String {
        var result = ""
        var rest = Array(path)[...]
        while let character = rest.popFirst() {
            let digits = String(rest.prefix(2))
            if character == "%", digits.count == 2, let code = UInt8(digits, radix: 16),
                Character(Unicode.Scalar(code)).isLetter || "0123456789-._~".utf8.contains(code)
            {
                result.append(Character(Unicode.Scalar(code)))
                rest = rest.dropFirst(2)
            } else {
                result.append(character)
            }
        }
        return result
    }
}
