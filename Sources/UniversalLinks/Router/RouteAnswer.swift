package import AppSiteAssociation
internal import BoundedText
package import Diagnostics
package import URLPatterns

/// The answer about one URL, as `aasa route` and the server's admin listener give it.
package struct RouteAnswer: Sendable {
    /// The URL as it was given.
    package let url: String
    /// The URL as the system has it, which was decided; nil if that is the same.
    package let encodedURL: String?
    package let decision: RoutingDecision
    /// Why no rule decided; nil if one did.
    package let reason: String?
    package let hint: RoutingHint?
    /// The changes with which an app would open the URL, at most three; nil if they were not asked for, or an app opens it.
    package let nearMisses: [NearMiss]?
    /// The rules that were tried; nil if they were not asked for.
    package let trace: [RuleEvaluation]?
    /// Whether the trace has all of them.
    package let isTraceComplete: Bool

    /// - Parameter domain: The domain of the file, as it was given; nil if it is taken for that of any host.
    package init(
        _ url: String, encodedURL: String? = nil, _ decision: RoutingDecision, domain: String?,
        hint: RoutingHint? = nil, nearMisses: [NearMiss]? = nil, trace: [RuleEvaluation]? = nil,
        isTraceComplete: Bool = true
    ) {
        self.url = url
        self.encodedURL = encodedURL
        self.decision = decision
        self.hint = hint
        self.nearMisses = nearMisses
        self.trace = trace
        self.isTraceComplete = isTraceComplete
        if decision.outcome == .notDecided {
            reason = Self.tooLarge
        } else if decision.outcome != .noMatch {
            reason = nil
        } else if let document = decision.document {
            let hasEntries = document.appLinks?.details.isEmpty == false
            reason = hasEntries ? "no rule matches" : "the file has no entries in applinks.details"
        } else {
            reason = "the file speaks for \(domain ?? "no host") only"
        }
    }

    /// Why a URL is not decided.
    package static let tooLarge = "too large: to compare this URL with the rules takes too many steps"

    /// The remedy for a file that is too large to decide.
    package static let tooLargeHelp = "use fewer variables and wildcards in a pattern, and variables with fewer values"

    /// The JSON object for a text that is not an http or https URL with a host.
    package static func refusal(of url: String) -> JSONOutput {
        .object(["version": .number(1), "url": .string(url), "error": .string(WebURL.refusal(of: url))])
    }

    /// The members of the JSON object (docs/spec/cli.md, section 1.3).
    package var members: [String: JSONOutput] {
        var object: [String: JSONOutput] = [
            "version": .number(1), "url": .string(url), "outcome": .string(decision.outcome.rawValue),
            "appIDs": .array(decision.appIDs.map(JSONOutput.string)),
            "rule": decision.rule.map(json) ?? .null, "reason": .optional(reason),
            "userActivity": decision.outcome == .open ? userActivity : .null,
        ]
        if let encodedURL { object["encodedURL"] = .string(encodedURL) }
        if decision.outcome == .notDecided { object["code"] = .string(RuleDescription.urlNotDecided.code.rawValue) }
        if let hint { object["hint"] = hint.json }
        if let nearMisses { object["nearMisses"] = .array(nearMisses.map(\.json)) }
        if let trace {
            object["trace"] = .array(trace.map(json))
            if !isTraceComplete { object["traceTruncated"] = .boolean(true) }
        }
        return object
    }

    /// The members of the JSON object about a URL on both platforms.
    ///
    /// - Parameters:
    ///   - answer: Nil if no association file was asked.
    ///   - url: As it was given.
    ///   - fileErrors: The number of errors in the file that change which links open; nil without a file.
    ///   - android: The answer for Android; nil if it was not asked for.
    package static func members(
        _ answer: RouteAnswer?, url: String, fileErrors: Int?, android: JSONOutput?
    ) -> [String: JSONOutput] {
        var members =
            answer?.members ?? [
                "version": .number(1), "url": .string(url), "outcome": .null, "appIDs": .array([]), "rule": .null,
                "reason": .null, "userActivity": .null,
            ]
        if let fileErrors, fileErrors > 0 { members["fileErrors"] = .number(fileErrors) }
        if let android { members["android"] = android }
        return members
    }

    /// The activity that the app receives: the type is the value of `NSUserActivityTypeBrowsingWeb`.
    private var userActivity: JSONOutput {
        .object(["activityType": .string("NSUserActivityTypeBrowsingWeb"), "webpageURL": .string(encodedURL ?? url)])
    }

    private func json(_ rule: Rule) -> JSONOutput { Self.json(rule) }

    fileprivate static func json(_ rule: Rule) -> JSONOutput {
        .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
            "comment": .optional(rule.comment),
        ])
    }

    private func json(_ evaluation: RuleEvaluation) -> JSONOutput {
        let (rule, failure) = (evaluation.rule, evaluation.failure)
        var members: [String: JSONOutput] = [
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
            "matched": .boolean(failure == nil), "failed": .optional(failure?.part.rawValue),
            "pattern": .optional(failure?.pattern), "value": .optional(failure?.value),
        ]
        if failure == nil { members["appIDs"] = .array(evaluation.appIDs.map(JSONOutput.string)) }
        return .object(members)
    }
}

extension RoutingHint {
    /// The JSON object (docs/spec/cli.md, section 1.3).
    package var json: JSONOutput {
        .object([
            "difference": .string(difference.rawValue), "message": .string(message), "url": .string(url),
            "appIDs": .array(appIDs.map(JSONOutput.string)), "rule": RouteAnswer.json(rule),
        ])
    }
}

/// Answers questions about URLs, each as the system has it: with what no URL may have percent-encoded.
package struct RouteAnswerer: Sendable {
    private let router: UniversalLinkRouter
    private let explainer: RoutingExplainer?
    private let listsNearMisses: Bool
    private let nearMisses: NearMissSearch?
    private let domain: String?

    /// - Parameters:
    ///   - domain: The domain of the file, as it was given; nil if it is taken for that of any host.
    ///   - explains: Whether answers have a trace, and near misses if they have hints.
    ///   - hints: Whether answers about URLs that open no app say what is missing.
    ///   - traces: Whether an explained answer has its trace, which is as long as the list of rules.
    package init(
        _ router: UniversalLinkRouter, domain: String?, explains: Bool, hints: Bool, traces: Bool = true
    ) {
        self.router = router
        self.domain = domain
        explainer = explains && traces ? RoutingExplainer(router) : nil
        listsNearMisses = explains
        nearMisses = hints ? NearMissSearch(router) : nil
    }

    /// Nil if it is not an http or https URL with a host.
    package func answer(_ url: UnsafeRawBufferPointer) -> RouteAnswer? {
        var work: WorkBudget?
        return answer(url, &work)
    }

    package func answer(_ url: String) -> RouteAnswer? { Array(url.utf8).withUnsafeBytes { answer($0) } }

    /// The same answer, which is paid from a budget that the answers about other URLs share; each may take a little more
    /// than is left.
    package func answer(_ url: String, within budget: inout WorkBudget) -> RouteAnswer? {
        var work: WorkBudget? = budget
        defer { budget = work ?? budget }
        return Array(url.utf8).withUnsafeBytes { answer($0, &work) }
    }

    /// - Parameter work: Nil if it is not counted, which is faster.
    private func answer(_ url: UnsafeRawBufferPointer, _ work: inout WorkBudget?) -> RouteAnswer? {
        guard let encoded = EncodedURL.bytes(of: url) else { return answer(url, as: nil, &work) }
        return encoded.withUnsafeBytes { answer($0, as: String(text: url), &work) }
    }

    /// - Parameter given: The URL as it was given, if it is another one.
    private func answer(
        _ url: UnsafeRawBufferPointer, as given: String?, _ work: inout WorkBudget?
    ) -> RouteAnswer? {
        var deciding = WorkBudget.decision
        let decision = work == nil ? router.decide(url) : router.decide(Array(url), &deciding)
        guard decision.isWebURL else { return nil }
        var explaining = WorkBudget.decision
        let explanation = explainer?.explain(decision, url, &explaining)
        let text = String(text: url)
        let canHaveHint = decision.outcome != .open && decision.outcome != .notDecided
        var searching = WorkBudget.decision
        let hint = canHaveHint ? nearMisses?.hint(for: text, &searching) : nil
        let misses = canHaveHint && listsNearMisses ? nearMisses?.misses(for: text, &searching) : nil
        work?.spend(deciding.spent + explaining.spent + searching.spent)
        return RouteAnswer(
            given ?? text, encodedURL: given == nil ? nil : text, decision, domain: domain, hint: hint,
            nearMisses: misses, trace: explanation?.trace, isTraceComplete: explanation?.isTraceComplete ?? true)
    }
}
