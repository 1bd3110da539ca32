public import AppSiteAssociation
public import Diagnostics

extension RouteCoverage {
    /// A finding for each rule that opens links which no route handles, at its place in the association file.
    public var fileDiagnostics: [Diagnostic] {
        unhandled.map { links in
            let problem = RouteProblem(links)
            return Diagnostic(
                code: problem.code, severity: .error, message: problem.message, range: links.rule.range,
                pointer: links.rule.pointer, notes: problem.notes)
        }
    }

    /// A finding for each route that no link reaches, at its place in the list whose routes these are; a warning if there
    /// are none.
    public func diagnostics(in list: RouteList) -> [Diagnostic] {
        guard !routes.isEmpty else { return [Self.noRoutes] }
        return zip(routes, list.routes).compactMap { reach, listed in
            let problem = RouteProblem(reach, in: path) { index in
                guard list.routes.indices.contains(index) else { return "an earlier one" }
                let line = list.source.position(at: list.routes[index].range.start).line
                return "\(quoted(list.routes[index].pattern.description)) in line \(line)"
            }
            guard let problem else { return listed.placeholder }
            // That a capture is only text is why.
            return Diagnostic(
                code: problem.code, severity: .error, message: problem.message, range: listed.range,
                notes: problem.notes + (listed.placeholder.map { [$0.message] } ?? []),
                fixIts: listed.placeholder?.fixIts ?? [])
        }
    }

    private static let noRoutes = Diagnostic(
        code: DiagnosticCode(rawValue: "no-routes"), severity: .warning, message: "the list has no routes",
        range: SourceRange(start: 0, end: 0))
}
