import DomainNames
import FuzzingSupport
import Glibc
import Testing

@Suite("Addresses that are not public")
struct SpecialPurposeAddressTests {
    /// The blocks of the IANA special-purpose registries and multicast: first and last address, and whether the
    /// addresses next to them are public.
    static let blocks: [(first: String, last: String, before: Bool?, after: Bool?)] = [
        ("0.0.0.0", "0.255.255.255", nil, true), ("10.0.0.0", "10.255.255.255", true, true),
        ("100.64.0.0", "100.127.255.255", true, true), ("127.0.0.0", "127.255.255.255", true, true),
        ("169.254.0.0", "169.254.255.255", true, true), ("172.16.0.0", "172.31.255.255", true, true),
        ("192.0.0.0", "192.0.0.255", true, true), ("192.0.2.0", "192.0.2.255", true, true),
        ("192.31.196.0", "192.31.196.255", true, true), ("192.52.193.0", "192.52.193.255", true, true),
        ("192.88.99.0", "192.88.99.255", true, true), ("192.168.0.0", "192.168.255.255", true, true),
        ("192.175.48.0", "192.175.48.255", true, true), ("198.18.0.0", "198.19.255.255", true, true),
        ("198.51.100.0", "198.51.100.255", true, true), ("203.0.113.0", "203.0.113.255", true, true),
        ("224.0.0.0", "239.255.255.255", true, false), ("240.0.0.0", "255.255.255.255", false, nil),
        ("::", "::", nil, false), ("::1", "::1", false, false), ("::2", "::ffff:ffff", false, false),
        ("::ffff:0:0:0", "::ffff:0:ffff:ffff", false, false),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", false, false),
        ("100::", "100::ffff:ffff:ffff:ffff", false, false),
        ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", false, false),
        ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", true, true),
        ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", true, false), ("2001:1::1", "2001:1::3", false, false),
        ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", true, true),
        ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", true, true),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", true, true),
        ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, nil),
        // What surrounds global unicast.
        ("::1:0:0", "::fffe:ffff:ffff", false, nil),
        ("64:ff9b:2::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, true),
        ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true, false),
    ]

    @Test(
        "the first and the last address of each block are in it, and their neighbors are what they are",
        arguments: blocks)
    func boundaries(first: String, last: String, before: Bool?, after: Bool?) throws {
        let (first, last) = (try #require(IPAddress(first)), try #require(IPAddress(last)))
        #expect(!first.isPublic && first.purposeText != nil)
        #expect(!last.isPublic && last.purposeText != nil)
        if let before {
            let borrow: UInt64 = first.low == 0 ? 1 : 0
            #expect(IPAddress(high: first.high - borrow, low: first.low &- 1).isPublic == before)
        }
        if let after {
            let carry: UInt64 = last.low == ~0 ? 1 : 0
            #expect(IPAddress(high: last.high + carry, low: last.low &+ 1).isPublic == after)
        }
    }

    @Test("each block of the tables is there, and tested")
    func tables() {
        #expect(SpecialPurposeBlock.ipv4.count == 18 && SpecialPurposeBlock.ipv6.count == 26)
        for block in SpecialPurposeBlock.ipv4 + SpecialPurposeBlock.ipv6 where block.purpose != "reserved" {
            let isTested = Self.blocks.contains { first, last, _, _ in
                IPAddress(first).map(block.addresses.contains) == true
                    && IPAddress(last).map(block.addresses.contains) == true
            }
            #expect(isTested, "\(block.text)")
        }
    }

    @Test(
        "an IPv4 address inside an IPv6 address is judged, in each form that has one",
        arguments: [
            ("::ffff:10.0.0.1", nil, "a private network"), ("::ffff:1.1.1.1", nil, nil),
            ("::10.0.0.1", "10.0.0.1", "a private network, 10.0.0.1"), ("::1.1.1.1", "1.1.1.1", "IPv4-compatible"),
            ("::ffff:0:127.0.0.1", "127.0.0.1", "loopback, 127.0.0.1"),
            ("::ffff:0:1.1.1.1", "1.1.1.1", "IPv4-translated"),
            ("64:ff9b::10.0.0.1", "10.0.0.1", "a private network, 10.0.0.1"),
            ("64:ff9b::169.254.169.254", "169.254.169.254", "link-local, 169.254.169.254"),
            ("64:ff9b::1.1.1.1", "1.1.1.1", nil), ("64:ff9b::1:0:0", nil, "reserved"),
            ("64:ff9b:1::127.0.0.1", "127.0.0.1", "loopback, 127.0.0.1"),
            ("64:ff9b:1::1.1.1.1", "1.1.1.1", "local-use translation"),
            ("2002:a00:1::1", "10.0.0.1", "a private network, 10.0.0.1"),
            ("2002:7f00:1::", "127.0.0.1", "loopback, 127.0.0.1"), ("2002:101:101::1", "1.1.1.1", nil),
            ("2001:0:c000:201::f5ff:fffe", "10.0.0.1", "a private network, 10.0.0.1"),
            ("2001:0:102:304::fefe:fefe", "1.1.1.1", "Teredo"),
            ("2606:4700::5efe:10.0.0.1", "10.0.0.1", "a private network, 10.0.0.1"),
            ("2606:4700::200:5efe:192.168.0.1", "192.168.0.1", "a private network, 192.168.0.1"),
            ("2606:4700::5efe:1.1.1.1", "1.1.1.1", nil), ("::", nil, "unspecified"), ("::1", nil, "loopback"),
            ("2606:4700::1111", nil, nil), ("8.8.8.8", nil, nil),
        ] as [(String, String?, String?)])
    func embedded(text: String, inside: String?, purpose: String?) throws {
        let address = try #require(IPAddress(text))
        #expect(address.embeddedIPv4?.description == inside)
        #expect(address.purposeText == purpose)
        #expect(address.isPublic == (purpose == nil))
        #expect(address.isLoopback == (text == "::1"))
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
