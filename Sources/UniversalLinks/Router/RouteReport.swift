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

/// How a decision about a URL is shown.
package protocol RouteReport {
    /// - Parameter trace: The rules that were tried, if they are wanted.
    func answer(_ url: String, _ decision: RoutingDecision, _ remarks: RouteRemarks, trace: [RuleTrial]?) -> String

    /// For a text that is no http or https URL with a host.
    func refusal(_ url: String) -> String
}

/// What is said about a text that is no http or https URL with a host.
package enum RouteRefusal {
    package static let message = "not an http or https URL with a host; write it as https://example.com/path"
}

/// What is said about a decision besides what was decided.
package struct RouteRemarks: Sendable {
    /// Why no app was asked; nil if a rule has decided.
    package let reason: String?
    package let hint: RoutingHint?

    /// - Parameter domain: Whose file it is, as it was given; nil if it is taken for that of any host.
    package init(_ decision: RoutingDecision, domain: String?, hint: RoutingHint? = nil) {
        self.hint = hint
        if decision.outcome != .noMatch {
            reason = nil
        } else if let document = decision.document {
            let hasEntries = document.appLinks?.details.isEmpty == false
            reason = hasEntries ? "no rule matches" : "the file has no entries in applinks.details"
        } else {
            reason = "the file speaks for \(domain ?? "no host") only"
        }
    }
}

extension RoutingHint {
    /// One clause: the rule that would open the URL, and how.
    package var message: String {
        let start = "line \(rule.position.line) (\(Self.shortened(RuleText.patterns(rule)))) would open it"
        switch difference {
        case .letterCase:
            return rule.isLegacyPath
                ? "\(start) as \(url): uppercase and lowercase letters differ"
                : "\(start) with \"caseSensitive\": false, or as \(url)"
        case .percentEncoding: return "\(start) if it were encoded as \(url)"
        case .host: return "\(start) as \(url): each host needs its own file"
        case .missingSegment: return "\(start) with one more segment, as in \(url)"
        case .extraSegment: return "\(start) without its last segment, as \(url)"
        }
    }

    private static func shortened(_ text: String) -> String {
        let most = 60
        return text.unicodeScalars.count <= most
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…"
    }
}
