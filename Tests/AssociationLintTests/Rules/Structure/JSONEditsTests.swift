import AssociationLint
import Diagnostics
import JSONSyntax
import Testing

@Suite("Edits of JSON texts")
struct JSONEditsTests {
    private struct Text {
        let source: SourceText
        let root: JSONNode

        init(_ text: String) throws {
            let document = JSONReader.read(Array(text.utf8), path: "test")
            source = document.source
            root = try #require(document.root)
        }

        func applying(_ edits: [TextEdit]) -> String {
            var bytes = source.bytes
            for edit in edits.reversed() {
                bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(
        "An element goes with its comma and its line",
        arguments: [
            ("[1]", 0, "[]"), ("[ 1 ]", 0, "[]"), ("[\n  1\n]", 0, "[]"), ("[ 1, ]", 0, "[]"),
            ("[1,2,3]", 0, "[2,3]"), ("[1,2,3]", 1, "[1,3]"), ("[1,2,3]", 2, "[1,2]"),
            ("[\n  1,\n  2,\n  3\n]", 0, "[\n  2,\n  3\n]"), ("[\n  1,\n  2,\n  3\n]", 1, "[\n  1,\n  3\n]"),
            ("[\n  1,\n  2,\n  3\n]", 2, "[\n  1,\n  2\n]"), ("[\r\n\t1,\r\n\t2\r\n]", 1, "[\r\n\t1\r\n]"),
            ("[\n  1, 2,\n  3, 4\n]", 1, "[\n  1,\n  3, 4\n]"), ("[\n  1, 2,\n  3, 4\n]", 2, "[\n  1, 2,\n  4\n]"),
            ("[\n\t1,\n    2,\n\t3\n]", 0, "[\n    2,\n\t3\n]"), ("[\n\t1,\n    2,\n\t3\n]", 1, "[\n\t1,\n\t3\n]"),
            ("[\r\n\t1,\r\n  2\r\n]", 0, "[\r\n  2\r\n]"), ("[\n  1, 2\n]", 0, "[\n  2\n]"),
            ("[\n  1\n  , 2\n  , 3\n]", 1, "[\n  1\n  , 3\n]"), ("[\n  1,\n\n    2\n]", 0, "[\n    2\n]"),
            ("[1, 2,]", 1, "[1,]"), ("[1, 2 3]", 1, "[1, 3]"), ("[1, 2]", 2, "[1, 2]"), ("[1, 2]", -1, "[1, 2]"),
        ])
    func elements(text: String, index: Int, result: String) throws {
        let text = try Text(text)
        let edit = JSONEdits.delete(element: index, in: text.root.array ?? [], source: text.source)
        #expect(text.applying([edit]) == result)
    }

    @Test(
        "A member goes with its comma and its line, also one of two with equal keys",
        arguments: [
            (#"{"a": 1}"#, 0, "{}"), (#"{ "a": 1, "b": [] }"#, 0, #"{ "b": [] }"#),
            (#"{"a": 1, "a": 2}"#, 1, #"{"a": 1}"#),
            ("{\n  \"a\": {\n  },\n  \"b\": 1\n}", 0, "{\n  \"b\": 1\n}"),
            ("{\n  \"a\": {\n  },\n  \"b\": 1\n}", 1, "{\n  \"a\": {\n  }\n}"),
        ])
    func members(text: String, index: Int, result: String) throws {
        let text = try Text(text)
        let object = try #require(text.root.object)
        let edit = JSONEdits.delete(member: object.members[index], in: object, source: text.source)
        #expect(text.applying([edit]) == result)
    }

    @Test(
        "A member is inserted in the style of the object",
        arguments: [
            ("{}", #"{"k": []}"#, #"{"k": []}"#), ("{\n}", #"{"k": []}"#, #"{"k": []}"#),
            (#"{"a":1}"#, #"{"k":[],"a":1}"#, #"{"a":1,"k":[]}"#),
            (#"{"a": 1}"#, #"{"k": [], "a": 1}"#, #"{"a": 1, "k": []}"#),
            (#"{ "a":1, "b":2 }"#, #"{ "k":[], "a":1, "b":2 }"#, #"{ "a":1, "b":2, "k":[] }"#),
            ("{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"k\": [],\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"k\": []\r\n}"),
            ("{\"a\": 1,\n \"b\": 2}", "{\"k\": [], \"a\": 1,\n \"b\": 2}", "{\"a\": 1,\n \"b\": 2,\n \"k\": []}"),
        ])
    func insertions(text: String, first: String, last: String) throws {
        let text = try Text(text)
        #expect(text.applying([JSONEdits.insert(first: "k", "[]", in: text.root, source: text.source)]) == first)
        #expect(text.applying([JSONEdits.insert(last: "k", "[]", in: text.root, source: text.source)]) == last)
    }

    @Test(
        "An element moves up with its text",
        arguments: [
            ("[1,2,3]", 2, 0, "[3,1,2]"), ("[1, 2, 3]", 1, 0, "[2, 1, 3]"), ("[ 1, 2 ]", 1, 0, "[ 2, 1 ]"),
            ("[\n  1,\n  {\n  },\n  3\n]", 1, 0, "[\n  {\n  },\n  1,\n  3\n]"),
            ("[\r\n  1,\r\n  2,\r\n  3\r\n]", 2, 1, "[\r\n  1,\r\n  3,\r\n  2\r\n]"),
            ("[1, 2]", 0, 1, "[1, 2]"), ("[1, 2]", 5, 0, "[1, 2]"),
        ])
    func moves(text: String, index: Int, target: Int, result: String) throws {
        let text = try Text(text)
        let edits = JSONEdits.move(element: index, before: target, in: text.root.array ?? [], source: text.source)
        #expect(text.applying(edits) == result)
    }

    @Test(
        "Strings are escaped",
        arguments: [
            ("", #""""#), ("a\"b\\", #""a\"b\\""#), ("\n\r\t\u{1}\u{1F}", #""\n\r\t\u0001\u001f""#), ("é/", #""é/""#),
        ])
    func literals(text: String, literal: String) throws {
        #expect(JSONEdits.literal(text) == literal)
        #expect(try Text(literal).root.string?.text == text)
    }
}
