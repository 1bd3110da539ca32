internal import AppSiteAssociation
internal import Diagnostics

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
