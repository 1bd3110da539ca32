import Diagnostics
import Testing

struct GitHubRendererTests {
    @Test("Each finding is a command")
    func report() {
        #expect(
            GitHubRenderer().render(SampleReport.report) == """
                ::error file=site/apple-app-site-association,line=5,col=20,endLine=5,endColumn=37,\
                title=invalid-app-id::app ID 'com.example.app' has no application identifier prefix%0A\
                the prefix is ten letters and digits%0Ait is written in front of the bundle ID%0A\
                help: write 'ABCDE12345.com.example.app'
                ::warning file=site/apple-app-site-association,line=6,col=56,endLine=6,endColumn=67,\
                title=unknown-key::key 'comment' is {0} [ignored](here)
                ::error file=site/apple-app-site-association,line=6,col=81,endLine=6,endColumn=82,\
                title=unencoded-character::URLs never have ' '%0Ahelp: write '%2520'
                ::error file=other%2C1%3A100%25.json,line=1,col=1,endLine=1,endColumn=1,\
                title=html-instead-of-json::a page, not an association file
                """)
    }

    @Test("Labels are lines of the message")
    func labels() {
        #expect(
            GitHubRenderer().command(SampleReport.labelled, in: SampleReport.source).hasSuffix(
                "::URLs never have ' '%0Aa space%0Aline 6: see [this](that)%0Ahelp: percent-encode the space"))
    }

    @Test("What ends a command is escaped, other control characters are made visible")
    func escaping() {
        let source = SourceText("x", path: "a\r\n::error::\u{1B}\u{202E},%")
        let diagnostic = Diagnostic(
            "x", .error, "100%, a:b\r\n::error::c\r\u{1B}", SourceRange(start: 0, end: 1), notes: ["%0A"])
        #expect(
            GitHubRenderer().render(Report([FileReport(source, [diagnostic])], fileCount: 1)) == #"""
                ::error file=a%0D%0A%3A%3Aerror%3A%3A\x1b\u{202e}%2C%25,line=1,col=1,endLine=1,endColumn=2,title=x::\#
                100%25, a:b%0D%0A::error::c%0D\x1b%0A%250A
                """#)
    }

    @Test("A note is a notice, and what is not a finding has the properties that it has")
    func others() {
        let note = Report.Note(path: "a:b", message: "100%")
        #expect(GitHubRenderer().render(Report([], fileCount: 1, notes: [note])) == "::notice file=a%3Ab::100%25")
        let renderer = GitHubRenderer()
        #expect(renderer.command(.error, path: nil, message: ["x", "y:z"]) == "::error::x%0Ay:z")
        #expect(
            renderer.command(.warning, path: "f", line: 3, title: "a,b", message: ["x"])
                == "::warning file=f,line=3,title=a%2Cb::x")
    }

    @Test("Nothing found, nothing said")
    func nothing() {
        #expect(GitHubRenderer().render(Report([FileReport(SourceText(""), [])], fileCount: 1)) == "")
    }
}
