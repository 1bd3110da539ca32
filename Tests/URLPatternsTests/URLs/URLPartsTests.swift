import Testing
import URLPatterns

@Suite("The parts of a URL")
struct URLPartsTests {
    @Test(
        "are those of RFC 3986, as they stand: host, path, query, fragment",
        arguments: [
            ("https://example.com/a/b?c=d#e", ["example.com", "/a/b", "c=d", "e"]),
            ("http://example.com", ["example.com", "", "", ""]),
            ("https://example.com/", ["example.com", "/", "", ""]),
            ("https://example.com?", ["example.com", "", "", ""]),
            ("https://example.com#", ["example.com", "", "", ""]),
            ("https://example.com?a", ["example.com", "", "a", ""]),
            ("https://example.com#a", ["example.com", "", "", "a"]),
            ("https://example.com?#", ["example.com", "", "", ""]),
            ("https://example.com/?#", ["example.com", "/", "", ""]),
            ("https://example.com?a?b#c#d", ["example.com", "", "a?b", "c#d"]),
            ("https://example.com#a?b", ["example.com", "", "", "a?b"]),
            ("https://example.com/a#b/c", ["example.com", "/a", "", "b/c"]),
            ("HTTPS://EXAMPLE.com/A", ["EXAMPLE.com", "/A", "", ""]), ("hTTp://a/", ["a", "/", "", ""]),
            ("http://a", ["a", "", "", ""]),
            ("https://example.com:8443/a", ["example.com", "/a", "", ""]),
            ("https://example.com:/a", ["example.com", "/a", "", ""]),
            ("https://example.com:99999999/a", ["example.com", "/a", "", ""]),
            ("https://u@example.com/a", ["example.com", "/a", "", ""]),
            ("https://u:p@example.com:1/a", ["example.com", "/a", "", ""]),
            ("https://@example.com", ["example.com", "", "", ""]),
            ("https://a@b@example.com/", ["example.com", "/", "", ""]), ("https://u:p@", nil),
            ("https://example.com/a@b:c", ["example.com", "/a@b:c", "", ""]),
            ("https://example.com?a@b/c", ["example.com", "", "a@b/c", ""]),
            ("https://[::1]/a", ["[::1]", "/a", "", ""]),
            ("https://[2001:db8::1]:443?a", ["[2001:db8::1]", "", "a", ""]),
            ("https://u:p@[::1]:80/", ["[::1]", "/", "", ""]),
            ("https://127.0.0.1:80/", ["127.0.0.1", "/", "", ""]),
            ("https://ex%41mple.com/%41", ["ex%41mple.com", "/%41", "", ""]),
            ("https://bücher.example/ä", ["bücher.example", "/ä", "", ""]),
            ("https://example.com//a/../b//", ["example.com", "//a/../b//", "", ""]),
            ("https://example.com/ a\t", ["example.com", "/ a\t", "", ""]), ("https://a:b:c/", ["a", "/", "", ""]),
            ("https://example.com\\a", ["example.com\\a", "", "", ""]), ("https://[::1", nil), ("https://[::1/a]", nil),
            ("", nil), ("https", nil), ("https:", nil), ("https:/", nil), ("https://", nil), ("https:///a", nil),
            ("https://?a", nil),
            ("https://#a", nil), ("https://:80/a", nil), ("https://u@/a", nil), ("https://u@:80/a", nil),
            ("https:example.com", nil),
            ("https:/example.com", nil), ("//example.com/a", nil), ("/a", nil), ("example.com/a", nil),
            ("://example.com", nil),
            ("ftp://example.com/", nil), ("httpx://example.com/", nil), ("ttps://example.com/", nil),
            ("ws://example.com/", nil),
            (" https://example.com/", nil), ("https ://example.com/", nil), ("file:///a", nil), ("mailto:a@b.c", nil),
            ("app://https://a/", nil),
        ] as [(String, [String]?)])
    func parts(url: String, expected: [String]?) {
        let bytes = Array(url.utf8)
        let parts = bytes.withUnsafeBytes { URLParts($0) }
        let texts = parts.map { parts in
            [parts.host, parts.path, parts.query, parts.fragment].map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        #expect(texts == expected)
        if let parts { #expect(bytes[parts.scheme].count == (url.lowercased().hasPrefix("https") ? 5 : 4)) }
    }

    @Test("an empty path is a slash, and nothing else changes")
    func webURL() throws {
        let url = try #require(WebURL("https://u@Example.com:1?a=%zz#b".utf8))
        #expect(url.host == Array("Example.com".utf8))
        #expect(url.path == Array("/".utf8))
        #expect(url.query == Array("a=%zz".utf8))
        #expect(url.fragment == Array("b".utf8))
        #expect(WebURL("https://".utf8) == nil)
    }

    @Test("bytes that are no text stay as they are")
    func bytes() throws {
        let url = try #require(WebURL(Array("https://a/".utf8) + [0xFF, 0x00, 0xC3, 0x3F, 0xFE]))
        #expect(url.path == [0x2F, 0xFF, 0x00, 0xC3])
        #expect(url.query == [0xFE])
    }

    @Test(
        "a host is a domain without regard to case and to the way it is written",
        arguments: [
            ("https://example.com/", "example.com", true), ("https://EXAMPLE.com/", "Example.COM", true),
            ("https://www.example.com/", "example.com", false), ("https://example.com.org/", "example.com", false),
            ("https://b%C3%BCcher.example/", "bücher.example", true),
            ("https://xn--bcher-kva.example/", "BÜCHER.example", true),
            ("https://bücher.example:1/", "xn--bcher-kva.example", true),
            ("https://bucher.example/", "bücher.example", false),
            ("https://[::1]:1/", "[::1]", true), ("https://[::1]/", "[::2]", false),
            ("https://%FF.example/", "%FF.example", false),
        ])
    func hosts(url: String, domain: String, expected: Bool) throws {
        #expect(try #require(WebURL(url.utf8)).isHost(domain) == expected)
    }

    @Test(
        "a query is cut at each ampersand, an item at its first equals sign",
        arguments: [
            ("", ["/"]), ("a=1", ["a/1"]), ("a=1&b=2", ["a/1", "b/2"]), ("a", ["a/"]), ("a=", ["a/"]), ("=1", ["/1"]),
            ("a=b=c", ["a/b=c"]),
            ("&", ["/", "/"]), ("a&&b=", ["a/", "/", "b/"]), ("a==", ["a/="]), ("a=1&a=2", ["a/1", "a/2"]),
            ("a+b=c+d", ["a+b/c+d"]),
            ("a%3Db=c%26d", ["a%3Db/c%26d"]), ("a;b=c", ["a;b/c"]), ("?a=?", ["?a/?"]),
        ])
    func items(query: String, expected: [String]) {
        let items = QueryItems.split(query.utf8).map { item in
            "\(String(decoding: item.name, as: UTF8.self))/\(String(decoding: item.value, as: UTF8.self))"
        }
        #expect(items == expected)
    }
}
