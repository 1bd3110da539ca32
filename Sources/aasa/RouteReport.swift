import AppSiteAssociation
import Diagnostics
import UniversalLinks

/// How `aasa route` shows what it decided.
protocol RouteReport {
    /// - Parameter trace: The rules that were tried, if they are wanted.
    func answer(_ url: String, _ decision: RoutingDecision, trace: [RuleTrial]?) -> String

    /// For a text that is no http or https URL with a host.
    func refusal(_ url: String) -> String
}

/// An object a line.
struct RouteJSONReport: RouteReport {
    func answer(_ url: String, _ decision: RoutingDecision, trace: [RuleTrial]?) -> String {
        var object: [String: JSONOutput] = [
            "version": .number(1), "url": .string(url), "outcome": .string(decision.outcome.rawValue),
            "appIDs": .array(decision.appIDs.map(JSONOutput.string)),
            "rule": decision.rule.map(json) ?? .null,
            "userActivity": decision.outcome == .open ? userActivity(url) : .null,
        ]
        if let trace { object["trace"] = .array(trace.map(json)) }
        return JSONOutput.object(object).text
    }

    func refusal(_ url: String) -> String {
        JSONOutput.object(["version": .number(1), "url": .string(url), "error": .string(RouteRefusal.message)]).text
    }

    private func json(_ rule: Rule) -> JSONOutput {
        .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
            "comment": .optional(rule.comment),
        ])
    }

    private func userActivity(_ url: String) -> JSONOutput {
        .object(["activityType": .string(UserActivity.browsingWeb), "webpageURL": .string(url)])
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

enum RouteRefusal {
    static let message = "not an http or https URL with a host; write it as https://example.com/path"
}
