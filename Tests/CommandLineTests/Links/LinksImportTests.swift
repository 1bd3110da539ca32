import TestSupport
import Testing

/// `aasa links import` (cli.md, 1.14).
@Suite("aasa links import", .waiting)
struct LinksImportTests {
    private static let export = """
        Short link,Deep link (link),App Store ID (isi)
        https://go.example.com/b,https://www.example.com/b,1234567890
        https://go.example.com/a,http://www.example.com/a,1234567890

        """

    @Test("an export becomes a file that 'links check' accepts, with findings on standard error")
    func firebase() throws {
        let tool = try BuiltTool()
        try tool.write(Self.export, to: "links.csv")
        let outcome = try tool.run("links", "import", "--from", "firebase", "links.csv", "--name", "Shop")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                {
                  "app": {"appStore":{"id":"1234567890"},"name":"Shop"},
                  "links": {
                    "/a": {"appURL":"https://www.example.com/a","to":"https://www.example.com/a"},
                    "/b": {"appURL":"https://www.example.com/b","to":"https://www.example.com/b"}
                  }
                }

                """)
        #expect(
            outcome.errors.contains(
                "links.csv:3:26: warning: 'http://www.example.com/a' is written with 'https' [import-http]"))
        #expect(outcome.errors.contains("links.csv: 2 links imported"))
        try tool.write(outcome.text, to: "links.json")
        #expect(try tool.run("links", "check", "links.json").status == 0)
    }

    @Test("rows that are left out are exit code 1, and no usable row is 65")
    func faults() throws {
        let tool = try BuiltTool()
        let bad = "https://go.example.com/c,shop://c,\n"
        let outcome = try tool.run("links", "import", "--from", "firebase", "-", input: Self.export + bad)
        #expect(outcome.status == 1 && outcome.text.contains("\"/b\""))
        #expect(outcome.errors.contains("<standard input>:4:26: error: "))
        #expect(try tool.run("links", "import", "--from", "firebase", "-", input: "a,b\n").status == 65)
        #expect(try tool.run("links", "import", "--from", "firebase", "-", input: "").status == 65)
        #expect(try tool.run("links", "import", "--from", "firebase", "none.csv").status == 66)
    }

    @Test("a table has columns of its own, and needs a name for the pages' app")
    func table() throws {
        let tool = try BuiltTool()
        let table = "path,to,title\n/a,https://www.example.com/a,A\n"
        let outcome = try tool.run("links", "import", "--from", "csv", "-", "--domain", "go.example.com", input: table)
        #expect(outcome.status == 0 && outcome.text.contains(#""name":"go""#))
        let nameless = try tool.run("links", "import", "--from", "csv", "-", input: table)
        #expect(nameless.status == 64 && nameless.text.isEmpty && nameless.errors.contains("--name"))
        #expect(try tool.run("links", "import", "-", input: table).status == 64)
        #expect(try tool.run("links", "import", "--from", "bitly", "-", input: table).status == 64)
    }

    @Test("short links that cannot be asked are listed with the reason, and nothing private is contacted")
    func urls() throws {
        let tool = try BuiltTool()
        let outcome = try tool.run(
            "links", "import", "--from", "urls", "-",
            input: "# links\nhttps://127.0.0.1/a\nhttp://[::1]:8080/b\nftp://x/y\n")
        #expect(outcome.status == 65 && outcome.text.isEmpty)
        for line in [
            "<standard input>:2:1: error: 'https://127.0.0.1/a': not a public address: 127.0.0.1 [import-row]",
            "<standard input>:3:1: error: 'http://[::1]:8080/b': not a public address: ::1 [import-row]",
            "<standard input>:4:1: error: 'ftp://x/y': it is not an http or https URL with a host [import-row]",
        ] {
            #expect(outcome.errors.contains(line), "\(outcome.errors)")
        }
    }
}
