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
        guard let ascii = Punycode.ascii(name), HostName.isDomain(ascii) || !isWildcard && HostName.isAddress(ascii)
        else {
            throw RouterError(.invalidDomain, text)
        }
        self.ascii = ascii
    }
}
