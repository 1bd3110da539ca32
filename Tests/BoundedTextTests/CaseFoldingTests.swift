import BoundedText
import Testing

@Suite("Case folding")
struct CaseFoldingTests {
    /// The lines of status C and S in CaseFolding.txt of Unicode 15.0.
    private static let mappings = 1_454

    @Test("as many scalars change as the Unicode file has mappings, and a folded one folds to itself")
    func allScalars() {
        var changed = 0
        for scalar: UInt32 in 0...0x10FFFF {
            let folded = CaseFolding.simple(scalar)
            if folded != scalar { changed += 1 }
            if CaseFolding.simple(folded) != folded { Issue.record("\(scalar) folds to \(folded), which folds again") }
        }
        #expect(changed == Self.mappings)
    }

    @Test("only ASCII capitals change in ASCII, also byte by byte")
    func ascii() {
        for byte in UInt8.min...UInt8.max {
            let expected = (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
            #expect(CaseFolding.ascii(byte) == expected)
            if byte < 0x80 { #expect(CaseFolding.simple(UInt32(byte)) == UInt32(expected)) }
        }
    }

    @Test(
        "a letter folds to what the Unicode file says",
        arguments: [
            (0xC4, 0xE4), (0xB5, 0x3BC), (0x178, 0xFF), (0x17F, 0x73), (0x1C4, 0x1C6), (0x1C5, 0x1C6),
            (0x23A, 0x2C65), (0x345, 0x3B9), (0x3A3, 0x3C3), (0x3C2, 0x3C3), (0x3F4, 0x3B8), (0x410, 0x430),
            (0x10A0, 0x2D00), (0x13F8, 0x13F0), (0xAB70, 0x13A0), (0xABBF, 0x13EF), (0x1C90, 0x10D0), (0x1E9E, 0xDF),
            (0x1F88, 0x1F80), (0x2126, 0x3C9), (0x212A, 0x6B), (0x212B, 0xE5), (0xFF21, 0xFF41), (0x10400, 0x10428),
            (0x10427, 0x1044F), (0x1E900, 0x1E922), (0x1E921, 0x1E943),
        ] as [(UInt32, UInt32)])
    func mapping(scalar: UInt32, expected: UInt32) { #expect(CaseFolding.simple(scalar) == expected) }

    @Test(
        "what folds only fully, only in Turkish, or not at all stays",
        arguments: [
            0xD7, 0xDF, 0x130, 0x131, 0x149, 0x1F0, 0x390, 0x13A0, 0x1E96, 0xFB00, 0x65E5, 0xD800, 0x1E944, 0x1F600,
            0x10FFFF, 0x110000, .max,
        ] as [UInt32])
    func unchanged(scalar: UInt32) { #expect(CaseFolding.simple(scalar) == scalar) }

    @Test(
        "a text is folded scalar by scalar",
        arguments: [
            ("", ""), ("ABC xyz 09", "abc xyz 09"), ("CAFÉ", "café"), ("ΣΊΣΥΦΟΣ ς", "σίσυφοσ σ"), ("ẞ", "ß"),
            ("\u{212A}", "k"), ("İ", "İ"), ("ȺȾ", "ⱥⱦ"), ("𐐀𐐧", "𐐨𐑏"), ("日本語", "日本語"),
        ])
    func text(text: String, expected: String) { #expect(fold(Array(text.utf8)) == Array(expected.utf8)) }

    @Test("bytes that are not well-formed are copied, and what is between them folded")
    func illFormed() {
        #expect(fold([0x41, 0xFF, 0xC3, 0x84, 0xC3]) == [0x61, 0xFF, 0xC3, 0xA4, 0xC3])
        #expect(fold([0xED, 0xA0, 0x80, 0x5A, 0xE1, 0x80]) == [0xED, 0xA0, 0x80, 0x7A, 0xE1, 0x80])
    }

    @Test("no scalar grows by more than the stated factor")
    func growth() {
        for scalar in (0...0x10FFFF).lazy.compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?) {
            guard let folded = Unicode.Scalar(CaseFolding.simple(scalar.value)) else {
                Issue.record("U+\(String(scalar.value, radix: 16)) folds to no scalar")
                continue
            }
            if UTF8.width(folded) > UTF8.width(scalar) {
                #expect(UTF8.width(folded) == 3 && UTF8.width(scalar) == 2)
            }
        }
    }

    @Test("a target that is too small is refused, one that fits is filled", arguments: 0...8)
    func targets(size: Int) {
        // 1 + 3 + 3 bytes
        let folded = fold(Array("AȺ日".utf8), size: size)
        #expect(folded == (size < 7 ? nil : Array("aⱥ日".utf8)))
    }

    private func fold(_ bytes: [UInt8], size: Int? = nil) -> [UInt8]? {
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: size ?? bytes.count * CaseFolding.growth, alignment: 1) { target in
                CaseFolding.foldUTF8(source, into: target).map { Array(target[..<$0]) }
            }
        }
    }
}
