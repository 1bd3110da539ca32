public import AppSiteAssociation
public import Diagnostics
internal import JSONSyntax

extension RouteCoverage {
    /// A finding for each rule that opens links which no route handles, at its range in the association file.
    public var fileDiagnostics: [Diagnostic] {
        unhandled.map { links in
            let problem = RouteProblem(links)
            return Diagnostic(
                problem.rule, problem.message, range: links.rule.range,
                pointer: links.rule.pointer, notes: problem.notes)
        }
    }

    /// A finding for each route that no link reaches, at its range in the list whose routes these are; a warning if there
    /// are none.
    public func diagnostics(in list: RouteList) -> [Diagnostic] {
        guard !routes.isEmpty else { return [Self.noRoutes] }
        return zip(routes, list.routes).compactMap { reach, listed in
            let problem = RouteProblem(reach, in: path) { index in
                guard list.routes.indices.contains(index) else { return "an earlier one" }
                let line = list.source.position(at: list.routes[index].range.start).line
                return "\(quoted(list.routes[index].pattern.description)) on line \(line)"
            }
            guard let problem else { return listed.placeholder }
            // That a capture is only text is why.
            return Diagnostic(
                problem.rule, problem.message, range: listed.range,
                notes: problem.notes + (listed.placeholder.map { [$0.message] } ?? []),
                fixIts: listed.placeholder?.fixIts ?? [])
        }
    }

    private static let noRoutes = Diagnostic(.noRoutes, "the list has no routes")
}

/// The fault of a route or of a rule, in words.
struct RouteProblem {
    let rule: RuleDescription
    let message: String
    var notes: [String] = []

    init(_ links: UnhandledLinks) {
        rule = .unhandledLink
        message = "\(Self.shown(links.witness)) opens the app, but no route handles it"
        notes = ["the rule opens \(RuleText.patterns(links.rule)); add a route for the rest, or exclude it"]
        if links.haveEmptySegments {
            notes.append("only paths with '//' are not handled; a route like '/x/{rest:*}' matches them")
        }
    }

    /// Nil if nothing is wrong, or it is not known.
    ///
    /// - Parameters:
    ///   - path: The name of the file in messages.
    ///   - name: What messages call the route at an index.
    init?(_ reach: RouteReach, in path: String, name: (Int) -> String) {
        let start = "route is unreachable: "
        switch reach.state {
        case .reached, .otherHost, .undecided: return nil
        case .excluded(let witness, let excluding):
            rule = .excludedRoute
            message = start + "the file excludes its URLs, e.g. \(Self.shown(witness))"
            notes = ["the rule at \(path):\(excluding.position.line) excludes \(RuleText.patterns(excluding))"]
        case .neverSent(let witness):
            rule = .unsentRoute
            message = start + "the file opens none of its URLs, e.g. \(Self.shown(witness))"
        case .shadowed(let witness, let earlier):
            rule = .shadowedRoute
            message = start + "earlier routes match all of its URLs, e.g. \(Self.shown(witness))"
            notes = ["\(Self.shown(witness)) is handled by \(name(earlier)); put the more specific route first"]
        case .matchesNothing:
            rule = .shadowedRoute
            message = start + "it matches no URL"
        }
    }

    /// A URL that can be copied.
    private static func shown(_ url: String) -> String { quoted(url, limit: 2_000) }
}

extension RouteCoverage: CustomStringConvertible {
    /// A summary, then one problem per line; for a test that fails.
    public var description: String {
        var lines = [summary]
        for links in unhandled {
            lines.append("\(path):\(links.rule.position.line): \(RouteProblem(links).message)")
        }
        for reach in routes {
            let problem = RouteProblem(reach, in: path) { quoted(routes[$0].route.description) }
            guard let problem else { continue }
            lines.append("\(quoted(reach.route.description)): \(problem.message)")
            lines += problem.notes.map { "    \($0)" }
        }
        for rule in undecided { lines.append("\(path):\(rule.position.line): not all of its links could be checked") }
        return lines.joined(separator: "\n")
    }

    /// One line: how many routes are reached, and whether every link is handled.
    package var summary: String {
        let own = routes.filter { !$0.isForOtherHost }
        let reached = own.count { $0.isReached }
        let left =
            switch unhandled.count {
            case 0: isDecided ? "every link is handled" : "not every link could be checked"
            case 1: "1 rule opens links that no route handles"
            default: "\(unhandled.count) rules open links that no route handles"
            }
        let isUnknown = !unhandled.isEmpty && !isDecided
        return "\(reached) of \(own.count) \(own.count == 1 ? "route" : "routes") reached, \(left)"
            + (isUnknown ? ", not every link could be checked" : "")
    }
}

/// The examples in descriptions about routes, and their findings.
package enum CoverageExample {
    /// The list of routes that a file is compared with; the description says what it is.
    private static let routes = "/buy/{path:*}"

    /// The report about a list of routes, or about a file compared with it.
    package static func report(routes bytes: [UInt8]) -> FileReport {
        let list = RouteList.read(bytes, path: "routes.txt")
        guard list.diagnostics.allSatisfy({ $0.severity != .error }),
            let coverage = coverage(Array(CaseExample.file.utf8), list)
        else { return FileReport(list.source, list.diagnostics) }
        return FileReport(list.source, coverage.diagnostics(in: list))
    }

    /// The report about a file compared with a list of routes.
    package static func report(file bytes: [UInt8]) -> FileReport {
        let list = RouteList.read(Array(routes.utf8), path: "routes.txt")
        let source = SourceText(bytes, path: "apple-app-site-association")
        return FileReport(source, coverage(bytes, list)?.fileDiagnostics ?? [])
    }

    private static func coverage(_ file: [UInt8], _ list: RouteList) -> RouteCoverage? {
        let json = JSONReader.read(file, path: "apple-app-site-association")
        guard let root = json.root else { return nil }
        return try? RouteCoverage(
            of: AssociationDocument(root, source: json.source), routes: list.routes.map(\.pattern))
    }
}

/// The rules about a list of routes, and about a file that is compared with it.
enum RouteRules {
    static let all: [RuleDescription] = [
        .invalidRoute, .unreachableRoute, .unhandledLink, .excludedRoute, .unsentRoute, .shadowedRoute, .noRoutes,
    ]
}

extension RuleDescription {
    static let unhandledLink = RuleDescription(
        "unhandled-link", .error, subject: .routedFile,
        summary: "the file opens links in the app that none of its routes handles",
        reason: """
            The system opens the link in the app instead of the browser, but the app cannot handle it: the user sees its \
            first screen, or nothing. Add a route to the app, or an exclusion before the rule to the file. In the examples the app has one route, '/buy/{path:*}'.
            """, basis: [.lint],
        bad: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/*" }, ⟦{ "/": "/help/*" }⟧]
            }
            """),
        good: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/*" }]
            }
            """))
    static let excludedRoute = RuleDescription(
        "excluded-route", .error, subject: .routeRun,
        summary: "the file excludes the URLs of a route and opens none of them",
        reason: """
            The system leaves these links in the browser, so no link ever reaches the route. In the examples the file \
            excludes '/buy/old/*' and opens '/buy/*'.
            """, basis: [.lint],
        bad: "/buy/{product}\n⟦/buy/old/{product}⟧\n",
        good: "/buy/{product}\n")
    static let unsentRoute = RuleDescription(
        "unsent-route", .error, subject: .routeRun, summary: "the file opens none of the URLs of a route",
        reason: """
            The system opens only links that the file lists, so no link ever reaches the route. Add a rule to the file, \
            or correct the spelling of the route. In the examples the file excludes '/buy/old/*' and opens '/buy/*'.
            """, basis: [.lint],
        bad: "/buy/{product}\n⟦/help/{topic}⟧\n",
        good: "/buy/{product}\n")
    static let shadowedRoute = RuleDescription(
        "shadowed-route", .error, subject: .routeRun, summary: "earlier routes match all URLs of a route",
        reason: """
            The first route that matches a URL handles it. Specific routes must come before general \
            ones.
            """, basis: [.lint],
        bad: "/buy/{path:*}\n⟦/buy/{product}⟧\n",
        good: "/buy/{product}\n/buy/{path:*}\n")
    static let noRoutes = RuleDescription(
        "no-routes", .warning, subject: .routeRun, summary: "the list of routes is empty",
        reason: "The list has no routes, so nothing was compared.",
        basis: [.lint],
        bad: "# to be written\n",
        good: "/buy/{product}\n")
}
