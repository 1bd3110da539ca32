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
        let name = try DomainName(domain)
        let isKnown = (name.isWildcard ? below : exact)[name.ascii] != nil
        guard !isKnown else { throw RouterError(.duplicateDomain, domain) }
        documents.append(document)
        if name.isWildcard { below[name.ascii] = documents.count - 1 } else { exact[name.ascii] = documents.count - 1 }
    }

    /// Builds the router.
    public func build() -> UniversalLinkRouter {
        let domains = DomainTable(exact: exact, below: below)
        return UniversalLinkRouter(RouterStorage(documents.map { DocumentIndex($0) }, domains: domains))
    }
}
