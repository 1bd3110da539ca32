import DomainNames
import FuzzingSupport
import Testing

@Suite("Hosts in their ASCII form")
struct PunycodeTests {
    /// RFC 3492, section 7.1; the samples with capitals as they are after folding.
    private static let samples: [(label: String, encoded: String)] = [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
        ("pročprostěnemluvíčesky", "proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("세계의모든사람들이한국어를이해한다면얼마나좋을까", "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("porquénopuedensimplementehablarenespañol", "porqunopuedensimplementehablarenespaol-fmd56a"),
        ("tạisaohọkhôngthểchỉnóitiếngviệt", "tisaohkhngthchnitingvit-kjcr8268qyxafd2f1b9g"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-super-monkeys", "-with-super-monkeys-pc58ag80a8qai00g7n9n"),
        ("hello-another-way-それぞれの場所", "hello-another-way--fc4qua05auwb3674vfr0b"),
        ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
        ("majiでkoiする5秒前", "majikoi5-783gue6qz075azm5e"),
        ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ("そのスピードで", "d9juau41awczczp"),
    ]

    @Test("the samples of RFC 3492 are encoded as it says", arguments: samples)
    func sample(label: String, encoded: String) {
        #expect(Punycode.ascii(label) == "xn--" + encoded)
        #expect(PunycodeDecoder.decode(Array(encoded.utf8)) == Array(label.unicodeScalars))
        let host = "www.xn--\(encoded).example"
        #expect(Punycode.unicode(host) == (host.utf8.count > 253 ? nil : "www.\(label).example"))
    }

    @Test(
        "a host without encoded labels, or with one that nothing is encoded to, has no Unicode form",
        arguments: [
            "", "example.com", "xn--.com", "xn--bcher-kva.xn--zzzzzzzzzzzz99999.com",
            "xn--bcher-KVA.com", "xn--99999999999.com", "xn--a-ecp.com\u{FC}",
        ])
    func noUnicodeForm(host: String) { #expect(Punycode.unicode(host) == nil) }

    @Test("a Unicode form is encoded to the host that it stands for", arguments: TestSeeds.of(0...0))
    func unicodeForms(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        var found = 0
        for _ in 0..<20_000 {
            let label = (0..<random.number(below: 12)).map { _ in letters[random.number(below: letters.count)] }
            let host = "xn--\(String(decoding: label, as: UTF8.self)).example"
            guard let text = Punycode.unicode(host) else { continue }
            found += 1
            if Punycode.ascii(text) != host { Issue.record("\(host): \(text.debugDescription)") }
        }
        #expect(found > 100)
    }

    @Test(
        "a host gets its ASCII form",
        arguments: [
            ("", ""), (".", "."), ("example.com", "example.com"), ("Example.COM.", "example.com."),
            ("a..b", "a..b"), ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("日本語.jp", "xn--wgv71a119e.jp"), ("www.日本語。jp", "www.xn--wgv71a119e.jp"),
            ("a\u{FF0E}b\u{FF61}c", "a.b.c"), ("xn--BCHER-kva.example", "xn--bcher-kva.example"),
            ("straße.de", "xn--strae-oqa.de"), ("STRAẞE.de", "xn--strae-oqa.de"), ("\u{212A}elvin.org", "kelvin.org"),
            ("βόλος.com", "xn--nxasmm1c.com"), ("ΒΌΛΟΣ.com", "xn--nxasmq6b.com"), ("☃.net", "xn--n3h.net"),
            ("💩.la", "xn--ls8h.la"), ("ü", "xn--tda"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"),
        ])
    func host(host: String, expected: String) { #expect(Punycode.ascii(host) == expected) }

    @Test(
        "escapes are decoded once, before labels and scalars are looked at",
        arguments: [
            ("b%C3%BCcher.example", "xn--bcher-kva.example"), ("%e6%97%a5本%E8%AA%9e.jp", "xn--wgv71a119e.jp"),
            ("b%c3\u{FC}", nil), ("%45xample%2ecom", "example.com"), ("%2541", "%41"), ("a%", "a%"), ("a%4", "a%4"),
            ("%zz", "%zz"), ("%%41", "%a"), ("a%E3%80%82b", "a.b"),
        ])
    func escapes(host: String, expected: String?) { #expect(Punycode.ascii(host) == expected) }

    @Test(
        "text that is not well-formed has no ASCII form",
        arguments: [
            [0x61, 0xFF], [0xC3], [0xC3, 0x2E], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xC3, 0xBC, 0x80], [0x25, 0x46, 0x46],
        ] as [[UInt8]])
    func illFormed(bytes: [UInt8]) { #expect(ascii(bytes, size: 100) == nil) }

    @Test("a target that is too small is refused, one that fits is filled", arguments: 0...23)
    func targets(size: Int) {
        let expected = "xn--bcher-kva.example"
        #expect(ascii(Array("bücher.example".utf8), size: size) == (size < 21 ? nil : Array(expected.utf8)))
    }

    @Test("a host that is longer than a domain name can be has no ASCII form")
    func longHosts() {
        let longest = Array(repeating: String(repeating: "a", count: 63), count: 4).joined(separator: ".").dropLast(2)
        #expect(longest.utf8.count == 253)
        #expect(Punycode.ascii("\(longest).") == "\(longest).")
        #expect(Punycode.ascii("\(longest)aa") == nil)
        #expect(Punycode.ascii(String(repeating: "日", count: 1_000_000)) == nil)
    }

    @Test("a label whose encoding overflows is refused")
    func overflow() {
        let nearly = Array(repeating: UInt8(ascii: "a"), count: 3_800) + Array("\u{10FFFF}".utf8)
        #expect(ascii(nearly, size: 10_000) != nil)
        let tooLong = Array(repeating: UInt8(ascii: "a"), count: 4_000) + Array("\u{10FFFF}".utf8)
        #expect(ascii(tooLong, size: 10_000) == nil)
    }

    @Test("an encoded label decodes to what was encoded", arguments: TestSeeds.of(0...1))
    func roundTrip(seed: UInt64) {
        var random = Generator(random: SplitMix64(seed: seed))
        for _ in 0..<2_500 {
            let label = random.label()
            let text = String(String.UnicodeScalarView(label))
            guard let encoded = ascii(Array(text.utf8), size: 1_000) else {
                Issue.record("no ASCII form: \(text.debugDescription)")
                continue
            }
            let isASCII = label.allSatisfy(\.isASCII)
            let decoded = isASCII ? Array(text.utf8).map(Unicode.Scalar.init) : decode(encoded)
            if decoded != label || encoded.contains(where: { $0 >= 0x80 }) || isASCII && encoded != Array(text.utf8) {
                Issue.record("\(text.debugDescription) became \(String(decoding: encoded, as: UTF8.self))")
            }
        }
    }

    private func decode(_ encoded: [UInt8]) -> [Unicode.Scalar]? {
        encoded.starts(with: "xn--".utf8) ? PunycodeDecoder.decode(Array(encoded.dropFirst(4))) : nil
    }

    private func ascii(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { target in
                Punycode.ascii(host: source, into: target).map { Array(target[..<$0]) }
            }
        }
    }

    /// Labels of scalars that folding leaves alone.
    private struct Generator {
        private static let ranges: [ClosedRange<UInt32>] = [
            0x2D...0x2D, 0x61...0x7A, 0x30...0x39, 0xDF...0xF6, 0x430...0x44F, 0x3041...0x3096, 0x4E00...0x9FFF,
            0x1F600...0x1F64F, 0x10FFF0...0x10FFFF,
        ]

        var random: SplitMix64

        mutating func label() -> [Unicode.Scalar] {
            let narrow = random.number(below: Self.ranges.count)
            return (0..<random.number(below: 30)).compactMap { _ in
                let range = Self.ranges[random.number(below: 2) == 0 ? narrow : random.number(below: Self.ranges.count)]
                return Unicode.Scalar(range.lowerBound + UInt32(random.number(below: range.count)))
            }
        }
    }
}

/// The decoding procedure of RFC 3492, section 6.2, written apart from the encoder.
private enum PunycodeDecoder {
    static func decode(_ encoded: [UInt8]) -> [Unicode.Scalar]? {
        let delimiter = encoded.lastIndex(of: UInt8(ascii: "-"))
        var output = encoded[..<(delimiter ?? 0)].map(Unicode.Scalar.init)
        var rest = encoded[(delimiter.map { $0 + 1 } ?? 0)...]
        var (n, index, bias) = (128, 0, 72)
        while !rest.isEmpty {
            let before = index
            var (weight, k) = (1, 36)
            while true {
                guard let digit = rest.popFirst().flatMap(value) else { return nil }
                index += digit * weight
                let threshold = max(1, min(26, k - bias))
                if digit < threshold { break }
                weight *= 36 - threshold
                k += 36
            }
            let count = output.count + 1
            bias = adapted(index - before, count: count, isFirst: before == 0)
            n += index / count
            index %= count
            guard let scalar = UInt32(exactly: n).flatMap(Unicode.Scalar.init) else { return nil }
            output.insert(scalar, at: index)
            index += 1
        }
        return output
    }

    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case 0x61...0x7A: Int(digit) - 0x61
        case 0x30...0x39: Int(digit) - 0x30 + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = delta / (isFirst ? 700 : 2)
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
