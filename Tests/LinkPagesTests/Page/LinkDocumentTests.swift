import FuzzingSupport
import LinkPages
import Testing

/// The answers for programs.
struct LinkDocumentTests {
    @Test("an app gets what a link means as JSON")
    func json() throws {
        let answer = try PageSite().answer("/products/a%20b?ref=c", accept: "application/json")
        let expected =
            #"{"appURL":"https://go.example.com/products/a%20b?ref=c","captures":{"id":"a b","ref":"c"},"#
            + #""description":"By c","title":"Product a b","to":"https://www.example.com/p/a%20b?r=c","#
            + #""url":"https://go.example.com/products/a%20b?ref=c","version":1}"# + "\n"
        #expect(answer.isFound && answer.body == expected)
        #expect(answer.head.contentType == "application/json")
        #expect(answer.head.vary == "Accept, Accept-Language" && answer.head.contentSecurityPolicy == nil)
    }

    @Test("what a link does not have is null, and its texts are in the language of the request")
    func absentValues() throws {
        let german = try PageSite().answer("/summer", accept: "application/json", language: "de").body
        #expect(german.contains(#""title":"Sommerschlussverkauf""#) && german.contains(#""captures":{}"#))
        let untitled = try PageSite().answer("/untitled/7", accept: "application/json").body
        #expect(untitled.contains(#""description":null,"title":null,"to":null"#))
    }

    @Test("what is no link is a 404 as JSON", arguments: ["application/json", "application/ld+json"])
    func notFound(type: String) throws {
        let answer = try PageSite().answer("/nothing", accept: type)
        #expect(!answer.isFound && answer.body == #"{"error":"not-found","version":1}"# + "\n")
        #expect(answer.head.contentType == "application/json")
    }

    @Test("a program gets a page of schema.org, with the app as what can be done with it")
    func linkedData() throws {
        let answer = try PageSite().answer("/summer?x=1", accept: "application/ld+json")
        let expected =
            #"{"@context":"https://schema.org","@type":"WebPage","description":"Up to 50 %","#
            + #""image":"https://go.example.com/_links/0000000000000000.png","inLanguage":"en","#
            + #""isPartOf":{"@type":"WebSite","name":"Shop"},"name":"Summer sale","potentialAction":{"@type":"ViewAction","#
            + #""target":[{"@type":"EntryPoint","actionPlatform":["https://schema.org/IOSPlatform","#
            + #""https://schema.org/AndroidPlatform"],"urlTemplate":"https://go.example.com/sale/7,8"},"#
            + #"{"@type":"EntryPoint","actionPlatform":["https://schema.org/DesktopWebPlatform","#
            + #""https://schema.org/MobileWebPlatform"],"urlTemplate":"https://www.example.com/sale"}]},"#
            + #""significantLink":"https://www.example.com/sale","url":"https://go.example.com/summer?x=1"}"# + "\n"
        #expect(answer.body == expected)
        #expect(answer.head.contentType == "application/ld+json")
    }

    @Test("documents of hostile requests are JSON", arguments: ["application/json", "application/ld+json"])
    func hostile(type: String) throws {
        let site = try PageSite()
        for capture in [
            #"%22,%22to%22:%22x"#, "%5C", "%00%1F", "%FF%FE", "%E2%80%AE%E2%80%A8",
            "</script>".replacing("/", with: "%2F"),
        ] {
            let answer = try site.answer("/plain/\(capture)", accept: type)
            #expect(StrictJSON.accepts(Array(answer.body.utf8)), "\(capture): \(answer.body)")
        }
    }
}
