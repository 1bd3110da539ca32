import AppSiteAssociation
import Diagnostics
import Testing

@Suite("A file that is no sound JSON")
struct UnsoundFileTests {
    @Test(
        "is refused, with what is wrong",
        arguments: [
            ("", "empty-file"), (" \n", "empty-file"), (#"{"applinks": {}"#, "unclosed-bracket"),
            (#"{"applinks": {},}"#, "trailing-comma"), (#"{"a": 1 "b": 2}"#, "missing-comma"),
            ("{'a': 1}", "single-quoted-string"), ("// no\n{}", "json-comment"), (#"{"a" 1}"#, "missing-colon"),
            (#"{"a": 01}"#, "invalid-number"), (#"{"a": "\x"}"#, "invalid-escape"), ("{} {}", "extra-content"),
            ("<html></html>", "html-instead-of-json"), (#"{"a": "b"#, "unclosed-string"),
        ])
    func refused(text: String, code: String) throws {
        let error = try #require(throws: AssociationError.self) { try AssociationDocument(text, path: "a/file") }
        #expect(error.code == .unreadable)
        #expect(error.diagnostics.map(\.code.rawValue).contains(code))
        #expect(error.source.path == "a/file")
        #expect(error.description.hasPrefix("a/file:1:") || error.description.hasPrefix("a/file:2:"))
        #expect(error.description.split(separator: "\n").count == error.diagnostics.count)
    }

    @Test(
        "is refused if it is no UTF-8 text",
        arguments: [
            [0x7B, 0x22, 0xFF, 0x22, 0x7D], [0x22, 0xC3], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) throws {
        let error = try #require(throws: AssociationError.self) { try AssociationDocument(bytes) }
        #expect(!error.diagnostics.isEmpty)
        #expect(error.source.path == "apple-app-site-association")
    }

    @Test("is refused if its brackets are too deep, and exhausts no stack", arguments: [1_000, 60_000])
    func depth(levels: Int) throws {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let error = try #require(throws: AssociationError.self) { try AssociationDocument(text) }
        #expect(error.diagnostics.map(\.code.rawValue).contains("nesting-too-deep"))
    }

    @Test("a diagnostic says where")
    func position() throws {
        let error = try #require(throws: AssociationError.self) { try AssociationDocument("{\n  \"applinks\": {},\n}") }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(error.source.position(at: diagnostic.range.start) == SourcePosition(line: 2, column: 17, offset: 18))
    }

    @Test(
        "what is sound is never refused",
        arguments: [
            "{}", "[]", "null", "true", "0", #""text""#, " { } ", #"{"a": {"a": [1e5, -0.0, "\ud83d\ude00"]}}"#,
            #"{"a": 1, "a": 2}"#, "\u{FEFF}{}", "{\"a\":\t\r\n[]}",
        ])
    func sound(text: String) throws {
        let document = try AssociationDocument(text)
        #expect(document.appLinks == nil)
    }

    @Test("a file beyond 128 KB is read")
    func large() throws {
        let paths = Array(repeating: #""/a/path/of/some/length/*""#, count: 10_000).joined(separator: ",")
        let document = try AssociationDocument(#"{"applinks": {"details": [{"appID": "A", "paths": [\#(paths)]}]}}"#)
        #expect(document.source.bytes.count > 131_072)
        #expect(document.appLinks?.details.first?.rules.count == 10_000)
    }
}
