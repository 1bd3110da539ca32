import Testing
import URLPatterns

@Suite("Regions and languages")
struct RegionAndLanguageTests {
    @Test("there are 257 regions, each two capitals, sorted, none twice")
    func regions() {
        #expect(RegionCodes.all.count == 257)
        #expect(RegionCodes.all.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } })
        #expect(RegionCodes.all == Set(RegionCodes.all).sorted())
    }

    @Test(
        "a region is one of ISO 3166-1 or of the eight more",
        arguments: ["DE", "GB", "US", "ZW", "AX", "AC", "CP", "CQ", "DG", "EA", "IC", "TA", "XK"])
    func isRegion(code: String) { #expect(RegionCodes.all.contains(code)) }

    @Test("other codes are no regions", arguments: ["UK", "EU", "AN", "SU", "YU", "ZZ", "QO", "001", "419", "de", ""])
    func isNoRegion(code: String) { #expect(!RegionCodes.all.contains(code)) }

    @Test("there are 183 languages of two letters and 486 of three, in lower case, sorted, none twice")
    func languages() {
        #expect(LanguageCodes.all.count { $0.utf8.count == 2 } == 183)
        #expect(LanguageCodes.all.count { $0.utf8.count == 3 } == 486)
        #expect(LanguageCodes.all.count == 183 + 486)
        #expect(LanguageCodes.all.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } })
        #expect(LanguageCodes.all == Set(LanguageCodes.all).sorted())
    }

    @Test(
        "a language is one of ISO 639-1 or a terminological one of ISO 639-2",
        arguments: ["de", "deu", "en", "eng", "zh", "zho", "fr", "fra", "cnr", "him", "und", "mul", "zxx", "zza"])
    func isLanguage(code: String) { #expect(LanguageCodes.all.contains(code)) }

    @Test(
        "bibliographic, withdrawn and reserved codes are no languages",
        arguments: ["ger", "chi", "fre", "dut", "wel", "bh", "sh", "iw", "mo", "qaa", "qtz", "DE", "en-GB", ""])
    func isNoLanguage(code: String) { #expect(!LanguageCodes.all.contains(code)) }
}
