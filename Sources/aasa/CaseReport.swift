import Android
import AppSiteAssociation
import AssociationLint
import Diagnostics

/// The output of `aasa test`.
struct CaseReport {
    /// The path of the file, as messages call it.
    let path: String
    let style: TextStyle
    let width: Int?

    /// A block for each failure, the rules that no case covers, and the result.
    func lines(_ run: CaseRun, _ list: CaseList) -> [String] {
        let failed = run.verdicts.filter { !$0.hasPassed }
        let urlWidth =
            failed.map { TerminalWidth.columns(VisibleText.escaped($0.testCase.url)) }
            .filter { $0 <= Self.widestURL }.max() ?? 0
        var blocks = failed.map { block($0, list, urlWidth: urlWidth) }
        let warnings = run.diagnostics.filter { $0.severity == .warning }
        let renderer = TextRenderer(style: style, width: width)
        if !warnings.isEmpty { blocks.append(warnings.flatMap { renderer.render($0, in: list.source) }) }
        let word = failed.isEmpty ? style.green("ok") : style.red("FAILED")
        let result =
            "Result: \(word). \(grouped(run.verdicts.count - failed.count)) passed, \(grouped(failed.count)) failed"
            + (run.skippedCount > 0 ? ", \(grouped(run.skippedCount)) skipped" : "")
        let unreached = list.cases.isEmpty ? [] : notCovered(run.unreached.map(\.position), in: path)
        let androidPath = run.verdicts.lazy.compactMap(\.android).first?.path ?? ""
        blocks.append(unreached + notCovered(run.unreachedComponents.map(\.position), in: androidPath) + [result])
        return Array(blocks.joined(separator: [""]))
    }

    /// URLs up to this width have their locations in one column.
    private static let widestURL = 60

    private func block(_ verdict: CaseRun.Verdict, _ list: CaseList, urlWidth: Int) -> [String] {
        let url = VisibleText.escaped(verdict.testCase.url)
        let padding = String(repeating: " ", count: max(0, urlWidth - TerminalWidth.columns(url)) + 2)
        let line = list.source.position(at: verdict.testCase.range.start).line
        let location = "\(VisibleText.escaped(list.source.path)):\(line)"
        let head = "\(style.bold(style.red("FAIL"))) \(style.bold(url))"
        let isWide = width.map { 5 + TerminalWidth.columns(url + padding + location) > $0 } ?? false
        let start = isWide ? [head, "       \(style.cyan(location))"] : [head + padding + style.cyan(location)]
        return start + (verdict.hasPassedOnApple ? [] : appleRows(verdict))
            + (verdict.hasPassedOnAndroid ? [] : androidRows(verdict))
    }

    private func appleRows(_ verdict: CaseRun.Verdict) -> [String] {
        let rule = verdict.rule.map { rule in
            let location = style.cyan("\(VisibleText.escaped(path)):\(rule.position.line)")
            return "\(location)  \(rule.excludes ? "excludes " : "")\(VisibleText.escaped(RuleText.patterns(rule)))"
        }
        let encoded = verdict.encodedURL.map { ["decided as \(VisibleText.escaped($0))"] } ?? []
        let isDecided = verdict.outcome != .notDecided
        let reason = isDecided ? verdict.reason : "\(verdict.reason) [url-not-decided]"
        let hint = wrapped(verdict.hint.map { VisibleText.escaped($0) })
        return rows("expected", expected(verdict.testCase.expectation)) + rows("actual", actual(verdict))
            + rows("because", [rule ?? reason]) + rows("note", encoded + [verdict.note].compactMap { $0 })
            + rows("hint", hint)
    }

    private func androidRows(_ verdict: CaseRun.Verdict) -> [String] {
        let actual: [String] =
            switch verdict.android?.outcome {
            case .open?: (verdict.android?.packages ?? []).map { "opens \(VisibleText.escaped($0))" }
            case .excluded?: ["excluded"]
            case .noMatch?: ["stays in browser"]
            case .unknown?: ["not known"]
            case nil: ["not decided"]
            }
        return rows("expected", expected(verdict.testCase.android ?? .unchecked).map { "\($0) on Android" })
            + rows("actual", actual.map { style.red("\($0) on Android") })
            + rows("because", wrapped(VisibleText.escaped(verdict.reasonOnAndroid)))
    }

    private func wrapped(_ text: String?) -> [String] {
        guard let text else { return [] }
        return width.map { WrappedText.lines(text, columns: max(24, $0 - 17)) } ?? [text]
    }

    /// The values of a name, one per line.
    private func rows(_ name: String, _ values: [String]) -> [String] {
        values.enumerated().map { number, value in
            let label = number == 0 ? name : ""
            return "       \(label)\(String(repeating: " ", count: 10 - label.count))\(value)"
        }
    }

    private func expected(_ expectation: TestCase.Expectation) -> [String] {
        switch expectation {
        case .opens([]): ["opens no app"]
        case .opens(let apps): apps.map { "opens \(VisibleText.escaped($0))" }
        case .opensAny: ["opens any app"]
        case .excluded: ["excluded"]
        case .unchecked: ["anything"]
        }
    }

    private func actual(_ verdict: CaseRun.Verdict) -> [String] {
        switch verdict.outcome {
        case .open: verdict.appIDs.map { style.red("opens \(VisibleText.escaped($0))") }
        case .excluded: [style.red("excluded")]
        case .noMatch: [style.red("stays in browser")]
        case .notDecided: [style.red("not decided")]
        }
    }

    private func notCovered(_ positions: [SourcePosition], in path: String) -> [String] {
        guard !positions.isEmpty else { return [] }
        let most = 20
        // A line with several of them does not say which.
        let perLine = Dictionary(grouping: positions, by: \.line)
        let lines = positions.prefix(most).map { position in
            perLine[position.line]?.count == 1 ? "\(position.line)" : "\(position.line):\(position.column)"
        }.joined(separator: ", ")
        let rest = positions.count > most ? " and \(grouped(positions.count - most)) more" : ""
        let shown = style.cyan(VisibleText.escaped(path))
        return ["Not covered by any case: \(positions.count == 1 ? "line" : "lines") \(lines)\(rest) of \(shown)"]
    }

    /// The cases for JUnit, each by its URL.
    static func suite(_ run: CaseRun, _ list: CaseList) -> JUnitReport.Suite {
        let failures = Dictionary(
            run.diagnostics.map { ($0.range.start, $0) }, uniquingKeysWith: { first, _ in first })
        return JUnitReport.Suite(
            name: list.source.path,
            cases: run.verdicts.map { verdict in
                let failure = verdict.hasPassed ? nil : failures[verdict.testCase.range.start]
                return JUnitReport.Case(
                    name: verdict.testCase.url, className: list.source.path,
                    line: list.source.position(at: verdict.testCase.range.start).line,
                    result: failure.map { .failure($0.message, $0.details(in: list.source)) } ?? .passed)
            })
    }
}

extension Diagnostic {
    /// The first line of the finding, its notes, and what to do.
    func details(in source: SourceText) -> String {
        ([line(in: source)] + notes.map { "note: \($0)" } + fixIts.prefix(1).map { "help: \($0.title)" })
            .joined(separator: "\n")
    }
}

/// The part of the output of `aasa test` about routes that handle the links of a file.
struct CoverageReport {
    let document: AssociationDocument
    let list: RouteList
    let coverage: RouteCoverage

    /// The lines about routes that are not handled, not reached or not known, and one that sums up.
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
        let most = 20
        let rules = coverage.undecided.prefix(most).map { rule in
            let location = style.cyan("\(path):\(rule.position.line):\(rule.position.column):")
            return "\(style.yellow("not decided"))  \(location) \(VisibleText.escaped(RuleText.patterns(rule)))"
        }
        let routes = listed.compactMap { listed, reach in
            if case .undecided = reach.state { "\(style.yellow("not decided"))  \(shown(listed, style))" } else { nil }
        }
        let rest = coverage.undecided.count - most
        return rules + (rest > 0 ? ["\(style.yellow("not decided"))  \(counted(rest, "more rule"))"] : []) + routes
    }

    private func otherHosts(_ style: TextStyle) -> [String] {
        let others = listed.filter { $0.reach.isForOtherHost }
        guard !others.isEmpty else { return [] }
        let count = counted(others.count, "route is", "routes are")
        return ["\(style.dim("note:")) \(count) not for \(coverage.host):"]
            + others.map { "    \(shown($0.listed, style))" }
    }

    private var listed: [(listed: ListedRoute, reach: RouteReach)] {
        Array(zip(list.routes, coverage.routes)).map { ($0, $1) }
    }

    private func shown(_ route: ListedRoute, _ style: TextStyle) -> String {
        let position = list.source.position(at: route.range.start)
        let location = "\(VisibleText.escaped(list.source.path)):\(position.line):\(position.column):"
        return "\(style.cyan(location)) \(VisibleText.escaped(shortened(route.pattern.description, to: 200)))"
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
                coverage.unhandled.map { .object(["witness": .string($0.witness), "rule": CaseRun.json($0.rule)]) }),
            "routes": .array(listed.map { json($0.listed, $0.reach) }),
            "undecided": .array(coverage.undecided.map(CaseRun.json)),
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
            "rule": rule.map(CaseRun.json) ?? .null, "shadowedBy": earlier.map(JSONOutput.number) ?? .null,
        ])
    }
}
