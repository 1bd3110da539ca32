public import Diagnostics

extension Fixer.Outcome {
    /// What there is to know besides what was fixed and what is left: refused fixes with the reason, a link that no longer
    /// opens, and how many fixes were not tried.
    public var notes: [Report.Note] {
        let source = result.source
        var notes = refused.map { refused in
            let position = source.position(at: refused.diagnostic.range.start)
            return Report.Note(
                path: "\(source.path):\(position.line):\(position.column)",
                message: "not fixed: \(refused.reason) [\(refused.diagnostic.code)]")
        }
        if let closedLink {
            let message = "with the fixes, links such as \(quoted(closedLink, limit: 200)) no longer open an app"
            notes.append(Report.Note(path: source.path, message: message))
        }
        if untriedCount > 0 {
            let count = counted(untriedCount, "fix was not tried", "fixes were not tried")
            let rest = fixed.isEmpty ? "" : "; run it again for the rest"
            notes.append(
                Report.Note(
                    path: source.path, message: "stopped after 2 s, the limit for one file; \(count)\(rest)"))
        }
        return notes
    }
}
