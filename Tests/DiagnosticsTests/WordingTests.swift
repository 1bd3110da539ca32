import Diagnostics
import Testing

struct WordingTests {
    @Test(
        "A value is shown in quotes, without anything invisible",
        arguments: [
            ("", "''"), ("a b", "'a b'"), ("é“”😀", "'é“”😀'"), ("a\nb\r\tc", #"'a\nb\r\tc'"#),
            ("\u{0}\u{1B}[31m", #"'\u0000\u001B[31m'"#),
            ("\u{7F}\u{85}\u{A0}\u{2028}\u{202E}\u{FEFF}", #"'\u007F\u0085\u00A0\u2028\u202E\uFEFF'"#),
        ])
    func quoting(value: String, shown: String) {
        #expect(quoted(value) == shown)
    }

    @Test("A long value is cut at 60 characters")
    func cutting() {
        #expect(quoted(String(repeating: "é", count: 60)) == "'" + String(repeating: "é", count: 60) + "'")
        #expect(quoted(String(repeating: "é", count: 61)) == "'" + String(repeating: "é", count: 60) + "…'")
    }

    @Test("A number is shown with what it counts")
    func counts() {
        #expect([0, 1, 2].map { counted($0, "site") } == ["0 sites", "1 site", "2 sites"])
        #expect([0, 1, 2].map { counted($0, "entry", "entries") } == ["0 entries", "1 entry", "2 entries"])
    }
}
