import Diagnostics
import FuzzingSupport
import Testing

/// The lines of the source and the marks below them.
struct SourceSnippetTests {
    private func snippet(_ source: SourceText, _ range: SourceRange, width: Int? = nil) -> [String] {
        let renderer = TextRenderer(style: TextStyle(isColored: false), width: width)
        // The first line and the empty line of the gutter come before.
        return Array(renderer.render(Diagnostic("x", .error, "m", range), in: source).dropFirst(2))
    }

    @Test(
        "The mark stands below the range, whatever the line is made of",
        arguments: [
            ("[1, 2]", "2", " 1 | [1, 2]", "   |     ^"),
            ("[\"a\"]", "\"a\"", " 1 | [\"a\"]", "   |  ^^^"),
            ("\t\t\"a\"", "\"a\"", " 1 |         \"a\"", "   |         ^^^"),
            ("[\ta]", "\ta", " 1 | [    a]", "   |  ^^^^^"),
            ("[日本, x]", "x", " 1 | [日本, x]", "   |        ^"),
            ("[日本, x]", "本", " 1 | [日本, x]", "   |    ^^"),
            ("[😀 x]", "x", " 1 | [😀 x]", "   |     ^"),
            ("[e\u{301}e\u{301}, x]", "x", " 1 | [e\u{301}e\u{301}, x]", "   |      ^"),
            ("[e\u{301}, x]", "\u{301}", " 1 | [e\u{301}, x]", "   |  ^"),
            ("\u{301}x", "x", " 1 | \u{25CC}\u{301}x", "   |  ^"),
            ("❤\u{FE0F}x", "x", " 1 | ❤\u{FE0F}x", "   |   ^"),
            ("a\u{0}\u{1B}x", "x", #" 1 | a\x00\x1bx"#, "   |          ^"),
            ("\u{FEFF}{}", "\u{FEFF}", #" 1 | \u{feff}{}"#, "   | ^^^^^^^^"),
            ("[\u{A0}\u{3000}x]", "\u{A0}\u{3000}", #" 1 | [\u{a0}\u{3000}x]"#, "   |  ^^^^^^^^^^^^^^"),
            ("א\u{202E}x", "x", #" 1 | א\u{202e}x"#, "   |          ^"),
        ])
    func alignment(text: String, part: String, line: String, marks: String) {
        let source = SourceText(text)
        #expect(snippet(source, source.range(of: part)) == [line, marks])
    }

    @Test("A byte that is no UTF-8 is one replacement character")
    func invalid() {
        let source = SourceText([0x5B, 0xFF, 0xE2, 0x82, 0x20, 0xC3, 0x78, 0x5D], path: "file")
        #expect(
            snippet(source, SourceRange(start: 2, end: 4)) == [
                " 1 | [\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}x]", "   |   ^^",
            ])
        #expect(
            snippet(source, SourceRange(start: 6, end: 7)) == [
                " 1 | [\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}x]", "   |       ^",
            ])
    }

    @Test(
        "A gap, the end of a line and the end of the file have one mark",
        arguments: [
            (2, 2, [" 1 | [1", "   |   ^"]), (3, 3, [" 1 | [1", "   |   ^"]), (4, 4, [" 2 | 22", "   | ^"]),
            (6, 6, [" 2 | 22", "   |   ^"]), (1, 99, [" 1 | [1", "   |  ^"]), (0, 6, [" 1 | [1", "   | ^^"]),
            (7, 7, [" 3 |", "   | ^"]), (99, 120, [" 3 |", "   | ^"]), (5, 3, [" 2 | 22", "   |  ^"]),
            (-5, 1, [" 1 | [1", "   | ^"]),
        ])
    func edges(start: Int, end: Int, lines: [String]) {
        #expect(snippet(SourceText("[1\r\n22\n"), SourceRange(start: start, end: end)) == lines)
    }

    @Test("An empty file has nothing to mark")
    func empty() {
        #expect(snippet(SourceText(""), SourceRange(start: 0, end: 0)) == [])
    }

    @Test("The margin has room for the number of the line")
    func margin() {
        let source = SourceText(String(repeating: "\n", count: 1233) + "x")
        #expect(snippet(source, source.range(of: "x")) == [" 1234 | x", "      | ^"])
    }

    @Test(
        "A long line is cut around the range",
        arguments: [
            (0, 1, " 1 | 012345678901234567890123456789012…", "   | ^"),
            (5, 3, " 1 | 012345678901234567890123456789012…", "   |      ^^^"),
            (50, 2, " 1 | …567890123456789012345678901234567…", "   |                 ^^"),
            (99, 1, " 1 | …789012345678901234567890123456789", "   |                                  ^"),
            (100, 0, " 1 | …789012345678901234567890123456789", "   |                                   ^"),
            (40, 50, " 1 | …678901234567890123456789012345678…", "   |      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"),
        ])
    func cut(start: Int, length: Int, line: String, marks: String) {
        let source = SourceText(String(repeating: "0123456789", count: 10))
        #expect(snippet(source, SourceRange(start: start, end: start + length), width: 40) == [line, marks])
    }

    @Test("Wide characters and marks are never cut in two", arguments: 0..<60)
    func wholeCharacters(offset: Int) {
        let text = String(repeating: "日e\u{301}\u{E9}\u{1F600}", count: 12)
        for start in [offset, text.utf8.count - offset] {
            let lines = snippet(SourceText(text), SourceRange(start: start, end: start + 1), width: 40)
            #expect(lines.count == 2)
            #expect(TerminalWidth.columns(lines[0]) <= 40)
            #expect(!lines[0].contains("\u{FFFD}"))
        }
    }

    @Test("A line of a whole file costs no more than a short one, also without a terminal")
    func minified() {
        let source = SourceText("[" + String(repeating: "1,", count: 65_000) + "]")
        for start in stride(from: 1, to: 130_000, by: 999) {
            let lines = snippet(source, SourceRange(start: start, end: start + 1))
            #expect(lines[0].unicodeScalars.count <= 160)
            #expect(lines[0].hasSuffix("…") == (start < 129_900))
        }
    }

    @Test("A pile of marks does not make a line long")
    func pile() {
        let source = SourceText("[a" + String(repeating: "\u{301}", count: 50_000) + "b]")
        let lines = snippet(source, SourceRange(start: 1, end: 2))
        #expect(lines[0].utf8.count < 2_000)
        #expect(lines[1] == "   |  ^")
    }

    @Test("Any range in any bytes can be shown", arguments: TestSeeds.of(42...42))
    func fuzz(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts: [[UInt8]] = [
            [0x61], [0x0A], [0x0D], [0x09], [0x00], [0xFF], [0xC3], [0xE2, 0x82], [0xCC, 0x81], [0xE6, 0x97, 0xA5],
            [0xEF, 0xB8, 0x8F], [0xF0, 0x9F, 0x98, 0x80], [0xE2, 0x80, 0x8B],
        ]
        for _ in 0..<2_000 {
            let bytes = random.list(of: parts, upTo: 119).flatMap { $0 }
            let start = random.number(0...bytes.count + 1)
            let range = SourceRange(start: start, end: start + random.number(below: 40))
            let lines = snippet(SourceText(bytes, path: "file"), range, width: 40)
            #expect(lines.allSatisfy { TerminalWidth.columns($0) <= 40 }, "\(lines)")
            #expect(lines.count == 2 || range == SourceRange(start: 0, end: 0))
        }
    }
}
