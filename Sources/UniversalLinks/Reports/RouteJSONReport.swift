package import AppSiteAssociation
package import Diagnostics

/// A decision as a JSON object on one line (cli.md, "aasa route").
package struct RouteJSONReport: RouteReport {
    package init() {}

    package func answer(
        _ url: String, _ decision: RoutingDecision, _ remarks: RouteRemarks, trace: [RuleTrial]?
    ) -> String {
        JSONOutput.object(members(url, decision, remarks, trace: trace)).text
    }

    package func refusal(_ url: String) -> String {
        JSONOutput.object(["version": .number(1), "url": .string(url), "error": .string(RouteRefusal.message)]).text
    }

    /// The object's members, for those who have more to say.
    package func members(
        _ url: String, _ decision: RoutingDecision, _ remarks: RouteRemarks, trace: [RuleTrial]?
    ) -> [String: JSONOutput] {
        var object: [String: JSONOutput] = [
            "version": .number(1), "url": .string(url), "outcome": .string(decision.outcome.rawValue),
            "appIDs": .array(decision.appIDs.map(JSONOutput.string)),
            "rule": decision.rule.map(json) ?? .null, "reason": .optional(remarks.reason),
            "userActivity": decision.outcome == .open ? userActivity(url) : .null,
        ]
        if let hint = remarks.hint { object["hint"] = json(hint) }
        if let trace { object["trace"] = .array(trace.map(json)) }
        return object
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

    /// What the app is given: the type is the value of `NSUserActivityTypeBrowsingWeb`.
    private func userActivity(_ url: String) -> JSONOutput {
        .object(["activityType": .string("NSUserActivityTypeBrowsingWeb"), "webpageURL": .string(url)])
    }

    private func json(_ trial: RuleTrial) -> JSONOutput {
        .object([
            "detail": .number(trial.rule.detail), "component": .number(trial.rule.component),
            "pointer": .string(trial.rule.pointer), "line": .number(trial.rule.position.line),
            "excludes": .boolean(trial.rule.excludes), "matched": .boolean(trial.failure == nil),
            "failed": .optional(trial.failure?.part.rawValue), "pattern": .optional(trial.failure?.pattern),
            "value": .optional(trial.failure?.value),
        ])
    }
}
