import AppSiteAssociation
import AssociationLint
import Diagnostics

/// Changes as CI systems show failed checks: annotations, or JUnit XML.
struct DiffCheckReport {
    let oldPath: String
    let newPath: String

    /// A change, or what could not be decided, as a failed check.
    private struct Check {
        let name: String
        let message: String
        /// The file and line that it is shown at.
        let path: String
        let line: Int?
        let details: [String]
    }

    /// An annotation for each change.
    func github(_ comparison: LinkComparison) -> String {
        checks(comparison).map { check in
            GitHubRenderer().command(
                .error, path: check.path, line: check.line, title: "link changes",
                message: [check.message] + check.details)
        }.joined(separator: "\n")
    }

    /// A failed case for each change; a passed one if there is none.
    func junit(_ comparison: LinkComparison) -> String {
        let cases = checks(comparison).map { check in
            JUnitReport.Case(
                name: check.name, className: check.path, line: check.line,
                result: .failure(check.message, check.details.joined(separator: "\n")))
        }
        let none = JUnitReport.Case(name: "no link changes", className: newPath, result: .passed)
        return JUnitReport(
            name: "aasa diff", suites: [JUnitReport.Suite(name: newPath, cases: cases.isEmpty ? [none] : cases)]
        ).text
    }

    private func checks(_ comparison: LinkComparison) -> [Check] {
        comparison.changes.map { change in
            check(
                name: change.witness, message: "\(change.kind.rawValue): \(change.witness)", change.old.rule,
                change.new.rule,
                details: ["old: \(answer(oldPath, change.old))", "new: \(answer(newPath, change.new))"])
        }
            + comparison.undecided.map { undecided in
                let rules = [undecided.old.map { place(oldPath, $0) }, undecided.new.map { place(newPath, $0) }]
                    .compactMap { $0 }
                return check(
                    name: rules.first ?? "links", message: "not decided whether links change", undecided.old,
                    undecided.new,
                    details: rules)
            }
    }

    private func check(name: String, message: String, _ old: Rule?, _ new: Rule?, details: [String]) -> Check {
        // Where nothing in the new file decides, the rule that did is in the old one.
        let isOld = new == nil && old != nil
        return Check(
            name: name, message: message, path: isOld ? oldPath : newPath, line: (new ?? old)?.position.line,
            details: details)
    }

    private func answer(_ path: String, _ answer: LinkChange.Answer) -> String {
        let apps = answer.appIDs.isEmpty ? "" : " (\(answer.appIDs.joined(separator: ", ")))"
        return (answer.rule.map { place(path, $0) } ?? "no rule of \(path) matches") + apps
    }

    private func place(_ path: String, _ rule: Rule) -> String {
        "\(path):\(rule.position.line):\(rule.position.column): \(rule.excludes ? "excludes " : "")\(RuleText.patterns(rule))"
    }
}
