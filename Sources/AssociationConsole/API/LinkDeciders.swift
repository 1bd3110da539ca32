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
    /// The file for Apple's systems; nil without one.
    let association: AssociationDocument?
    let fileErrors: Int?
    private let router: UniversalLinkRouter?
    let android: AndroidRouter?

    /// - Parameters:
    ///   - manifests: Those of the apps for Android, by package.
    ///   - api: The version of Android on the device.
    ///   - domain: Whose files they are, checked; nil if they are taken for those of any host.
    ///   - traces: Whether an explained answer has every rule that was tried.
    init(
        _ document: AssociationDocument?, _ links: AssetLinksDocument?,
        manifests: [String: AndroidRouter.Manifest] = [:], api: Int = ManifestDecisions.api, domain: String?,
        traces: Bool = true
    ) {
        self.traces = traces
        association = document
        let name = domain.flatMap { try? DomainName($0) }
        router = document.map { document in
            domain.flatMap { try? UniversalLinkRouter(document, domain: $0) }
                ?? UniversalLinkRouter(anyDomain: document)
        }
        apple = router.map { router in
            (
                RouteAnswerer(router, domain: domain, explains: true, hints: true, traces: traces),
                RouteAnswerer(router, domain: domain, explains: false, hints: true)
            )
        }
        fileErrors = document.map { Linter().countReadingErrors(in: $0.source.bytes) }
        android = links.map {
            AndroidRouter($0, manifests: manifests, api: api, isForHost: { name?.covers($0) ?? true })
        }
    }

    /// The answers about a URL; both are nil if it is not an http or https URL with a host.
    func answer(
        _ url: String, explains: Bool, _ work: inout WorkBudget
    ) -> (apple: RouteAnswer?, android: AndroidAnswer?) {
        let answerer = explains ? apple?.explaining : apple?.brief
        let own = answerer?.answer(url, within: &work)
        guard own != nil || apple == nil else { return (nil, nil) }
        // Apps get a URL as the system has it.
        return (own, android?.answer(own?.encodedURL ?? url, explains: explains, within: &work))
    }

    /// The object that `aasa route --format json` prints about a URL.
    func json(_ url: String, explains: Bool, _ work: inout WorkBudget) -> JSONOutput {
        json(answer(url, explains: explains, &work), url, explains: explains)
    }

    /// - Parameter answers: Those about the URL.
    func json(_ answers: (apple: RouteAnswer?, android: AndroidAnswer?), _ url: String, explains: Bool) -> JSONOutput {
        guard answers.apple != nil || answers.android != nil else { return RouteAnswer.refusal(of: url) }
        return .object(
            RouteAnswer.members(
                answers.apple, url: url, fileErrors: fileErrors,
                android: answers.android?.json(explains: explains, traces: traces)))
    }

    /// The rules and filters that were tried with a URL, each with its line and the reason in words.
    ///
    /// - Parameter android: The answer about the URL.
    func trace(_ url: String, _ android: AndroidAnswer?, _ work: inout WorkBudget) -> JSONOutput {
        let answer = router.flatMap {
            RouteAnswerer($0, domain: nil, explains: true, hints: false).answer(url, within: &work)
        }
        var mismatch = association.map { RuleMismatch($0) }
        let parts = WebURL((answer?.encodedURL ?? url).utf8)
        func entry(_ line: Int, _ verb: String, _ text: String, _ isMatch: Bool, _ reason: String) -> JSONOutput {
            .object([
                "line": .number(line), "verb": .string(verb), "text": .string(text), "matched": .boolean(isMatch),
                "reason": .string(reason),
            ])
        }
        func verb(_ excludes: Bool) -> String { excludes ? "exclude" : "open" }
        let rules = (answer?.trace ?? []).prefix(Self.maxTrace).map { evaluation in
            let (rule, failure) = (evaluation.rule, evaluation.failure)
            let reason = failure.flatMap { mismatch?.reason($0, of: rule, parts) } ?? "matches"
            return entry(rule.position.line, verb(rule.excludes), RuleText.patterns(rule), failure == nil, reason)
        }
        let apps = android?.apps ?? []
        let filters = apps.flatMap(\.filters).prefix(Self.maxTrace).map { trace in
            entry(
                trace.filter.line, "filter", trace.filter.activity ?? "", trace.evaluation.decision == .yes,
                trace.reason)
        }
        let components = apps.flatMap(\.trace).prefix(Self.maxTrace).map { evaluation in
            let component = evaluation.component
            return entry(
                component.position.line, verb(component.excludes), component.patterns, evaluation.isMatch,
                evaluation.reason)
        }
        return .object(["rules": .array(rules), "filters": .array(filters), "components": .array(components)])
    }

    /// As many rules as a person looks through.
    private static let maxTrace = 200
}
