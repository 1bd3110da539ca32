import Foundation
import TestSupport
import Testing

/// `aasa links resolve` (cli.md, 1.14).
@Suite("aasa links resolve", .waiting)
struct LinksResolveTests {
    @Test("JSON has one object per line, with the same keys for every answer")
    func json() throws {
        let site = try LinksSite()
        let host = "https://go.example.com"
        let outcome = try site.links(
            "resolve", LinksSite.file, "--format", "json", "\(host)/summer/", "\(host)/old",
            "\(host)/buy/a%20b?ref=mail", "\(host)/none", "\(host)/.well-known/apple-app-site-association",
            "\(host)/.well-known/x", "\(host)/a/../summer")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                {"appURL":"https://go.example.com/summer/","captures":{},"kind":"page","location":null,\
                "match":{"line":4,"pointer":"/links/~1summer"},"status":200,"to":"https://www.example.com/sale",\
                "url":"https://go.example.com/summer/","version":1}
                {"appURL":"https://go.example.com/old","captures":{},"kind":"redirect",\
                "location":"https://www.example.com/old","match":{"line":5,"pointer":"/links/~1old"},"status":302,\
                "to":"https://www.example.com/old","url":"https://go.example.com/old","version":1}
                {"appURL":"https://go.example.com/buy/a%20b?ref=mail","captures":{"product":"a b","ref":"mail"},\
                "kind":"page","location":null,"match":{"line":8,"pointer":"/pages/0"},"status":200,\
                "to":"https://www.example.com/p/a%20b?r=mail","url":"https://go.example.com/buy/a%20b?ref=mail",\
                "version":1}
                {"appURL":null,"captures":{},"kind":"not-found","location":null,"match":null,"status":404,"to":null,\
                "url":"https://go.example.com/none","version":1}
                {"appURL":null,"captures":{},"kind":"association","location":null,"match":null,"status":null,"to":null,\
                "url":"https://go.example.com/.well-known/apple-app-site-association","version":1}
                {"appURL":null,"captures":{},"kind":"reserved","location":null,"match":null,"status":404,"to":null,\
                "url":"https://go.example.com/.well-known/x","version":1}
                {"appURL":null,"captures":{},"kind":"not-found","location":null,"match":null,"status":404,"to":null,\
                "url":"https://go.example.com/a/../summer","version":1}

                """)
    }

    @Test("text has a block for each URL")
    func text() throws {
        let site = try LinksSite()
        let outcome = try site.links(
            "resolve", LinksSite.file, "https://go.example.com/old", "https://go.example.com/buy/7?ref=x")
        #expect(
            outcome.text == """
                https://go.example.com/old
                  a redirect (302) to https://www.example.com/old
                  by \(LinksSite.file):5, /links/~1old
                  for the app: https://go.example.com/old

                https://go.example.com/buy/7?ref=x
                  a page
                  by \(LinksSite.file):8, /pages/0
                  web page: https://www.example.com/p/7?r=x
                  for the app: https://go.example.com/buy/7?ref=x
                  {product}: 7
                  {ref}: x

                """)
    }

    @Test("what is not a URL is said in its place, and is exit code 64 after the others")
    func notURLs() throws {
        let site = try LinksSite()
        let outcome = try site.links(
            "resolve", LinksSite.file, "--format", "json", "go.example.com/summer", "https://go.example.com/none")
        #expect(outcome.status == 64)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(#""error":"not an http or https URL with a host;"#))
        #expect(lines[1].contains(#""kind":"not-found""#))
    }

    @Test("a file with errors is exit code 65, and a missing one 66")
    func failures() throws {
        let site = try LinksSite(links: #"{"link": {}}"#)
        let broken = try site.links("resolve", LinksSite.file, "https://go.example.com/a")
        #expect(broken.status == 65 && broken.errors.contains("[unknown-links-key]"))
        let json = try site.links("resolve", LinksSite.file, "https://go.example.com/a", "--format", "json").object()
        #expect((json["error"] as? [String: Any])?["code"] as? String == "unusable-file")
        #expect(try site.links("resolve", "none.json", "https://go.example.com/a").status == 66)
    }
}
