public import AppSiteAssociation

/// Collects the documents of domains, and freezes them into a router.
public struct UniversalLinkRouterBuilder: Sendable {
    private var documents: [AssociationDocument] = []
    private var exact: [String: Int] = [:]
    private var below: [String: Int] = [:]

    public init() {}

    /// Adds a document for a domain.
    ///
    /// - Parameters:
    ///   - document: The association file.
    ///   - domain: A domain such as `example.com`, in any case, in Unicode or Punycode; or `*.example.com` for all names
    ///     below one, of which the longest that fits is asked, and only if the name itself has no document.
    /// - Throws: ``RouterError`` if it is no domain, or has a document already.
    public mutating func add(_ document: AssociationDocument, domain: String) throws(RouterError) {
        let isWildcard = domain.hasPrefix("*.")
        let name = isWildcard ? String(domain.dropFirst(2)) : domain
        guard let ascii = Punycode.ascii(name), Self.isDomain(ascii) || !isWildcard && Self.isAddress(ascii) else {
            throw RouterError(.invalidDomain, domain)
        }
        guard (isWildcard ? below : exact)[ascii] == nil else { throw RouterError(.duplicateDomain, domain) }
        documents.append(document)
        if isWildcard { below[ascii] = documents.count - 1 } else { exact[ascii] = documents.count - 1 }
    }

    /// Builds the router.
    public func build() -> UniversalLinkRouter {
        let domains = DomainTable(exact: exact, below: below)
        return UniversalLinkRouter(RouterStorage(documents.map { DocumentIndex($0) }, domains: domains))
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
