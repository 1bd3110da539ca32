/// A block of addresses that no server on the public Internet has.
package struct SpecialPurposeBlock: Equatable, Sendable {
    package let addresses: CIDRBlock
    /// The usual notation, like `10.0.0.0/8`.
    package let text: String
    /// The purpose of the block, such as `a private network`.
    package let purpose: String

    private init?(_ text: String, _ purpose: String) {
        guard let addresses = try? CIDRBlock(text) else { return nil }
        self.addresses = addresses
        self.text = text
        self.purpose = purpose
    }

    /// The IANA IPv4 Special-Purpose Address Registry (RFC 6890,
    /// https://www.iana.org/assignments/iana-ipv4-special-registry), and multicast (RFC 5771).
    ///
    /// Blocks that the registry calls globally reachable are among them: they are anycast services, which the nearest
    /// network provides, and none of them is a web server.
    package static let ipv4: [SpecialPurposeBlock] = [
        SpecialPurposeBlock("0.0.0.0/8", "this network"),
        SpecialPurposeBlock("10.0.0.0/8", "a private network"),
        SpecialPurposeBlock("100.64.0.0/10", "a carrier's address translation"),
        SpecialPurposeBlock("127.0.0.0/8", "loopback"),
        SpecialPurposeBlock("169.254.0.0/16", "link-local"),
        SpecialPurposeBlock("172.16.0.0/12", "a private network"),
        SpecialPurposeBlock("192.0.0.0/24", "protocol assignments"),
        SpecialPurposeBlock("192.0.2.0/24", "documentation"),
        SpecialPurposeBlock("192.31.196.0/24", "AS112 anycast"),
        SpecialPurposeBlock("192.52.193.0/24", "multicast tunneling"),
        SpecialPurposeBlock("192.88.99.0/24", "6to4 relay anycast"),
        SpecialPurposeBlock("192.168.0.0/16", "a private network"),
        SpecialPurposeBlock("192.175.48.0/24", "AS112 anycast"),
        SpecialPurposeBlock("198.18.0.0/15", "benchmarking"),
        SpecialPurposeBlock("198.51.100.0/24", "documentation"),
        SpecialPurposeBlock("203.0.113.0/24", "documentation"),
        SpecialPurposeBlock("224.0.0.0/4", "multicast"),
        SpecialPurposeBlock("240.0.0.0/4", "reserved"),
    ].compactMap { $0 }

    /// The IANA IPv6 Special-Purpose Address Registry (RFC 6890,
    /// https://www.iana.org/assignments/iana-ipv6-special-registry) without the two blocks whose addresses are as public
    /// as the IPv4 address inside, and all that is not global unicast (RFC 4291, section 2.4): IANA assigns addresses
    /// of 2000::/3 only. Of overlapping blocks the smaller one is first.
    package static let ipv6: [SpecialPurposeBlock] = [
        SpecialPurposeBlock("::/128", "unspecified"),
        SpecialPurposeBlock("::1/128", "loopback"),
        SpecialPurposeBlock("::/96", "IPv4-compatible"),
        SpecialPurposeBlock("::ffff:0:0:0/96", "IPv4-translated"),
        SpecialPurposeBlock("64:ff9b:1::/48", "local-use translation"),
        SpecialPurposeBlock("100::/64", "discarded"),
        SpecialPurposeBlock("100:0:0:1::/64", "a dummy prefix"),
        SpecialPurposeBlock("2001::/32", "Teredo"),
        SpecialPurposeBlock("2001:2::/48", "benchmarking"),
        SpecialPurposeBlock("2001:3::/32", "multicast tunneling"),
        SpecialPurposeBlock("2001:4:112::/48", "AS112 anycast"),
        SpecialPurposeBlock("2001:10::/28", "ORCHID"),
        SpecialPurposeBlock("2001:20::/28", "ORCHIDv2"),
        SpecialPurposeBlock("2001:30::/28", "drone identifiers"),
        SpecialPurposeBlock("2001::/23", "protocol assignments"),
        SpecialPurposeBlock("2001:db8::/32", "documentation"),
        SpecialPurposeBlock("2620:4f:8000::/48", "AS112 anycast"),
        SpecialPurposeBlock("3fff::/20", "documentation"),
        SpecialPurposeBlock("5f00::/16", "segment routing"),
        SpecialPurposeBlock("fc00::/7", "a private network"),
        SpecialPurposeBlock("fe80::/10", "link-local"),
        SpecialPurposeBlock("fec0::/10", "site-local"),
        SpecialPurposeBlock("ff00::/8", "multicast"),
        SpecialPurposeBlock("::/3", "reserved"),
        SpecialPurposeBlock("4000::/2", "reserved"),
        SpecialPurposeBlock("8000::/1", "reserved"),
    ].compactMap { $0 }
}

extension IPAddress {
    /// Whether it is an address on the public Internet: an IPv4 address outside the special-purpose blocks, an IPv6
    /// address of 2000::/3 outside those, or one of `64:ff9b::/96`; and any IPv4 address inside is public, too.
    package var isPublic: Bool { specialPurpose == nil }

    /// Whether it is an address of the machine itself.
    package var isLoopback: Bool {
        embeddedIPv4 == nil && ["127.0.0.0/8", "::1/128"].contains(specialPurpose?.text)
    }

    /// Why the address is not public: `loopback`, or `loopback, 127.0.0.1` for an IPv6 address with that inside; nil
    /// for a public address.
    package var purposeText: String? {
        if let inner = embeddedIPv4, let block = inner.ownBlock { return "\(block.purpose), \(inner)" }
        return specialPurpose?.purpose
    }

    /// The block that it is in, or that the IPv4 address inside is in; nil for a public address.
    package var specialPurpose: SpecialPurposeBlock? { embeddedIPv4?.ownBlock ?? ownBlock }

    /// The block that it is in, whatever is inside.
    private var ownBlock: SpecialPurposeBlock? {
        guard isIPv6 else { return SpecialPurposeBlock.ipv4.first { $0.addresses.contains(self) } }
        if isTranslated { return nil }
        return SpecialPurposeBlock.ipv6.first { $0.addresses.contains(self) }
    }

    /// Whether it is in `64:ff9b::/96`, to which DNS64 maps every host that has IPv4 only (RFC 6052, section 2.1).
    private var isTranslated: Bool { high == 0x0064_FF9B_0000_0000 && low >> 32 == 0 }

    /// The IPv4 address that is part of an IPv6 address, in each form that has one and is not an IPv4 address itself.
    package var embeddedIPv4: IPAddress? {
        let last = UInt32(truncatingIfNeeded: low)
        // IPv4-compatible (RFC 4291, section 2.5.5.1), except for `::` and `::1`.
        if high == 0, low >> 32 == 0 { return last > 1 ? IPAddress(ipv4: last) : nil }
        // IPv4-translated (RFC 2765, section 2.1): `::ffff:0:192.0.2.1`.
        if high == 0, low >> 32 == 0xFFFF_0000 { return IPAddress(ipv4: last) }
        // Translation by `64:ff9b::/96` (RFC 6052), and locally by `64:ff9b:1::/48` (RFC 8215).
        if isTranslated || high >> 16 == 0x0064_FF9B_0001 { return IPAddress(ipv4: last) }
        // 6to4 (RFC 3056): `2002:c000:201::`.
        if high >> 48 == 0x2002 { return IPAddress(ipv4: UInt32(truncatingIfNeeded: high >> 16)) }
        // Teredo (RFC 4380, section 4): the address of the client with all bits inverted.
        if high >> 32 == 0x2001_0000 { return IPAddress(ipv4: ~last) }
        // ISATAP (RFC 5214, section 6.1), with the "universal" bit or without it.
        if low >> 32 == 0x0000_5EFE || low >> 32 == 0x0200_5EFE { return IPAddress(ipv4: last) }
        return nil
    }
}
