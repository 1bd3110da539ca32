import Diagnostics
import JSONSyntax
import Testing

struct LimitTests {
    static func file(of count: Int) -> [UInt8] {
        Array("{}".utf8) + [UInt8](repeating: 0x20, count: count - 2)
    }

    @Test(
        "The size decides",
        arguments: [
            (128_000, []), (128_001, ["file-near-limit"]), (131_072, ["file-near-limit"]),
            (131_073, ["file-too-large"]),
            (1 << 20, ["file-too-large"]),
        ])
    func sizes(count: Int, codes: [String]) {
        let document = JSONReader.read(Self.file(of: count), path: "file")
        #expect(document.codes == codes)
        #expect(document.findings.allSatisfy { $0.range == SourceRange(start: 0, end: 0) })
        #expect(document.isTreeReliable)
        #expect(document.isUsableWithoutRepairs)
        #expect(document.root != nil)
        #expect(JSONReader.read(Self.file(of: count), path: "file", limits: .configuration).findings == [])
    }

    @Test("A file beyond the hard limit is not read")
    func hardLimit() {
        var limits = ReadingLimits.associationFile
        limits.hard = 1000
        #expect(JSONReader.read(Self.file(of: 1000), path: "file", limits: limits).codes == [])
        let document = JSONReader.read(Self.file(of: 999) + [0xFF, 0xFF], path: "file", limits: limits)
        #expect(document.codes == ["file-too-large"])
        #expect(document.root == nil)
        #expect(!document.isTreeReliable)
        #expect(!document.isUsableWithoutRepairs)
        #expect(ReadingLimits.associationFile.hard == 16 * 1024 * 1024)
    }

    @Test("Files of our own are not taken for Android's")
    func configuration() {
        #expect(read(#"[{"target": 1}]"#, limits: .configuration).findings == [])
    }

    @Test("Any depth is read, and too many levels are reported once", arguments: ["[", "{\"a\":", "[[{\"a\":["])
    func depth(opening: String) {
        let closing = opening.reversed().compactMap { ["[": "]", "{": "}"][$0] }.joined()
        let count = 100_000
        let text = String(repeating: opening, count: count) + String(repeating: closing, count: count)
        let document = read(text, limits: .configuration)
        #expect(document.codes.filter { $0 == "nesting-too-deep" }.count == 1)
        let open = read(String(repeating: opening, count: count), limits: .configuration)
        #expect(open.codes.contains("nesting-too-deep"))
        #expect(open.findings.count == 20)
    }

    @Test("Too many levels in two places are reported at the first")
    func twice() {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let document = read("[\(deep),\(deep),1,]")
        #expect(document.summary == ["nesting-too-deep 1:513", "trailing-comma 1:2405"])
        #expect(document.root?.array?.count == 3)
    }

    static let units = [
        "[", "]", "{", "}", ",", ":", "\"", "'", "“", "‘", "[“", "['", "\"a”", "[\"“ ", "\\", "'\\", "/", "/*", "//\n",
        "#",
        "<<<<<<<\n", "=======\n", "|||||||\n", "{{", "[{{", "${", "{%", "<%", "[1 ", "[a ", "{a ", "{\"a\" ", "a:1 ",
        "\u{A0}", "\u{A0}x", "[\"\\u", "\"\\ud800", "[\"\u{1}", "---\n", "a: b\n", "\"a\n", "[\"a[\n", "]}", "[1}", "=",
        "@,",
        "\n", "é", "1", "{\"a\":1,",
    ]

    @Test("The time is linear in the size, whatever the file repeats", arguments: units)
    func linearity(unit: String) {
        for head in ["", "[ "] {
            let text = Array((head + String(repeating: unit, count: 10_000 / unit.utf8.count)).utf8)
            let document = JSONReader.read(text, path: "file")
            #expect(document.findings.count <= 20)
        }
    }

    @Test("Very many times the same byte is read", arguments: ["[", "{", ",", ":", "\"", "'", "\\", "a", "\n"])
    func sameByte(unit: String) {
        let document = JSONReader.read([UInt8](repeating: unit.utf8.first ?? 0, count: 1 << 18), path: "file")
        #expect((1...20).contains(document.findings.count))
    }

    @Test("An object may have very many keys")
    func manyKeys() {
        let keys = (0..<100_000).map { "\"k\($0)\":1" }.joined(separator: ",")
        let document = read("{\(keys),\"k7\":1}", limits: .configuration)
        #expect(document.codes == ["duplicate-key"])
        #expect(document.root?.object?.members.count == 100_001)
    }
}
