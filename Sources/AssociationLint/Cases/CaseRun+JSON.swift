internal import Android
package import AppSiteAssociation
package import Diagnostics

// The JSON object of `aasa test` (docs/spec/cli.md, section 1.4).
extension CaseRun {
    /// The members of the object without any cases.
    package static let noMembers: [String: JSONOutput] = [
        "cases": .null, "passed": .null, "failed": .null, "unreached": .null,
    ]

    /// The members of the object about the cases of a list.
    ///
    /// - Parameter more: Further members of the object of each case, by its index.
    package func members(_ list: CaseList, _ more: (Int) -> [String: JSONOutput] = { _ in [:] }) -> [String: JSONOutput]
    {
        let cases = verdicts.enumerated().map { index, verdict in
            let position = list.source.position(at: verdict.testCase.range.start)
            var members: [String: JSONOutput] = [
                "url": .string(verdict.testCase.url), "line": .number(position.line),
                "column": .number(position.column),
                "passed": .boolean(verdict.hasPassed), "expected": Self.expectation(verdict.testCase),
                "outcome": isForAndroidOnly ? .null : .string(verdict.outcome.rawValue),
                "appIDs": .array(verdict.appIDs.map(JSONOutput.string)), "rule": verdict.rule.map(Self.json) ?? .null,
            ]
            if let encodedURL = verdict.encodedURL { members["encodedURL"] = .string(encodedURL) }
            if let hint = verdict.hint { members["hint"] = .string(hint) }
            if let android = verdict.android { members["android"] = android.json(explains: false) }
            if verdict.outcome == .notDecided { members["code"] = .string(RuleDescription.urlNotDecided.code.rawValue) }
            return JSONOutput.object(members.merging(more(index)) { $1 })
        }
        var members: [String: JSONOutput] = [
            "cases": .array(cases), "passed": .number(verdicts.count - failedCount),
            "failed": .number(failedCount),
            "unreached": .array(unreached.map(Self.json) + unreachedComponents.map(\.json)),
        ]
        if isForAndroidOnly { members["skipped"] = .number(skippedCount) }
        return members
    }

    private static func expectation(_ testCase: TestCase) -> JSONOutput {
        var members = members(testCase.expectation)
        if let android = testCase.android { members["android"] = .object(Self.members(android)) }
        return .object(members)
    }

    private static func members(_ expectation: TestCase.Expectation) -> [String: JSONOutput] {
        switch expectation {
        case .opens(let apps): ["opens": .array(apps.map(JSONOutput.string))]
        case .opensAny: ["opens": .string("any")]
        case .excluded: ["excluded": .boolean(true)]
        case .unchecked: [:]
        }
    }

    /// The object about a rule.
    package static func json(_ rule: Rule) -> JSONOutput {
        .object([
            "detail": .number(rule.detail), "component": .number(rule.component), "pointer": .string(rule.pointer),
            "line": .number(rule.position.line), "excludes": .boolean(rule.excludes),
        ])
    }
}
