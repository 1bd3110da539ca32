package import Diagnostics

/// Findings as workflow commands of GitHub Actions: only those of files on disk have a file that can be annotated.
package struct DoctorGitHubReport: DoctorReport {
    private let context: DoctorContext
    private let renderer = GitHubRenderer()

    package init(_ context: DoctorContext) { self.context = context }

    package mutating func begin() -> String { commands(context.findings) }

    package mutating func add(_ diagnosis: Diagnosis) -> String { commands(diagnosis.findings) }

    package mutating func end(_ tally: DoctorTally) -> String { "" }

    private func commands(_ findings: [StepFinding]) -> String { String(lines: findings.map(command)) }

    private func command(_ finding: StepFinding) -> String {
        let diagnostic = finding.diagnostic
        if finding.isAboutFile, let source = finding.located.source { return renderer.command(diagnostic, in: source) }
        var message = [finding.isAboutFile ? diagnostic.message : "\(finding.location): \(diagnostic.message)"]
        message += finding.located.evidence + diagnostic.notes
        if let help = diagnostic.help { message.append("help: \(help)") }
        return renderer.command(
            diagnostic.severity, path: finding.isAboutFile ? finding.located.path : nil,
            title: diagnostic.code.rawValue,
            message: message)
    }
}

/// Findings in SARIF 2.1.0; what is not about a file has a URL as its location, and no region.
package struct DoctorSARIFReport: DoctorReport {
    private let renderer: SARIFRenderer
    private var files: [FileReport] = []
    private var domains = 0

    package init(_ context: DoctorContext, _ renderer: SARIFRenderer) {
        self.renderer = renderer
        add(context.findings, context.ignored)
    }

    package mutating func add(_ diagnosis: Diagnosis) -> String {
        domains += 1
        add(diagnosis.findings, diagnosis.ignored)
        return ""
    }

    package mutating func end(_ tally: DoctorTally) -> String {
        renderer.render(Report(files, fileCount: domains)) + "\n"
    }

    private mutating func add(_ findings: [StepFinding], _ ignored: [IgnoredFinding]) {
        // One after the other about the same subject are one file.
        var last: (subject: String, hasSource: Bool)?
        for finding in findings {
            if let last, last == (finding.located.path, finding.located.source != nil) {
                files[files.count - 1].diagnostics.append(finding.explained)
            } else {
                files.append(FileReport(finding.text, [finding.explained]))
                last = (finding.located.path, finding.located.source != nil)
            }
        }
        files += ignored.map { ignored in
            FileReport(
                ignored.finding.text, [],
                suppressed: [FileReport.Suppressed(ignored.finding.explained, reason: ignored.reason)])
        }
    }
}

extension StepFinding {
    /// The text that the diagnostic is about; an empty one, with the location as its path, if there is none.
    fileprivate var text: SourceText { located.source ?? SourceText([], path: isAboutFile ? located.path : subjectURL) }

    /// The diagnostic with what was seen among its notes.
    fileprivate var explained: Diagnostic {
        var diagnostic = diagnostic
        diagnostic.notes = located.evidence + diagnostic.notes
        if !isAboutFile, let help = diagnostic.help { diagnostic.notes.append("help: \(help)") }
        return diagnostic
    }
}
