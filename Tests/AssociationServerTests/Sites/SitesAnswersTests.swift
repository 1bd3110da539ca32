import AssociationServer
import Foundation
import HTTP1
import TestSupport
import Testing

/// Which answer a request gets, and which site it counts for: the pure function, without a socket.
@Suite("Answers of sites")
struct SitesAnswersTests {
    private let sites: SitesFolder
    private let table: SiteTable
    private static let other = StandardResponses()
    /// The hosts that the connection's certificate covers.
    private let covered = HostTable(
        ["a.example", "b.example", "*.b.example", "x.b.example", "c.example", "none.example"].enumerated()
            .map { ($0.element, $0.offset) })

    init() throws {
        sites = try SitesFolder()
        sites.configuration.wellKnown = [
            ServerConfiguration.WellKnownFile(name: "security.txt", contentType: "text/plain; charset=utf-8"),
            ServerConfiguration.WellKnownFile(name: "~x", contentType: "text/x"),
            ServerConfiguration.WellKnownFile(name: "nobody-has-it", contentType: "text/x"),
        ]
        try sites.write(SitesFolder.document, "a.example")
        try sites.write(SitesFolder.links, "a.example", "assetlinks.json")
        try sites.write("Contact", "a.example", "security.txt")
        try sites.write("tilde", "a.example", "~x")
        try sites.write("{", "b.example")
        try sites.write("{", "b.example", "assetlinks.json")
        try sites.write(SitesFolder.document + " ", "_wildcard.b.example")
        try sites.write(SitesFolder.links + " ", "_wildcard.b.example", "assetlinks.json")
        try sites.write(SitesFolder.document + "  ", "x.b.example")
        try sites.write(SitesFolder.document, "uncovered.example")
        try sites.load()
        table = SiteTable(SiteList(sites.sites))
    }

    private struct Answer {
        let status: UInt16
        let head: String
        let body: String
        let site: Int32
    }

    private func answer(
        _ target: String, host: String = "a.example", method: String = "GET", fields: String = ""
    ) throws -> Answer {
        let text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
        return try answer(request: text, serverName: nil)
    }

    private func answer(request text: String, serverName: String?) throws -> Answer {
        let bytes = Array(text.utf8)
        guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure("refused: \(text)") }
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
        let nameScratch = UnsafeMutablePointer<UInt8>.allocate(capacity: HostKey.scratchCount)
        defer {
            scratch.deallocate()
            nameScratch.deallocate()
        }
        let name = serverName.flatMap { name in
            Array(name.utf8).withUnsafeBufferPointer { HostKey($0, scratch: nameScratch) }
        }
        let answer = Responder(standard: Self.other.view).answer(
            to: head, in: bytes.span, sites: table.view, covered: covered.view, serverName: name, scratch: scratch,
            now: 2_000_000_000, mustClose: false)
        guard case .reply(let reply) = answer else { throw TestFailure("links answer: \(text)") }
        var output = [UInt8](repeating: 0, count: PreparedResponse.longestHead)
        let date = [UInt8](repeating: UInt8(ascii: "d"), count: HTTPDate.count)
        let count = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { reply.response.writeHead(to: $0, date: date, connection: reply.connection) } ?? 0
        }
        return Answer(
            status: reply.response.status.rawValue, head: String(decoding: output[..<count], as: UTF8.self),
            body: reply.sendsBody ? String(decoding: reply.response.body, as: UTF8.self) : "", site: reply.site)
    }

    private func number(_ domain: String) throws -> Int32 { Int32(try #require(sites.site(domain)).number) }

    @Test(
        "each file has its path and its content type",
        arguments: [
            ("/.well-known/apple-app-site-association", SitesFolder.document, "application/json"),
            ("/apple-app-site-association", SitesFolder.document, "application/json"),
            ("/.well-known/assetlinks.json", SitesFolder.links, "application/json"),
            ("/.well-known/assetlinks.json?x=/y", SitesFolder.links, "application/json"),
            ("/.well-known/assetlinks%2Ejson", SitesFolder.links, "application/json"),
            ("/%2Ewell-known/%61ssetlinks.json", SitesFolder.links, "application/json"),
            ("https://A.example/.well-known/assetlinks.json", SitesFolder.links, "application/json"),
            ("/.well-known/security.txt", "Contact", "text/plain; charset=utf-8"),
            ("/.well-known/~x", "tilde", "text/x"), ("/.well-known/%7Ex", "tilde", "text/x"),
        ])
    func paths(target: String, body: String, type: String) throws {
        let got = try answer(target)
        #expect(got.status == 200)
        #expect(got.body == body)
        #expect(try got.site == number("a.example"))
        let lines = got.head.components(separatedBy: "\r\n")
        #expect(lines.contains("Content-Type: \(type)"))
        #expect(lines.contains("Content-Length: \(body.utf8.count)"))
        #expect(lines.contains("Cache-Control: public, max-age=3600"))
        let head = try answer(target, method: "HEAD")
        #expect(head.head == got.head && head.body.isEmpty && head.site == got.site)
    }

    @Test(
        "all other paths are not found",
        arguments: [
            "/assetlinks.json", "/security.txt", "/.well-known/", "/.well-known", "/.well-known/assetlinks.json/",
            "/.well-known//assetlinks.json", "/.well-known/./assetlinks.json", "/.well-known/x/../assetlinks.json",
            "/.well-known/Assetlinks.json", "/.well-known/assetlinks", "/.well-known/assetlinks.json.json",
            "/.well-known%2Fassetlinks.json", "/.well-known/assetlinks%252Ejson", "/.well-known/assetlinks.json%00",
            "/.well-known/nobody-has-it", "/.well-known/other.json", "/.well-known/.aasa.json", "/.aasa.json", "/",
            "/.well-known/assetlinks.jso", "/.well-known/assetlinks.json%", "/.well-known/%7",
        ])
    func notFound(target: String) throws {
        let got = try answer(target)
        #expect(got.status == 404)
        #expect(got.body == "not found\n")
        #expect(try got.site == number("a.example"))
    }

    @Test("a file that a site lacks is not found there; a faulty one is unavailable")
    func faulty() throws {
        #expect(try answer("/.well-known/security.txt", host: "b.example").status == 404)
        for path in ["/.well-known/assetlinks.json", "/apple-app-site-association"] {
            let got = try answer(path, host: "b.example")
            #expect(got.status == 503)
            #expect(got.head.contains("Retry-After: 300\r\n"))
            #expect(try got.site == number("b.example"))
        }
    }

    @Test("an exact name wins over a wildcard, which is one label deep, for every file")
    func wildcards() throws {
        for (host, domain) in [
            ("x.b.example", "x.b.example"), ("X.B.EXAMPLE", "x.b.example"), ("y.b.example", "*.b.example"),
            ("x-b.b.example", "*.b.example"), ("b.example", "b.example"),
        ] {
            for path in ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json", "/x"] {
                #expect(try answer(path, host: host).site == (try number(domain)), "\(host)")
            }
        }
        let path = "/.well-known/assetlinks.json"
        #expect(try answer(path, host: "y.b.example").body == SitesFolder.links + " ")
        // The exact site has none, and the wildcard does not help out.
        #expect(try answer(path, host: "x.b.example").status == 404)
        #expect(try answer("/apple-app-site-association", host: "x.b.example").body == SitesFolder.document + "  ")
        for host in ["a.x.b.example", ".b.example"] {
            #expect(
                try answer(request: "GET \(path) HTTP/1.1\r\nHost: a.example\r\n\r\n", serverName: host).status == 200)
            let got = try? answer(path, host: host)
            #expect(got?.status != 200 && (got?.site ?? -1) == -1, "\(host)")
        }
    }

    @Test("an answer counts for the site that was asked, whatever it is")
    func siteNumbers() throws {
        let path = "/.well-known/assetlinks.json"
        let tag = try #require(sites.file("a.example", "assetlinks.json")?.file?.digest)
        let site = try number("a.example")
        for (method, fields, status) in [
            ("GET", "", 200), ("HEAD", "", 200), ("GET", "If-None-Match: \"\(tag)\"\r\n", 304),
            ("GET", "If-None-Match: *\r\n", 304), ("GET", "If-Match: \"x\"\r\n", 412), ("POST", "", 405),
            ("get", "", 405), ("GET", "Expect: x\r\n", 417),
            ("GET", "If-Modified-Since: Tue, 18 May 2033 03:33:20 GMT\r\n", 304),
            ("GET", "If-None-Match: W/\"\(tag)\"\r\n", 304), ("GET", "Range: bytes=0-1\r\n", 200),
        ] as [(String, String, UInt16)] {
            let got = try answer(path, method: method, fields: fields)
            #expect(got.status == status && got.site == site, "\(method) \(fields): \(got.status)")
        }
        for (host, status) in [("none.example", 404), ("uncovered.example", 421), ("d.example", 421)]
            as [(String, UInt16)]
        {
            for target in [path, "/x", "/apple-app-site-association"] {
                let got = try answer(target, host: host)
                #expect(got.status == status && got.site == Responder.noSite)
            }
            for (method, fields) in [("POST", ""), ("GET", "Expect: x\r\n")] {
                let got = try answer(path, host: host, method: method, fields: fields)
                #expect(got.site == Responder.noSite && [405, 417].contains(got.status))
            }
        }
        #expect(try answer("*", method: "OPTIONS").site == site)
        #expect(try answer("*").status == 400)
    }

    @Test("a request without a host counts for the server name of the handshake")
    func serverName() throws {
        for (line, status) in [
            ("GET /.well-known/assetlinks.json", 200), ("POST /", 405), ("GET /apple-app-site-association", 200),
        ] as [(String, UInt16)] {
            let got = try answer(request: "\(line) HTTP/1.0\r\n\r\n", serverName: "a.example")
            #expect(try got.status == status && got.site == number("a.example"))
            let nobody = try answer(request: "\(line) HTTP/1.0\r\n\r\n", serverName: nil)
            #expect(nobody.site == Responder.noSite)
        }
    }
}
