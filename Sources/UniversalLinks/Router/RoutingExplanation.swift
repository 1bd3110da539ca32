public import AppSiteAssociation

/// A decision with every rule that was tried for it.
public struct RoutingExplanation: Sendable {
    public let decision: RoutingDecision
    /// The rules that were tried, in file order, up to where every app was decided; of the first that matches for an app
    /// comes the decision.
    public let trace: [RuleTrial]
}

/// Explains decisions: it tries the rules one by one, as the specification says it.
///
/// Making one compiles all rules for the plain loop, so keep it when many URLs are to be explained.
public struct RoutingExplainer: Sendable {
    private let router: UniversalLinkRouter
    private let matchers: [ReferenceMatcher]

    public init(_ router: UniversalLinkRouter) {
        self.router = router
        matchers = router.storage.documents.map { ReferenceMatcher($0.document) }
    }

    public func explain(_ url: String) -> RoutingExplanation {
        Array(url.utf8).withUnsafeBytes { explain($0) }
    }

    /// Explains the decision about a URL that is at hand as bytes.
    public func explain(_ url: UnsafeRawBufferPointer) -> RoutingExplanation {
        let decision = router.decide(url)
        let number = Int(decision.verdict.document)
        guard matchers.indices.contains(number), let url = WebURL(url) else {
            return RoutingExplanation(decision: decision, trace: [])
        }
        return RoutingExplanation(decision: decision, trace: matchers[number].decide(url).trace)
    }
}

extension UniversalLinkRouter {
    /// Decides a URL and says of every rule that was tried which part of it failed.
    ///
    /// For many URLs keep a ``RoutingExplainer``.
    public func explain(_ url: String) -> RoutingExplanation { RoutingExplainer(self).explain(url) }
}
