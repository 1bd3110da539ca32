internal import Android
internal import AppSiteAssociation
internal import AssociationLint
internal import Diagnostics
internal import URLPatterns
internal import UniversalLinks

/// Decides URLs by an association file, an asset links file, or both.
struct LinkDeciders {
    private let apple: (explaining: RouteAnswerer, brief: RouteAnswerer)?
    private let traces: Bool
    private let fileErrors: Int?
    private let android: AndroidRouter?

    /// - Parameters:
    ///   - domain: Whose files they are, checked; nil if they are taken for those of any host.
    ///   - traces: Whether an explained answer has every rule that was tried.
    init(_ document: AssociationDocument?, _ links: AssetLinksDocument?, domain: String?, traces: Bool = true) {
        self.traces = traces
        let name = domain.flatMap { try? DomainName($0) }
        apple = document.map { document in
            let router =
                domain.flatMap { try? UniversalLinkRouter(document, domain: $0) }
                ?? UniversalLinkRouter(anyDomain: document)
            return (
                RouteAnswerer(router, domain: domain, explains: true, hints: true, traces: traces),
                RouteAnswerer(router, domain: domain, explains: false, hints: true)
            )
        }
        fileErrors = document.map { Linter().countReadingErrors(in: $0.source.bytes) }
        android = links.map { AndroidRouter($0, isForHost: { name?.covers($0) ?? true }) }
    }

    /// The answers about a URL; both are nil if it is not an http or https URL with a host.
    func answer(
        _ url: String, explains: Bool, _ work: inout WorkBudget
    ) -> (apple: RouteAnswer?, android: AndroidAnswer?) {
        let answerer = explains ? apple?.explaining : apple?.brief
        let own = answerer?.answer(url, within: &work)
        guard own != nil || apple == nil else { return (nil, nil) }
        // Apps get a URL as the system has it.
        return (own, android?.answer(own?.encodedURL ?? url, explains: explains && traces, within: &work))
    }

    /// The object that `aasa route --format json` prints about a URL.
    func json(_ url: String, explains: Bool, _ work: inout WorkBudget) -> JSONOutput {
        let (own, other) = answer(url, explains: explains, &work)
        guard own != nil || other != nil else { return RouteAnswer.refusal(of: url) }
        return .object(
            RouteAnswer.members(
                own, url: url, fileErrors: fileErrors, android: other?.json(explains: explains && traces)))
    }
}
