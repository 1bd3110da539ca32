import Diagnostics
import Foundation
import Testing

struct SARIFRendererTests {
    private typealias Object = [String: Any]

    private static func text(_ report: Report) -> String {
        let renderer = SARIFRenderer(
            rules: SampleReport.rules, toolVersion: "0.1.0", root: "/repository", workingDirectory: "/repository/web")
        return renderer.render(report)
    }

    private static func run(_ report: Report) throws -> Object {
        let log = try #require(JSONSerialization.jsonObject(with: Data(text(report).utf8)) as? Object)
        return try #require((log["runs"] as? [Object])?.first)
    }

    private static func results(_ report: Report) throws -> [Object] {
        try #require(run(report)["results"] as? [Object])
    }

    private static func physicalLocation(_ result: Object?) throws -> Object {
        let locations = try #require(result?["locations"] as? [Object])
        #expect(locations.count == 1)
        return try #require(locations.first?["physicalLocation"] as? Object)
    }

    private static func region(_ result: Object?) throws -> Object {
        try #require(try physicalLocation(result)["region"] as? Object)
    }

    private static func uri(_ path: String) throws -> [String: String] {
        let diagnostic = Diagnostic("x", .error, "m", SourceRange(start: 0, end: 0))
        let report = Report([FileReport(SourceText("", path: path), [diagnostic])], fileCount: 1)
        let location = try physicalLocation(results(report).first)["artifactLocation"] as? Object
        return try #require(location).compactMapValues { $0 as? String }
    }

    /// The one result of a finding.
    private static func result(_ diagnostic: Diagnostic, in source: SourceText) throws -> Object {
        let results = try results(Report([FileReport(source, [diagnostic])], fileCount: 1))
        #expect(results.count == 1)
        return try #require(results.first)
    }

    @Test("A report is one run with the tool, all rules and all results")
    func report() {
        let report = Report([FileReport(SampleReport.source, [SampleReport.blank])], fileCount: 1)
        #expect(
            Self.text(report) == #"""
                {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"columnKind":"unicodeCodePoints",\#
                "newlineSequences":["\r\n","\n","\r"],"results":[{"fixes":[{"artifactChanges":[{"artifactLocation":\#
                {"uri":"web/site/apple-app-site-association","uriBaseId":"%SRCROOT%"},"replacements":[\#
                {"deletedRegion":{"byteLength":1,"byteOffset":162,"endColumn":74,"endLine":6,"startColumn":73,\#
                "startLine":6},"insertedContent":{"text":"%20"}}]}],"description":{"text":"write '%20'"}}],\#
                "level":"error","locations":[{"logicalLocations":[{"fullyQualifiedName":\#
                "/applinks/details/0/components/1/~1"}],"physicalLocation":{"artifactLocation":\#
                {"uri":"web/site/apple-app-site-association","uriBaseId":"%SRCROOT%"},"region":{"byteLength":1,\#
                "byteOffset":162,"endColumn":74,"endLine":6,"snippet":{"text":" "},"startColumn":73,"startLine":6}}}],\#
                "message":{"text":"URLs never have ' '"},\#
                "partialFingerprints":{"codePointerValue/v1":"ad3a2a4f8a35e1af:1"},"ruleId":"unencoded-character"}],\#
                "tool":{"driver":{"name":"aasa","rules":[{"defaultConfiguration":{"enabled":false,"level":"warning"},\#
                "fullDescription":{"text":"The system ignores it, such as '*_*'."},"help":{"markdown":\#
                "The system ignores it, such as '\\*\\_\\*'.\n\nThis is reported:\n\n````json\n{ \"a\": \"```\" }\n````\#
                \n\nThis is not:\n\n```json\n{}\n```","text":"The system ignores it, such as '*_*'.\n\n\#
                This is reported:\n\n{ \"a\": \"```\" }\n\nThis is not:\n\n{}"},"id":"unknown-key",\#
                "properties":{"basis":["recorded","lint"]},"shortDescription":{"text":"a key that no system knows"}},\#
                {"defaultConfiguration":{"level":"error"},"fullDescription":{"text":"It names no app."},"help":\#
                {"markdown":"It names no app.\n\nThis is reported:\n\n```json\n[]\n```\n\nThis is not:\n\n```json\n{}\#
                \n```","text":"It names no app.\n\nThis is reported:\n\n[]\n\nThis is not:\n\n{}"},\#
                "id":"invalid-app-id","properties":{"basis":["apple"]},\#
                "shortDescription":{"text":"an app ID without its prefix"}}],"semanticVersion":"0.1.0",\#
                "version":"0.1.0"}}}],"version":"2.1.0"}
                """#)
    }

    @Test("A result names its rule, its level and what is said")
    func rules() throws {
        let results = try Self.results(SampleReport.report)
        #expect(
            results.map { $0["ruleId"] as? String } == [
                "invalid-app-id", "unknown-key", "unencoded-character", "html-instead-of-json",
            ])
        #expect(results.map { $0["ruleIndex"] as? Int } == [1, 0, nil, nil])
        #expect(results.map { $0["level"] as? String } == ["error", "warning", "error", "error"])
        let messages = results.map { ($0["message"] as? Object)?["text"] as? String }
        #expect(
            messages[0] == """
                app ID 'com.example.app' has no application identifier prefix
                the prefix is ten letters and digits
                it is written in front of the bundle ID
                """)
        // No placeholder, no link.
        #expect(messages[1] == #"key 'comment' is {{0}} \[ignored\](here)"#)
    }

    @Test(
        "Only placeholders and links are escaped in messages",
        arguments: [
            ("{a} {} {1a} { 1} {", "{a} {} {1a} { 1} {"), ("{12}{{3}", "{{12}}{{{3}}"),
            ("'[a-z]' ('b')", "'[a-z]' ('b')"),
            ("[a](b) [c]", #"\[a\](b) \[c\]"#), ("größe {0}", "größe {{0}}"),
        ])
    func messages(text: String, escaped: String) throws {
        let result = try Self.result(
            Diagnostic("x", .error, text, SourceRange(start: 0, end: 0)), in: SourceText(""))
        #expect((result["message"] as? Object)?["text"] as? String == escaped)
    }

    @Test("Labels are messages of locations")
    func labels() throws {
        let result = try Self.result(SampleReport.labelled, in: SampleReport.source)
        let locations = try #require(result["locations"] as? [Object])
        #expect((locations.first?["message"] as? Object)?["text"] as? String == "a space")
        let related = try #require(result["relatedLocations"] as? [Object])
        #expect(related.count == 1)
        #expect((related.first?["message"] as? Object)?["text"] as? String == #"see \[this\](that)"#)
        let physical = try #require(related.first?["physicalLocation"] as? Object)
        #expect((physical["region"] as? Object)?["startLine"] as? Int == 6)
    }

    @Test("Fixes are those that need nobody to fill them in")
    func fixes() throws {
        let results = try Self.results(SampleReport.report)
        #expect(results.map { ($0["fixes"] as? [Object])?.count } == [nil, nil, 1, nil])
        let range = SourceRange(start: 1, end: 2)
        let fixIts: [FixIt] = [
            FixIt(title: "save as UTF-8", applicability: .suggested, edits: []),
            FixIt(
                title: "delete", applicability: .suggested,
                edits: [
                    TextEdit(range: range, replacement: ""),
                    TextEdit(range: SourceRange(start: 3, end: 3), replacement: "x"),
                ]),
        ]
        let result = try Self.result(
            Diagnostic("x", .error, "m", range, fixIts: fixIts), in: SourceText("abcdef"))
        let fixes = try #require(result["fixes"] as? [Object])
        #expect(fixes.count == 1)
        let change = try #require((fixes.first?["artifactChanges"] as? [Object])?.first)
        let replacements = try #require(change["replacements"] as? [Object])
        #expect(replacements.map { $0["insertedContent"] as? [String: String] } == [nil, ["text": "x"]])
        #expect(
            replacements.last?["deletedRegion"] as? [String: Int] == [
                "startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 4, "byteOffset": 3, "byteLength": 0,
            ])
    }

    @Test("A text that was made from the file has neither its offsets nor fixes")
    func converted() throws {
        let report = Report(
            [FileReport(SampleReport.source, [SampleReport.blank], isConverted: true)], fileCount: 1)
        let result = try #require(try Self.results(report).first)
        #expect(result["fixes"] == nil)
        #expect(
            try Set(Self.region(result).keys) == ["startLine", "startColumn", "endLine", "endColumn", "snippet"])
    }

    @Test(
        "Columns count code points, offsets bytes",
        arguments: [
            ("é日😀x", 9, 10, [1, 4, 1, 5, 9, 1]), ("e\u{301}x", 3, 4, [1, 3, 1, 4, 3, 1]),
            ("a\r\né\rx", 6, 7, [3, 1, 3, 2, 6, 1]), ("é\né", 0, 5, [1, 1, 2, 2, 0, 5]),
            ("é", 2, 2, [1, 2, 1, 2, 2, 0]), ("é", 5, 9, [1, 2, 1, 2, 2, 0]), ("abc", 1, 3, [1, 2, 1, 4, 1, 2]),
            ("", 0, 0, [1, 1, 1, 1, 0, 0]), ("é", -3, -1, [1, 1, 1, 1, 0, 0]), ("éa", 2, 0, [1, 2, 1, 2, 2, 0]),
        ])
    func columns(text: String, start: Int, end: Int, numbers: [Int]) throws {
        let result = try Self.result(
            Diagnostic("x", .error, "m", SourceRange(start: start, end: end)), in: SourceText(text))
        let region = try Self.region(result)
        let names = ["startLine", "startColumn", "endLine", "endColumn", "byteOffset", "byteLength"]
        #expect(names.map { region[$0] as? Int } == numbers)
    }

    @Test("Columns are right in a long line, also behind bytes that are no UTF-8")
    func longLine() throws {
        let unit: [UInt8] = Array("aé日😀".utf8) + [0xFF, 0xE2, 0x82]
        let bytes = (0..<500).flatMap { _ in unit }
        let source = SourceText(Array("é\n".utf8) + bytes + Array("x".utf8), path: "file")
        for number in [0, 1, 9, 63, 64, 65, 127, 128, 499, 500] {
            let start = 3 + number * unit.count
            let result = try Self.result(
                Diagnostic("x", .error, "m", SourceRange(start: start, end: start + 1)), in: source)
            let region = try Self.region(result)
            #expect(region["startColumn"] as? Int == number * 7 + 1)
            #expect(region["endColumn"] as? Int == number * 7 + 2)
        }
    }

    @Test("The text of a range is shown if it is short")
    func snippets() throws {
        for (length, isShown) in [(0, false), (1, true), (256, true), (257, false)] {
            let result = try Self.result(
                Diagnostic("x", .error, "m", SourceRange(start: 0, end: length)),
                in: SourceText(String(repeating: "x", count: 300)))
            let text = (try Self.region(result)["snippet"] as? Object)?["text"] as? String
            #expect(text == (isShown ? String(repeating: "x", count: length) : nil))
        }
    }

    @Test(
        "A path in the root is relative to it",
        arguments: [
            ("a/b", "web/a/b"), ("./a//b/./c/", "web/a/b/c"), ("../a", "a"), ("/repository/a", "a"),
            ("/repository/web/../a b,é:%#?.json", "a%20b%2C%C3%A9%3A%25%23%3F.json"), ("a\nb\u{1B}", "web/a%0Ab%1B"),
        ])
    func inside(path: String, uri: String) throws {
        #expect(try Self.uri(path) == ["uri": uri, "uriBaseId": "%SRCROOT%"])
    }

    @Test(
        "A path elsewhere is a file URI",
        arguments: [
            ("/etc/a b", "file:///etc/a%20b"), ("../../a", "file:///a"), ("../../../../a", "file:///a"),
            ("/repository2/a", "file:///repository2/a"), ("..", "file:///repository"), ("", "web"),
        ])
    func outside(path: String, uri: String) throws {
        #expect(try Self.uri(path)["uri"] == uri)
        #expect(try Self.uri(path)["uriBaseId"] == (uri.hasPrefix("file:") ? nil : "%SRCROOT%"))
    }

    @Test(
        "Without a root relative paths stay as they are",
        arguments: [
            ("./a//b/../c", "a/c"), ("../../a", "../../a"), ("a/../../b:c", "../b%3Ac"), ("/etc/../a", "file:///a"),
            ("/../a", "file:///a"),
        ])
    func noRoot(path: String, uri: String) throws {
        let diagnostic = Diagnostic("x", .error, "m", SourceRange(start: 0, end: 0))
        let report = Report([FileReport(SourceText("", path: path), [diagnostic])], fileCount: 1)
        let text = SARIFRenderer(rules: [], toolVersion: "1").render(report)
        #expect(text.contains("\"uri\":\"\(uri)\""))
        #expect(text.contains("SRCROOT") == !uri.hasPrefix("file:"))
    }

    @Test("what is on the web has its URL, and what is not about a text has no region")
    func webLocations() throws {
        #expect(
            try Self.uri("https://h.example/a b?x=\u{FC}#[y]") == ["uri": "https://h.example/a%20b?x=%C3%BC#[y]"])
        let diagnostic = Diagnostic(
            code: DiagnosticCode(rawValue: "x"), severity: .error, message: "m",
            subject: .item("h.example", path: nil, index: nil))
        let report = Report([FileReport(SourceText("", path: "https://h.example/"), [diagnostic])], fileCount: 1)
        #expect(try Self.physicalLocation(Self.results(report).first).keys.sorted() == ["artifactLocation"])
    }

    @Test("Standard input has no place among the files")
    func standardInput() throws {
        #expect(try Self.uri("<standard input>") == ["uri": "%3Cstandard%20input%3E"])
    }

    @Test("A finding keeps its fingerprint when its line moves, and loses it with its value")
    func fingerprints() throws {
        func fingerprints(_ text: String, _ parts: [(String, String?)]) throws -> [String?] {
            let source = SourceText(text)
            let diagnostics = parts.map { part, pointer in
                Diagnostic("x", .error, "m", source.range(of: part), pointer: pointer)
            }
            return try Self.results(Report([FileReport(source, diagnostics)], fileCount: 1)).map {
                ($0["partialFingerprints"] as? [String: String])?["codePointerValue/v1"]
            }
        }
        let first = try fingerprints("{\"a\": 1}", [("1", "/a")])
        #expect(try fingerprints("\n\n{ \"b\": 2, \"a\": 1}", [("1", "/a")]) == first)
        #expect(try fingerprints("{\"a\": 2}", [("2", "/a")]) != first)
        #expect(try fingerprints("{\"b\": 1}", [("1", "/b")]) != first)
        #expect(try fingerprints("[,]", [(",", nil), (",", nil)]).compactMap { $0?.suffix(2) } == [":1", ":2"])
    }

    @Test("Once a result is suppressed, all say whether they are")
    func suppressions() throws {
        let report = Report(
            [
                FileReport(
                    SampleReport.source, [SampleReport.appID],
                    suppressed: [FileReport.Suppressed(SampleReport.blank, reason: "known since 2020")])
            ], fileCount: 1)
        let results = try Self.results(report)
        #expect(
            results.map { $0["suppressions"] as? [[String: String]] } == [
                [], [["kind": "external", "justification": "known since 2020"]],
            ])
        #expect(try Self.results(SampleReport.report).allSatisfy { $0["suppressions"] == nil })
    }
}
