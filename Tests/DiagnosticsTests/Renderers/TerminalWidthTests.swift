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
