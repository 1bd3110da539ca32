import Diagnostics
import Testing

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
