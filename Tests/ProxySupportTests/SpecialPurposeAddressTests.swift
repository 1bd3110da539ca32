import FuzzingSupport
import Glibc
import ProxySupport
import Testing

@Suite("Addresses that are not public")
struct SpecialPurposeAddressTests {
    @Test(
        "the first and the last address of each block are in it, their neighbours are not",
        arguments: [
            ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"), ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"), ("::", "::1"), ("100::", "100::ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ])
    func blocks(first: String, last: String) throws {
        let (first, last) = (try #require(IPAddress(first)), try #require(IPAddress(last)))
        #expect(!first.isPublic && !last.isPublic)
        if first.low > 0, first.isIPv6 || first != IPAddress(ipv4: 0) {
            #expect(IPAddress(high: first.high, low: first.low - 1).isPublic)
        }
        if last.low < ~0, last.isIPv6 || last != IPAddress(ipv4: ~0) {
            #expect(IPAddress(high: last.high, low: last.low + 1).isPublic)
        }
        #expect(SpecialPurposeBlock.all.count == 21)
    }

    @Test(
        "the IPv4 address inside of an IPv6 address is judged",
        arguments: [
            ("::ffff:10.0.0.1", false), ("::ffff:1.1.1.1", true), ("64:ff9b::10.0.0.1", false),
            ("64:ff9b::169.254.169.254", false), ("64:ff9b::1.1.1.1", true), ("2002:a00:1::1", false),
            ("2002:7f00:1::", false), ("2002:101:101::1", true), ("2606:4700::1111", true), ("8.8.8.8", true),
            ("64:ff9b::1:0:0", true),
        ])
    func embedded(text: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }

    @Test("a block is named with what it is for")
    func purpose() {
        #expect(IPAddress("192.168.1.1")?.specialPurpose?.text == "192.168.0.0/16")
        #expect(IPAddress("64:ff9b::127.0.0.1")?.specialPurpose?.purpose == "loopback")
    }

    @Test(
        "other spellings of an IPv4 address are that address",
        arguments: [
            ("127.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"),
            ("0x7F000001", "127.0.0.1"), ("017700000001", "127.0.0.1"), ("10.0.258", "10.0.1.2"), ("0", "0.0.0.0"),
            ("1.2.3.4.", "1.2.3.4"), ("0300.0250.1.0xFF", "192.168.1.255"), ("4294967295", "255.255.255.255"),
            ("::1", "::1"), ("01.02.03.04", "1.2.3.4"), ("0x", "0.0.0.0"),
        ])
    func spellings(text: String, canonical: String) {
        #expect(IPAddress(anySpelling: text)?.description == canonical)
        #expect(text.contains(":") || IPAddress.endsInNumber(text))
    }

    @Test(
        "names, and numbers that are no address, are none",
        arguments: [
            ("example.com", false), ("1.example", false), ("", false), (".", false), ("0x7g.1", true),
            ("256.1.1.1", true),
            ("1.2.3.4.5", true), ("1..2", true), ("4294967296", true), ("1.2.3.256", true), ("09.1.1.1", true),
            ("example.0x1", true), ("example.09", true), ("a.1.", true), ("1.2.3.4..", false), ("0xg", false),
            ("x0", false),
        ])
    func names(text: String, endsInNumber: Bool) {
        #expect(IPAddress(anySpelling: text) == nil)
        #expect(IPAddress.endsInNumber(text) == endsInNumber)
    }

    @Test("the system reads the spellings as the same address", arguments: TestSeeds.of(1...1))
    func system(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let labels = (0..<random.number(1...5)).map { _ -> String in
                let number = random.next() >> UInt64(random.number(30...64))
                return switch random.number(0...3) {
                case 0: "0x\(String(number, radix: 16))"
                case 1: "0\(String(number, radix: 8))"
                default: "\(number)"
                }
            }
            let text = labels.joined(separator: ".")
            var address = in_addr()
            let isRead = inet_aton(text, &address) == 1
            #expect(
                IPAddress(anySpelling: text) == (isRead ? IPAddress(ipv4: UInt32(bigEndian: address.s_addr)) : nil),
                "\(text), seed \(seed)")
        }
    }
}
