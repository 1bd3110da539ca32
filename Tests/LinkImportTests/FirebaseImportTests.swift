import Diagnostics
import LinkImport
import Testing

/// The import of links of Firebase Dynamic Links.
struct FirebaseImportTests {
    private static let header =
        "Short link,Deep link (link),Android package name (apn),Android fallback link (afl),iOS fallback link (ifl),"
        + "iOS custom scheme (ius),App Store ID (isi),Desktop fallback link (ofl),Social title (st),"
        + "Social image link (si),UTM source (utm_source),UTM campaign (utm_campaign),Archived?\n"

    /// A row with these values, by the number of their columns.
    private static func row(_ path: String, _ link: String, _ values: [Int: String] = [:]) -> String {
        let columns = ["https://go.example.com/\(path)", link] + (2..<13).map { values[$0] ?? "" }
        return columns.joined(separator: ",") + "\n"
    }

    @Test("parameters of a campaign are added to the app's URL, but for those that it has")
    func campaign() {
        let found = Imported(
            Self.header
                + Self.row("a", "https://www.example.com/a", [10: "mail", 11: "a b&c"])
                + Self.row("b", "https://www.example.com/b?x=1&utm_source=web#top", [10: "mail", 11: "sale"]))
        #expect(found.findings.isEmpty)
        #expect(
            found.lines == [
                #""/a": {"appURL":"https://www.example.com/a?utm_source=mail&utm_campaign=a%20b%26c","to":"https://www.example.com/a"}"#,
                #""/b": {"appURL":"https://www.example.com/b?x=1&utm_source=web&utm_campaign=sale#top","to":"https://www.example.com/b?x=1&utm_source=web#top"}"#,
            ])
    }

    @Test("the app is the one that most links name, and links of another one are said")
    func app() {
        let ids: [Int: String] = [2: "com.example.shop", 5: "com.example.shop", 6: "1234567890"]
        let found = Imported(
            Self.header + Self.row("a", "https://www.example.com/a", ids)
                + Self.row("b", "https://www.example.com/b", [6: "99"])
                + Self.row("c", "https://www.example.com/c", ids), name: "Shop")
        #expect(found.findings == ["3:56: warning [import-other-app]"])
        #expect(
            found.links.text?.contains(
                #""app": {"appStore":{"id":"1234567890"},"name":"Shop","play":{"package":"com.example.shop"},"scheme":"com.example.shop"}"#
            ) == true)
        #expect(found.lines.count == 3 && found.isSound)
    }

    @Test("the web page is that for other platforms, and pages for single ones are said where they differ")
    func pages() {
        let page = "https://www.example.com/web"
        let found = Imported(
            Self.header
                + Self.row("a", "https://www.example.com/a", [4: page, 7: page])
                + Self.row("b", "https://www.example.com/b", [3: "https://m.example.com/b", 7: page]))
        #expect(found.findings == ["3:53: warning [import-fallback]"])
        #expect(
            found.lines == [
                #""/a": {"appURL":"https://www.example.com/a","to":"https://www.example.com/web"}"#,
                #""/b": {"appURL":"https://www.example.com/b","to":"https://www.example.com/web"}"#,
            ])
    }

    @Test("archived links are left out unless they are asked for")
    func archived() {
        let export =
            Self.header + Self.row("a", "https://www.example.com/a", [12: "TRUE"])
            + Self.row("b", "https://www.example.com/b", [12: "FALSE"])
        let found = Imported(export)
        #expect(found.links.count == 1 && found.findings.isEmpty && !found.links.hasErrors)
        #expect(found.links.notes == ["1 archived link is left out; '--archived' keeps them"])
        #expect(Imported(export, archived: true).links.count == 2)
    }

    @Test("of several domains one is taken: the one that is asked for, or the most frequent with an error")
    func domains() {
        let export =
            Self.header + Self.row("a", "https://www.example.com/a")
            + "https://get.example.com/b,https://www.example.com/b,,,,,,,,,,,\n"
            + Self.row("c", "https://www.example.com/c")
        let all = Imported(export)
        #expect(all.findings == ["3:1: error [import-other-domain]"] && all.links.count == 2)
        let one = Imported(export, domain: "get.example.com")
        #expect(one.findings == ["2:1: note [import-other-domain]"] && one.links.count == 1)
        #expect(!one.links.hasErrors && all.links.hasErrors)
        let none = Imported(export, domain: "other.example.com")
        #expect(none.links.text == nil)
    }

    @Test("a page.link domain is warned about once")
    func pageLink() {
        let found = Imported(
            "shortLink,link\nhttps://x.page.link/a,https://www.example.com/a\nhttps://x.page.link/b,https://www.example.com/b\n"
        )
        #expect(found.findings == ["2:1: warning [import-page-link]"])
        #expect(found.lines.count == 2)
    }

    @Test(
        "what no link can have leaves its row out, and of texts and images only themselves",
        arguments: [
            (row("a", "myapp://a"), ["2:26: error [import-row]"], 1),
            (row("a", ""), ["2:1: error [import-row]"], 1),
            (row(".well-known/x", "https://www.example.com/a"), ["2:1: error [import-row]"], 1),
            (row("a/../b", "https://www.example.com/a"), ["2:1: error [import-row]"], 1),
            (row("", "https://www.example.com/a"), ["2:1: error [import-row]"], 1),
            (row("a", "https://user@www.example.com/a"), ["2:26: error [import-row]"], 1),
            (
                row("a", "https://www.example.com/a", [8: String(repeating: "x", count: 201)]),
                ["2:58: warning [import-row]"], 2
            ),
            (
                row("a", "https://www.example.com/a", [9: "ftp://www.example.com/a.png"]),
                ["2:59: warning [import-row]"], 2
            ),
            (row("a", "http://www.example.com/a"), ["2:26: warning [import-http]"], 2),
            (row("z", "https://www.example.com/z"), [], 1),
            (row("z", "https://www.example.com/other"), ["3:1: error [import-duplicate]"], 1),
            (row("z/", "https://www.example.com/other"), ["3:1: error [import-duplicate]"], 1),
        ])
    func faults(row: String, expected: [String], count: Int) {
        let found = Imported(Self.header + row + Self.row("z", "https://www.example.com/z"))
        #expect(found.findings == expected)
        #expect(found.links.count == count && found.isSound)
    }

    @Test("a thousand faults are counted, and the first hundred shown")
    func manyFaults() {
        let rows = (0..<1_100).map { Self.row("\($0)", "http://www.example.com/\($0)") }.joined()
        let found = Imported(Self.header + rows)
        #expect(found.findings.count == 100 && found.links.count == 1_100)
        #expect(found.links.notes == ["1,000 more findings of 'import-http' are not shown"])
        let bad = (0..<2_500).map { Self.row("\($0)", "ftp://www.example.com/\($0)") }.joined()
        #expect(Imported(Self.header + bad + Self.row("z", "https://www.example.com/z")).links.count == 1)
    }

    private static let parameters =
        #""link":"https://www.example.com/a","isi":"7","st":"A","ifl":"https://m.example.com/""#

    @Test(
        "JSON is read as an array of links, with long links, and as Firebase's REST interface has it",
        arguments: [
            #"[{"shortLink":"https://go.example.com/a",\#(parameters)}]"#,
            #"{"links":[{"shortLink":"https://go.example.com/a",\#(parameters)}],"version":2}"#,
            #"{"warning":[{"warningCode":"X"}],"shortLink":"https://go.example.com/a",\#(parameters)}"#,
            #"""
            [{"shortLink":"https://go.example.com/a","longLink":"https://go.example.com/?link=https%3A%2F%2Fwww.example.com/a&isi=7&st=A&ifl=https%3A%2F%2Fm.example.com%2F"}]
            """#,
            #"""
            [{"shortLink":"https://go.example.com/a","dynamicLinkInfo":{"link":"https://www.example.com/a",
              "iosInfo":{"iosAppStoreId":7,"iosFallbackLink":"https://m.example.com/"},"socialMetaTagInfo":{"socialTitle":"A"}}}]
            """#,
        ])
    func json(export: String) {
        let found = Imported(export)
        #expect(found.links.report.diagnostics.map(\.code.rawValue) == ["import-fallback"])
        #expect(
            found.lines == [
                #""/a": {"appURL":"https://www.example.com/a","title":"A","to":"https://www.example.com/a"}"#
            ])
        #expect(found.links.text?.contains(#""app": {"appStore":{"id":"7"},"name":"go"}"#) == true)
    }
}
