import AppSiteAssociation
import Testing
import URLPatterns
import UniversalLinks

/// Both matchers of a document, and what they decide in a form that can be compared and read.
struct Agreement {
    let router: UniversalLinkRouter
    private let reference: ReferenceMatcher

    init(_ document: AssociationDocument) {
        router = UniversalLinkRouter(anyDomain: document)
        reference = ReferenceMatcher(document)
    }

    init(_ document: SampleDocument) throws {
        try self.init(AssociationDocument(document.json))
    }

    func byRouter(_ url: String) -> String { Self.text(router.decide(url)) }

    func byReference(_ url: String) -> String {
        guard let url = WebURL(url.utf8) else { return "noMatch" }
        let decision = reference.decide(url)
        return Self.text(decision.outcome, decision.appIDs, decision.rule)
    }

    /// Expects both to decide the same, and gives it.
    @discardableResult
    func expect(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
        let answer = byRouter(url)
        let expected = byReference(url)
        if answer != expected {
            let shown = url.count > 200 ? "\(url.prefix(200))… of \(url.utf8.count) bytes" : url
            Issue.record(
                "\(shown): the router says \(answer), the reference \(expected)", sourceLocation: sourceLocation)
        }
        return expected
    }

    static func text(_ decision: RoutingDecision) -> String { text(decision.outcome, decision.appIDs, decision.rule) }

    private static func text(_ outcome: Outcome, _ apps: [String], _ rule: Rule?) -> String {
        ([outcome.rawValue] + apps + (rule.map { ["by \($0.pointer)"] } ?? [])).joined(separator: " ")
    }
}
