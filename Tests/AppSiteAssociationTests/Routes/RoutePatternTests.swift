import AppSiteAssociation
import Diagnostics
import Testing

@Suite("Route patterns")
struct RoutePatternTests {
    @Test(
        "are written with one space between columns, the flags last, the host in ASCII",
        arguments: [
            ("/buy/{product}", "/buy/{product}"), ("  /a\t ?q=*  ", "/a ?q=*"), ("/a #b ?q=*", "/a ?q=* #b"),
            ("/a caseSensitive:false ?q=*", "/a ?q=* caseSensitive:false"), ("/a caseSensitive:true", "/a"),
            ("/a percentEncoded:false caseSensitive:false", "/a caseSensitive:false percentEncoded:false"),
            ("HTTPS://Shop.Example.COM/a", "https://shop.example.com/a"), ("https://[::1]/", "https://[::1]/"),
            ("https://Bücher.example/", "https://xn--bcher-kva.example/"), ("buy/*", "buy/*"), ("/", "/"),
            ("/é percentEncoded:false", "/é percentEncoded:false"), ("/$(digit)$x(", "/$(digit)$x("),
        ])
    func description(text: String, expected: String) throws {
        let route = try RoutePattern(text)
        #expect(route.description == expected)
        #expect(try RoutePattern(route.description) == route)
        #expect(Set([route, try RoutePattern(expected)]).count == 1)
    }

    @Test("are equal if they are written alike, byte by byte")
    func equality() throws {
        let composed = try RoutePattern("/\u{E9} percentEncoded:false")
        let decomposed = try RoutePattern("/e\u{301} percentEncoded:false")
        #expect(composed != decomposed)
        #expect(composed.captures(in: "https://h/%C3%A9") != nil)
        #expect(decomposed.captures(in: "https://h/%C3%A9") == nil)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("know their host, their captures and their pieces")
    func parts() throws {
        let route = try RoutePattern("https://A.example/x{a}/{b:?*} #{f} ?q=1{c}&r={d:*} percentEncoded:false")
        #expect(route.host == "a.example")
        #expect(route.captureNames == ["a", "b", "c", "d", "f"])
        #expect(
            route.path == [
                .text("/x"), .capture(name: "a", pattern: nil), .text("/"), .capture(name: "b", pattern: "?*"),
            ])
        #expect(
            route.query == [
                RouteItem(name: "q", value: [.text("1"), .capture(name: "c", pattern: nil)]),
                RouteItem(name: "r", value: [.capture(name: "d", pattern: "*")]),
            ])
        #expect(route.fragment == [.capture(name: "f", pattern: nil)])
        #expect(route.caseSensitive && !route.percentEncoded)
        #expect(try RoutePattern("/").host == nil)
        #expect(try RoutePattern("/").fragment == nil)
    }

    @Test(
        "tell what is wrong, and where",
        arguments: [
            ("⟦⟧", RoutePatternError.Code.missingPath), ("⟦⟧  ", .missingPath), ("⟦?q={x}⟧", .missingPath),
            ("⟦#x⟧", .missingPath), ("⟦https://a.example⟧", .missingPath), ("⟦http://⟧a.example/", .invalidHost),
            ("⟦myapp://⟧a/b", .invalidHost), ("https://⟦⟧/a", .invalidHost), ("https://⟦*.example⟧/a", .invalidHost),
            ("https://⟦a.example:443⟧/a", .invalidHost), ("https://⟦u@a.example⟧/a", .invalidHost),
            ("https://⟦{host}⟧/a", .invalidHost), ("https://⟦a..b⟧/a", .invalidHost), ("https://⟦a?q=1⟧", .invalidHost),
            ("/a⟦?q=⟧{x}", .misplacedPart), ("/a⟦?utm_source=x⟧", .misplacedPart), ("/a⟦#b⟧", .misplacedPart),
            ("/a ?q=b⟦#c⟧", .misplacedPart), ("/{x:a⟦#b⟧}", .misplacedPart), ("/a ⟦/b⟧", .unexpectedColumn),
            ("/a ⟦b⟧", .unexpectedColumn), ("/a ⟦exclude:true⟧", .unexpectedColumn),
            ("/a ⟦casesensitive:false⟧", .unexpectedColumn), ("/a ⟦caseSensitive=false⟧", .unexpectedColumn),
            ("/a ?b=* ⟦?c=*⟧", .repeatedColumn), ("/a #b ⟦#c⟧", .repeatedColumn),
            ("/a caseSensitive:false ⟦caseSensitive:false⟧", .repeatedColumn),
            ("/a ⟦caseSensitive:no⟧", .invalidFlag), ("/a ⟦percentEncoded:⟧", .invalidFlag), ("/a ⟦?⟧", .invalidItem),
            ("/a ?⟦q⟧", .invalidItem), ("/a ?⟦=x⟧", .invalidItem), ("/a ⟦?b=*&⟧", .invalidItem),
            ("/a ⟦?b=*&&c=*⟧", .invalidItem), ("/a ?b=*&⟦b⟧=x", .repeatedItem),
            ("/a ?b=*&⟦B⟧=x caseSensitive:false", .repeatedItem), ("/a⟦}⟧", .invalidCapture),
            ("/⟦{a⟧", .invalidCapture), ("/⟦{a:*⟧ #b", .invalidCapture), ("/{a⟦{⟧b}}", .invalidCapture),
            ("/{a}⟦}⟧", .invalidCapture), ("/a ?⟦{⟧b}=c", .invalidCapture), ("/a #⟦{b⟧", .invalidCapture),
            ("/⟦{}⟧", .invalidName), ("/⟦{1a}⟧", .invalidName), ("/⟦{a⟧ b}", .invalidCapture),
            ("/⟦{*}⟧", .invalidName), ("/⟦{:*}⟧", .invalidName), ("/⟦{é}⟧", .invalidName), ("/⟦{-a}⟧", .invalidName),
            ("/⟦{a.b}⟧", .invalidName), ("/{a}/{⟦a⟧}", .repeatedName), ("/{a} #{⟦a⟧}", .repeatedName),
            ("/{a} ?q={⟦a⟧:*}", .repeatedName), ("/⟦{a:}⟧", .emptyPattern), ("/a ⟦#⟧", .emptyPattern),
            ("/a ?q⟦=⟧", .emptyPattern), ("/a ?q⟦=⟧&r=*", .emptyPattern), ("/⟦$(digits)⟧", .unknownVariable),
            ("/⟦$(shop)⟧", .unknownVariable), ("/⟦$()⟧", .unknownVariable), ("/⟦$(⟧digit", .unknownVariable),
            ("/⟦$(⟧dig{a}it)", .unknownVariable), ("/{a:⟦$(Digit)⟧}", .unknownVariable),
            ("/caf⟦é⟧/x", .unmatchable), ("/a ?⟦ü⟧=x", .unmatchable), ("/a ?q=⟦ü⟧x", .unmatchable),
            ("/a #⟦日⟧本", .unmatchable), ("/{a:⟦😀⟧}", .unmatchable), ("/a⟦\u{A0}⟧?q=*", .unmatchable),
        ])
    func mistakes(marked: String, code: RoutePatternError.Code) throws {
        let marked = MarkedText(marked)
        let text = String(decoding: marked.bytes, as: UTF8.self)
        let error = try #require(throws: RoutePatternError.self) { try RoutePattern(text) }
        #expect(error.code == code, "\(error)")
        #expect(error.offset == marked.range?.start, "\(error)")
        #expect(error.offset + error.length == marked.range?.end, "\(error)")
        #expect(error.message.first?.isUppercase == false)
        #expect(!error.message.hasSuffix(".") && error.message.contains("; "))
        #expect(error.description == "column \(error.offset + 1): \(error.message)")
    }

    @Test(
        "take what the language of the file takes",
        arguments: [
            ("/a", "https://h/a", true), ("/a", "https://h/a/", true), ("/a", "https://h//a", true),
            ("a/", "http://h/a", true), ("/", "https://h", true), ("/", "https://h/?q", true),
            ("/", "https://h/a", false),
            ("/id/????", "https://h/id/481", false), ("/id/????", "https://h/id/4815", true),
            ("/*/x", "https://h/x", false), ("/a/*", "https://h/a?b=c#d", true), ("/a//b", "https://h/a/b", false),
            ("/{x:/a}", "https://h/a", true), ("/{x:a/}", "https://h/a", true), ("/{x:a/*}", "https://h/a", true),
            ("/{x}/{y:*}/", "https://h/a/", true), ("/{x}/{y:*}/", "https://h/", false), ("/a", "ftp://h/a", false),
            ("/a", "/a", false), ("/a", "", false), ("/a ?q=x", "https://h/a?q=x&q=y", false),
            ("/a ?q=x", "https://h/a?Q=x", false), ("/a ?q=x caseSensitive:false", "https://h/A?Q=X", true),
            ("/a ?q=*", "https://h/a", true), ("/a ?q=x&r=y", "https://h/a?r=y&q=x", true),
            ("/a ?q=é percentEncoded:false", "https://h/a?q=%C3%A9", true), ("/a #*", "https://h/a", true),
            ("/a ?k%5B=x", "https://h/a?k%5B=x", true), ("/a ?k[=x percentEncoded:false", "https://h/a?k%5B=x", true),
            ("/$(upper) caseSensitive:false", "https://h/q", true), ("/$(region)", "https://h/DE", true),
            ("/$(region)", "https://h/UK", false), ("https://h/a", "https://u:p@H:8/a", true),
            ("https://h/a", "https://h.h/a", false), ("https://h/a", "https://%68/a", true),
            ("/É caseSensitive:false percentEncoded:false", "https://h/%c3%a9", true),
        ])
    func matches(route: String, url: String, expected: Bool) throws {
        let route = try RoutePattern(route)
        #expect((route.captures(in: url) != nil) == expected)
        #expect((route.captures(in: Array(url.utf8)) != nil) == expected)
    }
}
