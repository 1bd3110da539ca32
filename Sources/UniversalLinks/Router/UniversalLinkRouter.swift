public import AppSiteAssociation

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
    /// - Throws: ``RouterError`` if it is no domain.
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
    /// - Parameter url: The URL as it stands, without spaces or line ends around it. What is no `http` or `https` URL with
    ///   a host matches nothing.
    @inlinable
    public func decide(_ url: UnsafeRawBufferPointer) -> RoutingDecision {
        let verdict = storage.verdict(url)
        let manyApps = verdict.hasManyApps ? storage.manyApps(verdict, url) : nil
        return RoutingDecision(storage: storage, verdict: verdict, manyApps: manyApps)
    }

    /// Decides a URL that is at hand as text.
    @inlinable
    public func decide(_ url: String) -> RoutingDecision {
        url.utf8.withContiguousStorageIfAvailable { decide(UnsafeRawBufferPointer($0)) }
            ?? Array(url.utf8).withUnsafeBytes { decide($0) }
    }
}
