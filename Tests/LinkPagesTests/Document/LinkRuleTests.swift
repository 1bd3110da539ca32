import Diagnostics
import LinkPages
import Testing

@Suite("Findings about links.json")
struct LinkRuleTests {
    @Test("show what their descriptions say", arguments: LinkPageRules.all)
    func examples(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let document = LinkPageExample.document(marked.bytes)
        #expect(document.diagnostics.map(\.code) == [rule.code])
        #expect(document.diagnostics.map(\.severity) == [rule.severity])
        #expect(document.diagnostics.first?.range == marked.range)
        #expect(document.diagnostics.allSatisfy { $0.help != nil || rule.code.rawValue == "invalid-links-value" })
        #expect((document.content == nil) == (rule.severity >= .error))
        let good = LinkPageExample.document(Array(rule.good.utf8))
        #expect(good.diagnostics.isEmpty)
        #expect(good.content != nil)
    }

    /// The content of a file, with the range of the only finding between marks, and the code of that.
    static let faults: [(String, String)] = [
        (#""links": ⟦[]⟧"#, "invalid-links-value"),
        (#""links": { "/a": ⟦"x"⟧ }"#, "invalid-links-value"),
        (#""links": { "/a": { "title": ⟦7⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "title": ⟦""⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "title": ⟦{}⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "title": { ⟦"xx"⟧: "A" } } }"#, "invalid-links-value"),
        (#""links": { "/a": { "title": { "en": ⟦null⟧ } } }"#, "invalid-links-value"),
        (#""links": { "/a": { "answer": ⟦"Page"⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "status": ⟦308⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "status": ⟦"302"⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "keepQuery": ⟦1⟧ } }"#, "invalid-links-value"),
        (#""links": { "/a": { "image": ⟦1⟧ } }"#, "invalid-links-value"),
        (#""pages": ⟦{}⟧"#, "invalid-links-value"),
        (#""pages": [⟦"/a"⟧]"#, "invalid-links-value"),
        (#""pages": [{ "route": ⟦7⟧ }]"#, "invalid-links-value"),
        (#""languages": ⟦[]⟧"#, "invalid-links-value"),
        (#""languages": ["en", ⟦"en"⟧]"#, "invalid-links-value"),
        (#""languages": ["en", ⟦"EN-us"⟧]"#, "invalid-links-value"),
        (#""robots": ⟦"none"⟧"#, "invalid-links-value"),
        (#""cacheMaxAge": ⟦-1⟧"#, "invalid-links-value"),
        (#""cacheMaxAge": ⟦1.5⟧"#, "invalid-links-value"),
        (#""cacheMaxAge": ⟦31536001⟧"#, "invalid-links-value"),
        (#""fallback": ⟦"none"⟧"#, "invalid-links-value"),
        (#""fallback": ⟦7⟧"#, "invalid-links-value"),
        (#""fallback": { "redirect": ⟦"https://a.example/?b"⟧ }"#, "invalid-links-value"),
        (#""fallback": ⟦{⟧ "keepPath": false }"#, "missing-links-key"),
        (#""fallback": { "redirect": "https://a.example", ⟦"to"⟧: 1 }"#, "unknown-links-key"),
        (#""fallback": { "redirect": ⟦"https://a.example/{x}"⟧ }"#, "unknown-capture"),
        (#"⟦"link"⟧: {}"#, "unknown-links-key"),
        (#""links": { "/a": { ⟦"route"⟧: "/b" } }"#, "unknown-links-key"),
        (#""links": { ⟦"summer"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦""⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/a?b"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/a#b"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/a/../b"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/a/%2E"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/a b"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/100%"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/{id}"⟧: {} }"#, "invalid-link-path"),
        (#""links": { ⟦"/.well-known"⟧: {} }"#, "reserved-path"),
        (#""links": { ⟦"//.well%2dknown/x"⟧: {} }"#, "reserved-path"),
        (#""links": { ⟦"/_links/x.png"⟧: {} }"#, "reserved-path"),
        (#""links": { ⟦"/apple-app-site-association/"⟧: {} }"#, "reserved-path"),
        (#""links": { "/a": {}, ⟦"/%61"⟧: {} }"#, "duplicate-link"),
        (#""links": { "/": {}, ⟦"//"⟧: {} }"#, "duplicate-link"),
        (#""links": { "/a": ⟦{⟧ "answer": "redirect" } }"#, "missing-links-key"),
        (#""links": { "/a": { "to": ⟦"https://x.example/{id}"⟧ } }"#, "unknown-capture"),
        (#""links": { "/a": { "title": ⟦"Product {id}"⟧ } }"#, "unknown-capture"),
        (#""links": { "/a": { "image": ⟦"gone.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"../icon.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"/icon.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"link.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"huge.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"secret.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"text.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"really.png"⟧ } }"#, "unusable-image"),
        (#""links": { "/a": { "image": ⟦"http://x.example/a.png"⟧ } }"#, "invalid-link-target"),
        (#""pages": [⟦{⟧ "to": "https://x.example" }]"#, "missing-links-key"),
        (#""pages": [{ "route": "/a/⟦$(digits)⟧" }]"#, "invalid-route"),
        (#""pages": [{ "route": "/\u0061/⟦{⟧" }]"#, "invalid-route"),
        (#""pages": [{ "route": "⟦https://shop.example⟧/a" }]"#, "fragment-in-page"),
        (#""pages": [{ "route": "/a ?x=* ⟦#y⟧" }]"#, "fragment-in-page"),
        (#""pages": [{ "route": "/{a}", "to": ⟦"{a}"⟧ }]"#, "capture-in-host"),
        (#""pages": [{ "route": "/{a}", "to": ⟦"https://x.example{a}"⟧ }]"#, "capture-in-host"),
        (#""pages": [{ "route": "/{a}", "to": ⟦"https://x.example:{a}/"⟧ }]"#, "capture-in-host"),
        (#""pages": [{ "route": "/{a}", "to": ⟦"https://x.example/{b}"⟧ }]"#, "unknown-capture"),
        (#""pages": [{ "route": "/{a}", "to": ⟦"https://x.example/{a:*}"⟧ }]"#, "unknown-capture"),
        (#""pages": [{ "route": "/{a}", "description": { "de": ⟦"{a}"⟧ } }]"#, "free-text-capture"),
        (#""pages": [{ "route": "/a ?x={a:$(alpha)*}", "title": ⟦"{a}"⟧ }]"#, "free-text-capture"),
        (#""pages": [{ "route": "/{a:*}" }, { "route": ⟦"/x"⟧ }]"#, "unreachable-page"),
        (#""links": { "/a": { "to": ⟦"https://GO.example.com:443/b"⟧ } }"#, "target-on-this-host"),
        (
            #""pages": [{ "route": "/{a}", "answer": "redirect", "to": ⟦"https://go.example.com/{a}/"⟧ }]"#,
            "redirect-loop"
        ),
        (#""fallback": { "redirect": ⟦"https://go.example.com/x"⟧, "keepPath": false }"#, "redirect-loop"),
    ]

    @Test("are where they belong, with one finding for one fault", arguments: faults)
    func placement(content: String, code: String) {
        let marked = MarkedText("{ \"app\": { \"name\": \"Shop\" }, \(content) }")
        let document = read(marked.bytes)
        #expect(document.diagnostics.map(\.code.rawValue) == [code], "\(document.diagnostics.map(\.message))")
        #expect(document.diagnostics.first?.range == marked.range)
    }

    /// The same for what is in `app`.
    static let appFaults: [(String, String)] = [
        (#""name": ⟦7⟧"#, "invalid-links-value"), (#""name": ⟦""⟧"#, "invalid-links-value"),
        (#""name": "A", "icon": ⟦"large.png"⟧"#, "unusable-image"),
        (#""name": "A", "icon": ⟦"https://x.example/a.png"⟧"#, "unusable-image"),
        (#""name": "A", "appStore": ⟦{⟧}"#, "missing-links-key"),
        (#""name": "A", "appStore": { "id": ⟦1234567890⟧ }, "scheme": "shop""#, "invalid-links-value"),
        (#""name": "A", "appStore": { "id": "1", "country": ⟦"deu"⟧ }, "scheme": "shop""#, "invalid-links-value"),
        (#""name": "A", "play": { "package": ⟦"shop"⟧ }"#, "invalid-links-value"),
        (#""name": "A", "play": { "package": ⟦"com.shop;x"⟧ }"#, "invalid-links-value"),
        (#""name": "A", "stores": [⟦{⟧ "name": "B" }]"#, "missing-links-key"),
        (#""name": "A", "stores": [{ "name": "B", "url": ⟦"javascript:alert(1)"⟧ }]"#, "invalid-link-target"),
        (#""name": "A", "openHost": ⟦"https://a.example"⟧"#, "invalid-links-value"),
        (#""name": "A", "openHost": ⟦"GO.example.com"⟧"#, "open-host-is-this-host"),
        (#""name": "A", "scheme": ⟦"Shop"⟧"#, "invalid-link-target"),
        (#""name": "A", "scheme": ⟦"1shop"⟧"#, "invalid-link-target"),
        (#""name": "A", "scheme": ⟦"javascript"⟧"#, "invalid-link-target"),
        (#""name": "A", "scheme": ⟦"itms-apps"⟧"#, "invalid-link-target"),
    ]

    @Test("about the app are where they belong", arguments: appFaults)
    func appPlacement(content: String, code: String) {
        let marked = MarkedText("{ \"app\": { \(content) } }")
        let document = read(marked.bytes)
        #expect(document.diagnostics.map(\.code.rawValue) == [code], "\(document.diagnostics.map(\.message))")
        #expect(document.diagnostics.first?.range == marked.range)
    }

    @Test(
        "tell a URL of the file that is not one",
        arguments: [
            "http://x.example/", "javascript:alert(1)", "data:text/html,x", "//x.example/", "x.example/a", "/a", "",
            "https:", "https://", "https:///a", "https://u@x.example/", "https://u:p@x.example/",
            "https://x.example\\\\@y/",
            "https://x.example/a b", "https://x.example/a\\u0009", "https://x.example/\\u000d\\u000a",
            "https://b\u{FC}cher.example/",
            "https://x..example/", "https://x.example:/", "https://x.example:0/", "https://x.example:65536/",
            "https://x.example:8o/", "https://%65xample.com/", "shop://sale",
        ])
    func targets(url: String) {
        let document = read(#"{ "app": { "name": "A" }, "links": { "/a": { "to": "\#(url)" } } }"#)
        #expect(document.diagnostics.map(\.code.rawValue) == ["invalid-link-target"])
    }

    @Test("the app is needed by a page, and by nothing else")
    func missingApp() {
        let redirect = #""answer": "redirect", "to": "https://x.example""#
        for (text, isNeeded) in [
            ("{}", false),
            (#"{ "links": { "/a": { \#(redirect) } }, "pages": [{ "route": "/b", \#(redirect) }] }"#, false),
            (#"{ "links": { "/a": {} } }"#, true), (#"{ "pages": [{ "route": "/b" }] }"#, true),
            (#"{ "fallback": "page" }"#, true),
        ] {
            let codes = read(text).diagnostics.map(\.code.rawValue)
            #expect(codes == (isNeeded ? ["missing-links-key"] : []), "\(text)")
        }
    }

    @Test("a syntax error is reported as in every JSON file, and hides what cannot be told")
    func syntax() {
        let document = read(#"{ "links": { "/a": {} }"#)
        #expect(document.content == nil)
        #expect(document.diagnostics.map(\.code.rawValue) == ["unclosed-bracket"])
        #expect(read("").content == nil)
        #expect(read("[]").diagnostics.map(\.code.rawValue) == ["invalid-links-value"])
    }

    @Test("for a wildcard, hosts below it are the site's own, and another of them may open the app")
    func wildcard() {
        let text =
            #"{ "app": { "name": "A", "openHost": "b.example.com" }, "links": { "/a": { "to": "https://c.example.com/" } } }"#
        let codes = read(text, domain: "*.example.com").diagnostics.map(\.code.rawValue)
        #expect(codes == ["target-on-this-host"])
        #expect(read(text, domain: "example.com").diagnostics.isEmpty)
        #expect(LinksDocument.read(Array(text.utf8), domain: nil, images: nil).diagnostics.isEmpty)
    }

    @Test("a loop over several entries is found at each of them, and a chain that ends at none")
    func loops() {
        func redirect(_ path: String, _ to: String) -> String {
            #""\#(path)": { "answer": "redirect", "to": "https://go.example.com\#(to)" }"#
        }
        let loop = read(
            "{ \"links\": { \(redirect("/a", "/b?x")), \(redirect("/b", "/c/")), \(redirect("/c", "/%61")) } }")
        #expect(loop.diagnostics.map(\.code.rawValue) == ["redirect-loop", "redirect-loop", "redirect-loop"])
        let chain = read("{ \"links\": { \(redirect("/a", "/b")), \(redirect("/b", "/c")) } }")
        #expect(chain.diagnostics.map(\.code.rawValue) == ["target-on-this-host", "target-on-this-host"])
        let growing = read(
            #"{ "pages": [{ "route": "/a/{r:*}", "answer": "redirect", "to": "https://go.example.com/a/b/{r}" }] }"#)
        #expect(growing.diagnostics.map(\.code.rawValue) == ["redirect-loop"])
    }
}
