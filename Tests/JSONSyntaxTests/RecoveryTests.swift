import Diagnostics
import JSONSyntax
import Testing

struct RecoveryTests {
    static let cases: [(text: String, findings: [String])] = [
        (
            "{\n  “a”: [1,],\n  'b': 2\n  c: 3,, // x\n}",
            [
                "curly-quote 2:3", "trailing-comma 2:14", "missing-comma 3:9", "single-quoted-string 3:3",
                "unquoted-key 4:3", "extra-comma 4:8", "trailing-comma 4:7", "json-comment 4:10",
            ]
        ),
        // One slip is one finding: the rest is skipped up to the next comma or the closing bracket.
        (#"{"a": new Date(1, 2), "b": [1,]}"#, ["unquoted-value 1:7", "missing-key 1:19", "trailing-comma 1:30"]),
        (#"{"a": foo bar baz, "b": 01 02}"#, ["unquoted-value 1:7", "invalid-number 1:25"]),
        (#"{"a" "b" "c", "d" 1}"#, ["missing-colon 1:5", "missing-colon 1:18"]),
        (#"[1 @ # $ ] {"#, ["unexpected-character 1:4", "json-comment 1:6", "unclosed-bracket 1:1"]),
        (
            #"{"a": 1 @ {"b": [1,]}, "c": [2,]}"#,
            ["unexpected-character 1:9", "trailing-comma 1:19", "trailing-comma 1:31"]
        ),
        (#"{"a": 1, {"b": 'c'}, "d": 2}"#, ["missing-key 1:10", "single-quoted-string 1:16"]),
        (#"{"details": [{}],{"appID": "x"}}"#, ["missing-key 1:18"]),
        // A path between too many quotation marks is not a comment.
        (#"{"a": [""/*"/"], "b": [1,]}"#, ["unquoted-value 1:10", "trailing-comma 1:25"]),
        (#"{"a": ""/*"/", "b": "/c/*/d"}"#, ["missing-key 1:9"]),
        (#"{"a": ""/*""}"#, ["missing-key 1:9"]),
        (#"{"a": "b"/* c */, "d": "e"/* f"#, ["json-comment 1:10", "json-comment 1:27", "unclosed-bracket 1:1"]),
        // What an unclosed string ends with is hardly text.
        ("{\"a: 1,\n\"b\": [1,]}", ["unclosed-string 1:2", "trailing-comma 2:8"]),
        ("{\"a\": [\n\"/x/*],\n\"b\": 'c'}", ["unclosed-string 2:1", "single-quoted-string 3:6"]),
        ("{\"details: [\n{\"a\": 1,}\n]\n}", ["unclosed-string 1:2", "trailing-comma 2:8"]),
        ("{\"a\": \"one\ntwo\", \"b\": 1}", ["unclosed-string 1:7"]),
        (
            "[[\"1:2,\n3:4\"], [\"5:6\n7:8,\n9\"],]",
            ["unclosed-string 1:3", "unclosed-string 2:9", "trailing-comma 4:4"]
        ),
        ("{\"a\": \"b,\n}", ["unclosed-string 1:7"]),
        // Brackets.
        ("{\"a\": {\"b\": [\n{\"c\": 1}\n}\n}", ["unclosed-bracket 1:13"]),
        ("[[1}, 2]", ["unclosed-bracket 1:2"]),
        ("{\"a\": [{\"b\": 1", ["unclosed-bracket 1:1", "unclosed-bracket 1:7", "unclosed-bracket 1:8"]),
        ("{\"a\": 1}}]", ["unexpected-bracket 1:9", "unexpected-bracket 1:10"]),
        ("{\"a\":", ["unclosed-bracket 1:1"]),
        ("{\"a\"", ["unclosed-bracket 1:1"]),
        // A merge: one side is read, every mark is reported.
        (
            "{\n<<<<<<< HEAD\n\"a\": 1\n||||||| base\n\"b\": @\n=======\n\"a\": 2,\n>>>>>>> topic\n}",
            ["merge-conflict 2:1", "merge-conflict 4:1", "merge-conflict 6:1", "merge-conflict 8:1"]
        ),
        (
            "{% if x %}\n{\n{% for a in b %}\n\"{{ a }}\": {{ a.b }},\n{% endfor %}\n}",
            ["template-markup 1:1", "template-markup 3:1", "template-markup 4:12", "template-markup 5:1"]
        ),
        // Runs of commas.
        ("[1,,]", ["extra-comma 1:4", "trailing-comma 1:3"]),
        ("[,,1,,,2]", ["extra-comma 1:2", "extra-comma 1:3", "extra-comma 1:6", "extra-comma 1:7"]),
        ("[,,]", ["extra-comma 1:2", "trailing-comma 1:3"]),
        ("{},,", ["extra-comma 1:4", "trailing-comma 1:3"]),
        (",", ["empty-file 1:1", "trailing-comma 1:1"]),
        ("// x", ["empty-file 1:1", "json-comment 1:1"]),
        ("\u{FEFF}", ["byte-order-mark 1:1", "empty-file 1:1"]),
        ("\u{FEFF}Not found", ["byte-order-mark 1:1", "not-json 1:1"]),
        ("---\na: b\n---\n", ["front-matter 1:1", "empty-file 1:1"]),
        ("---\na: b\n---\n<html>", ["front-matter 1:1", "html-instead-of-json 1:1"]),
        // Two mistakes in one place.
        ("{\"a\":1 b:2}", ["missing-comma 1:7", "unquoted-key 1:8"]),
        ("{\"a\":\"1\"b:2}", ["missing-comma 1:9", "unquoted-key 1:9"]),
        ("{applinks {\"a\": 1}}", ["unquoted-key 1:2", "missing-colon 1:10"]),
        ("{\"a\":\"1\" \"b\" 2}", ["missing-comma 1:9", "missing-colon 1:13"]),
        (
            "['\u{1}', \"\\q\u{1}\\ud800\"]",
            [
                "single-quoted-string 1:2", "control-character 1:3", "invalid-escape 1:8", "control-character 1:10",
                "lone-surrogate 1:11",
            ]
        ),
    ]

    @Test("One slip does not hide the rest", arguments: cases)
    func recovery(text: String, findings: [String]) {
        #expect(read(text).summary.sorted() == findings.sorted())
    }

    @Test("A file with safe repairs only has the tree that was meant")
    func repairs() {
        let document = read("\u{FEFF}{\n  “a”: [1,, 'x'],\n  b: \"\t\" /* c */ \"b\":\u{A0}2,\n}")
        #expect(document.isTreeReliable)
        #expect(!document.isUsableWithoutRepairs)
        #expect(document.root?.outline == read(#"{"a": [1, "x"], "b": "\t", "b": 2}"#).root?.outline)
    }

    @Test("At most 20 findings are reported, then a note")
    func limit() throws {
        let document = read("[" + String(repeating: "'a',", count: 30) + "1]")
        #expect(document.findings.count == 20)
        #expect(document.findings.last?.notes == ["10 more syntax findings are not shown"])
        #expect(document.findings.dropLast().allSatisfy { $0.notes.isEmpty })
        #expect(document.isTreeReliable)
        #expect(document.root?.array?.count == 31)
        #expect(!read("[" + String(repeating: "'a',", count: 20) + "@]").isTreeReliable)
        let equalKeys = "{" + String(repeating: "\"a\": 1,", count: 30)
        #expect(read(equalKeys + "\"b\": 1}").isUsableWithoutRepairs)
        #expect(!read(equalKeys + "}").isUsableWithoutRepairs)
    }

    @Test("Findings are in the order of the text")
    func order() {
        let document = read("{\"a\": [1,, {\"b\": 2, \"b\": 3}, 'x'")
        let starts = document.findings.map(\.range.start)
        #expect(starts == starts.sorted())
        #expect(document.summary.first == "unclosed-bracket 1:1")
    }
}
