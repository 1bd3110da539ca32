import Diagnostics
import LinkPages
import Testing

@Suite("Finding links and pages")
struct MatchingTests {
    private static func table() throws -> LinksTable {
        try LinkPagesTests.table(
            """
            {
              "app": { "name": "Shop" },
              "links": {
                "/summer": {}, "/a/b/": {}, "/caf%C3%A9": {}, "/%7euser": {}, "/": {}, "/p/new": {},
                "/r": { "answer": "redirect", "status": 307, "to": "https://www.example.com/r" }
              },
              "pages": [
                { "route": "/p/{id} ?ref={ref:*}" }, { "route": "/q ?x=1" }, { "route": "/Case/{id} caseSensitive:false" }
              ]
            }
            """)
    }

    @Test(
        "a path is compared as it is, but for slashes at its ends and escaped unreserved characters",
        arguments: [
            ("/summer", LinkMatch.link(0)), ("/summer/", .link(0)), ("//summer//", .link(0)), ("/s%75mmer", .link(0)),
            ("/Summer", nil), ("/summer/x", nil), ("/summe", nil), ("/a/b", .link(1)), ("/a//b", nil), ("/a%2Fb", nil),
            ("/caf%C3%A9", .link(2)), ("/caf%c3%a9", nil), ("/~user", .link(3)), ("/%7Euser", .link(3)),
            ("/", .link(4)),
            ("", .link(4)), ("//", .link(4)), ("/p/new", .link(5)), ("/p/7", .page(0)), ("/p/7/", .page(0)),
            ("/p", nil),
            ("/q", nil), ("/q?x=1", .page(1)), ("/q?y&x=1", .page(1)), ("/cAsE/7", .page(2)), ("/%", nil), ("/%7", nil),
            ("/r?x", .link(6)),
        ])
    func match(target: String, expected: LinkMatch?) throws {
        let table = try Self.table()
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
        let match = parts[0].withUnsafeBufferPointer { path in
            (parts.count > 1 ? parts[1] : []).withUnsafeBufferPointer { table.match(path: path, query: $0) }
        }
        #expect(match == expected)
    }

    @Test(
        "each kind of path has its own answer",
        arguments: [
            ("/.well-known/apple-app-site-association", LinkPath.association),
            ("/apple-app-site-association", .association),
            ("/%2Ewell-known/apple-app-site%2dassociation", .association), ("/.well-known", .wellKnown),
            ("/.well-known/", .wellKnown), ("/.well-known/assetlinks.json", .wellKnown),
            ("//.well-known/x", .wellKnown),
            ("/.well-known/apple-app-site-association/", .wellKnown), ("/.well-known/../a", .wellKnown),
            ("/apple-app-site-association.json", .wellKnown), ("/assetlinks.json", .wellKnown),
            ("/.well-knowns", .ordinary),
            ("/_links/x.png", .image), ("/_links", .image), ("/_linksx", .ordinary), ("/.", .dotSegment),
            ("/..", .dotSegment),
            ("/a/./b", .dotSegment), ("/a/%2e%2E/b", .dotSegment), ("/a/.%2e", .dotSegment),
            ("/a%2f..%2fb", .dotSegment),
            ("/a/..%5Cb", .dotSegment), ("/a\\..", .dotSegment), ("/a/...", .ordinary), ("/a/..b", .ordinary),
            ("/", .ordinary),
            ("", .ordinary), ("/a/%252e%252e/b", .ordinary),
        ])
    func kinds(path: String, expected: LinkPath) {
        let kind = Array(path.utf8).withUnsafeBufferPointer { LinkPath.kind(of: $0) }
        #expect(kind == expected)
    }

    @Test("links are listed in the order of the file, with their paths and positions")
    func list() throws {
        let text =
            #"{ "app": { "name": "A" }, "links": { "/b/": { "title": { "de": "B", "en": "b" } }, "\/a": { "to": "https://x.example" } } }"#
        let document = read(text)
        let content = try #require(document.content)
        #expect(content.links.map { LinkPagesTests.text($0.path) } == ["/b", "/a"])
        #expect(content.links.map { LinkPagesTests.text($0.to) } == [nil, "https://x.example"])
        #expect(LinkPagesTests.text(content.links[0].title(in: .german)) == "B")
        #expect(LinkPagesTests.text(content.links[0].title(in: .french)) == "b")
        #expect(content.links[0].description(in: .english) == nil)
        #expect(document.location(of: .link(0))?.pointer == "/links/~1b~1")
        #expect(document.location(of: .link(1))?.pointer == "/links/~1a")
        #expect(document.location(of: .fallback) == nil)
        let second = try #require(document.location(of: .link(1))?.range)
        #expect(String(decoding: document.source.bytes[second.start..<second.end], as: UTF8.self) == #""\/a""#)
    }
}
