import Diagnostics
import FuzzingSupport
import JSONSyntax
import Testing

struct ValidTextTests {
    static let validTexts = [
        "{}", "[]", "null", "true", "false", "0", "\"\"", " \t\r\n[ \t\r\n] \t\r\n",
        "[0, -0, 1, -1, 10, 1.5, -0.5, 0e0, 1E5, 1e+5, 1e-5, 123456789012345678901234567890, 1.0E-10]",
        #"["\"\\\/\b\f\n\r\t", "\u0000", "\u00e9\u00E9", "\ud83d\ude00", "\uFFFF", "\uD7FF\uE000"]"#,
        "[\"é\u{7F}\u{A0}\u{2028}\u{FEFF}😀\"]",
        #"{"": {"": [[[]]]}, "a": [{}, {}]}"#,
        // What is a mistake outside of strings is none inside.
        ##"["// x", "/* x */", "# x", "{{ x }}", "{% x %}", "<% x %>", "${x}", "a, b", "'a'", "\ufeff"]"##,
        #"["“a”", "say “hi”: no", "“a”, b", "it’s", "a: [“b”]"]"#,
        "{\"a\":\"“b”, \",\"c\":1}",
        #"["<<<<<<<", "=======", ">>>>>>>"]"#,
        "{\"a\": \"b\",\n \"-----\": \"<html>\"}",
        #"["relation", {"relations": 1}]"#,
        #"{"a": {"x": 1}, "b": {"x": 1}, "A": 1}"#,
        "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"K\": 3, \"\u{212A}\": 4}",
        String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
    ]

    @Test("A valid text has no findings", arguments: validTexts)
    func valid(text: String) {
        let document = read(text)
        #expect(document.findings == [])
        #expect(document.root != nil)
        #expect(document.isTreeReliable)
        #expect(document.isUsableWithoutRepairs)
        #expect(StrictJSON.accepts(Array(text.utf8)))
    }

    static let invalidTexts = [
        "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[}", "{]", "[1}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{,}", "{1:1}", "{a:1}", "{\"a\" 1}", "{\"a\"=1}", "{\"a\":1 \"b\":2}", "[1]]",
        "[1][2]",
        "tru", "True", "nul", "nulll", "-", "+1", "01", "-01", "1.", ".1", "1.e1", "1e", "1e+", "0x1", "1_0", "NaN",
        "Infinity", "\"", "\"a", "'a'", "\"\\\"", #""\a""#, #""\u""#, #""\u123""#, #""\u123g""#, #""\U0041""#,
        #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800a""#, "\"\n\"", "\"\t\"", "\"\u{0}\"", "[1]\u{0}",
        "\u{0}", "[\u{A0}1]", "[1]\u{2028}", "[\u{B}1]", "[1]//", "[1]/**/", "#\n[1]", "\u{FEFF}\u{FEFF}[]",
        "[\u{FEFF}]",
        String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
    ]

    @Test("A text that is not valid has an error", arguments: invalidTexts)
    func invalid(text: String) {
        let document = read(text)
        #expect(document.findings.contains { $0.severity == .error })
        #expect(!document.isUsableWithoutRepairs)
        #expect(!StrictJSON.accepts(Array(text.utf8)))
    }

    @Test("Values are what the text says")
    func values() throws {
        let document = read(#"{"a": [null, true, false, -1.50E+2, "x\ny\u00e9\ud83d\ude00\/"], "b": {"": {}}}"#)
        #expect(
            document.root?.outline == "{\"a\":[null,true,false,-1.50E+2,\"x\\ny\u{E9}\u{1F600}/\"],\"b\":{\"\":{}}}")
        let object = try #require(document.root?.object)
        #expect(object["a"]?.array?.count == 5)
        #expect(object["a"]?.array?[1].boolean == true)
        #expect(object["c"] == nil)
    }

    @Test("Every value and key knows where it stands")
    func ranges() throws {
        let document = read(#" {"é" : [12, "ab", [ ] ], "c":true}"#)
        let root = try #require(document.root)
        #expect(document.text(root.range) == #"{"é" : [12, "ab", [ ] ], "c":true}"#)
        let members = try #require(root.object?.members)
        #expect(members.map { document.text($0.keyRange) } == [#""é""#, #""c""#])
        #expect(members.map { document.text($0.key.content) } == ["é", "c"])
        #expect(members.map { document.text($0.value.range) } == [#"[12, "ab", [ ] ]"#, "true"])
        #expect(members[0].value.array?.map { document.text($0.range) } == ["12", #""ab""#, "[ ]"])
    }

    @Test("All members are kept, and of equal keys the last one counts")
    func equalKeys() {
        let object = read(#"{"a": 1, "b": 2, "a": 3}"#).root?.object
        #expect(object?.members.map(\.key.text) == ["a", "b", "a"])
        #expect(object?["a"]?.outline == "3")
    }

    @Test("Keys are compared byte by byte")
    func keysByBytes() {
        let object = read("{\"\u{E9}\": 1, \"e\u{301}\": 2}").root?.object
        #expect(object?["\u{E9}"]?.outline == "1")
        #expect(object?["e\u{301}"]?.outline == "2")
    }
}
