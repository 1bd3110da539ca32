import LinkPages
import Testing

struct AcceptLanguageTests {
    @Test(
        "the language that a client prefers is chosen",
        arguments: [
            ("", "en"), ("de", "de"), ("DE-AT", "de"), ("de-AT-1996;q=0.4, fr;q=0.3", "de"),
            ("fr;q=0.3,de;q=0.4", "de"),
            ("fr,de", "fr"), ("sv, nl;q=0.1", "nl"), ("sv", "en"), ("*", "en"), ("en;q=0, *", "de"), ("*;q=0", "en"),
            ("de;q=0, de-AT", "en"), ("pt-BR, en;q=0.9", "pt"), ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"),
            ("zh-sg", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-HK;q=0.5", "zh-Hant"), ("zh-MO", "zh-Hant"),
            ("zh-Hant-CN", "zh-Hant"), ("zh-hans-TW", "zh-Hans"), ("ar-EG,*;q=0.1", "ar"), (" \tja ; q=1.000 ,,", "ja"),
            // Malformed values are as none.
            ("de;q=2", "en"), ("de;q=0.1234", "en"), ("de;q", "en"), ("de;", "en"), ("de, 1x", "en"), ("de-", "en"),
            ("d\u{E9}", "en"), ("abcdefghi", "en"), ("de fr", "en"), ("de;q=0.5;q=0.5", "en"),
        ])
    func choice(value: String, expected: String) {
        let chosen = Array(value.utf8).withUnsafeBufferPointer {
            AcceptLanguage.choose($0, from: PageLanguage.allCases)
        }
        #expect("\(chosen.tag)" == expected)
    }

    @Test("only languages that are offered are chosen")
    func offered() {
        func choose(_ value: String, _ offered: [PageLanguage]) -> PageLanguage {
            Array(value.utf8).withUnsafeBufferPointer { AcceptLanguage.choose($0, from: offered) }
        }
        #expect(choose("de, fr;q=0.1", [.english, .french]) == .french)
        #expect(choose("de", [.japanese, .korean]) == .japanese)
        #expect(choose("ko;q=0.1, *", [.japanese, .korean]) == .japanese)
        #expect(choose("ja;q=0", [.japanese, .korean]) == .korean)
        #expect(choose("ja;q=0, ko;q=0", [.japanese, .korean]) == .japanese)
        #expect(choose("de", [.japanese]) == .japanese)
    }
}
