import DomainNames
import FuzzingSupport
import Glibc
import Testing

@Suite("Addresses")
struct IPAddressTests {
    @Test(
        "the usual text forms are read, and written in the canonical one",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
            ("2001:db8:0:0:0:0:0:1", "2001:db8::1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
            ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func reading(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(
        "anything else is not an address",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "1.2.3.", ".1.2.3", "1..2.3",
            " 1.2.3.4",
            "1.2.3.4 ", "1.2.3.4:80", ":", ":::", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
            "1::2::3", "12345::", "g::", "::1%eth0", "[::1]", "::1.2.3", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4",
            "a.b.c.d",
        ])
    func refusing(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "An address is written as RFC 5952 wants it",
        arguments: [
            "::", "::1", "1::", "2001:db8::1", "2001:db8:0:1:1:1:1:1", "2001:0:0:1::1", "2001:db8::1:0:0:1",
            "1:0:2:0:3:0:4:0", "0:1:2:3:4:5:6:7", "1:2:3:4:5:6:7:0", "0:1::", "::1:0", "1:2:3:4:5:6::",
            "::3:4:5:6:7:8", "fe80::abcd:ef01:2345:6789", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "a:b0:c00:d000:e:f0:100:1000", "64:ff9b::c000:201", "::ffff:0:c000:201", "::fffe:c000:201",
            "1::ffff:c000:201", "::c000:201", "0.0.0.0", "1.2.3.4", "10.20.30.40", "100.200.9.99",
            "255.255.255.255", "127.0.0.1",
        ])
    func writing(text: String) throws {
        let address = try #require(IPAddress(system: text))
        #expect(address.description == text)
        #expect(address.isIPv6 == text.contains(":"))
    }

    @Test("The system reads what is written as the same address", arguments: TestSeeds.of(1...1))
    func readAgain(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            // Many groups of zeros, and short ones.
            var numbers: [UInt64] = [0, 0]
            for place in 0..<8 {
                let group = random.next() >> UInt64(random.number(48...64))
                numbers[place / 4] = numbers[place / 4] << 16 | (random.chance(50) ? group : 0)
            }
            let address = IPAddress(high: numbers[0], low: numbers[1])
            let text = address.description
            #expect(IPAddress(system: text) == address, "\(text)")
            #expect(IPAddress(text) == address, "\(text)")
            #expect(text.utf8.count <= IPAddress.longestText)
            #expect(text.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) })
        }
    }
}

extension IPAddress {
    /// As the system reads a text.
    fileprivate init?(system text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(ipv4: bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) })
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        } else {
            return nil
        }
    }
}

@Suite("Sets of addresses")
struct CIDRSetTests {
    private func set(_ texts: [String]) throws -> CIDRSet { CIDRSet(try texts.map { try CIDRBlock($0) }) }

    @Test("an address is in a set if one of its blocks has it")
    func membership() throws {
        let set = try set(["10.0.0.0/8", "10.1.0.0/16", "192.0.2.7", "2001:db8::/33", "fe80::1"])
        for inside in [
            "10.0.0.0", "10.255.255.255", "192.0.2.7", "::ffff:10.1.1.1", "2001:db8::", "2001:db8:7fff::1", "fe80::1",
        ] {
            #expect(set.contains(try #require(IPAddress(inside))), "\(inside)")
        }
        for outside in [
            "9.255.255.255", "11.0.0.0", "192.0.2.6", "192.0.2.8", "2001:db8:8000::", "fe80::", "fe80::2", "::",
        ] {
            #expect(!set.contains(try #require(IPAddress(outside))), "\(outside)")
        }
    }

    @Test("all of IPv6 has no IPv4 address, and the other way round")
    func everything() throws {
        let ipv6 = try set(["::/0"])
        let ipv4 = try set(["0.0.0.0/0"])
        let first = try #require(IPAddress("192.0.2.1"))
        let second = try #require(IPAddress("2001:db8::1"))
        let neighbor = try #require(IPAddress("::fffe:ffff:ffff"))
        #expect(!ipv6.contains(first) && ipv6.contains(second) && ipv6.contains(neighbor))
        #expect(ipv4.contains(first) && !ipv4.contains(second) && !ipv4.contains(neighbor))
        #expect(!CIDRSet().contains(first))
        #expect(try CIDRBlock("::/0").isEverything && CIDRBlock("0.0.0.0/0").isEverything)
        #expect(try !CIDRBlock("0.0.0.0/1").isEverything)
    }

    @Test(
        "the words for loopback and private addresses",
        arguments: [
            ("127.0.0.1", true, false), ("::1", true, false), ("10.9.8.7", false, true),
            ("172.31.255.255", false, true),
            ("172.32.0.0", false, false), ("192.168.1.1", false, true), ("169.254.169.254", false, true),
            ("100.64.0.1", false, true), ("100.128.0.0", false, false), ("fd00::1", false, true),
            ("fe80::1", false, true),
            ("8.8.8.8", false, false), ("2001:db8::1", false, false),
        ])
    func words(text: String, isLoopback: Bool, isPrivate: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect(CIDRSet(CIDRBlock.loopback).contains(address) == isLoopback)
        #expect(CIDRSet(CIDRBlock.private).contains(address) == isPrivate)
    }

    @Test("a block that is not one is refused with the reason")
    func problems() {
        #expect(throws: CIDRBlock.Problem.notAnAddress) { try CIDRBlock("10.0.0/8") }
        #expect(throws: CIDRBlock.Problem.notAnAddress) { try CIDRBlock("example.com") }
        #expect(throws: CIDRBlock.Problem.notAPrefixLength) { try CIDRBlock("10.0.0.0/") }
        #expect(throws: CIDRBlock.Problem.notAPrefixLength) { try CIDRBlock("10.0.0.0/+8") }
        #expect(throws: CIDRBlock.Problem.prefixTooLong(limit: 32)) { try CIDRBlock("10.0.0.0/33") }
        #expect(throws: CIDRBlock.Problem.prefixTooLong(limit: 128)) { try CIDRBlock("::/129") }
        #expect(throws: CIDRBlock.Problem.hostBitsSet(block: "10.0.0.0/8")) { try CIDRBlock("10.0.0.1/8") }
        #expect(throws: CIDRBlock.Problem.hostBitsSet(block: "2001:db8::/32")) { try CIDRBlock("2001:db8::1/32") }
    }

    @Test("a set agrees with its blocks, one by one", arguments: TestSeeds.of(7...7))
    func agreement(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func next(_ limit: Int) -> UInt32 { UInt32(random.number(below: limit)) }
        for _ in 0..<200 {
            let blocks = try (0..<Int(next(6))).map { _ in
                let length = 24 + next(9)
                let base = 0x0A00_0000 | next(1 << 12)
                let network = length == 32 ? base : (base >> (32 - length)) << (32 - length)
                return try CIDRBlock("\(IPAddress(ipv4: network))/\(length)")
            }
            let set = CIDRSet(blocks)
            for _ in 0..<100 {
                let address = IPAddress(ipv4: 0x0A00_0000 | next(1 << 12))
                #expect(set.contains(address) == blocks.contains { $0.first <= address && address <= $0.last })
            }
        }
    }
}
