import Diagnostics
import LinkImport
import Testing

/// CSV files, as spreadsheets and Google Takeout write them.
struct CSVImportTests {
    private static let header = "Short link,Deep link (link),Social title (st)\n"

    @Test(
        "values are read as RFC 4180 says, whatever ends the lines",
        arguments: [
            (header + "https://go.example.com/a,https://www.example.com/a,A\n", "A"),
            ("\u{FEFF}" + header + "https://go.example.com/a,https://www.example.com/a,A", "A"),
            (
                header.replacing("\n", with: "\r\n") + "https://go.example.com/a,https://www.example.com/a,A\r\n",
                "A"
            ),
            (
                header + "\n\n\"https://go.example.com/a\",\"https://www.example.com/a\",\"A, \"\"B\"\"\"\n",
                #"A, \"B\""#
            ),
            (header + "https://go.example.com/a,https://www.example.com/a,\"A\nB\"\n", #"A\nB"#),
            (header + "https://go.example.com/a,https://www.example.com/a,A \"B\" C\n", #"A \"B\" C"#),
            (header + "https://go.example.com/a,https://www.example.com/a,\"A\"B\n", "AB"),
            (header + "https://go.example.com/a,https://www.example.com/a, A ,more,columns\n", "A"),
        ])
    func values(export: String, title: String) {
        let found = Imported(export)
        #expect(found.findings.isEmpty)
        #expect(
            found.lines == [
                #""/a": {"appURL":"https://www.example.com/a","title":"\#(title)","to":"https://www.example.com/a"}"#
            ])
        #expect(found.isSound)
    }

    @Test(
        "columns are found by parameter or title, in any order and language",
        arguments: [
            "Deep link (link),Short link\nhttps://www.example.com/a,https://go.example.com/a\n",
            "Kurzlink,Deeplink (link)\nhttps://go.example.com/a,https://www.example.com/a\n",
            "LINK,Link name,short_link\nhttps://www.example.com/a,A,https://go.example.com/a\n",
            "shortLink,link\nhttps://go.example.com/a,https://www.example.com/a\n",
            "短縮リンク,ディープリンク (link)\nhttps://go.example.com/a,https://www.example.com/a\n",
        ])
    func columns(export: String) {
        let found = Imported(export)
        #expect(found.findings.isEmpty)
        #expect(found.lines == [#""/a": {"appURL":"https://www.example.com/a","to":"https://www.example.com/a"}"#])
    }

    @Test(
        "what is no export is an error where it is seen, and nothing is written",
        arguments: [
            ("", "1:1"), ("a,b\n1,2\n", "1:1"), ("Short link\nhttps://go.example.com/a\n", "1:1"),
            (header + "\"https://go.example.com/a,https://www.example.com/a\n", "2:1"), ("{\"a\":1}", "1:1"),
            ("[]", "1:1"), (header + "\n", nil),
        ])
    func notAnExport(export: String, position: String?) {
        let found = Imported(export)
        #expect(found.links.text == nil && found.links.count == 0)
        #expect(found.findings == (position.map { ["\($0): error [import-row]"] } ?? []))
    }

    @Test("JSON that is broken has the findings of JSON")
    func brokenJSON() {
        let found = Imported(#"[{"shortLink": "https://go.example.com/a" "link": 1}]"#)
        #expect(found.links.text == nil)
        #expect(found.links.report.diagnostics.map(\.code.rawValue) == ["missing-comma"])
    }

    @Test("columns of a table of one's own are read, and an answer that is a redirect stays one")
    func table() {
        let found = Imported(
            """
            path,to,title,description,image,appURL,answer
            /b,https://www.example.com/b,B,About b,https://www.example.com/b.png,https://go.example.com/x/b,page
            go.example.com/a,https://www.example.com/a,,,,,redirect

            """, as: .table, domain: "go.example.com", name: "Shop")
        #expect(found.findings.isEmpty)
        #expect(
            found.lines == [
                #""/a": {"answer":"redirect","to":"https://www.example.com/a"}"#,
                #""/b": {"answer":"page","appURL":"https://go.example.com/x/b","description":"About b","image":"https://www.example.com/b.png","title":"B","to":"https://www.example.com/b"}"#,
            ])
        #expect(found.links.text?.hasPrefix("{\n  \"app\": {\"name\":\"Shop\"},\n  \"links\": {\n") == true)
        #expect(found.isSound)
    }

    @Test("pages need a name for the app; redirects alone do not")
    func appName() {
        let page = Imported("path,to\n/a,https://www.example.com/a\n", as: .table)
        #expect(page.links.needsName && page.links.text == nil)
        let redirect = Imported("path,to,answer\n/a,https://www.example.com/a,redirect\n", as: .table)
        #expect(!redirect.links.needsName && redirect.isSound)
    }

    @Test("an export of Branch has its own names")
    func branch() {
        let found = Imported(
            """
            url,$og_title,$og_description,$desktop_url,$canonical_url,$ios_url,channel
            https://shop.app.link/summer,Sale,Up to 50 %,https://www.example.com/sale,https://www.example.com/p/1,https://m.example.com/,mail

            """, as: .branch)
        #expect(found.findings == ["2:103: warning [import-fallback]"])
        #expect(
            found.lines == [
                #""/summer": {"appURL":"https://www.example.com/p/1","description":"Up to 50 %","title":"Sale","to":"https://www.example.com/sale"}"#
            ])
    }
}
