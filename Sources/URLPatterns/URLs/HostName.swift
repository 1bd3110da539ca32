internal import DomainNames

/// The host of a web URL in the form in which it is compared: ASCII, lower case, internationalized names in Punycode.
package struct HostName: Hashable, Sendable {
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    package let ascii: String

    /// The host that a person has written, in any case, in Unicode or Punycode.
    ///
    /// Labels may have a `_`, which is in use though RFC 1035, section 2.3.1 has none.
    /// - Returns: Nil for what cannot be the host of a URL.
    package init?(_ text: String) {
        guard let ascii = Punycode.ascii(text), Self.isName(ascii) || Self.isAddress(ascii) else { return nil }
        self.ascii = ascii
    }

    /// Whether it is an IPv6 address.
    package var isAddress: Bool { ascii.utf8.first == UInt8(ascii: "[") }

    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= DNSName.maxLength
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.allSatisfy { DNSName.isLetterDigitOrHyphen($0) || $0 == UInt8(ascii: "_") }
            }
    }

    /// Whether it looks like an IPv6 address in brackets (RFC 3986, section 3.2.2).
    private static func isAddress(_ name: String) -> Bool {
        guard name.hasPrefix("["), name.hasSuffix("]"), name.utf8.contains(UInt8(ascii: ":")) else { return false }
        return name.utf8.dropFirst().dropLast().allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
    }
}
