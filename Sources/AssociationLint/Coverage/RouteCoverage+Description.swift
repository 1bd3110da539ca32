internal import AppSiteAssociation
internal import Diagnostics

extension RouteCoverage: CustomStringConvertible {
    /// What is wrong, a line each, under a line that sums up; for a test that fails.
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
        for rule in undecided { lines.append("\(path):\(rule.position.line): not all of its links could be looked at") }
        return lines.joined(separator: "\n")
    }

    /// One line: how many routes are reached, and whether every link is handled.
    package var summary: String {
        let own = routes.filter { !$0.isForOtherHost }
        let reached = own.count { $0.isReached }
        let left =
            switch unhandled.count {
            case 0: isDecided ? "every link is handled" : "not every link could be looked at"
            case 1: "1 rule opens links that no route handles"
            default: "\(unhandled.count) rules open links that no route handles"
            }
        let isUnknown = !unhandled.isEmpty && !isDecided
        return "\(reached) of \(own.count) \(own.count == 1 ? "route" : "routes") reached, \(left)"
            + (isUnknown ? ", not every link could be looked at" : "")
    }
}
