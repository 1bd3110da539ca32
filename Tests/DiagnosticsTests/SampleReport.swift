import Diagnostics

extension Diagnostic {
    init(
        _ code: String, _ severity: Severity, _ message: String, _ range: SourceRange, pointer: String? = nil,
        notes: [String] = [], fixIts: [FixIt] = []
    ) {
        self.init(
            code: DiagnosticCode(rawValue: code), severity: severity, message: message, range: range,
            pointer: pointer, notes: notes, fixIts: fixIts)
    }
}

extension SourceText {
    init(_ text: String, path: String = "file") {
        self.init(Array(text.utf8), path: path)
    }

    /// The range of the first place where a text is; the beginning if there is none.
    func range(of text: String) -> SourceRange {
        let part = Array(text.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: part) }
        return SourceRange(start: start ?? 0, end: start.map { $0 + part.count } ?? 0)
    }
}

/// Two files with all that a report can have.
enum SampleReport {
    static let source = SourceText(
        """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["com.example.app"],
                "components": [{ "/": "/größe/*", "comment": "日本語" }, { "/": "/a b" }],
              }
            ]
          }
        }

        """, path: "site/apple-app-site-association")

    static let page = SourceText(
        "<!DOCTYPE html>\n<title>Not found</title>\n", path: "other,1:100%.json")

    static var report: Report {
        Report(
            [
                FileReport(source, [appID, unknownKey, blank]),
                FileReport(
                    page,
                    [
                        Diagnostic(
                            "html-instead-of-json", .error, "a page, not an association file",
                            SourceRange(start: 0, end: 0))
                    ]),
            ], fileCount: 2)
    }

    static var appID: Diagnostic {
        let range = source.range(of: "\"com.example.app\"")
        let edit = TextEdit(range: range, replacement: "\"ABCDE12345.com.example.app\"")
        return Diagnostic(
            "invalid-app-id", .error, "app ID 'com.example.app' has no application identifier prefix", range,
            pointer: "/applinks/details/0/appIDs/0",
            notes: ["the prefix is ten letters and digits", "it is written in front of the bundle ID"],
            fixIts: [
                FixIt(title: "write 'ABCDE12345.com.example.app'", applicability: .displayOnly, edits: [edit])
            ])
    }

    static var unknownKey: Diagnostic {
        Diagnostic(
            "unknown-key", .warning, "key 'comment' is {0} [ignored](here)", source.range(of: "\"日本語\""),
            pointer: "/applinks/details/0/components/0/comment")
    }

    /// A finding with all that one can have.
    static var labelled: Diagnostic {
        var diagnostic = blank
        diagnostic.advice = "percent-encode the space"
        diagnostic.label = "a space"
        diagnostic.labels = [Diagnostic.Label(source.range(of: "\"日本語\""), "see [this](that)")]
        return diagnostic
    }

    static var blank: Diagnostic {
        let word = source.range(of: " b\"")
        let range = SourceRange(start: word.start, end: word.start + 1)
        return Diagnostic(
            "unencoded-character", .error, "URLs never have ' '", range,
            pointer: "/applinks/details/0/components/1/~1",
            fixIts: [
                FixIt(
                    title: "write '%20'", applicability: .automatic,
                    edits: [TextEdit(range: range, replacement: "%20")])
            ])
    }

    static var fixedReport: Report {
        let place = source.range(of: ",\n      }")
        let range = SourceRange(start: place.start, end: place.start + 1)
        let fixIt = FixIt(
            title: "delete the comma", applicability: .automatic, edits: [TextEdit(range: range, replacement: "")])
        let comma = Diagnostic(
            "trailing-comma", .error, "comma with nothing behind it", range, fixIts: [fixIt])
        let fixed = FileReport.Fixed(
            comma, start: source.position(at: range.start), end: source.position(at: range.end),
            fixIt: fixIt)
        return Report([FileReport(source, [unknownKey], fixed: [fixed])], fileCount: 1)
    }

    static let rules = [
        RuleDescription(
            "unknown-key", .warning, isOnByDefault: false, summary: "a key that no system knows",
            reason: "The system ignores it, such as '*_*'.", basis: [.recorded, .lint],
            bad: "{ ⟦\"a\"⟧: \"```\" }", good: "{}"),
        RuleDescription(
            "invalid-app-id", .error, summary: "an app ID without its prefix", reason: "It names no app.",
            basis: [.apple], fix: .displayOnly, bad: "[]", good: "{}"),
    ]
}
