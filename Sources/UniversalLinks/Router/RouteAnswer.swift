package import AppSiteAssociation
package import Diagnostics

/// The answer about one URL, as `aasa route` and the server's admin listener give it.
package struct RouteAnswer: Sendable {
    package let url: String
    package let decision: RoutingDecision
    /// Why no rule decided; nil if one did.
    package let reason: String?
    package let hint: RoutingHint?
    /// The rules that were tried; nil if nobody asked for them.
    package let trace: [RuleEvaluation]?

    /// - Parameter domain: The domain of the file, as it was given; nil if it is taken for that of any host.
    package init(
        _ url: String, _ decision: RoutingDecision, domain: String?, hint: RoutingHint? = nil,
        trace: [RuleEvaluation]? = nil
    ) {
        self.url = url
        self.decision = decision
        self.hint = hint
        self.trace = trace
        if decision.outcome != .noMatch {
            reason = nil
        } else if let document = decision.document {
            let hasEntries = document.appLinks?.details.isEmpty == false
            reason = hasEntries ? "no rule matches" : "the file has no entries in applinks.details"
        } else {
            reason = "the file speaks for \(domain ?? "no host") only"
        }
    }

    /// The message for a text that is not an http or https URL with a host.
    package static let refusal = "not an http or https URL with a host; write it as https://example.com/path"

    /// The JSON object for such a text.
    package static func refusal(of url: String) -> JSONOutput {
        .object(["version": .number(1), "url": .string(url), "error": .string(refusal)])
    }

    /// The members of the JSON object (docs/spec/cli.md, section 1.3).
    package var members: [String: JSONOutput] {
        var object: [String: JSONOutput] = [
            "version": .number(1), "url": .string(url), "outcome": .string(decision.outcome.rawValue),
            "appIDs": .array(decision.appIDs.map(JSONOutput.string)),
            "rule": decision.rule.map(json) ?? .null, "reason": .optional(reason),
            "userActivity": decision.outcome == .open ? userActivity : .null,
        ]
        if let hint { object["hint"] = json(hint) }
        if let trace { object["trace"] = .array(trace.map(json)) }
        return object
    }

    /// What the app receives: the type is the value of `NSUserActivityTypeBrowsingWeb`.
    private var userActivity: JSONOutput {
        .object(["activityType": .string("NSUserActivityTypeBrowsingWeb"), "webpageURL": .string(url)])
    }

    private func json(_ rule: Rule) -> JSONOutput {
        .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
            "comment": .optional(rule.comment),
        ])
    }

    private func json(_ hint: RoutingHint) -> JSONOutput {
        .object([
            "difference": .string(hint.difference.rawValue), "message": .string(hint.message), "url": .string(hint.url),
            "appIDs": .array(hint.decision.appIDs.map(JSONOutput.string)), "rule": json(hint.rule),
        ])
    }

    private func json(_ evaluation: RuleEvaluation) -> JSONOutput {
        let (rule, failure) = (evaluation.rule, evaluation.failure)
        return .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
            "matched": .boolean(failure == nil), "failed": .optional(failure?.part.rawValue),
            "pattern": .optional(failure?.pattern), "value": .optional(failure?.value),
        ])
    }
}
