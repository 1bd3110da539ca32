/// A block of addresses that are not public, so that no server of the Internet has one.
package struct SpecialPurposeBlock: Equatable, Sendable {
    package let addresses: CIDRBlock
    /// As it is usually written, like `10.0.0.0/8`.
    package let text: String
    /// What it is for, such as `a private network`.
    package let purpose: String

    private init?(_ text: String, _ purpose: String) {
        do throws(CIDRBlock.Problem) {
            addresses = try CIDRBlock(text)
        } catch {
            return nil
        }
        self.text = text
        self.purpose = purpose
    }

    /// From the registries of RFC 6890, and multicast.
    package static let all: [SpecialPurposeBlock] = [
        SpecialPurposeBlock("0.0.0.0/8", "this network"),
        SpecialPurposeBlock("10.0.0.0/8", "a private network"),
        SpecialPurposeBlock("100.64.0.0/10", "a carrier's address translation"),
        SpecialPurposeBlock("127.0.0.0/8", "loopback"),
        SpecialPurposeBlock("169.254.0.0/16", "link-local"),
        SpecialPurposeBlock("172.16.0.0/12", "a private network"),
        SpecialPurposeBlock("192.0.0.0/24", "protocol assignments"),
        SpecialPurposeBlock("192.0.2.0/24", "documentation"),
        SpecialPurposeBlock("192.168.0.0/16", "a private network"),
        SpecialPurposeBlock("198.18.0.0/15", "benchmarks"),
        SpecialPurposeBlock("198.51.100.0/24", "documentation"),
        SpecialPurposeBlock("203.0.113.0/24", "documentation"),
        SpecialPurposeBlock("224.0.0.0/4", "multicast"),
        SpecialPurposeBlock("240.0.0.0/4", "reserved"),
        SpecialPurposeBlock("::/128", "unspecified"),
        SpecialPurposeBlock("::1/128", "loopback"),
        SpecialPurposeBlock("100::/64", "discarded"),
        SpecialPurposeBlock("2001:db8::/32", "documentation"),
        SpecialPurposeBlock("fc00::/7", "a private network"),
        SpecialPurposeBlock("fe80::/10", "link-local"),
        SpecialPurposeBlock("ff00::/8", "multicast"),
    ].compactMap { $0 }
}

extension IPAddress {
    /// Whether it is an address of the Internet, and not one of a block that has a purpose of its own.
    package var isPublic: Bool { specialPurpose == nil }

    /// Whether it is an address of the machine itself.
    package var isLoopback: Bool {
        embeddedIPv4 == nil && ["127.0.0.0/8", "::1/128"].contains(specialPurpose?.text)
    }

    /// The block that it is in; nil for a public address. An IPv6 address with an IPv4 address inside is judged by
    /// that.
    package var specialPurpose: SpecialPurposeBlock? {
        let judged = embeddedIPv4 ?? self
        return SpecialPurposeBlock.all.first { $0.addresses.contains(judged) }
    }

    /// The IPv4 address in one that translates it (`64:ff9b::/96`, RFC 6052) or tunnels to it (`2002::/16`, RFC 3056).
    package var embeddedIPv4: IPAddress? {
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) }
        if high >> 48 == 0x2002 { return IPAddress(ipv4: UInt32(truncatingIfNeeded: high >> 16)) }
        return nil
    }
}
