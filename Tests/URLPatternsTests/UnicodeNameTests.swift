import FuzzingSupport
import Testing
import URLPatterns

/// Names as people write them.
struct UnicodeNameTests {
    @Test(
        "labels in Punycode are decoded, all others stay",
        arguments: [
            ("xn--bcher-kva.example", "bücher.example"), ("shop.xn--mnchen-3ya.xn--p1ai", "shop.münchen.рф"),
            ("xn--fsqu00a.xn--0zwm56d", "例子.测试"), ("example.com", "example.com"), ("*.example.com", "*.example.com"),
            ("xn--.example", ".example"), ("xn--99999999999.example", "xn--99999999999.example"),
            ("xn--a-\u{FC}", "xn--a-\u{FC}"),
        ])
    func names(ascii: String, unicode: String) { #expect(Punycode.unicode(ascii) == unicode) }

    @Test("what is encoded comes back", arguments: TestSeeds.of(1...20))
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("abcxyz0189äöüéß例子рф💥")
        for _ in 0..<200 {
            let label = String((0..<random.number(1...12)).map { _ in random.pick(letters) })
            let ascii = try #require(Punycode.ascii(label))
            #expect(Punycode.unicode(ascii) == label, "\(label), seed \(seed)")
        }
    }
}
