import Diagnostics
import Testing

struct TextRendererTests {
    static let plain = TextRenderer(style: TextStyle(isColored: false), width: nil)

    @Test("A report has one block per finding and ends with a summary")
    func report() {
        #expect(
            Self.plain.render(SampleReport.report) == """
                site/apple-app-site-association:5:20: error: app ID 'com.example.app' has no application identifier \
                prefix [invalid-app-id]
                   |
                 5 |         "appIDs": ["com.example.app"],
                   |                    ^^^^^^^^^^^^^^^^^
                   |
                   = note: the prefix is ten letters and digits
                   = note: it is written in front of the bundle ID
                   = help: write 'ABCDE12345.com.example.app'

                site/apple-app-site-association:6:56: warning: key 'comment' is {0} [ignored](here) [unknown-key]
                   |
                 6 |         "components": [{ "/": "/größe/*", "comment": "日本語" }, { "/": "/a b" }],
                   |                                                      ^^^^^^^^

                site/apple-app-site-association:6:81: error: URLs never have ' ' [unencoded-character]
                   |
                 6 |         "components": [{ "/": "/größe/*", "comment": "日本語" }, { "/": "/a b" }],
                   |                                                                            ^
                   |
                   = help: write '%20'

                other,1:100%.json:1:1: error: a page, not an association file [html-instead-of-json]
                   |
                 1 | <!DOCTYPE html>

                Found 3 errors and 1 warning in 2 files. Run 'aasa explain invalid-app-id' for details; 1 fix \
                available with --fix.
                """)
    }

    @Test("On a narrow terminal text is wrapped, and lines of the source are cut around the range")
    func narrow() {
        let renderer = TextRenderer(style: TextStyle(isColored: false), width: 40)
        #expect(
            renderer.render(SampleReport.report) == """
                site/apple-app-site-association:5:20:
                    error: app ID 'com.example.app' has
                    no application identifier prefix
                    [invalid-app-id]
                   |
                 5 | …   "appIDs": ["com.example.app"],
                   |                ^^^^^^^^^^^^^^^^^
                   |
                   = note: the prefix is ten letters and
                           digits
                   = note: it is written in front of the
                           bundle ID
                   = help: write
                           'ABCDE12345.com.example.app'

                site/apple-app-site-association:6:56:
                    warning: key 'comment' is {0}
                    [ignored](here) [unknown-key]
                   |
                 6 | … "comment": "日本語" }, { "/": "/…
                   |              ^^^^^^^^

                site/apple-app-site-association:6:81:
                    error: URLs never have ' '
                    [unencoded-character]
                   |
                 6 | …t": "日本語" }, { "/": "/a b" }],
                   |                            ^
                   |
                   = help: write '%20'

                other,1:100%.json:1:1: error: a page,
                    not an association file
                    [html-instead-of-json]
                   |
                 1 | <!DOCTYPE html>

                Found 3 errors and 1 warning in 2 files.
                Run 'aasa explain invalid-app-id' for
                details; 1 fix available with --fix.
                """)
    }

    @Test("Colors change nothing but the colors, and tell help from notes")
    func colors() {
        let colored = TextRenderer(style: TextStyle(isColored: true), width: nil)
        #expect(
            colored.render(SampleReport.blank, in: SampleReport.source) == [
                "\u{1B}[1msite/apple-app-site-association:6:81:\u{1B}[0m \u{1B}[1m\u{1B}[31merror:\u{1B}[0m\u{1B}[0m "
                    + "URLs never have ' ' \u{1B}[2m[unencoded-character]\u{1B}[0m",
                "   \u{1B}[36m|\u{1B}[0m",
                " \u{1B}[36m6 |\u{1B}[0m         \"components\": [{ \"/\": \"/größe/*\", \"comment\": \"日本語\" }, "
                    + "{ \"/\": \"/a b\" }],",
                "   \u{1B}[36m|\u{1B}[0m" + String(repeating: " ", count: 76) + "\u{1B}[31m^\u{1B}[0m",
                "   \u{1B}[36m|\u{1B}[0m",
                "   \u{1B}[36m=\u{1B}[0m \u{1B}[1m\u{1B}[32mhelp: \u{1B}[0m\u{1B}[0mwrite '%20'",
            ])
        #expect(
            colored.render(SampleReport.appID, in: SampleReport.source)[6]
                == "   \u{1B}[36m=\u{1B}[0m note: it is written in front of the bundle ID")
        for report in [SampleReport.report, SampleReport.fixedReport] {
            for width in [nil, 40, 60] {
                let style = { TextRenderer(style: TextStyle(isColored: $0), width: width) }
                let text = style(true).render(report).replacing(/\u{1B}\[[0-9]+m/, with: "")
                #expect(text == style(false).render(report))
            }
        }
    }

    @Test("The first line is the line of the diagnostic")
    func firstLine() {
        for file in SampleReport.report.files {
            for diagnostic in file.diagnostics {
                let line = Self.plain.render(diagnostic, in: file.source).first
                #expect(line == diagnostic.line(in: file.source))
                #expect(line?.wholeMatch(of: /(.+?):(\d+):(\d+): (error|warning): (.*) \[([a-z0-9-]+)\]/) != nil)
            }
        }
    }

    @Test("Each fix is a line before what is left")
    func fixed() {
        #expect(
            Self.plain.render(SampleReport.fixedReport) == """
                site/apple-app-site-association:6:87: fixed: deleted the comma [trailing-comma]

                site/apple-app-site-association:6:56: warning: key 'comment' is {0} [ignored](here) [unknown-key]
                   |
                 6 |         "components": [{ "/": "/größe/*", "comment": "日本語" }, { "/": "/a b" }],
                   |                                                      ^^^^^^^^

                Fixed 1 finding. Found 1 warning in 1 file. Run 'aasa explain unknown-key' for details.
                """)
    }

    @Test(
        "The summary counts in words",
        arguments: [
            (0, 0, 0, "No files were checked."), (0, 0, 1, "1 file is fine."), (0, 0, 2, "2 files are fine."),
            (1, 0, 1, "Found 1 error in 1 file. Run 'aasa explain a' for details."),
            (0, 2, 1, "Found 2 warnings in 1 file. Run 'aasa explain b' for details."),
            (2, 1, 3, "Found 2 errors and 1 warning in 1 of 3 files. Run 'aasa explain a' for details."),
        ])
    func summary(errors: Int, warnings: Int, files: Int, summary: String) {
        let range = SourceRange(start: 0, end: 0)
        let diagnostics =
            Array(repeating: Diagnostic("b", .warning, "m", range), count: warnings)
            + Array(repeating: Diagnostic("a", .error, "m", range), count: errors)
        let report = Report([FileReport(SourceText(""), diagnostics)], fileCount: files)
        #expect(Self.plain.render(report).split(separator: "\n").last.map(String.init) == summary)
    }

    @Test("The summary says what is ignored, what was fixed, and what can be, and counts configurations apart")
    func remarks() {
        let range = SourceRange(start: 0, end: 1)
        func finding(_ applicability: FixIt.Applicability?) -> Diagnostic {
            let edits = [TextEdit(range: range, replacement: "")]
            let fixIts = applicability.map { [FixIt(title: "t", applicability: $0, edits: edits)] } ?? []
            return Diagnostic("a", .error, "m", range, fixIts: fixIts)
        }
        func summary(_ files: [FileReport], fileCount: Int = 1) -> String? {
            let text = Self.plain.render(Report(files, fileCount: fileCount)).split(separator: "\n").last
            return text.map { String($0).replacing("Run 'aasa explain a' for details", with: "…") }
        }
        let source = SourceText("xy")
        let mixed = FileReport(source, [finding(.automatic), finding(.suggested), finding(.displayOnly), finding(nil)])
        #expect(
            summary([mixed])
                == "Found 4 errors in 1 file. …; 1 fix available with --fix, 1 more with --fix --suggested.")
        #expect(
            summary([FileReport(source, [finding(.suggested), finding(.suggested)])])
                == "Found 2 errors in 1 file. …; 2 fixes available with --fix --suggested.")
        // A converted file is never fixed, and neither is a configuration.
        #expect(
            summary([FileReport(source, [finding(.automatic)], isConverted: true)]) == "Found 1 error in 1 file. ….")
        let configuration = FileReport(source, [finding(.automatic)], isConfiguration: true)
        #expect(summary([configuration]) == "Found 1 error in 1 configuration; 1 file is fine. ….")
        #expect(
            summary([configuration, mixed, configuration], fileCount: 5)
                == "Found 4 errors in 1 of 5 files, and 2 errors in 2 configurations. …; 1 fix available with --fix, "
                + "1 more with --fix --suggested.")
        let ignored = [
            FileReport.Suppressed(finding(nil), reason: "r"), FileReport.Suppressed(finding(nil), reason: "r"),
        ]
        #expect(summary([FileReport(source, [], suppressed: ignored)]) == "1 file is fine (2 findings ignored).")
        #expect(
            summary([FileReport(source, [finding(nil)], suppressed: [ignored[0]])])
                == "Found 1 error in 1 file (1 finding ignored). ….")
    }

    @Test("Notes come before the summary, and neither is in a quiet report")
    func quiet() {
        let range = SourceRange(start: 0, end: 0)
        let report = Report(
            [FileReport(SourceText("{}"), [Diagnostic("a", .error, "m", range)])], fileCount: 1,
            notes: [Report.Note(path: "b", message: "n")])
        #expect(
            Self.plain.render(report) == """
                file:1:1: error: m [a]

                note: b: n
                Found 1 error in 1 file. Run 'aasa explain a' for details.
                """)
        let quiet = TextRenderer(style: TextStyle(isColored: false), width: nil, isQuiet: true)
        #expect(quiet.render(report) == "file:1:1: error: m [a]")
    }

    @Test("The line numbers of a file take as many columns as the longest")
    func gutter() {
        let source = SourceText((1...12).map { "line \($0)" }.joined(separator: "\n"))
        let findings = ["line 9", "line 10"].map { Diagnostic("a", .error, "m", source.range(of: $0)) }
        #expect(
            Self.plain.render(Report([FileReport(source, findings)], fileCount: 1)) == """
                file:9:1: error: m [a]
                    |
                  9 | line 9
                    | ^^^^^^

                file:10:1: error: m [a]
                    |
                 10 | line 10
                    | ^^^^^^^

                Found 2 errors in 1 file. Run 'aasa explain a' for details.
                """)
    }

    @Test("A finding without a range is shown with its file, a named one with its file on its own line")
    func otherSubjects() {
        let code = DiagnosticCode(rawValue: "expires-soon")
        let item = Diagnostic(
            code: code, severity: .critical, message: "com.acme.news expires in 9 days",
            subject: .item("com.acme.news", path: "push/news.p12", index: 0), advice: "renew it", notes: ["n"])
        #expect(
            Self.plain.render(item) == [
                "critical: com.acme.news expires in 9 days [expires-soon]", "  --> push/news.p12", "  = note: n",
                "  = help: renew it",
            ])
        let file = Diagnostic(code: .unnamed, severity: .note, message: "m", subject: .file("a\nb"))
        #expect(Self.plain.render(file) == [#"a\x0ab: note: m"#])
    }

    @Test("Nothing from outside reaches the terminal as a control character")
    func hostile() {
        let source = SourceText("[\"\u{1B}]0;x\u{7}\u{9B}\u{202E}\"]", path: "a\nb:1:1: error: x [y]\u{1B}[2J")
        let diagnostic = Diagnostic(
            "x", .error, "bad\u{1B}[0m\r", SourceRange(start: 1, end: 4), notes: ["a\nb\u{8}"],
            fixIts: [FixIt(title: "\u{0}", applicability: .suggested, edits: [])])
        #expect(
            Self.plain.render(diagnostic, in: source) == [
                #"a\x0ab:1:1: error: x [y]\x1b[2J:1:2: error: bad\x1b[0m\x0d [x]"#,
                "   |", ##" 1 | ["\x1b]0;x\x07\x9b\u{202e}"]"##, "   |  ^^^^^^", "   |",
                #"   = note: a\x0ab\x08"#, #"   = help: \x00"#,
            ])
    }

    @Test(
        "A finding about the file as a whole shows the first line if it is no JSON",
        arguments: [
            ("", nil), ("\n \n", nil), ("{\n}", nil), ("\u{FEFF}{", nil), ("  [1]", nil), ("\u{7F}ELF", nil),
            ("\u{1}\u{2}abc", nil), ("\n\n  <html>\n", " 3 |   <html>"), ("Not found", " 1 | Not found"),
        ])
    func wholeFile(text: String, shown: String?) {
        let diagnostic = Diagnostic("not-json", .error, "m", SourceRange(start: 0, end: 0))
        let lines = Self.plain.render(diagnostic, in: SourceText(text))
        #expect(lines == ["file:1:1: error: m [not-json]"] + (shown.map { ["   |", $0] } ?? []))
    }

    @Test("The width of the terminal may be anything", arguments: [Int.min, -1, 0, 1, 19, 1001, Int.max])
    func odd(width: Int) {
        let renderer = TextRenderer(style: TextStyle(isColored: false), width: width)
        #expect(renderer.render(SampleReport.report).contains("3 errors"))
    }
}
