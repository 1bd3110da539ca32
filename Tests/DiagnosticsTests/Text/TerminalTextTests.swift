import Diagnostics
import Testing

struct TerminalWidthTests {
    @Test(
        "A text takes as many columns as a terminal gives it",
        arguments: [
            ("", 0), ("abc", 3), ("größe", 5), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("e\u{301}", 1), ("\u{E01}\u{E34}", 1), ("a\u{20DD}", 1), ("\u{200B}", 0), ("\u{AD}", 1),
            ("😀", 2), ("✅", 2), ("☎", 1), ("☎\u{FE0F}", 2), ("😀\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("🇩🇪", 2),
            ("㍿", 2), ("𠀀", 2), ("\u{303F}", 1), ("…", 1), ("\u{FFFD}", 1), ("\u{10FFFF}", 1), ("\u{FE0F}", 0),
        ])
    func columns(text: String, columns: Int) {
        #expect(TerminalWidth.columns(text) == columns)
    }
}

struct VisibleTextTests {
    @Test(
        "What cannot be seen is escaped",
        arguments: [
            ("plain", "plain"), ("größe 日本 😀 ❤\u{FE0F}", "größe 日本 😀 ❤\u{FE0F}"), ("a\nb\tc\u{0}", #"a\x0ab\x09c\x00"#),
            ("\u{1B}[31m\u{7F}\u{9B}", #"\x1b[31m\x7f\x9b"#),
            ("a\u{202E}b\u{2066}\u{61C}", #"a\u{202e}b\u{2066}\u{61c}"#),
            ("\u{200B}\u{200D}\u{FEFF}\u{AD}", #"\u{200b}\u{200d}\u{feff}\u{ad}"#),
            ("\u{2028}\u{2029}\u{FFF9}\u{E0041}\u{3164}", #"\u{2028}\u{2029}\u{fff9}\u{e0041}\u{3164}"#),
        ])
    func escaping(text: String, shown: String) {
        #expect(VisibleText.escaped(text) == shown)
    }
}

struct WrappedTextTests {
    @Test("A text is broken at spaces, and a long word stays whole")
    func wrapping() {
        #expect(WrappedText.lines("", columns: 5) == [""])
        #expect(WrappedText.lines("one two three", columns: 7) == ["one two", "three"])
        #expect(WrappedText.lines("one two three", columns: 7, indent: 2) == ["one two", "  three"])
        #expect(WrappedText.lines("much-too-long a b", columns: 5, indent: 3) == ["much-too-long", "   a", "   b"])
        #expect(WrappedText.lines("日本 日本", columns: 8) == ["日本", "日本"])
    }

    @Test("Colors take no room")
    func colors() {
        let style = TextStyle(isColored: true)
        let text = "\(style.bold(style.red("error:"))) a \(style.dim("b c"))"
        let lines = WrappedText.lines(text, columns: 10)
        #expect(lines.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") } == ["error: a b", "c"])
        #expect(lines.joined(separator: " ") == text)
    }
}
