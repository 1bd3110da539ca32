import Testing
import URLPatterns

@Suite("How a part of a URL is seen")
struct ComparisonTests {
    @Test(
        "as it stands, folded, decoded, or both",
        arguments: [
            ("aB%c3%A9é", "aB%c3%A9é", "ab%c3%a9é", "aBéé", "abéé"), ("", "", "", "", ""),
            ("%C3%89É", "%C3%89É", "%c3%89É", "ÉÉ", "éé"),
            ("%", "%", "%", "%", "%"), ("%4", "%4", "%4", "%4", "%4"), ("%zz%5A", "%zz%5A", "%zz%5a", "%zzZ", "%zzz"),
            ("%%41", "%%41", "%%41", "%A", "%a"), ("%2541", "%2541", "%2541", "%41", "%41"),
            ("+%2B", "+%2B", "+%2b", "++", "++"),
            ("%2f/", "%2f/", "%2f/", "//", "//"), ("%E2%84%AA", "%E2%84%AA", "%e2%84%aa", "\u{212A}", "k"),
            ("@[`{", "@[`{", "@[`{", "@[`{", "@[`{"),
        ])
    func prepared(text: String, plain: String, folded: String, decoded: String, both: String) {
        #expect(prepare(text, caseSensitive: true, percentEncoded: true) == Array(plain.utf8))
        #expect(prepare(text, caseSensitive: false, percentEncoded: true) == Array(folded.utf8))
        #expect(prepare(text, caseSensitive: true, percentEncoded: false) == Array(decoded.utf8))
        #expect(prepare(text, caseSensitive: false, percentEncoded: false) == Array(both.utf8))
    }

    @Test("an escape may stand for a byte that is no text")
    func bytes() {
        #expect(prepare("a%FF%c3%41", caseSensitive: true, percentEncoded: false) == [0x61, 0xFF, 0xC3, 0x41])
        #expect(prepare("A%FF%c3%41", caseSensitive: false, percentEncoded: false) == [0x61, 0xFF, 0xC3, 0x61])
    }

    @Test("a set of bytes has what was put into it")
    func byteSet() {
        var set = ByteSet([0x00, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0xFF])
        #expect(set.bytes == [0x00, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0xFF])
        set.insert(0x41)
        #expect(set.contains(0x41) && !set.contains(0x42))
        #expect(set == ByteSet([0x41, 0x80]).union(set))
        #expect(ByteSet().bytes.isEmpty)
        #expect(ByteSet(0...255).bytes == Array(0...255))
    }

    private func prepare(_ text: String, caseSensitive: Bool, percentEncoded: Bool) -> [UInt8] {
        Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded).prepare(text.utf8)
    }
}
