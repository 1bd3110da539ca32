import AppSiteAssociation
import Testing

@Suite("Captures of routes")
struct RouteCapturesTests {
    @Test(
        "from left to right each takes as little as it can",
        arguments: [
            ("/{a}{b}", "xyz", "x|yz"), ("/{a}/{b:*}", "x/y/z", "x|y/z"), ("/{a:*}/{b:*}", "x", "x|"),
            ("/{a:*}/{b:*}", "", "|"), ("/*{a}*{b}", "wxyz", "w|xyz"), ("/{a:?*}{b:?*}{c:?*}", "wxyz", "w|x|yz"),
            ("/{a:*x}{b:*}", "axbx", "ax|bx"), ("/{a:*x}{b:?*}", "axbx", "ax|bx"), ("/{a:*}x{b:*}", "axbxc", "a|bxc"),
            ("/{a:*$(digit)}{b:*}", "a1b2", "a1|b2"), ("/{a:$(lang)}{b:*}", "deu", "de|u"),
            ("/{a:$(lang)}{b:?}", "deu", "de|u"), ("/{a:$(lang)}{b:*}x", "deux", "de|u"),
            ("/{a:$(lang)}", "deu", "deu"),
            ("/{a}.{b}", "x.tar.gz", "x|tar.gz"), ("/{a:*}.{b}", "x.tar.gz", "x|tar.gz"),
            ("/a{a:*}a{b:*}a", "aaaa", "|a"),
            ("/{a:*$(lang)}{b:*}", "xdeu", "xde|u"), ("/x/{a}/{b}/", "x//y/z", nil), ("/{a:/x}", "x", "x"),
            ("/{a:/}x", "x", ""), ("/x/{a:/*}", "x", ""), ("/x/{a:*/}", "x/y/", "y"), ("/x{a:/*}", "x/y", "/y"),
            ("/x{a:/*}", "x", ""), ("/{a:x/*}", "x", "x"), ("/{a:x/*}", "x/y", "x/y"),
        ])
    func lazy(route: String, path: String, expected: String?) throws {
        let captures = try RoutePattern(route).captures(in: "https://h/\(path)")
        let found = captures.map { found in found.names.map { found[$0] ?? "?" }.joined(separator: "|") }
        #expect(found == expected)
    }

    @Test(
        "are decoded as far as that is text",
        arguments: [
            ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%A9", "é"), ("%zz", "%zz"), ("%", "%"), ("%4", "%4"), ("%FF", "%FF"),
            ("%C3x", "%C3x"), ("x%c3%A9%C3", "xé%C3"), ("%2541", "%41"), ("%E2%82", "%E2%82"), ("%00", "\0"),
            ("é", "é"), ("%2f", "/"), ("%F0%9F%98%80!", "😀!"), ("a", "a"),
        ])
    func decoding(raw: String, expected: String) throws {
        for route in ["/x/{a}", "/x ?q={a}", "/x #{a}"] {
            let url =
                "https://h/x" + (route.contains("?") ? "?q=" : route.contains("#") ? "#" : "/") + raw
            let captures = try #require(try RoutePattern(route).captures(in: url))
            #expect(captures["a"]?.utf8.elementsEqual(expected.utf8) == true, "\(captures["a"] ?? "")")
            #expect(captures.raw("a") == raw)
        }
        let decoded = try RoutePattern("/x ?q={a} percentEncoded:false caseSensitive:false")
        #expect(decoded.captures(in: "https://h/X?q=\(raw)")?.raw("a") == raw)
    }

    @Test("know their names, and nothing of others")
    func names() throws {
        let route = try RoutePattern("/{b}/{a} #{c:*} ?q={d:*}")
        let captures = try #require(route.captures(in: "https://h/1/2?q=3"))
        #expect(captures.names == ["b", "a", "d", "c"])
        #expect(captures.names == route.captureNames)
        #expect(captures.names.map { captures[$0] } == ["1", "2", "3", ""])
        #expect(captures["e"] == nil && captures.raw("e") == nil)
        #expect(captures == route.captures(in: "https://other:8/1/2?x=y&q=3"))
        #expect(captures != route.captures(in: "https://h/1/%32?q=3"))
    }

    @Test("of an item that is there several times the first one counts, and all must match")
    func repeatedItems() throws {
        let route = try RoutePattern("/ ?q={a:$(digit)}")
        #expect(route.captures(in: "https://h/?q=1&q=2")?["a"] == "1")
        #expect(route.captures(in: "https://h/?q=1&q=x") == nil)
        #expect(try RoutePattern("/ ?q={a:*}").captures(in: "https://h/?q&q=2")?["a"] == "")
        #expect(try RoutePattern("/ ?q={a:x&y} percentEncoded:false").captures(in: "https://h/?q=x%26y")?["a"] == "x&y")
    }

    @Test("of a URL that is not UTF-8 are its bytes")
    func bytes() throws {
        let url = Array("https://h/x/a".utf8) + [0xFF, 0x62]
        for text in ["/x/{a}", "/x/{a} percentEncoded:false", "/X/{a:???} percentEncoded:false caseSensitive:false"] {
            #expect(try RoutePattern(text).captures(in: url)?["a"] == "a\u{FFFD}b")
        }
        #expect(try RoutePattern("/x/a{a:?}b").captures(in: url) != nil)
    }
}
