import EventLoops
import FuzzingSupport
import Glibc
import Testing

struct PeerAddressTests {
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
        let address = try #require(PeerAddress(text))
        #expect(address.description == text)
        #expect(address.isIPv6 == text.contains(":"))
    }

    @Test("An IPv4 address is one also in its IPv6 form", arguments: ["192.0.2.1", "0.0.0.0", "255.255.255.255"])
    func mapped(text: String) throws {
        let mapped = try #require(PeerAddress("::ffff:\(text)"))
        #expect(mapped.description == text)
        #expect(!mapped.isIPv6)
        #expect(mapped == PeerAddress(text))
        #expect(mapped.key == PeerAddress(text)?.key)
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
            let address = PeerAddress(high: numbers[0], low: numbers[1])
            let text = address.description
            #expect(PeerAddress(text) == address, "\(text)")
            #expect(text.utf8.count <= PeerAddress.longestText)
            #expect(text.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) })
        }
    }

    @Test("Limits count an IPv6 address with its /64")
    func keys() throws {
        let one = try #require(PeerAddress("2001:db8::1"))
        #expect(one.key == PeerAddress("2001:db8::ffff:2")?.key)
        #expect(one.key != PeerAddress("2001:db8:0:1::1")?.key)
        #expect(PeerAddress("::1:1")?.key != PeerAddress("0.1.0.1")?.key)
        #expect(PeerAddress("10.0.0.1")?.key == PeerKey(isIPv6: false, value: 0x0A00_0001))
        #expect(PeerAddress("10.0.0.1")?.key != PeerAddress("10.0.0.2")?.key)
    }
}

extension PeerAddress {
    fileprivate init?(_ text: String) {
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
