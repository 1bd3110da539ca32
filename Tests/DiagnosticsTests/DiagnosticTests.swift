import Diagnostics
import Testing

struct DiagnosticTests {
    @Test("Severities are ordered, the worst last")
    func severities() {
        #expect(Severity.allCases.reversed().sorted() == [.note, .warning, .error, .critical])
        #expect([Severity.error, .critical, .note].max() == .critical)
    }

    @Test("What to do is the advice, or the title of the first fix")
    func help() {
        var diagnostic = SampleReport.blank
        #expect(diagnostic.help == "write '%20'")
        diagnostic.advice = "percent-encode the space"
        #expect(diagnostic.help == "percent-encode the space")
        #expect(diagnostic.logText == "URLs never have ' ' [unencoded-character]; help: percent-encode the space")
        #expect(SampleReport.unknownKey.help == nil)
        #expect(SampleReport.unknownKey.logText == "key 'comment' is {0} [ignored](here) [unknown-key]")
    }

    @Test("A finding is about a text, a file, or something with a name")
    func subjects() {
        let code = DiagnosticCode(rawValue: "expires-soon")
        let item = Diagnostic(
            code: code, severity: .critical, message: "com.acme.news expires in 9 days",
            subject: .item("com.acme.news", path: "push/news.p12", index: 0))
        #expect(item.line == "push/news.p12: critical: com.acme.news expires in 9 days [expires-soon]")
        #expect(item.path == "push/news.p12")
        #expect(item.range == SourceRange(start: 0, end: 0))
        let file = Diagnostic(
            code: .unnamed, severity: .error, message: "permission denied", subject: .file("sites/a.example"))
        #expect(file.line == "sites/a.example: error: permission denied")
        #expect(file.logText == "permission denied")
        #expect(
            JSONOutput.object(file.members).text == #"""
                {"code":null,"fixIts":[],"message":"permission denied","notes":[],"path":"sites/a.example",\#
                "pointer":null,"range":null,"severity":"error"}
                """#)
        #expect(SampleReport.appID.path == nil)
        #expect(
            SampleReport.unknownKey.line(in: SampleReport.source)
                == "site/apple-app-site-association:6:56: warning: key 'comment' is {0} [ignored](here) [unknown-key]")
    }
}
