internal import AppSiteAssociation

/// A domain for which a file speaks, or all names below one.
package struct DomainName: Sendable {
    /// In Punycode and small letters, without the `*.` of a wildcard.
    package let ascii: String
    package let isWildcard: Bool

    /// - Parameter text: `example.com`, in any case, in Unicode or Punycode; `*.example.com`; or an IPv6 address in brackets.
    package init(_ text: String) throws(RouterError) {
        isWildcard = text.hasPrefix("*.")
        let name = isWildcard ? String(text.dropFirst(2)) : text
        guard let ascii = Punycode.ascii(name), Self.isDomain(ascii) || !isWildcard && Self.isAddress(ascii) else {
            throw RouterError(.invalidDomain, text)
        }
        self.ascii = ascii
    }

    private static func isDomain(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                    default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    }
                }
        }
        return name.utf8.count <= 253 && isName
    }

    /// Whether it looks like an IPv6 address in brackets (RFC 3986, section 3.2.2).
    private static func isAddress(_ name: String) -> Bool {
        guard name.hasPrefix("["), name.hasSuffix("]"), name.utf8.contains(UInt8(ascii: ":")) else { return false }
        return name.utf8.dropFirst().dropLast().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
            }
        }
    }
}
