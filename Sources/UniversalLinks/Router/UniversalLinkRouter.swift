public import AppSiteAssociation
package import URLPatterns

/// Decides which apps open a web URL, as Apple's systems do.
///
/// A router is immutable and may be used from any thread. A decision allocates nothing, counts no references and takes no
/// lock, unless the URL is longer than about 800 bytes or a rule is one of the rare ones that only the plain check can decide
/// (more than 64 spellings by variables whose values have wildcards or slashes at their ends, more than 65,535 bytes).
public struct UniversalLinkRouter: Sendable {
    @usableFromInline let storage: RouterStorage

    init(_ storage: RouterStorage) {
        self.storage = storage
    }

    /// A router for one domain.
    ///
    /// - Parameters:
    ///   - document: The association file.
    ///   - domain: The domain that serves it, or `*.` and a domain for all names below that.
    /// - Throws: ``RouterError`` if it is not a domain.
    public init(_ document: AssociationDocument, domain: String) throws(RouterError) {
        var builder = UniversalLinkRouterBuilder()
        try builder.add(document, domain: domain)
        self = builder.build()
    }

    /// A router that takes the host of every URL for the document's domain.
    public init(anyDomain document: AssociationDocument) {
        self.init(RouterStorage([DocumentIndex(document)], domains: nil))
    }

    /// A router over an index that was made in a special way, for measuring and comparing.
    package init(anyDomain index: DocumentIndex) {
        self.init(RouterStorage([index], domains: nil))
    }

    /// Decides a URL that is at hand as bytes.
    ///
    /// - Parameter url: The URL as written, without spaces or line ends around it. What is not an `http` or `https` URL with
    ///   a host matches nothing.
    @inlinable
    public func decide(_ url: UnsafeRawBufferPointer) -> RoutingDecision {
        let verdict = storage.verdict(url)
        let manyApps = verdict.hasManyApps ? storage.manyApps(verdict, url) : nil
        return RoutingDecision(storage: storage, verdict: verdict, manyApps: manyApps)
    }

    /// Decides a URL within a budget that other decisions share.
    package func decide(_ url: [UInt8], _ budget: inout WorkBudget) -> RoutingDecision {
        url.withUnsafeBytes { url in
            let verdict = storage.verdict(url, &budget)
            let manyApps = verdict.hasManyApps ? storage.manyApps(verdict, url) : nil
            return RoutingDecision(storage: storage, verdict: verdict, manyApps: manyApps)
        }
    }

    /// Decides a URL that is at hand as text.
    @inlinable
    public func decide(_ url: String) -> RoutingDecision {
        url.utf8.withContiguousStorageIfAvailable { decide(UnsafeRawBufferPointer($0)) }
            ?? Array(url.utf8).withUnsafeBytes { decide($0) }
    }
}

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
    /// - Throws: ``RouterError`` if it is not a domain, or has a document already.
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

/// Why a router could not be built.
public struct RouterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case invalidDomain, duplicateDomain }
        private let value: Value

        /// The text is not a domain.
        public static let invalidDomain = Code(value: .invalidDomain)
        /// The domain has a document already.
        public static let duplicateDomain = Code(value: .duplicateDomain)
    }

    public let code: Code
    /// The domain as it was given.
    public let domain: String

    init(_ code: Code, _ domain: String) {
        self.code = code
        self.domain = domain
    }

    public var description: String {
        code == .invalidDomain
            ? "'\(domain)' is not a domain; expected a name like example.com or *.example.com, without scheme, port and path"
            : "'\(domain)' has an association file already; expected one for each domain"
    }
}
