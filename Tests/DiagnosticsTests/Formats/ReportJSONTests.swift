import Diagnostics
import Testing

struct ReportJSONTests {
    private static let unknownKey = #"""
        "code":"unknown-key","fixIts":[],"message":"key 'comment' is {0} [ignored](here)","notes":[],\#
        "path":"site/apple-app-site-association","pointer":"/applinks/details/0/components/0/comment",\#
        "range":{"end":{"column":67,"line":6,"offset":148},"start":{"column":56,"line":6,"offset":137}},\#
        "severity":"warning"
        """#

    private static let fixed = #"""
        {"code":"trailing-comma","fix":"delete the comma","fixIts":[{"applicability":"automatic",\#
        "edits":[{"end":169,"replacement":"","start":168}],"title":"delete the comma"}],\#
        "message":"comma with nothing behind it","notes":[],"path":"site/apple-app-site-association","pointer":null,\#
        "range":{"end":{"column":88,"line":6,"offset":169},"start":{"column":87,"line":6,"offset":168}},\#
        "severity":"error"}
        """#

    private func json(_ report: Report, showsFixed: Bool = false) -> String {
        JSONOutput.object(report.members(showsFixed: showsFixed)).text
    }

    @Test("A report is one object")
    func object() {
        #expect(
            json(SampleReport.report) == #"""
                {"diagnostics":[\#
                {"code":"invalid-app-id","fixIts":[{"applicability":"displayOnly",\#
                "edits":[{"end":79,"replacement":"\"ABCDE12345.com.example.app\"","start":62}],\#
                "title":"write 'ABCDE12345.com.example.app'"}],\#
                "message":"app ID 'com.example.app' has no application identifier prefix",\#
                "notes":["the prefix is ten letters and digits","it is written in front of the bundle ID"],\#
                "path":"site/apple-app-site-association","pointer":"/applinks/details/0/appIDs/0",\#
                "range":{"end":{"column":37,"line":5,"offset":79},"start":{"column":20,"line":5,"offset":62}},\#
                "severity":"error"},\#
                {\#(Self.unknownKey)},\#
                {"code":"unencoded-character","fixIts":[{"applicability":"automatic",\#
                "edits":[{"end":163,"replacement":"%20","start":162}],"title":"write '%20'"}],\#
                "message":"URLs never have ' '","notes":[],"path":"site/apple-app-site-association",\#
                "pointer":"/applinks/details/0/components/1/~1",\#
                "range":{"end":{"column":82,"line":6,"offset":163},"start":{"column":81,"line":6,"offset":162}},\#
                "severity":"error"},\#
                {"code":"html-instead-of-json","fixIts":[],"message":"a page, not an association file","notes":[],\#
                "path":"other,1:100%.json","pointer":null,\#
                "range":{"end":{"column":1,"line":1,"offset":0},"start":{"column":1,"line":1,"offset":0}},\#
                "severity":"error"}],\#
                "fixable":{"automatic":1,"suggested":0},"ignored":0,"notes":[],\#
                "summary":{"errors":3,"files":2,"warnings":1},"tool":"aasa","version":1}
                """#)
    }

    @Test("Advice and labels are there where a finding has them")
    func labels() {
        let report = Report([FileReport(SampleReport.source, [SampleReport.labelled])], fileCount: 1)
        let text = json(report)
        #expect(
            text.contains(
                #"""
                "help":"percent-encode the space","label":"a space","labels":[{"range":\#
                {"end":{"column":67,"line":6,"offset":148},"start":{"column":56,"line":6,"offset":137}},\#
                "text":"see [this](that)"}],"message":"URLs never have ' '"
                """#))
    }

    @Test("What was fixed is listed only if it is asked for")
    func fixes() {
        let start = "{\"diagnostics\":[{\(Self.unknownKey)}],"
        let end =
            #""fixable":{"automatic":0,"suggested":0},"ignored":0,"notes":[],"summary":{"errors":0,"files":1,"warnings":1},"tool":"aasa","version":1}"#
        #expect(json(SampleReport.fixedReport) == start + end)
        #expect(
            json(SampleReport.fixedReport, showsFixed: true)
                == start
                + end.replacing("\"ignored\"", with: "\"fixed\":[\(Self.fixed)],\"ignored\""))
        #expect(
            json(Report([], fileCount: 0), showsFixed: true)
                == #"""
                {"diagnostics":[],"fixable":{"automatic":0,"suggested":0},"fixed":[],"ignored":0,"notes":[],\#
                "summary":{"errors":0,"files":0,"warnings":0},"tool":"aasa","version":1}
                """#
        )
    }

    @Test("As lines a report has an object a finding, then the summary")
    func lines() {
        let summary =
            #""ignored":0,"notes":[],"summary":{"errors":0,"files":1,"warnings":1},"tool":"aasa","version":1}"#
        #expect(
            SampleReport.fixedReport.jsonLines()
                == "{\(Self.unknownKey),\"version\":1}\n{\"fixable\":{\"automatic\":0,\"suggested\":0}," + summary)
        #expect(
            SampleReport.fixedReport.jsonLines(showsFixed: true)
                == "{\(Self.unknownKey),\"version\":1}\n{\"fixable\":{\"automatic\":0,\"suggested\":0},"
                + "\"fixed\":[\(Self.fixed)]," + summary)
        #expect(SampleReport.report.jsonLines().split(separator: "\n").count == 5)
    }

    @Test("A line of text is a line, whatever a file has in it")
    func escaping() {
        let diagnostic = Diagnostic(
            "x", .error, "\u{1B}\n\u{2028}\u{9B}\u{202E}\u{E0041}", SourceRange(start: 0, end: 0), notes: ["a\r\nb"])
        let report = Report([FileReport(SourceText("", path: "a\nb"), [diagnostic])], fileCount: 1)
        for text in [json(report), report.jsonLines()] {
            #expect(
                text.contains(#""message":"\u001b\n\u2028\u009b\u202e\udb40\udc41","notes":["a\r\nb"],"path":"a\nb""#))
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
        }
    }
}
