import Diagnostics
import JSONSyntax
import Testing

/// The messages that people read about the syntax.
struct MessageTests {
    @Test(
        "A finding says what is wrong in the words that people search for",
        arguments: [
            ("[1,]", "trailing comma"), ("[,1]", "unexpected comma: expected a value or a key"),
            ("[1 2]", "missing comma before '2'"), (#"{"a" 1}"#, #"missing colon after key '"a"'"#),
            (#"{"a" => 1}"#, "expected ':' after the key, found '=>'"), (#"{"a":}"#, "missing value after the colon"),
            ("{1}", "missing key before '1'"), (#"["a": 1]"#, "key and value in an array: only objects have keys"),
            ("[1 // x\n]", "comments are not allowed in JSON"), ("[", "'[' is never closed"), ("[]]", "unmatched ']'"),
            ("[True]", "value 'True' is not a JSON literal"), ("[abc]", "value 'abc' is not in quotation marks"),
            ("[01]", "'01' is not a valid JSON number"), (#"["\q"]"#, #"'\q' is not a valid JSON escape"#),
            ("Not found", "the file is not valid JSON: it starts with 'Not found'"),
            (
                "<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on line <b>3</b><br />\n{}",
                "the file begins with a message of PHP, not with JSON: "
                    + "'Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on …'"
            ),
            (
                "\nDeprecated: old in /a.php on line 3\n{}",
                "the file begins with a message of PHP, not with JSON: 'Deprecated: old in /a.php on line 3'"
            ),
            ("Warning: low on paper", "the file is not valid JSON: it starts with 'Warning: low on paper'"),
            ("export default ({ config }) => ({ ...config })", "the file is JavaScript or TypeScript, not JSON"),
            ("module.exports = {}", "the file is JavaScript or TypeScript, not JSON"),
            ("<?xml version='1.0'?>\n<widget id=\"a.b\"/>", "the file is Cordova's config.xml, not JSON"),
            ("<resources>\n</resources>", "the file has resources of an Android app, not JSON"),
            (
                "<?xml version=\"1.0\"?>\n<resources/>", "the file has resources of an Android app, not JSON"
            ),
            ("<br />\n{}", "the file is an HTML or XML page: it starts with '<br />'"),
            ("{} x", "unexpected text after the JSON value: 'x'"),
            ("{}\n{\n  \"a\": 1\n}", "unexpected text after the JSON value: '{…'"),
            ("\"applinks\": {\n}", #"missing '{' before '"applinks"'"#),
            ("[\"a\nb\"]", "a string cannot contain a line break"),
            ("{\"a\": \"b,\n\"c\": 1}", #"string '"b,' is not closed before the end of the line"#),
        ])
    func messages(text: String, message: String) {
        #expect(read(text).findings.map(\.message).contains(message))
    }

    @Test("A URL without a key is what 'include' is for")
    func urlAlone() {
        for scheme in ["https", "http"] {
            let finding = read(#"[{ "\#(scheme)://shop.example/.well-known/assetlinks.json" }]"#).findings.first
            #expect(finding?.fixIts.first?.title.hasPrefix("write 'include' before the URL") == true)
        }
        #expect(read(#"[{ "a" }]"#).findings.first?.fixIts.first?.title == "write a colon and a value")
    }

    @Test(
        "A key that appears twice points at the first one",
        arguments: [("{\"a\": 1, \"a\": 2}", "1:2"), ("{\n  \"a\": 1,\n  \"a\": 2\n}", "2:3")])
    func duplicateKey(text: String, position: String) throws {
        let document = read(text)
        let label = try #require(document.findings.first?.labels.first)
        let start = document.source.position(at: label.range.start)
        #expect("\(start.line):\(start.column)" == position)
        #expect(document.text(label.range) == "\"a\"")
        #expect(label.text == "first used here")
    }

    @Test("A bracket that is not closed points at where that shows")
    func unclosedBracket() throws {
        let document = read("{\n  \"a\": [1\n}")
        let finding = try #require(document.findings.first)
        #expect(finding.message == "'[' is not closed before '}' on line 3")
        #expect(finding.labels.map { document.text($0.range) } == ["}"])
        #expect(finding.labels.first?.text == "expected ']' before this")
    }

    @Test("What to do about a conflict or a template is advice, as no fix can do it")
    func advice() {
        #expect(read("<<<<<<< HEAD\n{}").findings.first?.help == "resolve the conflict, then remove its markers")
        #expect(
            read("[{{ x }}]").findings.first?.help
                == "validate the file that is generated from the template, not the template itself")
    }

    @Test("Findings that are not kept are counted")
    func omitted() {
        let note = { (count: Int) in read("[" + String(repeating: "@1,", count: count) + "1]").findings.last?.notes.last
        }
        #expect(note(30)?.hasSuffix("more syntax findings are not shown") == true)
        #expect(note(3) == nil)
    }
}
