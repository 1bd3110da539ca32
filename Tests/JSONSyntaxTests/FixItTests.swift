import Diagnostics
import JSONSyntax
import Testing

struct FixItTests {
    static let files: [(text: String, fixed: String)] = [
        ("{\n  “a”: [1,],\n  'b': 2\n  c: “d\",,\n}", "{\n  \"a\": [1],\n  \"b\": 2,\n  \"c\": \"d\"\n}"),
        ("\u{FEFF}[\u{A0}'\t', 'it\\'s \"x\"',,\u{3000}\u{3000}1\n]\n,", "[ \"\\t\", \"it's \\\"x\\\"\",  1\n]\n"),
        ("[1,,,2,,,]", "[1,2]"),
        ("{a:'b' c:'d'}", "{\"a\":\"b\", \"c\":\"d\"}"),
        ("{\"a”: \"b\", “c\": 1 'd': [2 3]}", "{\"a\": \"b\", \"c\": 1, \"d\": [2, 3]}"),
    ]

    @Test("Automatic fixes leave a file without those findings", arguments: files)
    func automatic(text: String, fixed: String) {
        var document = read(text)
        for _ in 0..<3 {
            guard let bytes = applyingAutomaticFixIts(of: document) else { break }
            document = JSONReader.read(bytes, path: "file")
        }
        #expect(String(decoding: document.source.bytes, as: UTF8.self) == fixed)
        #expect(document.findings == [])
    }

    @Test("What is deleted never joins what stands around it")
    func separation() throws {
        for (text, fixed) in [
            ("[1/**/2]", "[1 2]"), ("[true/**/,1]", "[true,1]"), ("{,{}}", "{ {}}"), ("[//x\n1]", "[\n1]"),
        ] {
            let document = read(text)
            let finding = try #require(
                document.findings.first { ["json-comment", "extra-comma"].contains($0.code.rawValue) })
            let result = try #require(finding.fixIts.first).applied(to: document.source.bytes)
            #expect(String(decoding: result, as: UTF8.self) == fixed)
        }
    }
}
