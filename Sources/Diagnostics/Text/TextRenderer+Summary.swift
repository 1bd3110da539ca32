extension TextRenderer {
    /// The last line: what was fixed, how much is left in how many files, and what to do about it.
    func summary(_ report: Report) -> String {
        let fixed = report.fixedCount
        let sentences = [
            fixed == 0 ? nil : style.green("Fixed \(counted(fixed, "finding"))."), counts(report), nextSteps(report),
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// `Found 2 errors in 1 of 3 files (1 finding ignored).`
    private func counts(_ report: Report) -> String {
        let files = report.files.filter { !$0.isConfiguration && !$0.diagnostics.isEmpty }
        let configurations = report.files.filter { $0.isConfiguration && !$0.diagnostics.isEmpty }
        var clauses: [String] = []
        if !files.isEmpty { clauses.append("Found " + found(in: files, of: report.fileCount, "file")) }
        if !configurations.isEmpty {
            let start = files.isEmpty ? "Found " : "and "
            clauses.append(start + found(in: configurations, of: configurations.count, "configuration"))
        }
        if files.isEmpty {
            let fine = counted(report.fileCount, "file is fine", "files are fine")
            clauses.append(report.fileCount == 0 ? "No files were checked" : style.green(fine))
        }
        let ignored = report.suppressedCount
        return clauses.joined(separator: files.isEmpty ? "; " : ", ")
            + (ignored == 0 ? "." : " (\(counted(ignored, "finding")) ignored).")
    }

    /// `1 error and 2 warnings in 1 of 3 files`
    private func found(in files: [FileReport], of count: Int, _ noun: String) -> String {
        let severities = files.flatMap { $0.diagnostics.map(\.severity) }
        let kinds: [(count: Int, noun: String, severity: Severity)] = [
            (severities.count { $0 >= .error }, "error", .error),
            (severities.count { $0 == .warning }, "warning", .warning),
            (severities.count { $0 == .note }, "note", .note),
        ]
        let counts = kinds.filter { $0.count > 0 }
            .map { style.bold(colored(counted($0.count, $0.noun), $0.severity)) }
            .joined(separator: " and ")
        return counts + " in " + (files.count < count ? "\(files.count) of " : "") + counted(count, noun)
    }

    /// Where to read more, and how to apply the fixes that there are.
    private func nextSteps(_ report: Report) -> String? {
        let codes = report.files.lazy.flatMap(\.diagnostics).filter { $0.code != .unnamed }
        guard let worst = codes.first(where: { $0.severity >= .error }) ?? codes.first else { return nil }
        return "Run 'aasa explain \(worst.code)' for details" + (fixes(report).map { "; \($0)." } ?? ".")
    }

    private func fixes(_ report: Report) -> String? {
        let automatic = report.fixableCount(.automatic)
        let suggested = report.fixableCount(.suggested)
        switch (automatic, suggested) {
        case (0, 0): return nil
        case (_, 0): return "\(counted(automatic, "fix", "fixes")) available with --fix"
        case (0, _): return "\(counted(suggested, "fix", "fixes")) available with --fix --suggested"
        default:
            return
                "\(counted(automatic, "fix", "fixes")) available with --fix, \(grouped(suggested)) more with --fix --suggested"
        }
    }
}
