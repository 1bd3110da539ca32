import LinkImport
import Testing

/// The questions about short links, and what answers to them mean.
struct ShortLinkTests {
    @Test(
        "a redirect to another host is where a link leads",
        arguments: [
            (
                "https://www.example.com/sale?x=1#top",
                ShortLinkInquiry.Step.done(.leads(to: "https://www.example.com/sale?x=1#top"))
            ),
            ("http://www.example.com/", .done(.leads(to: "http://www.example.com/"))),
            ("//www.example.com/sale", .done(.leads(to: "https://www.example.com/sale"))),
            ("/b?x", .ask("https://go.example.com/b?x")),
            ("HTTPS://GO.example.com/b", .ask("HTTPS://GO.example.com/b")),
            ("", .done(.unknown("it redirects to '', which is not an http or https URL"))),
            (
                "https://www.example.com/a b",
                .done(.unknown("it redirects to 'https://www.example.com/a b', which is not an http or https URL"))
            ),
            (
                "itms-apps://apps.apple.com/app/id1",
                .done(
                    .unknown("it redirects to 'itms-apps://apps.apple.com/app/id1', which is not an http or https URL"))
            ),
        ])
    func redirects(location: String, expected: ShortLinkInquiry.Step) throws {
        var inquiry = try #require(ShortLinkInquiry("https://go.example.com/a"))
        #expect(inquiry.url == "https://go.example.com/a")
        #expect(inquiry.next(status: 302, location: Array(location.utf8), body: []) == expected)
    }

    @Test("redirects within the host are followed, but not for ever")
    func loop() throws {
        var inquiry = try #require(ShortLinkInquiry("go.example.com/a"))
        #expect(inquiry.url == "https://go.example.com/a")
        for number in 0..<4 {
            let location = "/\(number)"
            #expect(
                inquiry.next(status: 301, location: Array(location.utf8), body: [])
                    == .ask("https://go.example.com\(location)"))
        }
        #expect(
            inquiry.next(status: 301, location: Array("/a".utf8), body: [])
                == .done(.unknown("it redirects within its own host more than 4 times")))
    }

    @Test(
        "a page's declared destination is taken, unless it is the link again",
        arguments: [
            (
                #"<meta property="og:url" content="https://www.example.com/a?x=1&amp;y=2">"#,
                "https://www.example.com/a?x=1&y=2"
            ),
            (#"<META content='https://www.example.com/a' Property=OG:URL />"#, "https://www.example.com/a"),
            (#"<link rel=canonical href=https://www.example.com/a>"#, "https://www.example.com/a"),
            (#"<meta name="al:web:url" content="https://www.example.com/a">"#, "https://www.example.com/a"),
            (
                #"<meta property="og:url" content="https://go.example.com/a"><link rel="canonical" href="https://www.example.com/a">"#,
                "https://www.example.com/a"
            ),
            (#"<meta property="og:url" content="//www.example.com/a""#, "https://www.example.com/a"),
            (#"<meta property="og:url" content="shop://a">"#, nil), ("<meta <link <meta property=og:url", nil),
            ("", nil), ("<", nil),
            (#"<meta property="og:url" content="https://www.example.com/"#, "https://www.example.com/"),
        ] as [(String, String?)])
    func pages(html: String, destination: String?) throws {
        var inquiry = try #require(ShortLinkInquiry("https://go.example.com/a"))
        let expected =
            destination.map { ShortLinkAnswer.leads(to: $0) }
            ?? .unknown("its page declares no destination on another host (og:url, canonical, al:web:url)")
        #expect(inquiry.next(status: 200, location: nil, body: Array(html.utf8)) == .done(expected))
    }

    @Test("the IDs of the app are read from the page, too")
    func app() throws {
        var inquiry = try #require(ShortLinkInquiry("https://go.example.com/a"))
        let html = """
            <meta property="al:ios:app_store_id" content="1234567890"><meta property="al:android:package" content="com.shop">
            <meta property="og:url" content="https://www.example.com/a">
            """
        #expect(
            inquiry.next(status: 200, location: nil, body: Array(html.utf8))
                == .done(.leads(to: "https://www.example.com/a", appStoreID: "1234567890", package: "com.shop")))
    }

    @Test("any other status is a reason", arguments: [100, 404, 410, 500])
    func statuses(status: Int) throws {
        var inquiry = try #require(ShortLinkInquiry("https://go.example.com/a"))
        #expect(
            inquiry.next(status: status, location: nil, body: [])
                == .done(.unknown("the host answers with status \(status)")))
    }

    @Test(
        "what is no web URL is not asked",
        arguments: ["", "ftp://go.example.com/a", "https://", "a b.example.com"])
    func notALink(text: String) { #expect(ShortLinkInquiry(text) == nil) }

    @Test("a list has a link per line, and its answers become a file")
    func list() {
        let list = ShortLinkList(
            Array("\u{FEFF}# links\nhttps://go.example.com/a\n\n  go.example.com/b \r\nhttps://go.example.com/c".utf8),
            path: "list.txt")
        #expect(list.links.map(\.text) == ["https://go.example.com/a", "go.example.com/b", "https://go.example.com/c"])
        let found = Imported(
            list,
            [
                .leads(to: "http://www.example.com/a", appStoreID: "7"), .unknown("the host answers with status 404"),
                .leads(to: "https://www.example.com/c"),
            ])
        #expect(found.findings == ["2:1: warning [import-http]", "4:3: error [import-row]"])
        #expect(
            found.lines == [
                #""/a": {"to":"https://www.example.com/a"}"#, #""/c": {"to":"https://www.example.com/c"}"#,
            ])
        #expect(found.links.text?.contains(#""app": {"appStore":{"id":"7"},"name":"go"}"#) == true && found.isSound)
    }
}
