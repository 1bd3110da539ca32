import Diagnostics
import LinkPages
import Testing

@Suite("Inserting captures into targets")
struct TargetTests {
    private static let site = "https://www.example.com"

    /// A route, the target after its host, a request, and the location after the host; nil for the 404 page.
    static let insertions: [(String, String, String, String?)] = [
        ("/p/{id}", "/x/{id}", "/p/42", "/x/42"),
        ("/p/{id}", "/x/{id}/{id}?a={id}#{id}", "/p/42/", "/x/42/42?a=42#42"),
        ("/b/{rest:*}", "/{rest}", "/b/a/b", "/a/b"),
        ("/b/{rest:*}", "/{rest}", "/b", "/"),
        ("/b/{rest:*}", "/{rest}", "/b///x", "///x"),
        ("/p/{id}", "/{id}", "/p/a%2Fb", "/a%2Fb"),
        ("/p/{id}", "/{id}", "/p/caf%C3%A9", "/caf%C3%A9"),
        ("/p/{id}", "/{id}", "/p/100%", "/100%25"),
        ("/p/{id}", "/{id}", "/p/%zz%4", "/%25zz%254"),
        ("/p/{id}", "/{id}", "/p/a\"<>\\^`{|}", "/a%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("/p/{id}", "/{id}", "/p/\u{1}\u{7F}\u{E9}", "/%01%7F%C3%A9"),
        ("/p/{id}", "/{id}", "/p/a;b=c&d+e:@!$'()*,", "/a;b=c&d+e:@!$'()*,"),
        ("/p/{id}", "/x?a={id}", "/p/a;b=c&d+e:@!$'()*,", "/x?a=a%3Bb%3Dc%26d%2Be:@!$'()*,"),
        ("/p/{rest:*}", "/x?a={rest}", "/p/a/b", "/x?a=a/b"),
        ("/p/{rest:*}", "/x#{rest}", "/p/a=b&c", "/x#a%3Db%26c"),
        ("/p ?u={u:*}", "/{u}", "/p?u=a/b?c", "/a%2Fb%3Fc"),
        ("/p ?u={u:*}", "/x?u={u}", "/p?u=https://evil.example/?a", "/x?u=https://evil.example/?a"),
        ("/p ?u={u:*}", "/{u}", "/p?u=//evil.example", "/%2F%2Fevil.example"),
        ("/p/{id} percentEncoded:false", "/{id}", "/p/a%C3%A9b", "/a%C3%A9b"),
        ("/p/{rest:*} percentEncoded:false", "/{rest}", "/p/a/b", "/a%2Fb"),
        ("/{host}", "/{host}", "/@evil.example", "/@evil.example"),
        ("/p/{id}", "/\u{E9}\"{id}%", "/p/1", "/%C3%A9%221%25"),
        ("/p/{id}", "", "/p/1", ""),
        ("/p/{id}", "?{id}", "/p/1", "?1"),
        // Dot segments, in whatever form.
        ("/p/{rest:*} ?x={x:*}", "/{rest}{x}", "/p/a?x=..", nil),
        ("/p ?x={x:*}", "/{x}", "/p?x=.", nil),
        ("/p ?x={x:*}", "/{x}", "/p?x=%2e%2E", nil),
        ("/p ?x={x:*}", "/a/{x}", "/p?x=b%2f..%2Fc", nil),
        ("/p ?x={x:*}", "/a/{x}", "/p?x=b%5C..", nil),
        ("/p ?x={x:*}", "/a-{x}", "/p?x=..", nil),
        ("/p ?x={x:*}", "/a/{x}", "/p?x=b..c", "/a/b..c"),
        ("/p ?x={x:*}", "/a/.{x}", "/p?x=", nil),
        ("/p ?x={x:*}", "/a?x={x}", "/p?x=../..", "/a?x=../.."),
    ]

    @Test("every byte stays in its part", arguments: insertions)
    func insertion(route: String, target: String, request: String, expected: String?) throws {
        let escaped = target.replacing("\"", with: "\\\"")
        let table = try table(
            #"{ "pages": [{ "route": "\#(route)", "answer": "redirect", "to": "\#(Self.site)\#(escaped)" }] }"#)
        #expect(answer(table, request) == (expected.map { "302 \(Self.site)\($0)" } ?? "not found"))
    }

    @Test("scheme, host and port are written as they are in the file, the scheme in lower case")
    func origins() throws {
        for (to, location) in [
            ("HTTPS://WWW.Example.com:8443", "https://WWW.Example.com:8443"),
            ("https://[2001:DB8::1]/x", "https://[2001:DB8::1]/x"),
            ("https://x.example:443/", "https://x.example:443/"),
        ] {
            let table = try table(#"{ "links": { "/a": { "answer": "redirect", "to": "\#(to)" } } }"#)
            #expect(answer(table, "/a") == "302 \(location)")
        }
    }

    @Test("a location of 8,000 bytes is one, and a longer one gets the 404 page")
    func longLocation() throws {
        let table = try table(
            #"{ "pages": [{ "route": "/{id}", "answer": "redirect", "to": "https://x.example/{id}" }] }"#)
        let most = 8_000 - "https://x.example/".utf8.count
        #expect(answer(table, "/" + String(repeating: "a", count: most)).utf8.count == 8_004)
        #expect(answer(table, "/" + String(repeating: "a", count: most + 1)) == "not found")
        #expect(answer(table, "/" + String(repeating: "<", count: most / 3 + 1)) == "not found")
    }

    @Test("a query that is kept comes after that of the target, and before its fragment")
    func keptQuery() throws {
        for (to, query, expected) in [
            ("/a", "?b=1", "/a?b=1"), ("/a?x=2", "?b=1", "/a?x=2&b=1"), ("/a?x=2#f", "?b=1", "/a?x=2&b=1#f"),
            ("/a#f", "?b", "/a?b#f"), ("/a", "", "/a"), ("/a", "?", "/a"), ("", "?b\"<c>", "?b%22%3Cc%3E"),
            ("/a", "?b=/?&&c;d+e%", "/a?b=/?&&c;d+e%25"),
        ] {
            let text =
                #"{ "links": { "/l": { "answer": "redirect", "keepQuery": true, "to": "\#(Self.site)\#(to)" } } }"#
            #expect(answer(try table(text), "/l\(query)") == "302 \(Self.site)\(expected)")
        }
    }

    @Test("URLs for the app may have its scheme, with captures after the host")
    func appURLs() throws {
        func codes(_ url: String) -> [String] {
            read(#"{ "app": { "name": "A", "scheme": "shop" }, "pages": [{ "route": "/{id}", "appURL": "\#(url)" }] }"#)
                .diagnostics.map(\.code.rawValue)
        }
        for url in ["shop://sale/{id}", "SHOP:sale/{id}", "shop:sale?id={id}", "https://x.example/{id}", "shop:"] {
            #expect(codes(url).isEmpty, "\(url)")
        }
        for url in ["shop://{id}", "shop:{id}", "shop:/{id}", "shop:///{id}"] {
            #expect(codes(url) == ["capture-in-host"], "\(url)")
        }
        #expect(codes("market://details") == ["invalid-link-target"])
        let table = try table(
            #"{ "app": { "name": "A", "scheme": "shop" }, "pages": [{ "route": "/{id}", "appURL": "shop://p/{id}?x={id}" }] }"#
        )
        #expect(text(page(table, "/a=b")?.appURL) == "shop://p/a=b?x=a%3Db")
    }
}
