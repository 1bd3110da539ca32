import FuzzingSupport
import LinkPages
import Testing

/// The 404 page, and the words of all pages.
struct NotFoundPageTests {
    @Test("the 404 page has the app, its stores, and nothing of the request", arguments: PageLanguage.allCases)
    func page(language: PageLanguage) throws {
        let site = try PageSite()
        let answer = try site.answer("/secret?secret", language: "\(language.tag)", agent: PageTests.iPhone)
        let page = try answer.markup()
        let texts = PageTexts.texts(in: language)
        #expect(!answer.isFound && !answer.body.contains("secret"))
        #expect(answer.body.contains("<title>\(texts[.notFoundTitle])</title>"))
        #expect(answer.body.contains("<h1>\(texts[.notFoundTitle])</h1>"))
        #expect(page.text.contains(texts[.notFound]) && page.text.contains("Shop"))
        #expect(page.meta("robots") == "noindex" && page.meta("apple-itunes-app") == nil)
        #expect(page.links == ["app-store", "google-play", "store"])
        #expect(
            page.element("google-play")?["href"] == "https://play.google.com/store/apps/details?id=com.example.shop")
        #expect(page.element("open") == nil && page.element("qr") == nil && page.element("website") == nil)
        #expect(answer.head.contentLanguage == "\(language.tag)")
        #expect(page.count("main") == 1 && page.count("h1") == 1)
    }

    @Test("a file without an app has a bare 404 page")
    func bare() throws {
        let site = try PageSite(
            #"{ "links": { "/a": { "to": "https://www.example.com/", "answer": "redirect" } }, "languages": ["de"] }"#)
        let page = try site.answer("/b").markup()
        #expect(page.links == [] && page.count("img") == 0 && page.count("h1") == 1)
        #expect(page.tags.first { $0.name == "html" }?.attributes["lang"] == "de")
    }

    @Test("every language has every text, and each is its own", arguments: PageLanguage.allCases)
    func texts(language: PageLanguage) {
        let texts = PageTexts.texts(in: language)
        for key in PageTexts.Key.allCases {
            #expect(!texts[key].isEmpty, "\(key)")
            for other in PageLanguage.allCases where other != language {
                #expect(texts[key] != PageTexts.texts(in: other)[key], "\(key) in \(other)")
            }
        }
        #expect(Set(PageTexts.Key.allCases.map { texts[$0] }).count == PageTexts.Key.allCases.count)
    }

    @Test(
        "each text is on the page in its language, and Arabic is written from the right",
        arguments: PageLanguage.allCases)
    func words(language: PageLanguage) throws {
        let site = try PageSite()
        let body = try site.answer("/summer", language: "\(language.tag)", agent: PageTests.android).body
        let page = try Markup(body)
        let texts = PageTexts.texts(in: language)
        for key in PageTexts.Key.allCases where key != .notFound && key != .notFoundTitle && key != .qrCode {
            #expect(page.text.contains(texts[key]), "\(key)")
        }
        #expect(page.element("qr")?["aria-label"] == texts[.qrCode] && page.element("qr")?["role"] == "img")
        let html = try #require(page.tags.first { $0.name == "html" })
        #expect(html.attributes == ["lang": "\(language.tag)", "dir": language == .arabic ? "rtl" : "ltr"])
    }
}
