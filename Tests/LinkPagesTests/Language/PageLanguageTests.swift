import LinkPages
import Testing

struct PageLanguageTests {
    @Test("each language is found by its tag, and by no other", arguments: PageLanguage.allCases)
    func tags(language: PageLanguage) {
        let tag = Array("\(language.tag)".utf8)
        #expect(PageLanguage(tag: tag) == language)
        #expect(PageLanguage(tag: tag + Array("x".utf8)) == nil)
        #expect(PageLanguage(tag: tag.dropLast()) == nil)
    }
}
