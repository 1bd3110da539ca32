import FuzzingSupport
import LinkPages
import Testing

/// The page of a link (docs/spec/link-pages.md, the page).
struct PageTests {
    static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15"
    static let android = "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36"

    @Test("a page names its language, address, texts and images for browsers and for previews")
    func head() throws {
        let page = try PageSite().answer("/summer?x=1&y=2").markup()
        let html = try #require(page.tags.first { $0.name == "html" })
        #expect(html.attributes == ["lang": "en", "dir": "ltr"])
        #expect(page.tags.first { $0.attributes["charset"] != nil }?.attributes["charset"] == "utf-8")
        #expect(page.meta("viewport") == "width=device-width, initial-scale=1")
        #expect(page.meta("color-scheme") == "light dark")
        #expect(page.meta("robots") == "noindex")
        #expect(page.meta("description") == "Up to 50 %")
        #expect(page.meta("og:type") == "website")
        #expect(page.meta("og:site_name") == "Shop")
        #expect(page.meta("og:url") == "https://go.example.com/summer")
        #expect(page.meta("og:title") == "Summer sale")
        #expect(page.meta("og:description") == "Up to 50 %")
        #expect(page.meta("og:image") == "https://go.example.com/_links/0000000000000000.png")
        #expect(page.meta("twitter:card") == "summary_large_image")
        #expect(page.link("canonical") == "https://www.example.com/sale")
        #expect(page.link("icon")?.hasPrefix("data:image/png;base64,iVBORw0KGgo") == true)
        #expect(page.tags.first { $0.name == "img" }?.attributes["alt"] == "")
    }

    @Test("a page without a text, an image or a web page has what stands for them")
    func absentValues() throws {
        let answer = try PageSite().answer("/untitled/7?x=1")
        let page = try answer.markup()
        #expect(answer.body.contains("<title>Shop</title>"))
        #expect(answer.body.contains("<h1><bdi>Shop</bdi></h1>"))
        #expect(page.meta("description") == nil && page.meta("og:description") == nil && page.meta("og:image") == nil)
        #expect(page.meta("twitter:card") == "summary")
        #expect(page.link("canonical") == "https://go.example.com/untitled/7")
        #expect(page.element("website") == nil)
        let bare = try PageSite(#"{ "app": {"name": "Shop"}, "robots": "index", "fallback": "page" }"#).answer("/any")
        #expect(try bare.markup().links == [])
        #expect(try bare.markup().link("icon") == "data:,")
        #expect(try bare.markup().meta("robots") == "index")
        #expect(try bare.markup().meta("apple-itunes-app") == nil)
    }

    @Test("the Smart App Banner gets the app's URL with its commas escaped")
    func banner() throws {
        let page = try PageSite().answer("/summer").markup()
        let expected = "app-id=1234567890, app-argument=https://go.example.com/sale/7%2C8"
        #expect(page.meta("apple-itunes-app") == expected)
    }

    @Test(
        "the user agent decides what opens the app, and only the order of the stores",
        arguments: [
            (PageTests.iPhone, ["open", "app-store", "google-play", "store", "website"]),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
                ["open", "app-store", "google-play", "store", "website"]
            ),
            (PageTests.android, ["open", "google-play", "app-store", "store", "website"]),
            ("Mozilla/5.0 (Windows NT 10.0)", ["app-store", "google-play", "store", "website"]),
            ("", ["app-store", "google-play", "store", "website"]),
        ])
    func order(agent: String, links: [String]) throws {
        let page = try PageSite().answer("/summer", agent: agent).markup()
        #expect(page.links.filter { $0 != "first" } == links)
        for tag in page.tags where tag.name == "a" {
            #expect(tag.attributes["rel"] == "noopener" && tag.attributes["target"] == nil)
        }
        #expect(page.element("qr") != nil && page.count("details") == 1 && page.count("summary") == 1)
    }

    @Test(
        "on Apple's systems the app is opened by another host, or by its scheme: a link to the page's own never does",
        arguments: [
            ("/summer", #""openHost": "open.example.com", "scheme": "shop""#, "https://open.example.com/sale/7,8"),
            ("/summer", #""scheme": "shop""#, "shop://go.example.com/sale/7,8"),
            ("/summer", "", nil),
            ("/other", #""openHost": "open.example.com", "scheme": "shop""#, "https://shop.example.com/a"),
            ("/other", "", "https://shop.example.com/a"),
            ("/scheme", #""openHost": "open.example.com", "scheme": "shop""#, "shop://sale"),
        ] as [(String, String, String?)])
    func apple(path: String, keys: String, address: String?) throws {
        let app = #""app": { "name": "Shop"\#(keys.isEmpty ? "" : ", ")\#(keys) }"#
        let appURL = path == "/scheme" ? "shop://sale" : path == "/other" ? "https://shop.example.com/a" : nil
        let own = appURL.map { #""appURL": "\#($0)""# } ?? #""appURL": "https://go.example.com/sale/7,8""#
        let site = try PageSite(#"{ \#(app), "links": { "\#(path)": { "title": "A", \#(own) } } }"#)
        #expect(try site.answer(path, agent: Self.iPhone).markup().element("open")?["href"] == address)
    }

    @Test("on Android the app is opened by an intent that falls back to the store")
    func intent() throws {
        let store =
            "https://play.google.com/store/apps/details?id=com.example.shop"
            + "&referrer=link%3Dhttps%253A%252F%252Fgo.example.com%252Fsale%252F7%252C8"
        let page = try PageSite().answer("/summer", agent: Self.android).markup()
        #expect(page.element("google-play")?["href"] == store)
        let escaped =
            "https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop"
            + "%26referrer%3Dlink%253Dhttps%25253A%25252F%25252Fgo.example.com%25252Fsale%25252F7%25252C8"
        let expected =
            "intent://go.example.com/sale/7,8#Intent;scheme=https;package=com.example.shop;"
            + "S.browser_fallback_url=\(escaped);end"
        #expect(page.element("open")?["href"] == expected)
        let site = try PageSite(#"{ "app": {"name": "A", "scheme": "a"}, "fallback": "page" }"#)
        #expect(try site.answer("/any", agent: Self.android).markup().element("open") == nil)
    }

    @Test("stores have their addresses, and the country where the file has one")
    func stores() throws {
        let page = try PageSite().answer("/summer").markup()
        #expect(page.element("app-store")?["href"] == "https://apps.apple.com/de/app/id1234567890")
        let site = try PageSite(#"{ "app": {"name": "A", "appStore": {"id": "12"}}, "fallback": "page" }"#)
        #expect(try site.answer("/").markup().element("app-store")?["href"] == "https://apps.apple.com/app/id12")
        #expect(
            page.tags.first { $0.attributes["class"] == "store" }?.attributes["href"] == "https://store.example/shop")
        #expect(page.element("website")?["href"] == "https://www.example.com/sale")
    }

    @Test("the fields say what the page is, and its policy allows its one style by hash and no script")
    func fields() throws {
        let head = try PageSite().answer("/summer", language: "ar").head
        #expect(head.contentType == "text/html; charset=utf-8")
        #expect(head.contentLanguage == "ar")
        #expect(head.referrerPolicy == "no-referrer")
        #expect(head.vary == "Accept, Accept-Language, User-Agent")
        let expected =
            "default-src 'none'; style-src 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='; img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        #expect(head.contentSecurityPolicy == expected)
    }

    @Test("the hash is that of the text of the style")
    func style() throws {
        var hashed: [UInt8] = []
        _ = PageWriter(nil, languages: [.english]) { bytes in
            hashed = bytes
            return PageSite.hash
        }
        let body = try PageSite().answer("/summer").body
        #expect(body.contains("<style>\(String(decoding: hashed, as: UTF8.self))</style>"))
        #expect(!hashed.isEmpty && body.components("<style").count == 2 && !body.contains("style="))
    }

    @Test("a page has at most 40 kB besides its icon", arguments: PageLanguage.allCases)
    func size(language: PageLanguage) throws {
        let site = try PageSite()
        let query = String(repeating: "q", count: 950)
        let body = try site.answer("/products/\(query.prefix(90))?ref=\(query)", language: "\(language.tag)").body
        let withoutIcon = body.components("base64,").map { $0.drop { $0 != "\"" } }.joined()
        #expect(withoutIcon.utf8.count <= 40_000)
    }

    @Test("the QR code is left out of a page whose URL is too long")
    func longURL() throws {
        let site = try PageSite()
        let prefix = "https://go.example.com/plain/"
        let longest = String(repeating: "a", count: QRCode.maxURLBytes - prefix.utf8.count)
        #expect(try site.answer("/plain/\(longest)").markup().element("qr") != nil)
        let page = try site.answer("/plain/\(longest)a").markup()
        #expect(page.element("qr") == nil && page.count("figure") == 0 && page.count("main") == 1)
    }
}

extension String {
    /// The parts between occurrences of a separator.
    func components(_ separator: String) -> [String] {
        var (parts, rest) = ([String](), self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
