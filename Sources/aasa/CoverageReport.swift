import AppSiteAssociation
import AssociationLint
import Diagnostics

/// How `aasa test` shows whether routes handle the links of a file.
struct CoverageReport {
    let document: AssociationDocument
    let list: RouteList
    let coverage: RouteCoverage

    /// What is not handled, what is not reached, what is not known, and a line that sums up.
    func lines(style: TextStyle, width: Int?) -> [String] {
        let renderer = TextRenderer(style: style, width: width)
        let findings =
            coverage.fileDiagnostics.flatMap { renderer.render($0, in: document.source) }
            + coverage.diagnostics(in: list).flatMap { renderer.render($0, in: list.source) }
        let summary = coverage.summary
        return findings + undecided(style) + otherHosts(style)
            + [coverage.isComplete ? style.green(summary) : style.red(summary)]
    }

    private func undecided(_ style: TextStyle) -> [String] {
        let path = VisibleText.escaped(document.source.path)
        let rules = coverage.undecided.map { rule in
            let location = style.cyan("\(path):\(rule.position.line):\(rule.position.column):")
            return "\(style.yellow("not decided"))  \(location) \(VisibleText.escaped(RuleText.patterns(rule)))"
        }
        let routes = listed.compactMap { listed, reach in
            if case .undecided = reach.state { "\(style.yellow("not decided"))  \(shown(listed, style))" } else { nil }
        }
        return rules + routes
    }

    private func otherHosts(_ style: TextStyle) -> [String] {
        let others = listed.filter { $0.reach.isForOtherHost }
        guard !others.isEmpty else { return [] }
        let count = others.count == 1 ? "1 route is" : "\(others.count) routes are"
        return ["\(style.dim("note:")) \(count) not for \(coverage.host):"]
            + others.map { "    \(shown($0.listed, style))" }
    }

    private var listed: [(listed: ListedRoute, reach: RouteReach)] {
        Array(zip(list.routes, coverage.routes)).map { ($0, $1) }
    }

    private func shown(_ route: ListedRoute, _ style: TextStyle) -> String {
        let position = list.source.position(at: route.range.start)
        let location = "\(VisibleText.escaped(list.source.path)):\(position.line):\(position.column):"
        let text = route.pattern.description
        let most = 200
        let isLong = text.unicodeScalars.count > most
        let start = isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…" : text
        return "\(style.cyan(location)) \(VisibleText.escaped(start))"
    }

    /// The findings, file by file.
    var fileReports: [FileReport] {
        [
            FileReport(document.source, coverage.fileDiagnostics),
            FileReport(list.source, coverage.diagnostics(in: list)),
        ]
    }

    /// The routes for JUnit, each by its pattern, and the rules that open links which no route handles.
    var suite: JUnitReport.Suite {
        let failures = Dictionary(
            coverage.diagnostics(in: list).map { ($0.range.start, $0) }, uniquingKeysWith: { first, _ in first })
        let routes = listed.map { listed, _ in
            let failure = failures[listed.range.start]
            return JUnitReport.Case(
                name: listed.pattern.description, className: list.source.path,
                line: list.source.position(at: listed.range.start).line,
                result: failure.map { .failure($0.message, $0.details(in: list.source)) } ?? .passed)
        }
        let unhandled = zip(coverage.unhandled, coverage.fileDiagnostics).map { links, finding in
            JUnitReport.Case(
                name: RuleText.patterns(links.rule), className: document.source.path, line: links.rule.position.line,
                result: .failure(finding.message, finding.details(in: document.source)))
        }
        let undecided =
            coverage.isDecided
            ? []
            : [
                JUnitReport.Case(
                    name: "all links", className: document.source.path,
                    result: .failure("not every link could be checked", coverage.summary))
            ]
        return JUnitReport.Suite(name: list.source.path, cases: routes + unhandled + undecided)
    }

    var json: JSONOutput {
        .object([
            "appID": .optional(coverage.appID), "host": .string(coverage.host),
            "isComplete": .boolean(coverage.isComplete), "isDecided": .boolean(coverage.isDecided),
            "unhandled": .array(
                coverage.unhandled.map { .object(["witness": .string($0.witness), "rule": CaseReport.json($0.rule)]) }),
            "routes": .array(listed.map { json($0.listed, $0.reach) }),
            "undecided": .array(coverage.undecided.map(CaseReport.json)),
        ])
    }

    private func json(_ listed: ListedRoute, _ reach: RouteReach) -> JSONOutput {
        let position = list.source.position(at: listed.range.start)
        let (state, witness, rule, earlier): (String, String?, Rule?, Int?) =
            switch reach.state {
            case .reached(let witness, let rule): ("reached", witness, rule, nil)
            case .excluded(let witness, let rule): ("excluded", witness, rule, nil)
            case .neverSent(let witness): ("neverSent", witness, nil, nil)
            case .shadowed(let witness, let earlier): ("shadowed", witness, nil, earlier)
            case .matchesNothing: ("matchesNothing", nil, nil, nil)
            case .otherHost: ("otherHost", nil, nil, nil)
            case .undecided: ("undecided", nil, nil, nil)
            }
        return .object([
            "route": .string(listed.pattern.description), "line": .number(position.line),
            "column": .number(position.column), "state": .string(state), "witness": .optional(witness),
            "rule": rule.map(CaseReport.json) ?? .null, "shadowedBy": earlier.map(JSONOutput.number) ?? .null,
        ])
    }
}
