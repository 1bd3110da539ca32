import AppSiteAssociation
import AssociationLint
import Diagnostics

/// How `aasa test` shows what it found.
struct CaseReport {
    private let document: AssociationDocument
    private let style: TextStyle
    private let width: Int?

    init(document: AssociationDocument, style: TextStyle, width: Int?) {
        self.document = document
        self.style = style
        self.width = width
    }

    /// The failures, the rules that no case reached, and a line that sums up.
    func lines(_ run: CaseRun, _ list: CaseList) -> [String] {
        let renderer = TextRenderer(style: style, width: width)
        var lines = run.diagnostics.flatMap { renderer.render($0, in: list.source) }
        if !list.cases.isEmpty, !run.unreached.isEmpty { lines += unreached(run.unreached) }
        let failed = run.failedCount
        let passed = "\(run.verdicts.count - failed) passed"
        return lines + [
            "\(failed == 0 ? style.green(passed) : passed), \(failed > 0 ? style.red("\(failed) failed") : "0 failed")"
        ]
    }

    private func unreached(_ rules: [Rule]) -> [String] {
        let path = VisibleText.escaped(document.source.path)
        let count = rules.count == 1 ? "1 rule is" : "\(rules.count) rules are"
        let most = 20
        let shown = rules.prefix(most).map { rule in
            let verb = rule.excludes ? "excludes " : ""
            return "    \(style.cyan("\(path):\(rule.position.line):\(rule.position.column):")) \(verb)"
                + VisibleText.escaped(RuleText.patterns(rule))
        }
        let rest = rules.count > most ? ["    … and \(rules.count - most) more"] : []
        return ["\(style.dim("note:")) \(count) not covered by any case:"] + shown + rest
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

    /// The members of an object, all of them null if no cases were run.
    static func members(_ run: CaseRun?, _ list: CaseList?) -> [String: JSONOutput] {
        guard let run, let list else { return ["cases": .null, "passed": .null, "failed": .null, "unreached": .null] }
        let cases = run.verdicts.map { verdict in
            let position = list.source.position(at: verdict.testCase.range.start)
            return JSONOutput.object([
                "url": .string(verdict.testCase.url), "line": .number(position.line),
                "column": .number(position.column),
                "passed": .boolean(verdict.hasPassed), "expected": json(verdict.testCase.expectation),
                "outcome": .string(verdict.outcome.rawValue),
                "appIDs": .array(verdict.appIDs.map(JSONOutput.string)), "rule": verdict.rule.map(json) ?? .null,
            ])
        }
        return [
            "cases": .array(cases), "passed": .number(run.verdicts.count - run.failedCount),
            "failed": .number(run.failedCount), "unreached": .array(run.unreached.map(json)),
        ]
    }

    private static func json(_ expectation: TestCase.Expectation) -> JSONOutput {
        switch expectation {
        case .opens(let apps): .object(["opens": .array(apps.map(JSONOutput.string))])
        case .opensAny: .object(["opens": .string("any")])
        case .excluded: .object(["excluded": .boolean(true)])
        }
    }

    static func json(_ rule: Rule) -> JSONOutput {
        .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
        ])
    }
}

extension Diagnostic {
    /// The first line of the finding, its notes, and what to do.
    func details(in source: SourceText) -> String {
        ([line(in: source)] + notes.map { "note: \($0)" } + fixIts.prefix(1).map { "help: \($0.title)" })
            .joined(separator: "\n")
    }
}
