import Fuzzing
import LinkPages
import Testing

@Suite("Answers of link pages")
struct AnswerTests {
    private static let file = """
        {
          "app": { "name": "Shop" }, "languages": ["en", "de", "ar"], "cacheMaxAge": 60, "robots": "index",
          "links": {
            "/summer": {
              "title": { "de": "Sommer", "en": "Summer" }, "description": "Up to 50 %", "image": "photo.jpg",
              "to": "https://www.example.com/sale?a", "appURL": "https://go.example.com/sale/7", "keepQuery": true
            },
            "/plain": { "image": "https://img.example/a.png" },
            "/away": { "answer": "redirect", "to": "https://www.example.com/away", "title": "Away" }
          },
          "pages": [
            { "route": "/p/{id} ?ref={ref:*}", "title": "Product {id} of {x", "to": "https://www.example.com/p/{id}?r={ref}" },
            { "route": "/b/{rest:*}", "answer": "redirect", "status": 307, "to": "https://blog.example.com/{rest}" },
            { "route": "/m/{id}", "to": "https://www.example.com/{id}" }
          ]
        }
        """

    @Test(
        "the first of links, pages and fallback decides",
        arguments: [
            ("/summer?x", "page"), ("/away", "302 https://www.example.com/away"), ("/p/7", "page"),
            ("/b/a/b", "307 https://blog.example.com/a/b"), ("/nothing", "not found"), ("/b/..", "not found"),
            ("/b/%2e%2e/x", "not found"), ("/_links/0001020304050607.jpg", "image"),
            ("/_links/0001020304050607.png", "nothing"),
            ("/_links/", "nothing"), ("/.well-known/x", "nothing"), ("/apple-app-site-association", "nothing"),
        ])
    func order(target: String, expected: String) throws {
        #expect(answer(try table(Self.file), target) == expected)
    }

    @Test(
        "programs get documents for links and pages, whatever these answer, and 404 for all else",
        arguments: [
            ("application/json", "page", "page"), ("Application/JSON;q=0.1, */*", "page", "page"),
            ("application/ld+json", "page", "page"), ("application/json, text/html;q=0", "page", "page"),
            ("text/html, application/json", "302", "302"), ("application/json;q=0", "302", "302"),
            ("application/json ; charset=utf-8 ; q=0.000", "302", "302"), ("application/jsonx", "302", "302"),
            ("*/*", "302", "302"), ("", "302", "302"),
        ])
    func representations(accept: String, link: String, fallback: String) throws {
        let table = try table(
            #"{ "links": { "/away": { "answer": "redirect", "to": "https://w.example" } }, "fallback": { "redirect": "https://w.example" } }"#
        )
        #expect(answer(table, "/away", accept: accept).hasPrefix(link))
        #expect(answer(table, "/x", accept: accept).hasPrefix(fallback == "page" ? "not found" : fallback))
    }

    @Test("a page has everything of its link, in the language of the request")
    func link() throws {
        let table = try table(Self.file)
        let subject = try #require(page(table, "/summer/?utm=1", language: "de"))
        #expect(subject.kind == .found(.link(0)))
        #expect(text(subject.title?.bytes) == "Sommer")
        #expect(text(subject.description?.bytes) == "Up to 50 %")
        #expect(text(subject.url) == "https://go.example.com/summer/?utm=1")
        #expect(text(subject.urlWithoutQuery) == "https://go.example.com/summer/")
        #expect(text(subject.to) == "https://www.example.com/sale?a&utm=1")
        #expect(text(subject.canonical) == "https://www.example.com/sale?a&utm=1")
        #expect(text(subject.appURL) == "https://go.example.com/sale/7")
        #expect(text(subject.image) == "https://go.example.com/_links/0001020304050607.jpg")
        #expect(subject.isIndexed && subject.maxAge == 60)
        #expect(text(page(table, "/summer", language: "ar")?.title?.bytes) == "Summer")
        let plain = try #require(page(table, "/plain?a=\"<"))
        #expect(text(plain.appURL) == "https://go.example.com/plain?a=%22%3C")
        #expect(text(plain.canonical) == "https://go.example.com/plain")
        #expect(text(plain.image) == "https://img.example/a.png")
        #expect(plain.title == nil)
    }

    @Test("captures are decoded, cut, and apart from what the file says")
    func captures() throws {
        let table = try table(Self.file)
        let subject = try #require(page(table, "/p/caf%C3%A9%FF?ref=a+b"))
        let expected = [PageText.Piece.literal(Array("Product ".utf8)), .inserted(Array("café%FF".utf8))]
        #expect(subject.title == PageText(expected + [.literal(Array(" of {x".utf8))]))
        #expect(subject.captures.map(\.name) == ["id", "ref"])
        #expect(subject.captures.map { text($0.value) } == ["café%FF", "a+b"])
        #expect(text(subject.to) == "https://www.example.com/p/caf%C3%A9%FF?r=a%2Bb")
        let long = try #require(page(table, "/p/" + String(repeating: "%C3%A9", count: 150)))
        #expect(text(long.title?.bytes) == "Product \(String(repeating: "é", count: 100)) of {x")
        // Nothing can be inserted, so that there is no page either.
        #expect(page(table, "/m/a%2F..%2Fb") == nil)
    }

    @Test("the 404 page has nothing of the request in it")
    func notFound() throws {
        let table = try table(Self.file)
        let bytes = LinkRequestBytes(path: Array("/<x>".utf8), query: Array("y".utf8), acceptLanguage: Array("ar".utf8))
        let answer = bytes.lend { request in
            var output: [UInt8] = []
            return table.answer(for: request, table.variant(of: request), into: &output)
        }
        guard case .notFound(let subject) = answer else {
            Issue.record("another answer")
            return
        }
        #expect(subject.kind == .notFound && subject.variant.language == .arabic)
        #expect(subject.url.isEmpty && subject.appURL.isEmpty && subject.host.isEmpty && subject.to == nil)
        #expect(!subject.isIndexed && text(subject.app?.name) == "Shop")
    }

    @Test("the fallback leads elsewhere with the path and the query of the request, or shows a page")
    func fallback() throws {
        for (settings, target, expected) in [
            ("", "/a/b?c=1", "302 https://w.example/a/b?c=1"), ("", "/", "302 https://w.example/"),
            (#", "keepPath": false"#, "/a?c", "302 https://w.example?c"),
            (#", "keepQuery": false, "status": 307"#, "/a?c", "307 https://w.example/a"),
            ("", "/a%zz\"", "302 https://w.example/a%25zz%22"),
            ("", "//evil.example", "302 https://w.example//evil.example"),
            ("", "evil.example", "302 https://w.example/evil.example"), ("", "", "302 https://w.example/"),
        ] {
            let table = try table(#"{ "fallback": { "redirect": "https://w.example"\#(settings) } }"#)
            #expect(answer(table, target) == expected)
        }
        let below = try table(#"{ "fallback": { "redirect": "https://w.example/old/" } }"#)
        #expect(answer(below, "/a") == "302 https://w.example/old/a")
        let shown = try table(#"{ "app": { "name": "A" }, "fallback": "page" }"#)
        #expect(page(shown, "/x?y")?.kind == .found(.fallback))
        #expect(text(page(shown, "/x?y")?.appURL) == "https://go.example.com/x?y")
    }

    @Test(
        "the system is told by the user agent",
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", LinkVariant.Platform.apple),
            ("Mozilla/5.0 (iPad; CPU OS 18_0)", .apple), ("iPod", .apple), ("Mozilla/5.0 (Macintosh; Intel)", .apple),
            ("Mozilla/5.0 (Linux; Android 16; Pixel 9)", .android), ("Windows Phone iPhone Android", .android),
            ("Mozilla/5.0 (Windows NT 10.0)", .other), ("", .other), ("iPhon", .other), ("curl/8 iphone", .other),
        ])
    func platforms(userAgent: String, expected: LinkVariant.Platform) throws {
        #expect(page(try table(Self.file), "/summer", userAgent: userAgent)?.variant.platform == expected)
    }
}
