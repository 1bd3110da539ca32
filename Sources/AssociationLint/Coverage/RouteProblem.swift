internal import AppSiteAssociation
internal import Diagnostics

/// What is wrong with a route or with a rule, in words.
struct RouteProblem {
    let code: DiagnosticCode
    let message: String
    var notes: [String] = []

    init(_ links: UnhandledLinks) {
        code = DiagnosticCode(rawValue: "unhandled-link")
        message = "\(Self.shown(links.witness)) opens the app, and no route handles it"
        notes = ["the rule opens \(RuleText.patterns(links.rule)); add a route for what is left, or exclude it"]
        if links.haveEmptySegments {
            notes.append("nothing but paths with '//' is left; a route like '/x/{rest:*}' takes them")
        }
    }

    /// Nil if nothing is wrong, or it is not known.
    ///
    /// - Parameters:
    ///   - path: The name of the file in messages.
    ///   - name: What messages call the route at an index.
    init?(_ reach: RouteReach, in path: String, name: (Int) -> String) {
        let start = "no link reaches the route: "
        switch reach.state {
        case .reached, .otherHost, .undecided: return nil
        case .excluded(let witness, let rule):
            code = DiagnosticCode(rawValue: "excluded-route")
            message = start + "the file excludes the URLs it would get, such as \(Self.shown(witness))"
            notes = ["the rule at \(path):\(rule.position.line) excludes \(RuleText.patterns(rule))"]
        case .neverSent(let witness):
            code = DiagnosticCode(rawValue: "unsent-route")
            message = start + "no rule of the file takes the URLs it would get, such as \(Self.shown(witness))"
        case .shadowed(let witness, let earlier):
            code = DiagnosticCode(rawValue: "shadowed-route")
            message = start + "earlier ones take all its URLs, such as \(Self.shown(witness))"
            notes = ["\(Self.shown(witness)) goes to \(name(earlier)); what is more special has to stand in front"]
        case .matchesNothing:
            code = DiagnosticCode(rawValue: "shadowed-route")
            message = start + "there is no URL that matches it"
        }
    }

    /// A URL that can be copied.
    private static func shown(_ url: String) -> String { quoted(url, limit: 2_000) }
}
