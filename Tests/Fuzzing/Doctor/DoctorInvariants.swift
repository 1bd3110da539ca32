import AssociationLint
import Diagnostics
import DomainDoctor
import FindingCatalogue

/// The rules that hold for every diagnosis, whatever was seen.
enum DoctorInvariants {
    private static let longestText = 4_096
    private static let longestEvidence = 400

    static func violation(in diagnosis: Diagnosis) -> String? {
        guard diagnosis.steps.map(\.id) == Step.ID.allCases else { return "the steps \(diagnosis.steps.map(\.id))" }
        for step in diagnosis.steps {
            let found = diagnosis.findings.filter { $0.step == step.id }.map(\.diagnostic)
            if let violation = violation(in: step, found) { return "step '\(step.id.rawValue)': \(violation)" }
        }
        for finding in diagnosis.findings {
            if let violation = violation(in: finding) { return "'\(finding.diagnostic.code)': \(violation)" }
        }
        for (finding, next) in zip(diagnosis.findings, diagnosis.findings.dropFirst()) where finding.step > next.step {
            return "the findings are not in the order of the steps"
        }
        return nil
    }

    private static func violation(in step: Step, _ found: [Diagnostic]) -> String? {
        guard !step.summary.isEmpty else { return "says nothing" }
        guard step.status == .skipped else {
            guard step.reason == nil else { return "has the reason '\(step.reason ?? "")'" }
            let worst = found.map(\.severity).max() ?? .note
            let expected: Step.Status = worst >= .error ? .error : worst == .warning ? .warning : .ok
            // A malformed entry is reported with the app's files, not with the domain, and what keeps a link from the app
            // with the step that has found it.
            let isElsewhere = step.id == .app || step.id == .link && step.status == .error
            return step.status == expected || isElsewhere ? nil : "has the status '\(step.status.rawValue)'"
        }
        guard step.reason?.isEmpty == false else { return "is skipped without a reason" }
        return found.allSatisfy { $0.code.rawValue == "check-incomplete" } ? nil : "is skipped and has findings"
    }

    private static func violation(in finding: StepFinding) -> String? {
        let diagnostic = finding.diagnostic
        guard let rule = AllRules.catalogue[diagnostic.code.rawValue] else { return "no such code" }
        guard !finding.located.path.isEmpty else { return "no subject" }
        if let source = finding.located.source {
            let ranges = [diagnostic.range] + diagnostic.labels.map(\.range)
            for range in ranges where range.start < 0 || range.end < range.start || range.end > source.bytes.count {
                return "the range \(range) is outside of \(source.bytes.count) bytes"
            }
        }
        guard rule.subject.isLive else { return nil }
        let texts = [diagnostic.message] + diagnostic.notes + [diagnostic.help].compactMap { $0 }
        for text in texts {
            if text.isEmpty || text.hasSuffix(".") || text.utf8.contains(0x0A) || text.utf8.count > longestText {
                return "the text \(text.debugDescription)"
            }
        }
        guard diagnostic.severity == .note || diagnostic.help != nil else { return "no help" }
        for line in finding.located.evidence where line.utf8.contains(0x0A) || line.utf8.count > longestEvidence {
            return "the evidence \(line.debugDescription)"
        }
        return nil
    }
}
