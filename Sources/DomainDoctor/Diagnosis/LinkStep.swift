internal import AppProjects
internal import AppSiteAssociation
internal import Diagnostics
package import UniversalLinks

/// How the live file decides a URL.
package struct LinkResult: Sendable {
    package let url: String
    /// With its trace; nil if the file could not be had.
    package let answer: RouteAnswer?
}

// The URLs that were given.
extension Examiner {
    mutating func examineLinks() {
        guard !seen.target.urls.isEmpty else { return steps.append(Step(.link, skipped: "no URL was given")) }
        guard let document = live?.document else {
            links = seen.target.urls.map { LinkResult(url: $0, answer: nil) }
            return steps.append(Step(.link, skipped: "the file cannot be fetched"))
        }
        let router = UniversalLinkRouter(anyDomain: document)
        let explainer = RoutingExplainer(router)
        let nearMisses = NearMissSearch(router)
        var shown: [String] = []
        for url in seen.target.urls {
            let explanation = Array(url.utf8).withUnsafeBytes { explainer.explain($0) }
            let hint = explanation.decision.outcome == .open ? nil : nearMisses.hint(for: url)
            let answer = RouteAnswer(
                url, explanation.decision, domain: seen.target.host, hint: hint, trace: explanation.trace)
            links.append(LinkResult(url: url, answer: answer))
            shown += Self.lines(answer)
            judge(answer, document)
        }
        steps.append(Step(.link, summary: shown.first ?? "", details: Array(shown.dropFirst())))
    }

    /// What decides about a link: a line, and one about the rule.
    private static func lines(_ answer: RouteAnswer) -> [String] {
        let path = answer.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" && $0 != "#" }
        let decision = answer.decision
        let outcome =
            switch decision.outcome {
            case .open: "opens \(decision.appIDs.joined(separator: ", "))"
            case .excluded: "is excluded"
            case .noMatch: "opens no app"
            }
        let rule = decision.rule.map { "line \($0.position.line): \(RuleText.patterns($0))" }
        return ["\(path.isEmpty ? "/" : path) \(outcome)"] + [rule ?? answer.reason].compactMap { $0 }
    }

    private mutating func judge(_ answer: RouteAnswer, _ document: AssociationDocument) {
        let decision = answer.decision
        let wanted = appIDs
        switch decision.outcome {
        case .open:
            let listed = Set(document.appLinks?.details.flatMap { $0.appIDs.map(\.value) } ?? [])
            let missing = wanted.filter { listed.contains($0) && !decision.appIDs.contains($0) }
            guard !missing.isEmpty, missing.count == wanted.filter(listed.contains).count else { return }
            report(
                .link, "link-other-app", subject: answer.url,
                "the link opens \(decision.appIDs.map { "'\($0)'" }.joined(separator: ", ")), and not '\(missing[0])'",
                evidence: trace(answer))
        case .excluded, .noMatch:
            let why = decision.outcome == .excluded ? "the live file excludes it" : answer.reason ?? "no rule matches"
            report(
                .link, "link-not-opened", subject: answer.url, "the link opens no app: \(why)", evidence: trace(answer),
                help: answer.hint?.message)
        }
    }

    /// The apps that must be associated.
    var appIDs: [String] {
        options.appIDs.isEmpty ? options.projects.flatMap(\.appIDs) : options.appIDs
    }

    /// A line per rule that was tried.
    private func trace(_ answer: RouteAnswer) -> [String] {
        (answer.trace ?? []).map { evaluation in
            let rule = evaluation.rule
            let verb = rule.excludes ? "excludes" : "opens"
            let result = evaluation.failure.map { "\($0.part.rawValue) does not match" } ?? "matches"
            return "line \(rule.position.line): \(verb) \(RuleText.patterns(rule)): \(result)"
        }
    }
}
